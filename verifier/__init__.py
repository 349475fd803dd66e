"""From claims to answers: requests are located, compared and reported. Loads no PDF engine."""

from verifier.claims import (
    Citation,
    Claim,
    RequestSet,
    Submission,
    VerificationRequest,
    parse_requests,
)
from verifier.config import PRESETS, VerificationConfig, load_config
from verifier.report import Check, Report, ReportSet
from verifier.verify import report_bytes, verify, verify_one

__all__ = [
    "PRESETS",
    "Check",
    "Citation",
    "Claim",
    "Report",
    "ReportSet",
    "RequestSet",
    "Submission",
    "VerificationConfig",
    "VerificationRequest",
    "load_config",
    "parse_requests",
    "report_bytes",
    "verify",
    "verify_one",
]
