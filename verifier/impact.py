"""Which citations of a report hold on a later version of its document, and which died.

Every grounded check is made again on the new version, first as it was cited, then without its
place. What is found elsewhere is a suggestion: a correction is a new request and a new report.
A number by itself is looked for in no other place, where another number may happen to be the same:
it moved only if the words around it moved with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NotRequired, cast

from pydantic import with_config
from typing_extensions import TypedDict

from verifier.claims import parse_requests
from verifier.codes import CLOSED
from verifier.config import VerificationConfig
from verifier.report import Check, Report
from verifier.verify import DocumentResolver, verify

ImpactState = Literal["holds", "moved", "changed", "gone", "unknown"]
_LEAST_WORDS = 3
"""Words of a line by which a number is known again."""


@with_config(CLOSED)
class PlaceAndText(TypedDict):
    """A place and what stands there; parts that are not known are left out."""

    page: NotRequired[int]
    text: NotRequired[str]


@with_config(CLOSED)
class Impact(TypedDict):
    """What became of one grounded check on a later version. `suggestion` is the citation that
    would hold now; it is never applied by itself."""

    report_sha256: str
    check_id: str
    claim: dict[str, Any]
    document: str
    document_fingerprint: str
    state: ImpactState
    reason: NotRequired[str]
    was: PlaceAndText
    now: NotRequired[PlaceAndText]
    suggestion: NotRequired[dict[str, Any]]


def impacts(
    report: Report,
    report_sha256: str,
    document: str,
    documents: DocumentResolver,
    config: VerificationConfig,
    page_map: Mapping[int, int],
    as_of: str | None = None,
) -> list[Impact]:
    """What became of a report's grounded checks on the current version of its document, in their
    order. `document` is the source's id; `page_map` says where each page of the report's version
    is in the current one, as far as it is there; `as_of` the day on which it has to be valid."""
    checks = [check for check in report["checks"] if check["status"] == "grounded"]
    if not checks:
        return []
    ask = _Asking(document, documents, config, as_of)
    again = ask.report([check["claim"] for check in report["checks"]])
    by_id = {check["id"]: check for check in again["checks"]}
    there = ask.again(_lost(checks, by_id), lambda check: _on_page(check, page_map))
    anywhere = ask.again(_lost(_lost(checks, by_id), there), lambda check: {})
    made: list[Impact] = []
    for check in checks:
        own_id = check["id"]
        impact = _impact(check, by_id[own_id], there.get(own_id), anywhere.get(own_id))
        impact |= {
            "report_sha256": report_sha256,
            "document": document,
            "document_fingerprint": again.get("document_fingerprint", ""),
        }
        made.append(cast(Impact, impact))
    return made


def _lost(checks: Sequence[Check], found: Mapping[str, Check]) -> list[Check]:
    """Those that were not grounded again."""
    return [c for c in checks if c["id"] not in found or found[c["id"]]["status"] != "grounded"]


def _on_page(check: Check, page_map: Mapping[int, int]) -> dict[str, Any] | None:
    """The page on which the evidence of a check should be now; None when there is none."""
    page = page_map.get(check.get("evidence", {}).get("page_number", 0))
    return {"page": page} if page is not None else None


class _Asking:
    """Verification of claims about the current version of one document."""

    def __init__(
        self,
        document: str,
        documents: DocumentResolver,
        config: VerificationConfig,
        as_of: str | None,
    ) -> None:
        self.document, self.documents, self.as_of = document, documents, as_of
        self.config = config.model_copy(update={"search_other_documents": False})

    def report(self, claims: Sequence[dict[str, Any]]) -> Report:
        request = json.dumps(
            {"document": self.document, "claims": list(claims)}, ensure_ascii=False
        )
        submission = parse_requests(request, as_of=self.as_of)
        return cast(Report, verify(submission, self.documents, self.config))

    def again(
        self, checks: Sequence[Check], place: Callable[[Check], dict[str, Any] | None]
    ) -> dict[str, Check]:
        """Checks at other places than they were cited, by the ids of the old ones."""
        asked = []
        for check in checks:
            cited = place(check)
            claim = _without_place(check) if cited is not None else None
            if claim is not None and cited is not None:
                claim["citation"] = {**claim["citation"], **cited}
                asked.append((check["id"], claim))
        if not asked:
            return {}
        report = self.report([claim for _, claim in asked])
        return {own: new for (own, _), new in zip(asked, report["checks"], strict=True)}


def _without_place(check: Check) -> dict[str, Any] | None:
    """The claim with nothing that says where it stands; None where that proves nothing."""
    claim, evidence = check["claim"], check.get("evidence", {})
    labels = evidence.get("row_labels", [])[-1:], evidence.get("column_labels", [])[-1:]
    if claim["kind"] == "table_cell" and all(labels):
        cited = {"row_label": labels[0][0], "column_label": labels[1][0]}
        return {**_said(claim), "kind": "table_cell", "citation": cited}
    text = claim.get("text") if claim["kind"] in ("quote", "region", "presence") else _line(check)
    if not isinstance(text, str) or not text.strip():
        return None
    return {"kind": "quote", "text": text, "citation": {}}


def _said(claim: dict[str, Any]) -> dict[str, Any]:
    return {key: claim[key] for key in ("text", "value") if key in claim}


def _line(check: Check) -> str | None:
    """The line on which a number stood, if it has words by which it is known again."""
    context = check.get("context")
    if context is None:
        return None
    before = context["before"].rpartition("\n")[2]
    after = context["after"].partition("\n")[0]
    # Context is cut off in the middle of words.
    head = before.partition(" ")[2] if len(before) == len(context["before"]) else before
    tail = after.rpartition(" ")[0] if len(after) == len(context["after"]) else after
    line = f"{head}{context['match']}{tail}".strip()
    words = [word for word in line.split() if any(map(str.isalpha, word))]
    return line if len(words) >= _LEAST_WORDS else None


def _impact(
    check: Check, again: Check, there: Check | None, anywhere: Check | None
) -> dict[str, Any]:
    """The state of one check: as cited, else on the page that its page went to, else anywhere."""
    impact: dict[str, Any] = {"check_id": check["id"], "claim": check["claim"], "was": _of(check)}
    found = next((c for c in (there, anywhere) if c and c["status"] == "grounded"), None)
    if again["status"] == "grounded":
        same = _of(again).get("page") == _of(check).get("page")
        impact |= {"state": "holds" if same else "moved", "now": _of(again)}
    elif found is not None:
        impact |= {"state": "moved", "now": _of(found), "suggestion": _suggestion(found)}
    elif again["status"] in ("capability_blocked", "error"):
        impact["state"] = "unknown"  # what may not be looked at is not gone
    else:
        # What stands on the page that the old one went to says more than what is in its place.
        every = (_instead(c) for c in (there, again) if c)
        now = next((place for place in every if place), PlaceAndText())
        impact["state"] = "changed" if now else "gone"
        if now:
            impact["now"] = now
    if "reason" in again and impact["state"] != "holds":
        impact["reason"] = again["reason"]
    return impact


def _instead(check: Check) -> PlaceAndText:
    """What stands at the place of a failed check instead."""
    place = _of(check)
    return place if place.get("text") else _nearest(check)


def _of(check: Check) -> PlaceAndText:
    evidence = check.get("evidence", {})
    place: PlaceAndText = {}
    if "page_number" in evidence:
        place["page"] = evidence["page_number"]
    if "text" in evidence:
        place["text"] = evidence["text"]
    return place


def _nearest(check: Check) -> PlaceAndText:
    nearest = check.get("nearest")
    if nearest is None:
        return {}
    place: PlaceAndText = {"text": nearest["text"]}
    if "page" in nearest:
        place["page"] = nearest["page"]
    return place


def _suggestion(check: Check) -> dict[str, Any]:
    """The citation that holds now, as closely as the old one could be."""
    evidence = check.get("evidence", {})
    cited: dict[str, Any] = {}
    if "page_number" in evidence:
        cited["page"] = evidence["page_number"]
    if "table_id" in evidence and "cell" in evidence:
        return {**cited, "table_id": evidence["table_id"], "cell": dict(evidence["cell"])}
    if "element_id" in evidence:
        cited["element_id"] = evidence["element_id"]
    return cited
