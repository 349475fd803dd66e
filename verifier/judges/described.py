"""What results say of the judge, and the lines for traces that were not judged."""

from __future__ import annotations

from typing import Any, Literal, cast

from verifier.coverage.result import AuditError, AuditRejection, JudgeData
from verifier.judges.protocol import EvalError, Judge
from verifier.traces.model import Rejection, RejectionCode, Trace

ArtifactType = Literal["pagewitness.coverage_result.v1", "pagewitness.scorecard_result.v1"]
VERSION: Literal["1.0.0"] = "1.0.0"


def judge_data(judge: Judge) -> JudgeData:
    """Who judged, as a result says it."""
    identity = judge.identity
    return {
        "name": identity.name,
        "version": identity.version,
        "params_sha256": identity.params_sha256,
        "params": dict(identity.params),
    }


def placed(line: Any, origin: str) -> Any:
    """A line with where its trace was read, where that is known."""
    if origin:
        line["origin"] = origin
    return line


def rejection(artifact_type: ArtifactType, rejected: Rejection) -> AuditRejection:
    """The line for a trace that cannot be audited."""
    line: AuditRejection = {
        "artifact_type": artifact_type,
        "schema_version": VERSION,
        "status": "rejected",
        "trace_id": rejected.trace_id,
        "reason": rejected.reason,
        "message": rejected.message,
        "attributes": dict(rejected.attributes),
    }
    return cast(AuditRejection, placed(line, rejected.origin))


def rejected(trace: Trace, reason: RejectionCode, message: str) -> Rejection:
    """A trace that was read and cannot be audited."""
    return Rejection(trace.trace_id, reason, message, trace.origin, trace.attributes)


def eval_error(
    artifact_type: ArtifactType, trace: Trace, judge: Judge, error: EvalError
) -> AuditError:
    """The line for a trace on which the judge gave no answer that can be scored."""
    line: AuditError = {
        "artifact_type": artifact_type,
        "schema_version": VERSION,
        "status": "eval_error",
        "trace_id": trace.trace_id,
        "judge": judge_data(judge),
        "eval_error": {"code": error.code, "message": error.message, "raw": list(error.raw)},
        "attributes": dict(trace.attributes),
    }
    return cast(AuditError, placed(line, trace.origin))
