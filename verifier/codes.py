"""Stable words of a report: statuses, reasons, methods, tiers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

CLOSED = ConfigDict(extra="forbid")
"""Parts of a report know all their keys."""

Status = Literal[
    "grounded",
    "not_found",
    "mismatch",
    "stale",
    "unsupported_claim_kind",
    "capability_blocked",
    "error",
]
Reason = Literal[
    "missing_locator", "missing_required_text", "unsupported_claim_kind", "stale_fingerprint",
    "missing_source_fingerprint", "missing_citation_fingerprint", "missing_span_capability",
    "missing_table_capability", "missing_crop_capability", "unknown_coordinate_origin",
    "element_not_found", "span_not_found", "page_not_found", "page_label_ambiguous",
    "bbox_not_found", "bbox_out_of_bounds", "missing_page_for_bbox", "missing_table_cell_locator",
    "table_not_found", "table_cell_not_found", "row_label_not_found", "column_label_not_found",
    "label_ambiguous", "column_uncertain", "locator_conflict", "text_mismatch",
    "quote_on_other_page", "quote_in_other_document", "quote_too_short", "quote_interleaved",
    "quote_gap_too_wide", "negation_dropped", "ambiguous_occurrence", "hidden_text",
    "value_mismatch", "sign_mismatch", "unit_mismatch", "currency_mismatch", "scale_mismatch",
    "period_mismatch", "value_ambiguous", "page_without_text", "page_garbled", "page_failed",
    "document_not_found", "document_ambiguous", "source_not_approved", "source_expired",
    "source_not_permitted", "calculation_mismatch", "calculation_input_not_grounded",
    "calculation_undefined", "limit_exceeded", "timed_out", "internal_error",
]  # fmt: skip
MatchMethod = Literal[
    "exact_text", "normalized_text", "exact_text_contains", "normalized_text_contains",
    "table_cell_lookup", "typed_value", "bbox_containment", "presence_only", "recomputed", "none",
]  # fmt: skip
EvidenceTier = Literal["exact_span", "table_cell", "element", "page", "region", "none"]

IsoDate = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
"""A day, such as 2026-01-31."""
CheckId = Annotated[str, Field(pattern=r"^v[0-9]{4,9}$")]
"""`v0001` and so on, in request order. It names files of crops: nothing else is accepted."""
