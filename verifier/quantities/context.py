"""What is said around a number: scale, unit, currency and period of a table's cell.

A statement such as "(in millions, except per share data)" holds for every number below it that
does not say otherwise itself. The nearest one wins: the cell, its row's labels, its column's
headers, the caption, the statement on the page. Source of the forms: SEC Regulation S-X 4-01(b)
(amounts may be stated in thousands or millions if that is indicated), IAS 1.51(d)-(e) (currency and
level of rounding are displayed prominently), and their wording in filings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Generic, Literal, TypeVar

from grounding.text import fold
from verifier.quantities.dates import parse_period, periods, year_alone
from verifier.quantities.model import ONE, Quantity
from verifier.quantities.period import Period
from verifier.quantities.scales import LETTERS, SCALES, THOUSAND
from verifier.quantities.units import (
    CURRENCY_WORDS,
    DOLLAR,
    ISO_CODES,
    PERCENT,
    RATIOS,
    SIGNS,
    UNIT_WORDS,
    unit_of,
)

Origin = Literal[
    "cell", "row_label", "column_header", "column", "caption", "page_statement", "sentence"
]
"""Where something was said; `column`: by the signs of other numbers in the column; `sentence`: in
the running text around the number."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Stated(Generic[_T]):
    """Something said about a number, where, and in which words."""

    value: _T
    origin: Origin
    text: str


@dataclass(frozen=True, slots=True)
class QuantityContext:
    """What holds for a number besides what its token says. `unsure` names what two equally near
    statements contradict each other in, or what a statement may not have meant: such a thing is
    never applied, and a claim that depends on it is `value_ambiguous`."""

    scale: Stated[Decimal] | None = None
    unit: Stated[str] | None = None
    currency: Stated[str] | None = None
    period: Stated[Period] | None = None
    sign_rule: Stated[Literal["loss_label"]] | None = None
    unsure: frozenset[str] = frozenset()


NO_CONTEXT = QuantityContext()


@dataclass(frozen=True, slots=True)
class Statement:
    """What one text states about the numbers under it; two scales in one text are both kept."""

    scales: tuple[Decimal, ...] = ()
    currencies: tuple[str, ...] = ()
    unit: str = ""
    excepts_per_share: bool = False
    excepts_shares: bool = False
    excepted: frozenset[str] = frozenset()
    """Words of the exception, the plural's ending cut off."""


