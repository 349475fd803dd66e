"""A report made under Pagewitness's own rules, written in the form that Ethos's tools read.

Verdicts, staleness and certification are not touched. What that form has no words for is written by
the tables below, or the report is refused: a reader must not take one claim for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast, get_args

from pydantic import TypeAdapter, ValidationError

from grounding.errors import UsageError
from verifier.codes import Reason
from verifier.ethos.citations import EthosCitationData, EthosClaimData, EthosKind
from verifier.ethos.report import (
    SCHEMA_VERSION,
    CapabilityLimit,
    EthosCheck,
    EthosEvidence,
    EthosMethod,
    EthosReason,
    EthosReport,
    EthosWarning,
    ethos_parser,
)
from verifier.report import Check, Evidence, Report

NEAREST_REASON: Final[dict[Reason, EthosReason | None]] = {
    "page_label_ambiguous": "page_not_found",
    "bbox_out_of_bounds": "bbox_not_found",
    "row_label_not_found": "table_cell_not_found",
    "column_label_not_found": "table_cell_not_found",
    "label_ambiguous": "table_cell_not_found",
    "column_uncertain": "table_cell_not_found",
    "locator_conflict": "text_mismatch",
    "quote_on_other_page": "text_mismatch",
    "quote_in_other_document": "text_mismatch",
    "quote_too_short": "text_mismatch",
    "quote_interleaved": "text_mismatch",
    "quote_gap_too_wide": "text_mismatch",
    "negation_dropped": "text_mismatch",
    "ambiguous_occurrence": "text_mismatch",
    "hidden_text": "text_mismatch",
    "value_mismatch": "text_mismatch",
    "sign_mismatch": "text_mismatch",
    "unit_mismatch": "text_mismatch",
    "currency_mismatch": "text_mismatch",
    "scale_mismatch": "text_mismatch",
    "period_mismatch": "text_mismatch",
    "value_ambiguous": "text_mismatch",
    "page_without_text": "missing_span_capability",
    "page_garbled": "missing_span_capability",
    "page_failed": "missing_span_capability",
    "missing_crop_capability": None,
    "document_not_found": None,
    "document_ambiguous": None,
    "source_not_approved": None,
    "source_expired": None,
    "source_not_permitted": None,
    "calculation_mismatch": None,
    "calculation_input_not_grounded": None,
    "calculation_undefined": None,
    "limit_exceeded": None,
    "timed_out": None,
    "internal_error": None,
}
"""What is written for reasons that Ethos does not have.

Texts and numbers that differ are text_mismatch, whatever differs in them; a place that labels or
boxes do not lead to is the one that was not found; a page without usable text has no runs of text
to compare. With None the reason is left out, as nothing near it exists: the status alone says that
nothing was proved. Reasons of documents and calculations never get here, see `ethos_shape`.
"""
NEAREST_WARNING: Final[dict[str, EthosWarning | None]] = {
    "garbled_text": "partial_parse",
    "recovered_file": "partial_parse",
    "tables_timed_out": "partial_parse",
    "form_fields_present": "annotations_present",
    "embedded_files_present": None,
    "javascript_present": None,
    "ocr_text": None,
    "citation_not_pinned": None,
    "fingerprint_superseded": None,
    "source_dates_not_checked": None,
}
"""What is written for warnings that Ethos does not have; with None they are left out."""
_REASONS = frozenset(get_args(EthosReason))
_WARNINGS = frozenset(get_args(EthosWarning))
_METHODS = frozenset(get_args(EthosMethod))
_LIMITS = frozenset(get_args(CapabilityLimit))
_SAME_BOX_SPACES: Final[tuple[dict[str, str], ...]] = (
    {},
    {"origin": "top-left"},
    {"unit": "centipoint"},
    {"origin": "top-left", "unit": "centipoint"},
)
_CLAIM: Final = TypeAdapter(EthosClaimData)
_REMEDY = "write the report with --format json"


def ethos_shape(report: Report) -> EthosReport:
    """The report in Ethos's form.

    Statuses, ids, order, staleness and certification stay as they are. A claim's `id` is dropped,
    its `value` becomes `text`, a page number becomes a page's id; of evidence text, page and box
    are kept. Checks that say "cannot tell" warn `capability_limited`, as Ethos's do.

    Raises UsageError naming the claim and the key where the form would change the meaning:
    calculations, structured values, locators that Ethos does not have, coordinates that are no
    whole centipoints; and for a report on a document that was not found.
    """
    if "grounding" not in report:
        raise UsageError(
            "the report is on no document, which Ethos's form cannot say", remedy=_REMEDY
        )
    pages = _page_ids(report)
    shape: EthosReport = {
        "schema_version": SCHEMA_VERSION,
        "verification_config_sha256": report["verification_config_sha256"],
        "grounding": {
            "parser": ethos_parser(report["grounding"]["parser"]),
            "capabilities": report["grounding"]["capabilities"],
        },
        "capability_limits": [
            cast(CapabilityLimit, limit)
            for limit in report["capability_limits"]
            if limit in _LIMITS
        ],
        "fingerprint_stale": report["fingerprint_stale"],
        "all_evidence_grounded": report["all_evidence_grounded"],
        "checks": [_check(check, pages) for check in report["checks"]],
        "unsupported_claim_kinds": list(report["unsupported_claim_kinds"]),
        "warnings": _warnings(report["warnings"]),
    }
    if "document_fingerprint" in report:
        shape["document_fingerprint"] = report["document_fingerprint"]
    return shape


def _page_ids(report: Report) -> Mapping[int, str]:
    """Ids of the pages that evidence stands on, by number: a foreign document's are its own."""
    evidence = (check.get("evidence", {}) for check in report["checks"])
    return {e["page_number"]: e["page"] for e in evidence if "page_number" in e and "page" in e}


