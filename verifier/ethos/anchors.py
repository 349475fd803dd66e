"""Evidence anchors: whether pieces of evidence are where they should be in a foreign document.

No configuration applies: white space is collapsed, case counts, boxes may stand out by half a
point.
"""

from __future__ import annotations

from typing import Final, get_args

from grounding.adapters.model import ForeignDocument, ForeignPage
from grounding.collector import collector_paused
from verifier.anchors.report import AchievedLevel, AnchorStatus, BoxAxis, FingerprintAxis, TextAxis
from verifier.ethos.anchor_report import Anchor, AnchorChecks, EthosAnchorReport
from verifier.ethos.anchor_request import AnchorLocator, AnchorRequest, EvidenceRef
from verifier.ethos.boxes import BoxIndex
from verifier.ethos.index import DocumentIndex
from verifier.ethos.report import SCHEMA_VERSION, CapabilityLimit, grounding_data
from verifier.ethos.text import Comparison

TOLERANCE: Final = 50
"""How far a box may stand out of what is there, in centipoints."""
_LIMIT_ORDER: Final = get_args(CapabilityLimit)


def anchor(document: ForeignDocument, request: AnchorRequest) -> EthosAnchorReport:
    """The report on a request, in its order; nothing is raised."""
    with collector_paused():
        run = _AnchorRun(document, request.source_fingerprint)
        anchors = [run.anchor(ref) for ref in request.evidence_refs]
    report: EthosAnchorReport = {
        "artifact_type": "ethos.evidence_anchor_report.v1",
        "schema_version": SCHEMA_VERSION,
        "grounding": grounding_data(document),
        "anchors": anchors,
    }
    if document.fingerprint:
        report["source_fingerprint"] = document.fingerprint
    return report


class _AnchorRun:
    """One document while evidence is looked for in it."""

    def __init__(self, document: ForeignDocument, fingerprint: str | None) -> None:
        self.index = DocumentIndex(document)
        self.comparison = Comparison()
        self.capabilities = document.capabilities
        self.fingerprint = _fingerprint_axis(document, fingerprint)
        self._page_texts: dict[str, str | None] = {}
        self._page_boxes: dict[str, BoxIndex] = {}

    def anchor(self, ref: EvidenceRef) -> Anchor:
        checks: AnchorChecks = {
            "fingerprint": self.fingerprint,
            "page": "not_checked",
            "text": "not_checked",
            "bbox": "not_checked",
            "table_cell": "not_checked",
        }
        limits: set[CapabilityLimit] = set()
        if self.fingerprint == "capability_limited":
            limits.add("missing_fingerprint")
        if ref.evidence_kind in ("region", "other"):
            return _anchor(ref, checks, limits, "unsupported_evidence_kind")
        if self.fingerprint == "stale":
            return _anchor(ref, checks, limits, "stale_fingerprint")
        self._look(ref, checks, limits)
        return _anchor(ref, checks, limits, _status(ref, checks, limits))

    def _look(self, ref: EvidenceRef, checks: AnchorChecks, limits: set[CapabilityLimit]) -> None:
        kind, level = ref.evidence_kind, ref.required_anchor_level
        page = self._page(ref.locator)
        if ref.locator.names_page:
            checks["page"] = "found" if page is not None else "not_found"
        if kind == "text" or (kind == "text_region" and level != "bbox"):
            checks["text"] = self._text(ref, page, limits)
        if kind == "text_region" and level != "text":
            checks["bbox"] = self._bbox(ref, page, limits)
        if kind == "table_cell":
            checks["table_cell"] = self._table_cell(ref, limits)

    def _page(self, where: AnchorLocator) -> ForeignPage | None:
        if where.page_id is not None:
            return self.index.pages.get(where.page_id)
        return None if where.page_index is None else self.index.page_at(where.page_index)

    def _text(
        self, ref: EvidenceRef, page: ForeignPage | None, limits: set[CapabilityLimit]
    ) -> TextAxis:
        where = ref.locator
        if where.span_id is None and where.element_id is None:
            return self._text_on_page(ref, page)
        if where.span_id is not None and not self.capabilities.spans:
            limits.add("missing_spans")
            return "capability_limited"
        text = self._object_text(where)
        if text is None:
            return "not_found"
        return "matched" if self.comparison.contains(text, ref.expected_text) else "mismatch"

    def _object_text(self, where: AnchorLocator) -> str | None:
        """The text of the located span, else of the located element."""
        if where.span_id is not None:
            span = self.index.spans.get(where.span_id)
            return span.text if span is not None else None
        position = self.index.positions.get(where.element_id or "")
        return self.index.document.elements[position].text if position is not None else None

    def _text_on_page(self, ref: EvidenceRef, page: ForeignPage | None) -> TextAxis:
        texts = self._compared_texts(page.id) if page is not None else None
        if texts is None:
            return "not_found"
        found = self.comparison.form(ref.expected_text or "") in texts
        return "matched" if found else "mismatch"

    def _compared_texts(self, page: str) -> str | None:
        """All texts of a page as they are compared, None if nothing is on it. They are searched as
        one: no compared text has a line feed, so what is found between two is in one of them."""
        if page not in self._page_texts:
            elements, spans = self.index.elements_on(page), self.index.spans_on(page)
            texts = (*(e.text for e in elements), *(s.text for s in spans))
            whole = "\n".join(self.comparison.form(text) for text in texts if text is not None)
            self._page_texts[page] = whole if elements or spans else None
        return self._page_texts[page]

    def _bbox(
        self, ref: EvidenceRef, page: ForeignPage | None, limits: set[CapabilityLimit]
    ) -> BoxAxis:
        if self.capabilities.coordinate_origin != "top-left":
            limits.add("unknown_coordinate_origin")
            return "capability_limited"
        if page is None or ref.locator.bbox is None:
            return "not_found"
        if page.id not in self._page_boxes:
            boxes = enumerate(self.index.boxes_on(page.id))
            self._page_boxes[page.id] = BoxIndex(boxes, TOLERANCE)
        found = self._page_boxes[page.id].smallest_around(ref.locator.bbox)
        return "valid" if found is not None else "not_found"

    def _table_cell(self, ref: EvidenceRef, limits: set[CapabilityLimit]) -> TextAxis:
        where = ref.locator
        if not self.capabilities.tables:
            limits.add("missing_tables")
            return "capability_limited"
        table = self.index.tables.get(where.table_id or "")
        if table is None or where.cell is None:
            return "not_found"
        cell = self.index.cell(table, where.cell.row, where.cell.col)
        if cell is None:
            return "not_found"
        same = ref.expected_text is None or self.comparison.equals(cell.text, ref.expected_text)
        return "matched" if same else "mismatch"


