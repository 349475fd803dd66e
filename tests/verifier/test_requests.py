"""Requests and reports: strict input, one answer a claim, the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from drawn import plain, ruled_table
from reading import GROUNDED, OneDocument, Shelf, check, read, report, verdict

from grounding.canonical import canonical_bytes, canonical_sha256
from grounding.errors import ConfigInvalidError, DuplicateClaimIdError, RequestInvalidError
from grounding.store import StoreWriter
from verifier import (
    PRESETS,
    Report,
    ReportSet,
    VerificationConfig,
    load_config,
    parse_requests,
    report_bytes,
    verify,
)
from verifier.checks import CHECKERS
from verifier.checks.outcome import Outcome
from verifier.config import Limits

QUOTE = {"kind": "quote", "text": "The works began at dawn.", "citation": {"page": 1}}
WRONG = {"kind": "quote", "text": "The works began at dusk.", "citation": {"page": 1}}
OTHER = {"kind": "other", "text": "The works went well.", "citation": {"page": 1}}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as shelf:
        shelf.put(plain(["The works began at dawn."]), "dawn.pdf")
        shelf.put(plain(["The fee is 940 EUR."]), "fee.pdf")
        yield shelf


def body(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"document": "dawn.pdf", "claims": list(claims), **more}


def answer(shelf: Shelf, request: Any, config: str = "default", **named: str) -> Report | ReportSet:
    """The report on a request given as a value or as JSON."""
    text = request if isinstance(request, str | bytes) else json.dumps(request)
    return verify(parse_requests(text, **named), shelf.reader, PRESETS[config])


def one(shelf: Shelf, request: Any, config: str = "default", **named: str) -> Report:
    return cast(Report, answer(shelf, request, config, **named))


# What is refused


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"document": "\xe4"}', "not UTF-8"),
        (b"null", "object or an array"),
        (b'"claims"', "object or an array"),
        (b"3", "object or an array"),
        (b'{"document": "d", "claims": [NaN]}', "NaN"),
        (b'{"document": "d", "claims": [Infinity]}', "Infinity"),
        (b'{"document": "d", "claims": [-Infinity]}', "-Infinity"),
        (b'{"document": "d", "document": "e", "claims": []}', "'document' is given twice"),
        (b'{"document": "d", "claims": [{"kind": "quote", "kind": "value"}]}', "given twice"),
        (b'{"document": "d", "claims": []} {}', "not JSON"),
        (b'```json\n{"document": "d", "claims": []}\n```', "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"document": "d", "claims": [' + b"9" * 5_000 + b"]}", ""),
        (b'{"document": "d"}', "claims"),
        (b'{"document": "d", "claims": {}}', "claims"),
        (b'{"document": 5, "claims": []}', "document"),
        (b'{"claims": []}', "names no document"),
        (b"[]", "names no document"),
        (b'{"requests": []}', "requests"),
        (b'{"requests": {}}', "requests"),
        (b'{"requests": [3]}', "requests"),
        (b'{"requests": [{"claims": []}]}', "names no document"),
        (b'{"requests": [{"document": "d", "claims": []}], "document": "d"}', "document"),
    ],
    ids=lambda item: str(item)[:40],
)
def test_what_is_no_request_is_refused(text: bytes, fault: str) -> None:
    """The message names the fault, and nothing is repaired."""
    with pytest.raises(RequestInvalidError) as raised:
        parse_requests(text)
    assert fault in str(raised.value)


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ({"text": "a"}, "claims.0.kind"),
        ({"kind": "guess"}, "claims.0.kind"),
        ({"kind": "quote", "texts": "a"}, "claims.0.texts"),
        ({"kind": "quote", "text": 5}, "claims.0.text"),
        ({"kind": "value", "value": 5}, "claims.0.value"),
        ({"kind": "quote", "id": ""}, "claims.0.id"),
        ({"kind": "quote", "id": "x" * 201}, "claims.0.id"),
        ({"kind": "quote", "citation": {"pages": 1}}, "claims.0.citation.pages"),
        ({"kind": "quote", "citation": {"page": True}}, "claims.0.citation.page"),
        ({"kind": "quote", "citation": {"page": [1]}}, "claims.0.citation.page"),
        ({"kind": "quote", "citation": {"char_start": "1"}}, "claims.0.citation.char_start"),
        ({"kind": "quote", "citation": {"cell": {"row": 1}}}, "claims.0.citation.cell.col"),
        ({"kind": "quote", "citation": {"cell": [1, 2]}}, "claims.0.citation.cell"),
        ({"kind": "quote", "citation": {"bbox": [1, 2, 3]}}, "claims.0.citation.bbox"),
        ({"kind": "quote", "citation": {"bbox": [1, 2, 3, "x"]}}, "claims.0.citation.bbox"),
        ({"kind": "quote", "citation": {"bbox": [1, 2, 3, "nan"]}}, "claims.0.citation.bbox"),
        ({"kind": "quote", "citation": {"bbox": [1, 2, 3, True]}}, "claims.0.citation.bbox"),
        ({"kind": "quote", "citation": {"bbox_space": {"unit": "inch"}}},
         "claims.0.citation.bbox_space.unit"),
        ({"kind": "quote", "citation": {"bbox_space": {"unit": "pixel", "dpi": 0}}},
         "claims.0.citation.bbox_space.dpi"),
        ({"kind": "quote", "text": "\ud800"}, "canonical"),
        ({"kind": "quote", "citation": {"page": 2**53}}, "canonical"),
        (3, "claims.0"),
        ([], "claims.0"),
        (None, "claims.0"),
    ],
    ids=lambda item: str(item)[:60],
)  # fmt: skip
def test_a_claim_of_another_shape_is_refused(claim: Any, fault: str) -> None:
    """Unknown keys, wrong types and numbers out of range are named by their place."""
    with pytest.raises(RequestInvalidError) as raised:
        parse_requests(json.dumps({"document": "d", "claims": [QUOTE, claim][1:]}))
    assert fault in str(raised.value)


def test_a_claim_id_names_one_claim(shelf: Shelf) -> None:
    """The same id twice with different text is refused; in two requests it may stand."""
    twice = body({**QUOTE, "id": "c1"}, {**WRONG, "id": "c1"})
    with pytest.raises(DuplicateClaimIdError, match="'c1'"):
        parse_requests(json.dumps(twice))
    made = one(shelf, body({**QUOTE, "id": "c1"}, {**WRONG, "id": "c2"}))
    assert [made_check["claim"]["id"] for made_check in made["checks"]] == ["c1", "c2"]
    apart = {"requests": [body({**QUOTE, "id": "c1"}), body({**WRONG, "id": "c1"})]}
    assert len(cast(ReportSet, answer(shelf, apart))["reports"]) == 2


# What is accepted


def test_a_byte_order_mark_does_not_matter(shelf: Shelf) -> None:
    """A UTF-8 file may begin with one; the report is the same."""
    data = json.dumps(body(QUOTE)).encode()
    marked = answer(shelf, b"\xef\xbb\xbf" + data)
    assert report_bytes(marked) == report_bytes(answer(shelf, data))


def test_fractions_travel_as_the_text_that_they_were(shelf: Shelf) -> None:
    """82.50 in a box is echoed as "82.50": no float ever rounds a coordinate."""
    claim = json.dumps({**QUOTE, "citation": {"page": 1}}).replace(
        '"page": 1', '"page": 1, "bbox": [82.50, 50, 3e2, "200.1"], "bbox_space": {"unit": "point"}'
    )
    made = one(shelf, f'{{"document": "dawn.pdf", "claims": [{claim}]}}')
    assert made["checks"][0]["claim"]["citation"]["bbox"] == ["82.50", 50, "3e2", "200.1"]
    assert made["checks"][0]["status"] == "mismatch"
    whole = claim.replace("82.50", "71.5")
    assert verdict(one(shelf, f'{{"document": "dawn.pdf", "claims": [{whole}]}}')["checks"][0]) == (
        GROUNDED
    )


def test_a_bare_array_needs_a_document(shelf: Shelf) -> None:
    """Claims alone say nothing about where; a name given beside them does."""
    with pytest.raises(RequestInvalidError, match="names no document"):
        parse_requests(json.dumps([QUOTE]))
    made = one(shelf, [QUOTE, WRONG], document="dawn.pdf")
    assert [c["status"] for c in made["checks"]] == ["grounded", "mismatch"]
    assert made["request_sha256"] == one(shelf, body(QUOTE, WRONG))["request_sha256"]


def test_a_document_named_beside_a_request_does_not_replace_its_own(shelf: Shelf) -> None:
    """What the request says comes first."""
    made = one(shelf, body(QUOTE), document="fee.pdf")
    assert made["document"]["name"] == "dawn.pdf"
    assert made["checks"][0]["status"] == "grounded"


def test_a_set_is_answered_in_its_order(shelf: Shelf) -> None:
    """One report a request; the set is grounded when all of them are."""
    fee = {"document": "fee.pdf", "claims": [
        {"kind": "value", "value": "940 EUR", "citation": {"page": 1}}]}  # fmt: skip
    made = cast(ReportSet, answer(shelf, {"requests": [fee, body(QUOTE), fee]}))
    assert made["artifact_type"] == "pagewitness.report_set.v1"
    assert [r["document"]["source_id"] for r in made["reports"]] == ["fee", "dawn", "fee"]
    assert made["all_evidence_grounded"] is True
    mixed = cast(ReportSet, answer(shelf, {"requests": [fee, body(WRONG)]}))
    assert [r["all_evidence_grounded"] for r in mixed["reports"]] == [True, False]
    assert mixed["all_evidence_grounded"] is False


def test_a_set_of_one_is_a_set(shelf: Shelf) -> None:
    """The shape of the answer follows that of the question."""
    single = cast(ReportSet, answer(shelf, {"requests": [body(QUOTE)]}))
    assert len(single["reports"]) == 1
    assert "reports" not in answer(shelf, body(QUOTE))


def test_a_null_says_the_same_as_an_absent_key(shelf: Shelf) -> None:
    """It is not echoed either."""
    claim = {**QUOTE, "id": None, "value": None, "citation": {"page": 1, "bbox": None}}
    made = one(shelf, body(claim))
    assert verdict(made["checks"][0]) == GROUNDED
    assert made["checks"][0]["claim"] == QUOTE


@pytest.mark.parametrize("name", ["missing.pdf", "", "sha256:" + "0" * 64, "dawn.pd"])
def test_an_unknown_document_is_a_verdict(shelf: Shelf, name: str) -> None:
    """Every claim on it is an error of its own; nothing similar is taken instead."""
    made = one(shelf, {"document": name, "claims": [QUOTE, OTHER]})
    assert [verdict(c) for c in made["checks"]] == [
        ("error", "document_not_found"),
        ("unsupported_claim_kind", "unsupported_claim_kind"),
    ]
    assert made["document"] == {"name": name}
    assert made["all_evidence_grounded"] is False
    assert "document_fingerprint" not in made


def test_a_name_that_two_documents_share_is_ambiguous(shelf: Shelf) -> None:
    """Neither is picked; a source id still finds its own."""
    with StoreWriter(shelf.path) as writer:
        writer.add_document(
            read(plain(["The works began at noon."])), "/elsewhere/dawn.pdf", "dawn.pdf", "noon"
        )
    assert verdict(one(shelf, body(QUOTE))["checks"][0]) == ("error", "document_ambiguous")
    assert verdict(one(shelf, body(QUOTE, document="dawn"))["checks"][0]) == GROUNDED


# Kinds and the rule of the whole


def test_a_kind_without_a_checker_is_unsupported_and_named_once(shelf: Shelf) -> None:
    """It is no failure of the document, and it keeps the report from being grounded."""
    made = one(shelf, body(QUOTE, OTHER, OTHER))
    assert [c["status"] for c in made["checks"]] == [
        "grounded", "unsupported_claim_kind", "unsupported_claim_kind",
    ]  # fmt: skip
    assert made["unsupported_claim_kinds"] == ["other"]
    assert made["all_evidence_grounded"] is False


def test_a_configuration_may_leave_kinds_out(shelf: Shelf) -> None:
    """A kind that is not asked for is unsupported, however true the claim."""
    source = shelf.reader.open("dawn")
    narrow = VerificationConfig(claim_kinds=("value",))
    assert verdict(check(source, QUOTE, narrow, page=1))[0] == "unsupported_claim_kind"


@pytest.mark.parametrize(
    ("claims", "grounded"),
    [
        ([], False),
        ([QUOTE], True),
        ([QUOTE, QUOTE], True),
        ([WRONG], False),
        ([QUOTE, WRONG], False),
        ([OTHER], False),
        ([QUOTE, OTHER], False),
    ],
)
def test_all_evidence_is_grounded_only_when_every_check_is(
    shelf: Shelf, claims: list[dict[str, Any]], grounded: bool
) -> None:
    """No claims, a wrong one or one of an unsupported kind: not grounded."""
    assert one(shelf, body(*claims))["all_evidence_grounded"] is grounded


def test_a_stale_report_is_not_grounded(shelf: Shelf) -> None:
    """However true its quotes are."""
    pin = "sha256:" + "0" * 64
    made = one(shelf, body(QUOTE, document_fingerprint=pin))
    assert (made["fingerprint_stale"], made["all_evidence_grounded"]) == (True, False)


# Limits and faults


def test_claims_beyond_the_limit_are_answered(shelf: Shelf) -> None:
    """The first ones are checked, the rest is `limit_exceeded`; none is lost."""
    source = shelf.reader.open("dawn")
    few = VerificationConfig(limits=Limits(max_claims=2))
    made = report(source, [QUOTE, WRONG, QUOTE, QUOTE], few)
    assert [verdict(c) for c in made["checks"]] == [
        GROUNDED,
        ("mismatch", "text_mismatch"),
        ("error", "limit_exceeded"),
        ("error", "limit_exceeded"),
    ]
    assert made["all_evidence_grounded"] is False


def test_a_text_beyond_the_limit_is_answered(shelf: Shelf) -> None:
    """Its length is no reason to call it absent."""
    source = shelf.reader.open("dawn")
    short = VerificationConfig(limits=Limits(max_text_characters=10))
    assert verdict(check(source, QUOTE, short, page=1)) == ("error", "limit_exceeded")
    exact = VerificationConfig(limits=Limits(max_text_characters=len(QUOTE["text"])))
    assert verdict(check(source, QUOTE, exact, page=1)) == GROUNDED


def test_a_bug_in_one_claim_does_not_cost_the_others(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checker that raises makes its claim an error."""

    def broken(claim: Any, scope: Any, context: Any) -> Outcome:
        raise ZeroDivisionError("a bug")

    monkeypatch.delenv("PAGEWITNESS_DEBUG", raising=False)
    monkeypatch.setitem(CHECKERS, "value", broken)
    value = {"kind": "value", "value": "940", "citation": {"page": 1}}
    made = one(shelf, body(QUOTE, value, QUOTE))
    assert [verdict(c) for c in made["checks"]] == [GROUNDED, ("error", "internal_error"), GROUNDED]
    assert made["all_evidence_grounded"] is False


