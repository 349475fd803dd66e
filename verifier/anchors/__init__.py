"""Evidence anchors: whether references still bind to their source, and how closely."""

from verifier.anchors.bind import anchor
from verifier.anchors.report import AnchorReport, AnchorReportSet, anchor_report_bytes
from verifier.anchors.request import AnchorRequest, AnchorSubmission, parse_anchors

__all__ = [
    "AnchorReport",
    "AnchorReportSet",
    "AnchorRequest",
    "AnchorSubmission",
    "anchor",
    "anchor_report_bytes",
    "parse_anchors",
]