_SCALE_WORDS = "|".join(sorted((w for w in SCALES if len(w) > 3), key=len, reverse=True))
_SHORT = "|".join(w for w in SCALES if len(w) <= 3) + "|" + "|".join(LETTERS)
_MARKS = "|".join(re.escape(s) for s in sorted({*SIGNS, *ISO_CODES}, key=len, reverse=True))
_EXCEPTION = re.compile(r"\b(?:except|excluding|other than|unless)\b.*", re.I | re.S)
_STATED_SCALE = re.compile(
    rf"\b(?:in|and|or) (?:[\w.$€£¥₹' ]{{0,30}}? ?)?(?P<word>{_SCALE_WORDS})\b"
    rf"|(?:^|\(|, ?)(?P<only>{_SCALE_WORDS})(?= of\b|\)|$)",
    re.I,
)
_SHORT_SCALE = re.compile(
    rf"(?:\bin |\(|^)(?:{_MARKS}) ?(?P<short>(?i:{_SCALE_WORDS})|{_SHORT})(?=[\s),;:.]|$)"
)
_THOUSANDS = re.compile(
    r"(?:(?<=[$€£¥])|\b(?:in|[A-Z]{3}) ?|\(|^)[$€£¥]? ?'?000(?:'?s)?(?=[\s),;:]|$)"
)
_CURRENCY_WORD = re.compile(
    rf"\b(?:{'|'.join(re.escape(w) for w in sorted(CURRENCY_WORDS, key=len, reverse=True))})\b",
    re.I,
)
_CURRENCY_MARK = re.compile(
    rf"(?<![A-Za-z])(?:{_MARKS})(?<![A-Za-z])|(?<![A-Za-z])(?:{_MARKS})(?![A-Za-z])"
)
_UNIT = re.compile(
    r"(?P<percent>(?:^|\(|\bin )(?:%|percent(?:age)?)(?=\W|$)|% of\b|as a percent(?:age)? of\b)",
    re.I,
)
_PERIOD_UNIT = re.compile(rf"\bin (?P<unit>{'|'.join(UNIT_WORDS)})\b", re.I)
_PER_SHARE = re.compile(r"\bper[- ](?:\w+[- ]){0,2}(?:share|unit|ADS|ADR)\b", re.I)
_SHARES = re.compile(r"\bshares?\b", re.I)
_PER_SOMETHING = re.compile(r"\bper (?!cent|annum)\w+", re.I)
_RATIO_LABEL = re.compile(r"%|\bpercent(?:age)?\b|\bratio\b|\brates?\b|\bmargin %", re.I)
_EARNINGS = re.compile(r"^\W*(?:basic|diluted)\b|\bEPS\b|\b(?:basic|diluted)\W*$", re.I)
_NO_AMOUNT = re.compile(
    r"\b(?:number of|headcount|employees|stores|restaurants|hotels|rooms|days|ratio|debt to equity"
    r"|growth|age|rates?|square f(?:ee|oo)t|countries|customers|patents|acres|occupancy|coverage"
    r"|return on|average (?:age|price|selling|rate|number|daily|ticket)|per (?!share\b|common\b"
    r"|basic\b|diluted\b|ordinary\b|ADS\b|ADR\b|unit\b)\w+|percent(?:age)?|margin %)(?!\w)"
    r"|\bmargin\s*$",
    re.I,
)
"""Labels of rows that a caption's "in millions" says nothing of."""
_PART_OF_YEAR = re.compile(
    r"\b(?:Q(?P<q>[1-4])|(?P<o>first|second|third|fourth|1st|2nd|3rd|4th) quarter)\b", re.I
)
_SHORTER = re.compile(
    r"\b(?:quarters?|half|(?:three|six|nine|3|6|9)[ -]months?|(?:13|26|39|thirteen|twenty-six"
    r"|thirty-nine)[ -]weeks?|year[ -]to[ -]date|YTD)\b",
    re.I,
)
_LOSS = re.compile(
    r"(?:net |operating |gross |total |comprehensive )*loss(?:es)?"
    r"(?: (?:for the|before|after|from|on|of|per)\b.*)?(?:, net(?: of tax)?)?\W*",
    re.I,
)


def statement_of(text: str) -> Statement:
    """Scale, currency, unit and exceptions that a caption, header or page line states."""
    text = fold(text).text
    exception = _EXCEPTION.search(text)
    excepted = exception.group() if exception else ""
    said = text[: exception.start()] if exception else text
    scales = [SCALES[(m["word"] or m["only"]).lower()] for m in _STATED_SCALE.finditer(said)]
    for short in _SHORT_SCALE.finditer(said):
        word = short["short"]
        scales.append(SCALES.get(word.lower()) or LETTERS[word])
    if _THOUSANDS.search(said):
        scales.append(THOUSAND)
    unit = PERCENT if _UNIT.search(said) else ""
    if not unit and (length := _PERIOD_UNIT.search(said)):
        unit = UNIT_WORDS[length["unit"].lower()]
    return Statement(
        tuple(dict.fromkeys(scales)),
        tuple(dict.fromkeys(_currencies(said))),
        unit,
        bool(_PER_SHARE.search(excepted)),
        bool(_SHARES.search(_PER_SHARE.sub("", excepted))),
        _stems(excepted) - _EMPTY_STEMS,
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        re.sub(r"(?:ies|es|s|y)$", "", word) for word in re.findall(r"[a-z]{4,}", text.lower())
    )


_EMPTY_STEMS = _stems(
    "except excluding other than unless amounts data noted otherwise share shares where"
)