# Identity and determinism


def test_checks_are_numbered_in_the_order_of_the_request(shelf: Shelf) -> None:
    """v0001 and so on, each with its claim as submitted."""
    made = one(shelf, body(WRONG, QUOTE))
    assert [(c["id"], c["claim"]) for c in made["checks"]] == [("v0001", WRONG), ("v0002", QUOTE)]


def test_the_hash_of_a_request_is_that_of_its_canonical_form(shelf: Shelf) -> None:
    """The order of keys does not change it, another word does."""
    hashed = one(shelf, body(QUOTE))["request_sha256"]
    turned = {"claims": [dict(reversed(QUOTE.items()))], "document": "dawn.pdf"}
    assert hashed == canonical_sha256(body(QUOTE))
    assert one(shelf, turned)["request_sha256"] == hashed
    assert one(shelf, body(WRONG))["request_sha256"] != hashed


def test_the_hash_of_the_rules_tells_rules_apart() -> None:
    """Equal rules hash equally; every changed rule changes it."""
    plainly = VerificationConfig()
    assert plainly.sha256 == PRESETS["default"].sha256
    others = [
        PRESETS["strict"],
        VerificationConfig(minimum_significant_words=3),
        VerificationConfig(require_fingerprint=True),
        VerificationConfig(allow_ocr_text=False),
        VerificationConfig(bbox_tolerance=51),
        VerificationConfig(limits=Limits(max_claims=3)),
        VerificationConfig(claim_kinds=("quote",)),
    ]
    hashes = [config.sha256 for config in (plainly, *others)]
    assert len(set(hashes)) == len(hashes)
    assert all(len(value) == 64 for value in hashes)