def _check(check: Check, pages: Mapping[int, str]) -> EthosCheck:
    shape: EthosCheck = {
        "id": check["id"],
        "claim": _claim(check, pages),
        "status": check["status"],
        "match_method": _method(check),
        "semantic_unverified": check["semantic_unverified"],
        "warnings": _warnings(check["warnings"]),
    }
    reason = _reason(check)
    if reason is not None:
        shape["reason"] = reason
    if check["status"] == "capability_blocked" and "capability_limited" not in shape["warnings"]:
        shape["warnings"].append("capability_limited")
    if "evidence" in check:
        shape["evidence"] = _evidence(check["evidence"])
    return shape


def _method(check: Check) -> EthosMethod:
    """A number that was compared as one agreed with what is printed up to how it is written."""
    method = check["match_method"]
    if method == "typed_value":
        return "normalized_text"
    if method not in _METHODS:
        raise _unwritable(check, "match_method", method)
    return cast(EthosMethod, method)


def _reason(check: Check) -> EthosReason | None:
    reason = check.get("reason")
    if reason is None or reason in _REASONS:
        return cast(EthosReason | None, reason)
    return NEAREST_REASON[reason]


def _warnings(codes: list[str]) -> list[EthosWarning]:
    """Codes in Ethos's words, each once. An unknown code is one of those left out."""
    written = (code if code in _WARNINGS else NEAREST_WARNING.get(code) for code in codes)
    return [cast(EthosWarning, code) for code in dict.fromkeys(written) if code is not None]


def _evidence(evidence: Evidence) -> EthosEvidence:
    shape: EthosEvidence = {}
    if "text" in evidence:
        shape["text"] = evidence["text"]
    if "page" in evidence:
        shape["page"] = evidence["page"]
    if "bbox" in evidence:
        shape["bbox"] = list(evidence["bbox"])
    return shape


def _claim(check: Check, pages: Mapping[int, str]) -> EthosClaimData:
    """The claim of a check with the keys that Ethos knows."""
    given = {key: value for key, value in check["claim"].items() if value is not None}
    if given.get("kind") not in get_args(EthosKind):
        raise _unwritable(check, "kind", given.get("kind"))
    for key in given.keys() - {"id", "kind", "text", "value", "citation"}:
        raise _unwritable(check, key, given[key])
    claim: EthosClaimData = {"kind": given["kind"], "citation": _citation(check, given, pages)}
    if "text" in given:
        claim["text"] = given["text"]
    if "value" in given:
        if "text" in given or not isinstance(given["value"], str):
            raise _unwritable(check, "value", given["value"])
        claim["text"] = given["value"]
    try:  # an echo may come from a file, where it can hold anything
        return _CLAIM.validate_python(claim, strict=True)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise _unwritable(check, where, "of another type") from error


def _citation(
    check: Check, claim: Mapping[str, Any], pages: Mapping[int, str]
) -> EthosCitationData:
    citation = claim.get("citation", {})
    if not isinstance(citation, dict) or not any(v is not None for v in citation.values()):
        raise _unwritable(check, "citation", citation)
    cited = {key: value for key, value in citation.items() if value is not None}
    written: dict[str, Any] = {}
    for key in sorted(cited):
        if key == "bbox_space" and cited[key] in _SAME_BOX_SPACES:
            continue  # what Ethos's boxes are anyway
        form = _FORMS.get(key)
        value = form(cited[key], pages) if form is not None else None
        if value is None:
            raise _unwritable(check, f"citation.{key}", cited[key])
        written[key] = value
    return cast(EthosCitationData, written)


_Form = Callable[[Any, Mapping[int, str]], Any]
"""How a locator is written; None if it cannot be."""


def _page(value: Any, pages: Mapping[int, str]) -> str | None:
    if isinstance(value, str):
        return value
    if type(value) is not int:
        return None
    return pages.get(value, f"p{value:04d}") if value >= 1 else None


def _as_is(value: Any, pages: Mapping[int, str]) -> Any:
    return value


_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")


def _box(value: Any, pages: Mapping[int, str]) -> list[int] | None:
    if not isinstance(value, list | tuple):
        return None
    texts = [str(number) for number in value]
    whole = all(_WHOLE.fullmatch(text) for text in texts)
    return [int(text) for text in texts] if whole else None


_FORMS: Final[dict[str, _Form]] = {
    "page": _page,
    "element_id": _as_is,
    "span_id": _as_is,
    "table_id": _as_is,
    "cell": _as_is,
    "bbox": _box,
}
"""Locators that Ethos has."""


def _unwritable(check: Check, key: str, value: object) -> UsageError:
    return UsageError(
        f"claim {check['id']}: {key} ({value!r}) cannot be written in Ethos's form without a "
        "change of meaning",
        remedy=_REMEDY,
    )
