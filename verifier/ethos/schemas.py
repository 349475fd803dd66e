"""Types of the files of Ethos's formats that are read and written here, for their JSON Schemas."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from verifier.ethos.anchor_report import EthosAnchorReport
from verifier.ethos.anchor_request import AnchorRequest
from verifier.ethos.citations import CitationEnvelope, EthosClaim
from verifier.ethos.config import EthosConfig
from verifier.ethos.decision import ReleaseClaim, ReleaseClaims, ReleaseDecision
from verifier.ethos.report import EthosReport

SCHEMAS: Final[dict[str, Any]] = {
    "ethos_citations": Annotated[list[EthosClaim], Field(min_length=1)] | CitationEnvelope,
    "ethos_verification_config": EthosConfig,
    "ethos_verification_report": EthosReport,
    "ethos_evidence_anchor_request": AnchorRequest,
    "ethos_evidence_anchor_report": EthosAnchorReport,
    "ethos_release_claims": list[ReleaseClaim] | ReleaseClaims,
    "ethos_release_decision": ReleaseDecision,
}
"""What each file is made of, by the name of its schema."""

DESCRIPTIONS: Final[dict[str, tuple[str, str]]] = {
    "ethos_citations": (
        "Ethos citations",
        "Claims to check under Ethos's rules, as an array or in an envelope that pins the "
        "document. Null counts as absent.",
    ),
    "ethos_verification_config": (
        "Ethos verification configuration",
        "The rules of a run in Ethos's form. The tolerance is in 1/100 point.",
    ),
    "ethos_verification_report": (
        "Ethos verification report",
        "The verdict on every claim in Ethos's form. Boxes are in 1/100 point.",
    ),
    "ethos_evidence_anchor_request": (
        "Ethos evidence anchor request",
        "Pieces of evidence of one document, each with the place where it should be.",
    ),
    "ethos_evidence_anchor_report": (
        "Ethos evidence anchor report",
        "Whether each piece of evidence is where it should be, and how exactly it was found.",
    ),
    "ethos_release_claims": (
        "Claims for a release decision",
        "What an application says about the claims of its answer, as an array or in an object "
        "with the question.",
    ),
    "ethos_release_decision": (
        "Ethos app answer release decision",
        "Which claims of an answer may be shown, by the report that they rest on.",
    ),
}
"""Title and description of each schema."""