def test_a_report_names_its_rules_and_its_source(shelf: Shelf) -> None:
    """Who checked what under which rules."""
    made = one(shelf, body(QUOTE), "default")
    source = shelf.reader.open("dawn")
    assert made["verification_config_sha256"] == PRESETS["default"].sha256
    assert made["normalization_profile"] == "pagewitness-text-1"
    assert made["document_fingerprint"] == source.identity.document_fingerprint
    assert made["source_fingerprint"] == source.identity.source_fingerprint
    assert made["document"] == {"source_id": "dawn", "name": "dawn.pdf"}
    assert made["grounding"]["capabilities"]["coordinate_origin"] == "top-left"
    assert made["capability_limits"] == []


def test_the_same_question_gets_the_same_bytes(shelf: Shelf) -> None:
    """Twice from one store, and from another that holds the same document."""
    request = body(QUOTE, WRONG, OTHER, {"kind": "quote", "text": "no such words anywhere"})
    first = report_bytes(answer(shelf, request))
    again = report_bytes(answer(shelf, request))
    assert first == again
    folder = shelf.path.parent / "other"
    folder.mkdir()
    with Shelf(folder) as other:
        other.put(ruled_table(), "first.pdf")
        other.put(plain(["The works began at dawn."]), "dawn.pdf")
        assert report_bytes(answer(other, request)) == first