def _fingerprint_axis(document: ForeignDocument, fingerprint: str | None) -> FingerprintAxis:
    if fingerprint is None:
        return "not_checked"
    if not document.fingerprint:
        return "capability_limited"
    return "matched" if fingerprint == document.fingerprint else "stale"


def _anchor(
    ref: EvidenceRef, checks: AnchorChecks, limits: set[CapabilityLimit], status: AnchorStatus
) -> Anchor:
    return {
        "evidence_id": ref.evidence_id,
        "evidence_kind": ref.evidence_kind,
        "anchor_status": status,
        "required_anchor_level": ref.required_anchor_level,
        "achieved_anchor_level": _achieved(ref, checks),
        "checks": checks,
        "capability_limits": [limit for limit in _LIMIT_ORDER if limit in limits],
    }


def _status(ref: EvidenceRef, checks: AnchorChecks, limits: set[CapabilityLimit]) -> AnchorStatus:
    """The worst of what was looked at decides."""
    seen = set(checks.values())
    if "not_found" in seen:
        return "not_found"
    if "mismatch" in seen:
        return "mismatch"
    if "capability_limited" in seen or limits:
        return "capability_limited"
    return "bound" if _achieved(ref, checks) == ref.required_anchor_level else "not_found"


def _achieved(ref: EvidenceRef, checks: AnchorChecks) -> AchievedLevel:
    """The most exact level at which the evidence was found, of those that its kind has."""
    text, box = checks["text"] == "matched", checks["bbox"] == "valid"
    if ref.evidence_kind == "page":
        return "page" if checks["page"] == "found" else "none"
    if ref.evidence_kind == "table_cell":
        return "table_cell" if checks["table_cell"] == "matched" else "none"
    if text and box:
        return "text_bbox"
    if text:
        return "text"
    return "bbox" if box else "none"
