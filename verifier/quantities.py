"""Numbers with what belongs to them: sign, currency, percent and scale word.

Works on folded text (dashes, digits and spaces are plain there). A token is a whole number as it is
printed: 577 is not in 1,577, and neither is 12 in 12.5 or 19 in COVID-19.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from grounding.text import Folded

SCALES = {
    "thousand": Decimal(10) ** 3,
    "thousands": Decimal(10) ** 3,
    "million": Decimal(10) ** 6,
    "millions": Decimal(10) ** 6,
    "mn": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "billions": Decimal(10) ** 9,
    "bn": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
    "trillions": Decimal(10) ** 12,
}
"""Scale words as used in English-language filings; short scale."""

_CURRENCY_BEFORE = {
    "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "HK$": "HKD",
    "NZ$": "NZD", "S$": "SGD", "R$": "BRL", "$": "$", "€": "EUR", "£": "GBP", "¥": "JPY",
    "₹": "INR", "₩": "KRW", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "JPY": "JPY", "CHF": "CHF",
    "CAD": "CAD", "AUD": "AUD", "INR": "INR", "CNY": "CNY", "RMB": "CNY",
}  # fmt: skip
_CURRENCY_AFTER = {
    "€": "EUR", "£": "GBP", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "JPY": "JPY", "CHF": "CHF",
    "CAD": "CAD", "AUD": "AUD", "INR": "INR", "CNY": "CNY", "euro": "EUR", "euros": "EUR",
    "dollars": "$",
}  # fmt: skip
_UNITS = {
    "%": "percent",
    "percent": "percent",
    "per cent": "percent",
    "percentage points": "percentage points",
    "% points": "percentage points",
    "percentage point": "percentage points",
    "basis points": "basis points",
    "basis point": "basis points",
    "bps": "basis points",
}


GROUP_SPACE = "\u00a0"
"""Stands in text for numbers for every no-break and thin space between two digits: they group."""
_GROUPING = re.compile("(?<=\\d)[\u00a0\u202f\u2009\u2007](?=\\d{3}(?!\\d))")


def number_text(folded: Folded, raw: str) -> str:
    """A folded text in which spaces that group digits are told from ordinary ones."""
    if not _GROUPING.search(raw):
        return folded.text
    characters = list(folded.text)
    for group in _GROUPING.finditer(raw):
        at = folded.from_raw(group.start())
        if at is not None:
            characters[at] = GROUP_SPACE
    return "".join(characters)


def _alternatives(words: dict[str, str] | dict[str, Decimal]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_BEFORE = rf"(?P<before>(?<![A-Za-z])(?:{_alternatives(_CURRENCY_BEFORE)})(?=[\s(\d.+-]))"
_TOKEN = re.compile(
    # A sign touches its number or its currency: "- 5" may be a dash for nothing, and then a 5.
    rf"(?:(?P<open>\() ?)?(?P<sign>[+-])?(?:{_BEFORE} ?)?(?:(?P<open2>\() ?)?(?P<sign2>[+-])?"
    rf"(?P<number>\d(?:[\d.,'{GROUP_SPACE}]*\d)?|\.\d+)"
    r"(?: ?(?P<unit>%(?! ?points?\b))(?P<close_unit> ?\))?)?(?P<close> ?\))?"
    rf"(?: ?(?P<unit_word>{_alternatives(_UNITS)})(?![A-Za-z]))?"
    rf"(?:[ -](?P<scale>{_alternatives(dict(SCALES))})\b)?"
    rf"(?: ?(?P<after>{_alternatives(_CURRENCY_AFTER)})(?![A-Za-z]))?",
    re.IGNORECASE,
)
_NUMBER_WORD = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?|hundred|thousand|million|billion)"
    r"(?:\s+(?:U\.?S\.?\s+)?(?:dollars?|euros?|pounds?|per\s?cent|percent))?\s*$",
    re.I,
)
_SAID_MINUS = re.compile(r"\b(?:minus|negative)\s$", re.I)
_RANGE_SCALE = re.compile(
    r" ?(?:to|and|or|-) ?(?P<currency>(?:US)?[$€£¥])?\d[\d.,]*"
    rf" (?P<scale>{_alternatives(dict(SCALES))})\b",
    re.I,
)
"""The rest of a range such as "5 to 6 million", whose scale is that of both ends."""
_MOST_DIGITS = 60
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as printed. `number` is its size without sign and scale; `start` and `end` are the
    token's range in the text it was read from; `digits` is the number as printed."""

    number: Decimal
    negative: bool
    scale: Decimal
    currency: str
    unit: str
    start: int
    end: int
    digits: str
    digits_start: int
    digits_end: int

    @property
    def total(self) -> Decimal:
        """Signed value with its scale word applied."""
        value = self.number * self.scale
        return -value if self.negative else value


def parse_number(digits: str) -> Decimal | None:
    """The size of a printed number in English, Swiss, Indian or (where it can be nothing else)
    continental European notation; None when the marks do not fit any."""
    plain = digits.replace("'", "")
    if GROUP_SPACE in plain:
        if not re.fullmatch(rf"\d{{1,3}}(?:{GROUP_SPACE}\d{{3}})+(?:[.,]\d+)?", plain):
            return None
        plain = plain.replace(GROUP_SPACE, "").replace(",", ".")
    if re.fullmatch(r"\d+|\d*\.\d+", plain):
        return Decimal(plain)
    # Groups do not begin with a zero: 0,001 is a thousandth.
    if re.fullmatch(
        r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?", plain
    ):
        return Decimal(plain.replace(",", ""))
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}", plain):
        return Decimal(plain.replace(".", "").replace(",", "."))
    if re.fullmatch(r"\d+,\d+", plain):  # grouping was tried before: this comma is a decimal mark
        return Decimal(plain.replace(",", "."))
    return None