def _currencies(text: str) -> Iterator[str]:
    found = [CURRENCY_WORDS[m.group().lower()] for m in _CURRENCY_WORD.finditer(text)]
    for mark in _CURRENCY_MARK.finditer(text):
        found.append(SIGNS.get(mark.group(), mark.group()))
    if "USD" in found:  # "$" and "dollars" beside it are these
        found = [f for f in found if f != DOLLAR]
    yield from found


def context_of(
    header_texts: Sequence[str],
    row_labels: Sequence[str],
    caption: str = "",
    page_statement: str = "",
    *,
    row_unit: str = "",
) -> QuantityContext:
    """The context of one cell.

    `header_texts` are the texts of the header cells above it, from the top; `row_labels` those of
    its row's section and its row, the outermost first; `caption` and `page_statement` may hold
    several lines; `row_unit` is what a column of units says of the row. Empty texts say nothing.
    """
    places: list[tuple[Origin, str]] = [
        ("row_label", row_unit),
        *(("row_label", text) for text in reversed(row_labels)),
        *(("column_header", text) for text in reversed(header_texts)),
        ("caption", caption),
        ("page_statement", page_statement),
    ]
    places = [(origin, text) for origin, text in places if text.strip()]
    stated = [(origin, text, statement_of(text)) for origin, text in places]
    unsure: set[str] = set()
    currency = _nearest_currency(stated, unsure)
    unit = next((Stated(s.unit, o, t) for o, t, s in stated if s.unit), None)
    if known := unit_of(row_unit):
        unit = Stated(known, "row_label", row_unit)
    labels = " ".join(fold(text).text for text in row_labels)
    if unit is None and row_labels and _RATIO_LABEL.search(fold(row_labels[-1]).text):
        unsure.add("unit")
    scale = _nearest_scale(stated, labels, unit, unsure)
    period = _part_of_year(_nearest_period(places, unsure), header_texts, row_labels, unsure)
    return QuantityContext(
        scale, unit, currency, period, _sign_rule(row_labels),
        frozenset(unsure),
    )  # fmt: skip


_Stated = tuple[Origin, str, Statement]


def _nearest_currency(stated: Sequence[_Stated], unsure: set[str]) -> Stated[str] | None:
    """The nearest currency; a bare dollar is the one that a farther statement names."""
    found: Stated[str] | None = None
    for origin, text, statement in stated:
        if len(statement.currencies) > 1:
            if found is None or found.value == DOLLAR:
                unsure.add("currency")
            break
        for currency in statement.currencies:
            if found is None:
                found = Stated(currency, origin, text)
            elif found.value == DOLLAR and currency in _DOLLARS:
                return Stated(currency, origin, text)
    return found


_DOLLARS = frozenset(("USD", "CAD", "AUD", "HKD", "NZD", "SGD", "TWD"))


def _nearest_scale(
    stated: Sequence[_Stated], labels: str, unit: Stated[str] | None, unsure: set[str]
) -> Stated[Decimal] | None:
    for origin, text, statement in stated:
        if not statement.scales:
            continue
        if len(statement.scales) > 1:
            unsure.add("scale")
            return None
        if unit is not None and unit.value in RATIOS and origin not in ("row_label",):
            return None  # a share of sales is not in millions
        if origin == "row_label":
            return Stated(statement.scales[0], origin, text)
        if _NO_AMOUNT.search(labels) or _stems(labels) & statement.excepted:
            unsure |= {"scale", "currency"}
            return None
        if _PER_SHARE.search(labels) or (_EARNINGS.search(labels) and not _SHARES.search(labels)):
            if not _PER_SHARE.search(labels):
                unsure.add("currency")  # "Basic" may count shares
            if not statement.excepts_per_share:
                unsure.add("scale")
            return None
        if _SHARES.search(labels):
            unsure.add("currency")
        if _SHARES.search(labels) and (statement.excepts_shares or statement.currencies):
            if not statement.excepts_shares:
                unsure.add("scale")  # "$ in millions" says nothing of a number of shares
            return None
        if _PER_SOMETHING.search(labels) or "unit" in unsure:
            unsure.add("scale")
            return None
        return Stated(statement.scales[0], origin, text)
    return None


