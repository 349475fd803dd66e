"""Numbers of a report in words, and in which of their parts claim and source differ.

Everything here is derived from what the report says; nothing is compared anew that would need the
document.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from verifier.quantities.scales import BILLION, CRORE, LAKH, MILLION, THOUSAND, TRILLION
from verifier.quantities.units import ORDINAL, RATIOS, same_currency
from verifier.report import Check
from verifier.report_numbers import CalculationData, ContextStatement, QuantityData

Part = Literal["sign", "number", "scale", "unit", "currency", "period"]
PARTS: tuple[Part, ...] = ("number", "sign", "scale", "unit", "currency", "period")
"""Parts in which a claim can differ from its source, in the order in which they are shown."""

_OF_REASON: dict[str, Part] = {
    "value_mismatch": "number",
    "sign_mismatch": "sign",
    "scale_mismatch": "scale",
    "unit_mismatch": "unit",
    "currency_mismatch": "currency",
    "period_mismatch": "period",
}
_SCALE_WORDS = {
    str(int(factor)): word
    for factor, word in (
        (THOUSAND, "thousand"), (LAKH, "lakh"), (MILLION, "million"), (CRORE, "crore"),
        (BILLION, "billion"), (TRILLION, "trillion"),
    )
}  # fmt: skip
_PLAIN = re.compile(r"(-?)([0-9]+)((?:\.[0-9]+)?)")


def grouped(number: str) -> str:
    """A number's digits in groups of three: "5,079.5". Another text is left as it is."""
    found = _PLAIN.fullmatch(number)
    if found is None:
        return number
    sign, digits, fraction = found.groups()
    return f"{sign}{re.sub(r'(?<=[0-9])(?=(?:[0-9]{3})+$)', ',', digits)}{fraction}"


def difference_words(difference: str) -> str:
    """A difference without zeros that end its fraction."""
    return grouped(difference.rstrip("0").rstrip(".") if "." in difference else difference)


def scale_words(scale: str) -> str:
    """A factor as a word where there is one: "1000" is "thousand"."""
    return _SCALE_WORDS.get(scale, grouped(scale))


def quantity_words(data: QuantityData) -> str:
    """A number as it was read, in one line: "-41.7 × million EUR, FY2023"."""
    if "number" not in data:
        return data.get("period", "")
    sign = "-" if data.get("sign") == "negative" else ""
    scale = f"× {scale_words(data['scale'])}" if data.get("scale", "1") != "1" else ""
    parts = (f"{sign}{grouped(data['number'])}", scale, data.get("currency"), data.get("unit"))
    words = " ".join(part for part in parts if part)
    return f"{words}, {data['period']}" if "period" in data else words


def readings_words(data: QuantityData) -> str:
    """All readings of a number: "1.234 or 1,234"."""
    readings = [data, *data.get("other_readings", ())]
    return " or ".join(dict.fromkeys(quantity_words(reading) for reading in readings))


def source_side(check: Check) -> QuantityData | None:
    """What a claim's number was compared with: the source's number, or a recomputed result."""
    source = check.get("quantities", {}).get("source")
    return source if source is not None else check.get("calculation", {}).get("result")


def statements(data: QuantityData) -> list[tuple[list[str], ContextStatement]]:
    """What was said around a number, each text once, with all parts that it told."""
    found: dict[tuple[str, str], tuple[list[str], ContextStatement]] = {}
    for stated in data.get("stated", ()):
        parts, _ = found.setdefault((stated["origin"], stated["text"]), ([], stated))
        parts.append(stated["what"])
    return list(found.values())


def differing_parts(check: Check) -> list[Part]:
    """Parts in which a claim's number differs from the source's, in the order of PARTS: the one
    that is the check's reason, and others that are plainly not the same. None of a grounded check,
    and none where one side can be read in several ways."""
    claim, source = check.get("quantities", {}).get("claim"), source_side(check)
    reason = check.get("reason", "")
    if check["status"] != "mismatch" or reason == "value_ambiguous" or not claim or not source:
        return []
    if "number" not in claim or "number" not in source:
        return ["period"] if claim.get("period") != source.get("period") else []
    found: set[Part] = set()
    if reason == "calculation_mismatch":
        found.update(_missed(claim, source, check["calculation"]))
    elif reason not in _OF_REASON:
        return []
    else:
        found.add(_OF_REASON[reason])
    if claim.get("sign") != source.get("sign") and not _is_loss(claim, source):
        found.add("sign")
    if _units_differ(claim, source):
        found.add("unit")
    if "currency" in claim and not same_currency(claim["currency"], source.get("currency", "")):
        found.add("currency")
    if _periods_differ(claim.get("period", ""), source.get("period", "")):
        found.add("period")
    return [part for part in PARTS if part in found]


def _missed(claim: QuantityData, source: QuantityData, data: CalculationData) -> set[Part]:
    """What is wrong with a claimed result that is not the recomputed one. A result of the same size
    with the other sign, or of the same digits, is right but for that."""
    if _value(data.get("difference", "0")) == 0:
        return set()
    if _value(claim["number"]) != _value(source["number"]):
        return {"number"}
    scales = [_value(side.get("scale", "1")) for side in (claim, source)]
    if scales[0] != scales[1] and not _is_bare(claim):
        return {"scale"}
    return set() if claim.get("sign") != source.get("sign") else {"number"}


def _value(text: str) -> Decimal | None:
    return Decimal(text) if _PLAIN.fullmatch(text) else None


def _is_bare(data: QuantityData) -> bool:
    return not {"scale", "unit", "currency"} & data.keys()


def _periods_differ(claim: str, source: str) -> bool:
    """Whether two periods of one form, such as two years, are not the same. Those of different
    forms may be, as a year is the span of twelve months that ends in it."""
    forms = [re.sub("[0-9]", "0", label.removeprefix("FY")) for label in (claim, source)]
    return forms[0] == forms[1] and claim.removeprefix("FY") != source.removeprefix("FY")


def _is_loss(claim: QuantityData, source: QuantityData) -> bool:
    """Whether the source's label makes its positive number the claim's negative one."""
    told = any(stated["what"] == "sign" for stated in source.get("stated", ()))
    return told and claim.get("sign") == "negative"


def _units_differ(claim: QuantityData, source: QuantityData) -> bool:
    """A claim without a unit states an amount, which is no share; a bare number states nothing."""
    unit = source.get("unit", "")
    if "unit" in claim:
        return claim["unit"] != unit
    return not _is_bare(claim) and (unit in RATIOS or unit == ORDINAL)
