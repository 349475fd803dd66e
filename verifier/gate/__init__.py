"""The release gate: what of a generated answer may be shown, decided by rules that are data."""

from verifier.gate.answer import Answer, GeneratedAnswer, parse_answer
from verifier.gate.breaker import Breaker
from verifier.gate.cache import ReportCache
from verifier.gate.decision import Decision, decision_bytes
from verifier.gate.engine import Gate
from verifier.gate.labels import Labels, ReleaseLabels, parse_labels
from verifier.gate.policy import POLICIES, Policy, load_policy, policy_of

__all__ = [
    "POLICIES",
    "Answer",
    "Breaker",
    "Decision",
    "Gate",
    "GeneratedAnswer",
    "Labels",
    "Policy",
    "ReleaseLabels",
    "ReportCache",
    "decision_bytes",
    "load_policy",
    "parse_answer",
    "parse_labels",
    "policy_of",
]
