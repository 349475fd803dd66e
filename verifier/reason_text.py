"""Reasons in words."""

from __future__ import annotations

from verifier.codes import Reason, Status

REASON_TEXT: dict[Reason, str] = {
    "missing_locator": "The citation names no place to look at.",
    "missing_required_text": "The claim gives no text or value to compare.",
    "unsupported_claim_kind": "Claims of this kind are not checked.",
    "stale_fingerprint": "The citation was made for other bytes than the document held now.",
    "missing_source_fingerprint": "The source has no fingerprint to compare the citation's with.",
    "missing_citation_fingerprint": "The citation names no fingerprint, and the rules demand one.",
    "missing_span_capability": "The source does not say where single runs of text stand.",
    "missing_table_capability": "The source does not say what is a cell, or which label is whose.",
    "missing_crop_capability": "The source cannot show pictures of its pages.",
    "unknown_coordinate_origin": "The source does not say from which corner its boxes count.",
    "element_not_found": "The document has no element with the cited id.",
    "span_not_found": "The document has no run of text with the cited id.",
    "page_not_found": "The document has no such page.",
    "page_label_ambiguous": "Several pages carry the cited page label.",
    "bbox_not_found": "Nothing stands in the cited box.",
    "bbox_out_of_bounds": "The cited box is not a box on this page.",
    "missing_page_for_bbox": "A box is cited without the page that it is on.",
    "missing_table_cell_locator": "The citation does not lead to one cell of a table.",
    "table_not_found": "The document has no table with the cited id.",
    "table_cell_not_found": "The cited table has no such cell.",
    "row_label_not_found": "No row of the table has the cited label.",
    "column_label_not_found": "No column of the table has the cited label.",
    "label_ambiguous": "Several rows or columns of the table have the cited label.",
    "column_uncertain": "It cannot be told in which column the cell stands.",
    "locator_conflict": "Parts of the citation point to different places.",
    "text_mismatch": "The cited place does not say this.",
    "quote_on_other_page": "The words stand on another page than the cited one.",
    "quote_in_other_document": "The words stand in another document.",
    "quote_too_short": "The quote has too few words of meaning to prove anything.",
    "quote_interleaved": "The quote runs across columns or blocks that are not one text.",
    "quote_gap_too_wide": "The parts of the quote stand too far apart.",
    "negation_dropped": "The quote leaves out a negation that the source has.",
    "ambiguous_occurrence": "The text stands there several times, and nothing says which is meant.",
    "hidden_text": "The words are in the file, but a reader of the page does not see them.",
    "value_mismatch": "The cited place does not give this value.",
    "sign_mismatch": "The number stands there with the opposite sign.",
    "unit_mismatch": "The number stands there with another unit.",
    "currency_mismatch": "The amount stands there in another currency.",
    "scale_mismatch": "The digits stand there at another scale, such as thousands or millions.",
    "period_mismatch": "The number stands there for another period.",
    "value_ambiguous": "The number can be read in several ways.",
    "page_without_text": "The page has no text that may be compared.",
    "page_garbled": "The page's text does not decode into readable characters.",
    "page_failed": "The page could not be read when the document was taken in.",
    "document_not_found": "The document is not in the store.",
    "document_ambiguous": "Several documents of the store go by this name.",
    "source_not_approved": "The source is not approved.",
    "source_expired": "The source is not valid on the day in question, or none was given.",
    "source_not_permitted": "The source may not be used for this request.",
    "calculation_mismatch": "The calculation gives another result.",
    "calculation_input_not_grounded": "An input of the calculation is not grounded itself.",
    "calculation_undefined": "The calculation has no result, as with a division by zero.",
    "limit_exceeded": "The claim lies beyond the limits of one request.",
    "timed_out": "The check took longer than allowed.",
    "internal_error": "A fault in the program ended this check; the others are not affected.",
}
"""What each reason says to a person."""

_CANNOT_TELL: dict[Reason, str] = {
    "page_not_found": "The source does not know the pages that are cited, or their labels.",
    "element_not_found": "The source does not know elements.",
}
"""Reasons that mean something else where a source cannot tell."""


def reason_sentence(status: Status, reason: Reason) -> str:
    """A verdict's reason in a sentence."""
    if status == "capability_blocked" and reason in _CANNOT_TELL:
        return _CANNOT_TELL[reason]
    return REASON_TEXT[reason]
