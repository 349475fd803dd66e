"""Judges of answers behind one protocol. The literal one is deterministic and always asked."""

from verifier.judges.protocol import EvalError, Judge, JudgeIdentity

__all__ = ["EvalError", "Judge", "JudgeIdentity"]
