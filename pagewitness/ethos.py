"""Ethos's rules and forms for the doors: which configuration means them, and what they answer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grounding.errors import DocumentNotFoundError, RequestInvalidError, UsageError
from grounding.json_input import load_json

if TYPE_CHECKING:
    from grounding.adapters import ForeignDocument
    from pagewitness.documents import Documents
    from verifier.ethos import EthosConfig

PRESET = "ethos-v1"


def ethos_config(name: str) -> EthosConfig | None:
    """The rules of Ethos where a configuration means them: the preset, or a file in its form. None
    for this project's own. Raises ConfigInvalidError."""
    path = Path(name)
    if name != PRESET and not path.is_file():
        return None
    from verifier.ethos import DEFAULT, is_ethos_config, parse_config

    if name == PRESET:
        return DEFAULT
    try:
        text = path.read_text(encoding="utf-8")
        value: Any = tomllib.loads(text) if path.suffix == ".toml" else load_json(text)
    except (ValueError, OSError, RequestInvalidError):
        return None  # this project's own reading of it says what is wrong
    return parse_config(value) if is_ethos_config(value) else None


def ethos_verify(
    data: bytes, known: Documents, document: str | None, config: EthosConfig, form: str
) -> tuple[bytes, bool]:
    """The answer on citations in a form, and whether all evidence is grounded."""
    from verifier import report_bytes
    from verifier.ethos import (
        as_citations,
        citations_of,
        document_of,
        ethos_report_bytes,
        ethos_summary_text,
        own_report,
        verify_ethos,
    )

    value = load_json(data)
    pin = value.get("document_fingerprint") if isinstance(value, dict) else None
    name = document or document_of(value)
    foreign = _document(known, name or (pin if isinstance(pin, str) else None))
    pages = {page.index: page.id for page in foreign.pages}
    citations = citations_of(as_citations(value, pages), config)
    report = verify_ethos(foreign, citations, config)
    grounded = report["all_evidence_grounded"]
    if form == "ethos":
        return ethos_report_bytes(report), grounded
    if form == "summary":
        return ethos_summary_text(report).encode("utf-8"), grounded
    own = own_report(report, citations, foreign, config, name=name or foreign.name)
    if form == "html":
        from pagewitness.pictures import without_pictures
        from verifier.html import html_report

        return html_report(own, without_pictures).encode("utf-8"), grounded
    return report_bytes(own), grounded


def ethos_anchors(data: bytes, known: Documents, document: str | None) -> tuple[bytes, bool]:
    """Ethos's answer on evidence anchors, and whether all of them bind."""
    from grounding.canonical import canonical_bytes
    from verifier.ethos import anchor, parse_anchor_request

    request = parse_anchor_request(data)
    report = anchor(_document(known, document or request.source_fingerprint), request)
    bound = all(item["anchor_status"] == "bound" for item in report["anchors"])
    return canonical_bytes(report) + b"\n", bound


def _document(known: Documents, name: str | None) -> ForeignDocument:
    """The document that is meant; of the store, in the form that foreign ones have."""
    if known.foreign is not None:
        return known.foreign.document
    from grounding.adapters.stored import as_foreign
    from verifier.trusted import require_usable

    assert known.reader is not None
    if name is None:
        raise UsageError("these citations name no document", remedy="call with --document")
    try:
        key = known.reader.current(known.reader.find(name))
        require_usable(key.source_id, known.reader.standing(key), known.as_of)
        return as_foreign(known.reader.document(key))
    except DocumentNotFoundError as error:
        raise DocumentNotFoundError(error.message, remedy="name it with --document") from error
