"""From a folded text to its quantities.

Works on folded text (dashes, digits and spaces are plain there) that still knows its line ends: a
word that begins the next line may belong to the number, a sign or a capital begins another row. A
token is a whole number as it is
printed: 577 is not in 1,577, and neither is 12 in 12.5 or 19 in COVID-19. Digits are found first,
then what belongs to them is read outwards: a sign, bracket and currency leftwards (a pattern that
matches backwards, which is what `regex` is needed for), a percent sign, scale, unit and currency
rightwards.

Sources of the rules: brackets and a trailing minus are negative by accounting practice (US GAAP
statements print brackets, ledgers a trailing minus); a dash or "nil" alone in a cell is zero by the
same practice; ranges share the scale and unit of their second end (SI brochure 5.4.6 asks for both
to be printed, English prose does not do it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import regex

from grounding.text import Folded
from verifier.quantities.bounds import free_after, free_before
from verifier.quantities.fractions import VULGAR, read_fraction
from verifier.quantities.model import ONE, Quantity, SignSource
from verifier.quantities.notation import (
    DOUBTFUL_SPACE,
    GROUP_SPACE,
    Digits,
    Notation,
    read_digits,
)
from verifier.quantities.prose import bracket_readings
from verifier.quantities.suffix import Suffix, read_suffix, scale_of_range
from verifier.quantities.units import ISO_CODES, SIGNS
from verifier.quantities.words import ENDS_IN_WORDS, IN_WORDS, number_in_words

_GROUPING = re.compile("(?<=\\d)[\u00a0\u202f\u2009\u2007](?=\\d{3}(?!\\d))")
_PLAIN_SPACE = re.compile(r"(?<=\d) (?=\d{3}(?![\d.,']?\d))")
_SPACED_MINUS = re.compile(r"\u2212(?=[ \u00a0\u202f]\d)")
MINUS_APART = "\u2212"
"""Stands in text for numbers for a minus sign (and no dash) that a space parts from its number."""
_LINE_END = re.compile(r"\n")
_PLAIN_GROUPS = re.compile(r"(?<![\d.,'] )(?<![\d.,'])\d{1,3}(?: \d{3})+(?! ?\d)(?:[.,]\d+)?(?!\d)")
_CORE = re.compile(
    rf"\d(?:[\d.,'{GROUP_SPACE}{DOUBTFUL_SPACE}]*\d)?[{''.join(VULGAR)}]?|(?<!\d)\.\d+|[{''.join(VULGAR)}]"
)

_SIGN_WORDS = sorted({*SIGNS, *ISO_CODES}, key=len, reverse=True)
_PREFIX = regex.compile(
    # A sign touches its number or its currency: "- 5" may be a dash for nothing, and then a 5.
    rf"(?r)(?:(?P<open>\()\s?)?(?P<sign>[+-]|{MINUS_APART}\s)?"
    rf"(?:(?<![A-Za-z])(?P<before>{'|'.join(map(re.escape, _SIGN_WORDS))})\s?)?"
    rf"(?:(?P<open2>\()\s?)?(?P<sign2>[+-]|{MINUS_APART}\s)?"
)
_PREFIX_ENDS = frozenset(f"$€£¥₹₩₽₺₪(+-{MINUS_APART}.sABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SAID_MINUS = re.compile(r"\b(?:minus|negative)\s$", re.I)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ITEM_DIGITS = 2
_TELEPHONE = re.compile(r"\s?\d{3}-\d{4}\b")
_ITEM_GOES_ON = re.compile(r"\s[^\W\d_]")
_GOES_ON = re.compile(r"(?:illion|thousand|hundred)(?:\s+and)?\s$", re.I)
"""What stands before words that are the end of a longer number."""
_WORDS_AFTER = re.compile(rf"[\s-](?:and\s)?{IN_WORDS.pattern}", re.I)
_CLOSE = re.compile(r"\s?\)")
_TRAILING_MINUS = re.compile(r"-(?=$|[\s),;])")
_REACH = 24
"""Characters left of a number that its sign, bracket and currency may take up."""


def _never(at: int) -> bool:
    return False


def number_text(
    folded: Folded,
    raw: str,
    is_wide: Callable[[int], bool] = _never,
    *,
    spaces: bool | None = None,
) -> str:
    """A folded text in which spaces that group digits, and those that a line's end became, are told
    from ordinary ones. Offsets are those of the folded text. `is_wide` tells of a raw offset
    whether the space there is too wide to group: filings part columns by no-break spaces, too.
    `spaces` is False for a document that groups by other marks, in which no space ever groups, and
    True for one in which plain spaces may do so."""
    grouped = spaces is not False and _GROUPING.search(raw) is not None
    apart = "\u2212" in raw
    if not grouped and not apart and not spaces and "\n" not in raw:
        return folded.text
    characters = list(folded.text)
    for end in _LINE_END.finditer(raw):
        at = folded.place_of(end.start())
        if at < len(characters) and characters[at] == " ":
            characters[at] = "\n"
    for group in _GROUPING.finditer(raw) if grouped else ():
        place = folded.from_raw(group.start())
        if place is not None and not is_wide(group.start()):
            characters[place] = GROUP_SPACE
    for plain in _PLAIN_SPACE.finditer(raw) if spaces else ():
        place = folded.from_raw(plain.start())
        if place is not None and not is_wide(plain.start()):
            characters[place] = DOUBTFUL_SPACE
    for minus in _SPACED_MINUS.finditer(raw) if apart else ():
        place = folded.from_raw(minus.start())
        if place is not None and characters[place] == "-":
            characters[place] = MINUS_APART
    return "".join(characters)


def quantities(text: str, notation: Notation | None = None) -> list[Quantity]:
    """All whole numbers of a folded text, in order; `notation` is that of the document."""
    found = [q for core in _CORE.finditer(text) if (q := _token(text, core, notation, False))]
    words = list(_in_words(text))
    return sorted([*found, *words], key=lambda q: q.start) if words else found


def parse_quantity(text: str, notation: Notation | None = None) -> Quantity | None:
    """The quantity that a whole text (a claim's value, a cell) is; None when it is not exactly one.

    Spaces group digits here: a text that is one number and nothing else has no columns.
    """
    text = text.strip().replace("\n", " ")
    text = _PLAIN_GROUPS.sub(lambda m: m.group().replace(" ", GROUP_SPACE), text)
    core = _CORE.search(text)
    found = _token(text, core, notation, True) if core else next(_in_words(text, whole=True), None)
    if found is None or found.start != 0 or found.end != len(text):
        return None
    return found


def _is_item(text: str, start: int, end: int, digits: str) -> bool:
    """Whether a number in brackets is no amount: that of a note or a list item, which begins a line
    of words, or the area code of a telephone number."""
    if _TELEPHONE.match(text, end):
        return True
    begins = start == 0 or text[start - 1] == "\n"
    return begins and len(digits) <= _ITEM_DIGITS and _ITEM_GOES_ON.match(text, end) is not None


def _in_words(text: str, *, whole: bool = False) -> Iterator[Quantity]:
    """Numbers in words that something is counted by: a unit, a currency or a scale. A `whole` text
    may be a number in words and nothing else."""
    for words in IN_WORDS.finditer(text):
        start, end = words.span()
        suffix = read_suffix(text, end, "", False)
        if suffix is None:
            continue
        alone = whole and start == 0 and end == len(text)
        if not (alone or suffix.unit or suffix.currency or suffix.scale != 1):
            continue
        number = number_in_words(words.group())
        if number is None or text[max(start - 1, 0) : start] in ("-", "\ufffc"):
            continue
        if _GOES_ON.search(text, max(0, start - 16), start) or _WORDS_AFTER.match(text, suffix.end):
            continue  # "one million six hundred thousand" is neither of its parts
        minus = _SAID_MINUS.search(text, max(0, start - 10), start) is not None
        yield Quantity(
            number, minus, suffix.scale, suffix.currency, suffix.unit, start, suffix.end,
            words.group(), start, end, 0, text[start : suffix.end], "word" if minus else "none",
            suffix.scale_source, "words",
        )  # fmt: skip


def _token(
    text: str, core: re.Match[str], notation: Notation | None, whole: bool
) -> Quantity | None:
    """The quantity around some digits; None when they are part of something else."""
    start, end = core.span()
    if not free_before(text, start, end):
        return None
    fraction, end, digits = read_fraction(text, core)
    opened, sign, before, left = _prefix(text, start)
    currency = SIGNS.get(before, before)
    suffix = read_suffix(text, end, currency, opened)
    if suffix is None:
        return None
    if suffix.end == end and not free_after(text, end):
        return None
    if suffix.end != end and text[suffix.end : suffix.end + 1] == "\ufffc":
        return None
    if fraction is None:
        sizes = _sizes(digits, _effective(notation, suffix.english, whole))
    else:
        sizes = (fraction,)
    if not sizes:
        return None
    return _built(text, (start, end, left), digits, sizes, sign, opened, suffix, currency, whole,
                  "digits" if fraction is None else "fraction")  # fmt: skip


def _sizes(digits: str, notation: Notation | None) -> tuple[Digits, ...]:
    """What digits may be: where spaces may group them or part them, all together or each alone."""
    if DOUBTFUL_SPACE not in digits:
        return read_digits(digits, notation)
    together = read_digits(digits.replace(DOUBTFUL_SPACE, GROUP_SPACE), notation)
    apart = [
        size
        for part in re.split(f"[{DOUBTFUL_SPACE}{GROUP_SPACE}]", digits)
        for size in read_digits(part, notation)
    ]
    return tuple(dict.fromkeys((*together, *apart)))


def _built(  # noqa: C901
    text: str,
    place: tuple[int, int, int],
    digits: str,
    sizes: tuple[Digits, ...],
    sign: str,
    opened: str,
    suffix: Suffix,
    currency: str,
    whole: bool,
    written: str,
) -> Quantity | None:
    start, end, left = place
    stop, closed = suffix.end, suffix.closed
    if opened and not closed and (whole or opened == "$(") and (c := _CLOSE.match(text, stop)):
        stop, closed = c.end(), True  # "$(41.7 million)"; "($41.7 million)" is a remark in prose
    paired = bool(opened and closed)
    words = ENDS_IN_WORDS.search(text, max(0, left - 60), left) if paired else None
    year = _YEAR.fullmatch(digits) and not (suffix.percent or currency)
    item = paired and not whole and _is_item(text, left, stop, digits)
    bracketed = paired and words is None and not year and not item
    if bracketed and sign:
        return None  # negative twice over says nothing
    if opened and not paired and text[left] == "(":
        left += len(text[left:start]) - len(text[left:start].lstrip("( \n"))
    source = _sign_source(text, left, stop, sign, bracketed)
    if source == "none" and sign and not paired and text[left] == "-":
        left += 1  # the dash of a range
    scale, scale_source = suffix.scale, suffix.scale_source
    unit = suffix.unit
    if scale_source == "none" and not unit:
        shared = scale_of_range(text, stop, bool(currency))
        if shared is not None:
            scale, unit = shared
            scale_source = "range" if scale != 1 else "none"
    trailing = None if source != "none" or paired else _TRAILING_MINUS.match(text, stop)
    if trailing and (whole or re.search(r"\d[.,']\d", digits)):
        stop = trailing.end()
    else:
        trailing = None
    first = Quantity(
        sizes[0].number,
        source in ("minus", "parentheses", "word"),
        scale,
        suffix.currency or currency,
        unit,
        left,
        stop,
        digits,
        start,
        end,
        sizes[0].places,
        text[left:stop],
        source,
        scale_source,
        "fraction" if written == "fraction" else suffix.written,
    )
    others = [replace(first, number=n, places=p) for n, p in sizes[1:]]
    if bracketed and not whole:
        positive = bracket_readings(text, left, stop)
        if positive == "positive":
            first = replace(first, negative=False, sign_source="none")
            others = [replace(q, negative=False, sign_source="none") for q in others]
        elif positive == "both":
            others += [replace(q, negative=False, sign_source="none") for q in (first, *others)]
    if suffix.other_unit or suffix.doubtful:
        others += [
            replace(q, scale=ONE, scale_source="none", unit=suffix.other_unit)
            for q in (first, *others)
        ]
    if words is not None:
        said = number_in_words(words["words"])
        part = words["scale"] or _GOES_ON.search(text, max(0, words.start() - 16), words.start())
        if said is not None and not part and said != first.number:
            others.append(replace(first, number=said, places=0))
    if trailing is not None:
        minus = [replace(q, negative=True, sign_source="trailing_minus") for q in (first, *others)]
        if whole:
            first, others = minus[0], minus[1:]
        else:
            others += minus  # "1,234.56- " may be a debit, or a range badly set
    return replace(first, alternatives=tuple(others)) if others else first


def _effective(notation: Notation | None, english: bool, whole: bool) -> Notation | None:
    """The notation of a number: English words beside it say which it is where nothing else does,
    and put a claim about a document of another notation in doubt."""
    if not english or notation is Notation.POINT:
        return notation
    if notation is None:
        return Notation.POINT
    return Notation.MIXED if whole else notation


def _prefix(text: str, start: int) -> tuple[str, str, str, int]:
    """Opening bracket ("$(": behind a currency), sign and currency before a number, and where they
    begin."""
    at = start - 1
    if at > 0 and text[at] in " \n":
        at -= 1
    if at < 0 or text[at] not in _PREFIX_ENDS:
        return "", "", "", start
    found = _PREFIX.match(text, max(0, start - _REACH), start)
    if found is None or found.start() == start:
        return "", "", "", start
    before = found["before"] or ""
    opened = ("$(" if before and found["open2"] else "(") if found["open"] or found["open2"] else ""
    return opened, (found["sign"] or "") + (found["sign2"] or ""), before, found.start()


def _sign_source(text: str, left: int, stop: int, sign: str, bracketed: bool) -> SignSource:
    if bracketed:
        return "parentheses"
    if MINUS_APART in sign:
        return "minus"
    if "-" in sign:
        at = text.index("-", left)
        # After a letter, digit or bracket it is a hyphen, a range or a dash; "-6-" is a page.
        joined = at > 0 and (text[at - 1].isalnum() or text[at - 1] in ").%")
        return "none" if joined or text[stop : stop + 1] == "-" else "minus"
    if text[left - 1 : left] in (" ", "\n") and _SAID_MINUS.search(text, max(0, left - 10), left):
        return "word"
    return "plus" if sign else "none"
