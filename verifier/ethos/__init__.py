"""The rules of Ethos 0.3 over foreign documents: what its users get when they change nothing.

Locators are not held against each other here, a quote may be part of a word, and a page alone
proves no text. Pagewitness's own rules are stricter; these are those of another program.
"""

from verifier.ethos.anchor_request import AnchorRequest, parse_anchor_request
from verifier.ethos.anchors import anchor
from verifier.ethos.citations import Citations, citations_of, parse_citations
from verifier.ethos.config import DEFAULT, EthosConfig, is_ethos_config, parse_config
from verifier.ethos.decision import parse_release_claims, release_decision
from verifier.ethos.own_report import own_report
from verifier.ethos.own_request import as_citations, document_of
from verifier.ethos.projection import ethos_shape
from verifier.ethos.report import EthosReport
from verifier.ethos.stored import load_ethos_report, load_proof
from verifier.ethos.summary import ethos_summary_text
from verifier.ethos.verify import ethos_report_bytes, verify_ethos

__all__ = [
    "DEFAULT",
    "AnchorRequest",
    "Citations",
    "EthosConfig",
    "EthosReport",
    "anchor",
    "as_citations",
    "citations_of",
    "document_of",
    "ethos_report_bytes",
    "ethos_shape",
    "ethos_summary_text",
    "is_ethos_config",
    "load_ethos_report",
    "load_proof",
    "own_report",
    "parse_anchor_request",
    "parse_citations",
    "parse_config",
    "parse_release_claims",
    "release_decision",
    "verify_ethos",
]
