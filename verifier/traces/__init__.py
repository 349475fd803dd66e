"""Production traces: what observability tools export, read into one model."""

from verifier.traces.model import Rejection, RejectionCode, Trace, TraceDocument

__all__ = ["Rejection", "RejectionCode", "Trace", "TraceDocument"]
