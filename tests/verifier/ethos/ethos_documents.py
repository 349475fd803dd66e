"""Invented foreign documents and citations for the tests of Ethos's rules."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grounding.adapters.model import (
    ForeignBox,
    ForeignCell,
    ForeignDocument,
    ForeignElement,
    ForeignPage,
    ForeignSpan,
    ForeignTable,
)
from grounding.model import Capabilities, Parser
from verifier.ethos import DEFAULT, EthosConfig, EthosReport, parse_citations, verify_ethos
from verifier.ethos.report import EthosCheck

PIN = "sha256:" + "ab" * 32
OTHER_PIN = "sha256:" + "cd" * 32
ALL = Capabilities(True, True, True, True, "top-left", False)


def element(
    name: str, box: ForeignBox | None, text: str | None = None, page: str = "pg-1"
) -> ForeignElement:
    return ForeignElement(name, page, box, "text_block", text)


FERRY = ForeignDocument(
    parser=Parser("tide-reader", "2.1"),
    capabilities=ALL,
    fingerprint=PIN,
    source_fingerprint="sha256:" + "5f" * 32,
    pages=(ForeignPage("pg-1", 1, 60000, 80000), ForeignPage("pg-2", 2, 60000, 80000)),
    elements=(
        element("title", (5000, 5000, 30000, 7000), "Ferry timetable"),
        element("fares", (5000, 10000, 50000, 12000), "A return ticket\n costs 24.50 crowns."),
        element("frame", (4000, 9000, 55000, 40000)),
        element("left", (5000, 50000, 25000, 52000), "The last boat leaves"),
        element("right", (25000, 50000, 50000, 52000), "the north pier at nine"),
        element("below", (5000, 52000, 25000, 54000), "except on Sundays."),
        element("second", (5000, 10000, 50000, 12000), "Dogs travel free.", "pg-2"),
        element("title", (0, 0, 100, 100), "A second title"),
    ),
    spans=(
        ForeignSpan("sp-1", "pg-1", (5000, 10000, 20000, 12000), "return ticket", "fares", 2, 15),
        ForeignSpan("sp-2", "pg-2", (6000, 60000, 9000, 61000), "in small print"),
    ),
    tables=(
        ForeignTable(
            "tb-1",
            "pg-2",
            (5000, 20000, 50000, 30000),
            (
                ForeignCell(0, 0, 1, 2, (5000, 20000, 50000, 25000), "Crossings"),
                ForeignCell(1, 0, 0, 0, (5000, 25000, 25000, 30000), "Summer"),
                ForeignCell(1, 1, 1, 1, (25000, 25000, 50000, 30000), " 1 240\n"),
                ForeignCell(1, 1, 1, 1, None, "a second cell at the same address"),
                ForeignCell(2, 0, 100, 1, None, "Winter"),
                ForeignCell(50, 0, 1, 1, None, "under Winter"),
            ),
        ),
    ),
)
"""Two pages with texts, spans and a table; the first page has an element without text."""


def able(document: ForeignDocument = FERRY, **changes: Any) -> ForeignDocument:
    """The document with other capabilities."""
    return replace(document, capabilities=replace(document.capabilities, **changes))


def unpinned(document: ForeignDocument = FERRY) -> ForeignDocument:
    return replace(able(document, fingerprint=False), fingerprint="")


def configured(**changes: Any) -> EthosConfig:
    """The default configuration with some of its parts changed: `matching={"case_sensitive":
    False}` changes one key of a part."""
    value = DEFAULT.effective
    for key, change in changes.items():
        merged = isinstance(change, Mapping) and isinstance(value.get(key), dict)
        value[key] = {**value[key], **change} if merged else change
    return EthosConfig.model_validate({k: v for k, v in value.items() if v is not None})


LENIENT = configured(staleness={"require_fingerprint_match": False})
EXACT = configured(matching={"text_normalization": "none"})


def claim(kind: str, text: str | None = None, **citation: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": kind, "citation": citation}
    return made if text is None else {**made, "text": text}


def answer(
    claims: Sequence[dict[str, Any]],
    document: ForeignDocument = FERRY,
    config: EthosConfig = DEFAULT,
    pin: str | None = PIN,
) -> EthosReport:
    envelope = {"claims": list(claims), "document_fingerprint": pin}
    return verify_ethos(document, parse_citations(json.dumps(envelope), config), config)


def one(
    made: dict[str, Any],
    document: ForeignDocument = FERRY,
    config: EthosConfig = DEFAULT,
    pin: str | None = PIN,
) -> EthosCheck:
    return answer([made], document, config, pin)["checks"][0]


def verdict(check: EthosCheck) -> tuple[str, str | None, str]:
    """Status, reason and method."""
    return check["status"], check.get("reason"), check["match_method"]