def test_a_report_is_canonical_json(shelf: Shelf) -> None:
    """Sorted keys, no spaces, integers and strings only, one line end."""
    data = report_bytes(answer(shelf, body(QUOTE, WRONG)))
    assert data.endswith(b"}\n")
    assert data == canonical_bytes(json.loads(data)) + b"\n"
    assert b"." not in b"".join(part for part in data.split(b'"')[::2])


def test_a_report_does_not_depend_on_what_was_asked_before(shelf: Shelf) -> None:
    """Claims checked together give the same checks as claims checked alone."""
    source = shelf.reader.open("dawn")
    together = report(source, [WRONG, QUOTE])["checks"][1]
    alone = report(source, [QUOTE])["checks"][0]
    assert {**together, "id": ""} == {**alone, "id": ""}


def test_a_preset_or_a_file_may_hold_the_rules(tmp_path: Path) -> None:
    """TOML and JSON say the same; an unknown key or preset is refused."""
    toml, text = tmp_path / "rules.toml", tmp_path / "rules.json"
    toml.write_text("minimum_significant_words = 3\n[limits]\nmax_claims = 5\n")
    text.write_text('{"minimum_significant_words": 3, "limits": {"max_claims": 5}}')
    assert load_config(str(toml)) == load_config(str(text)) != load_config("default")
    assert load_config("strict") is PRESETS["strict"]
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("minimum_words = 3\n")
    for name in (str(wrong), "nonesuch"):
        with pytest.raises(ConfigInvalidError):
            load_config(name)


def test_a_resolver_may_be_any_object(shelf: Shelf) -> None:
    """The verifier asks four questions of it and knows no store."""
    source = shelf.reader.open("dawn")
    submission = parse_requests(json.dumps(body(QUOTE, document="whatever")))
    made = cast(Report, verify(submission, OneDocument(source), PRESETS["default"]))
    assert verdict(made["checks"][0]) == GROUNDED