def quantities(text: str) -> list[Quantity]:
    """All whole numbers of a folded text, in order."""
    found = []
    for token in _TOKEN.finditer(text):
        if _stands_alone(text, token.start("number"), token.end("number")):
            quantity = _quantity(text, token)
            if quantity is not None:
                found.append(quantity)
    return found


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a claim's value is; None when it is not exactly one."""
    token = _TOKEN.fullmatch(text.strip())
    if token is None or not _stands_alone(token.string, token.start("number"), token.end("number")):
        return None
    return _quantity(token.string, token)


def _quantity(text: str, token: re.Match[str]) -> Quantity | None:
    number = parse_number(token["number"])
    if number is None or len(token["number"]) > _MOST_DIGITS:
        return None
    opened = token["open"] or token["open2"]
    closed = token["close"] or token["close_unit"]
    bracketed = bool(opened and closed) and not _names_a_number(text, token)
    if bracketed and (token["sign"] or token["sign2"]):
        return None  # negative twice over says nothing
    unit = token["unit"] or token["unit_word"] or ""
    before, after = token["before"], token["after"]
    currency = _CURRENCY_BEFORE.get(before.upper(), "") if before else ""
    if after and not currency:
        currency = _CURRENCY_AFTER.get(after, _CURRENCY_AFTER.get(after.upper(), ""))
        currency = currency or _CURRENCY_AFTER.get(after.lower(), "")
    scale = SCALES[token["scale"].lower()] if token["scale"] else Decimal(1)
    if not token["scale"] and not unit:
        scale = _scale_of_range(text, token.end(), bool(before))
    start, end = _extent(token, bool(opened and closed))
    return Quantity(
        number,
        bracketed or _is_minus(text, token),
        scale,
        currency,
        _UNITS.get(unit.lower(), ""),
        start,
        end,
        token["number"],
        *token.span("number"),
    )


def _scale_of_range(text: str, end: int, has_currency: bool) -> Decimal:
    """The scale that the other end of a range states for both: "$5 to $6 million"."""
    rest = _RANGE_SCALE.match(text, end)
    if rest is None or bool(rest["currency"]) > has_currency:
        return Decimal(1)
    return SCALES[rest["scale"].lower()]


def _names_a_number(text: str, token: re.Match[str]) -> bool:
    """Whether brackets hold a number said in words before ("thirty (30) days") or a year."""
    if _YEAR.fullmatch(token["number"]) and not (token["unit"] or token["before"]):
        return True
    return _NUMBER_WORD.search(text, max(0, token.start() - 40), token.start()) is not None


def _is_minus(text: str, token: re.Match[str]) -> bool:
    for name in ("sign", "sign2"):
        if token[name] == "-":
            at = token.start(name)
            # After a letter, digit or bracket it is a hyphen, a range or a dash; "-6-" is a page.
            joined = at > 0 and (text[at - 1].isalnum() or text[at - 1] in ").%")
            return not joined and text[token.end() : token.end() + 1] != "-"
    return _SAID_MINUS.search(text, max(0, token.start() - 10), token.start()) is not None


def _extent(token: re.Match[str], bracketed: bool) -> tuple[int, int]:
    """The token without brackets that it only opens or only closes."""
    start, end = token.start(), token.end()
    if not bracketed:
        if token["open"]:
            start = token.start("before") if token["before"] else token.start("number")
        if token["close"] and not (token["unit_word"] or token["scale"] or token["after"]):
            end = token.end("unit") if token["unit"] else token.end("number")
    return start, end


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether digits are a number of their own, no part of a word, code, date or fraction."""
    after_digit = text[start - 1 : start] == "-" and text[start - 2 : start - 1].isdigit()
    if after_digit and (end - start >= 5 or _DIGIT_FOLLOWS.match(text, end)):
        return False  # 5-10 is a range; 12-34-56 and 333-55943 are codes
    return not (
        _BOUND_BEFORE.search(text, max(0, start - 12), start) or _BOUND_AFTER.match(text, end)
    )


_DIGIT_FOLLOWS = re.compile(r"-\d")
_BOUND_BEFORE = re.compile(
    r"(?:\ufffc[.,']?|[\w#/\\@]|\d[.,':]|[A-Za-z]-|--"  # a word, a decimal, a time, COVID-19
    r"|\d-\d+-|\d{5,}-"  # the end of a code such as 12-34-56
    r"|\w\()$"  # Section 4(2)
)
_BOUND_AFTER = re.compile(
    r"[.,']?\ufffc|[\w/\\@]|:\d"
    r"|-[A-Z](?![a-z])"  # 10-K and F-4 are names; 12-month and 5-10 are numbers
    r"|-\d{5,}|-\d+-\d"  # codes
    r"|\([A-Za-z]\)"  # 401(k)
    r"| \d+/\d"  # 1 1/2
)
