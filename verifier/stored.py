"""Reports that come back: from a file, to be shown or turned into pictures."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grounding.errors import RequestInvalidError
from grounding.json_input import load_json
from verifier.report import ARTIFACT_TYPE, SET_ARTIFACT_TYPE, Report, ReportSet


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def load_reports(data: bytes) -> list[Report]:
    """The reports of a file, one or a set. Raises RequestInvalidError for anything else: unknown
    fields and versions are refused, since they might say something that must not be missed."""
    return reports_in(load_json(data))


def reports_in(value: Any) -> list[Report]:
    """The reports of a file's JSON value. Raises RequestInvalidError."""
    kind = value.get("artifact_type") if isinstance(value, dict) else None
    remedy = "give a report that `pagewitness verify` wrote"
    try:
        if kind == SET_ARTIFACT_TYPE:
            whole: ReportSet = _adapter(ReportSet).validate_python(value, strict=True)
            return whole["reports"]
        if kind == ARTIFACT_TYPE:
            report: Report = _adapter(Report).validate_python(value, strict=True)
            return [report]
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RequestInvalidError(f"report: {where}: {first['msg']}", remedy=remedy) from error
    raise RequestInvalidError(f"this is no verification report but {kind!r}", remedy=remedy)