def _nearest_period(
    places: Sequence[tuple[Origin, str]], unsure: set[str]
) -> Stated[Period] | None:
    """The period of a cell: that of its column's header cells read together from the top ("Three
    Months Ended June 30," over "2023"), else the caption's or the page's if it names one."""
    headers = [text for origin, text in places if origin == "column_header"]
    joined = fold(" ".join(reversed(headers))).text
    for origin, text in (
        ("column_header", joined),
        *(p for p in places if p[0] != "column_header"),
    ):
        folded = fold(text).text
        found = list(periods(folded)) or list(year_alone(folded))
        whole = parse_period(folded)
        if whole is not None:
            return Stated(whole, origin, text)
        named = {p.label: p for p in found}
        if len(named) == 1:
            return Stated(next(iter(named.values())), origin, text)
        if named:
            unsure.add("period")
            return None
    return None


def _part_of_year(
    period: Stated[Period] | None,
    headers: Sequence[str],
    labels: Sequence[str],
    unsure: set[str],
) -> Stated[Period] | None:
    """A year beside "Fourth Quarter", in the headers or the row's label, is that quarter; beside
    other words for a part of a year it is nothing that is known."""
    if period is None or period.value.kind != "year":
        return period
    text = fold(" ".join((*headers, *labels[-1:]))).text
    named = {(m["q"] or (m["o"] or "")[:3].lower()): m for m in _PART_OF_YEAR.finditer(text)}
    if len(named) == 1:
        ((_, part),) = named.items()
        fiscal = "FY" if period.value.fiscal else ""
        found = parse_period(f"{part.group()} {fiscal}{period.value.year}")
        if found is not None:
            return Stated(found, period.origin, period.text)
    if named or _SHORTER.search(text):
        unsure.add("period")
        return None
    return period


def _sign_rule(row_labels: Sequence[str]) -> Stated[Literal["loss_label"]] | None:
    """A positive number in a row called "Net loss" is a loss. "Net income (loss)" says nothing."""
    if row_labels and _LOSS.fullmatch(fold(row_labels[-1]).text.strip()):
        return Stated("loss_label", "row_label", row_labels[-1])
    return None


def stated_in(quantity: Quantity, context: QuantityContext) -> Quantity:
    """What a source says by a number and its surroundings, for calculations. A number without a
    sign in a row of losses may be meant either way."""
    found = in_context(quantity, context)
    if context.sign_rule is None or found.sign_source != "none" or not found.number:
        return found
    turned = replace(found, negative=True, sign_source="label", alternatives=())
    return replace(found, alternatives=(*found.alternatives, turned))


def in_context(quantity: Quantity, context: QuantityContext) -> Quantity:
    """A cell's number with what its surroundings add; what it says itself is never replaced. Its
    sign is left alone, see `compare`."""
    if quantity.unit in RATIOS or (quantity.unit and not quantity.currency):
        return quantity
    changed = quantity
    if context.unit is not None and not quantity.currency:
        changed = replace(changed, unit=context.unit.value)
        if context.unit.value in RATIOS:
            return changed
    if context.currency is not None:
        known = context.currency.value
        open_to_it = quantity.currency == DOLLAR and known in _DOLLARS
        if (open_to_it or not quantity.currency) and not changed.unit:
            changed = replace(changed, currency=known)
    scale = context.scale.value if context.scale is not None else ONE
    if quantity.scale_source == "none" and scale != ONE:
        changed = replace(changed, scale=scale, scale_source="context")
    if quantity.alternatives:
        plain = replace(context, sign_rule=None)
        others = tuple(in_context(q, plain) for q in quantity.alternatives)
        changed = replace(changed, alternatives=others)
    return changed
