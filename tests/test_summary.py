"""The proof summary and the terminal text: what they derive from a report, and how it reads."""

import hashlib
import json
import re
from copy import deepcopy
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from grounding.canonical import canonical_bytes
from verifier.codes import Reason, Status
from verifier.report import Report, ReportSet, all_evidence_grounded, report_set
from verifier.summary import (
    COLUMNS,
    REASON_TEXT,
    ProofSummary,
    columns,
    headline,
    proof_summary,
    shortened,
    summary_text,
)
from verifier.verify import report_bytes

DOCUMENT = "sha256:" + "d0" * 32
SOURCE = "sha256:" + "50" * 32


def made_check(
    number: int = 1,
    status: str = "grounded",
    reason: str | None = None,
    *,
    kind: str = "quote",
    text: str | None = "Net sales rose by 12 percent.",
    citation: dict[str, Any] | None = None,
    **parts: Any,
) -> dict[str, Any]:
    """A check as verification makes it; `parts` adds or replaces keys."""
    cited = {"page": 3} if citation is None else citation
    claim: dict[str, Any] = {"kind": kind, "citation": cited}
    if text is not None:
        claim["value" if kind == "value" else "text"] = text
    check: dict[str, Any] = {
        "id": f"v{number:04d}",
        "claim": claim,
        "status": status,
        "match_method": "exact_text_contains" if status == "grounded" else "none",
        "semantic_unverified": False,
        "evidence_tier": "exact_span" if status == "grounded" else "none",
        "warnings": [],
    }
    if reason is not None:
        check["reason"] = reason
    if status == "grounded":
        check["evidence"] = {"text": text or "", "page": "p0003", "page_number": 3}
        check["match"] = {"folds": [], "occurrences": 1}
    return {**check, **parts}


def made_report(*checks: dict[str, Any], **parts: Any) -> Report:
    """A report on checks; the certification follows from them unless it is given."""
    report: Any = {
        "artifact_type": "pagewitness.verification_report.v1",
        "schema_version": "1.0.0",
        "verifier": {"name": "pagewitness", "version": "0.1.0"},
        "request_sha256": "a" * 64,
        "document": {"source_id": "annual-report", "name": "annual-report.pdf"},
        "document_fingerprint": DOCUMENT,
        "source_fingerprint": SOURCE,
        "expected_fingerprint": DOCUMENT,
        "verification_config_sha256": "c0" * 32,
        "normalization_profile": "pagewitness-text-1",
        "grounding": {
            "parser": {"name": "pymupdf", "version": "2.0"},
            "capabilities": {
                "spans": True,
                "char_offsets": True,
                "tables": True,
                "fingerprint": True,
                "coordinate_origin": "top-left",
                "crop_support": True,
            },
        },
        "capability_limits": [],
        "fingerprint_stale": False,
        "all_evidence_grounded": False,
        "checks": list(checks),
        "unsupported_claim_kinds": [],
        "warnings": [],
    }
    report["all_evidence_grounded"] = all_evidence_grounded(report)
    return {**report, **parts}  # type: ignore[typeddict-item]


def found_line(check: dict[str, Any]) -> str:
    """The lines under a failing check, joined."""
    lines = summary_text(made_report(check)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("v0001"))
    return " ".join(line.strip() for line in lines[at + 1 :])


def test_made_reports_have_the_reports_form() -> None:
    """The reports of these tests are valid reports."""
    report = made_report(made_check(), made_check(2, "mismatch", "text_mismatch"))
    assert TypeAdapter(Report).validate_python(report) == report


# The proof summary


def test_a_report_of_grounded_checks_is_verified() -> None:
    """Every check is reusable, none needs review, and nothing limits the proof."""
    summary = proof_summary(made_report(made_check(1), made_check(2)))
    assert summary["proof_status"] == "verified"
    assert summary["request_certified"] is True
    assert summary["reusable_checks"] == ["v0001", "v0002"]
    assert summary["review_checks"] == []
    assert summary["proof_limitations"] == []


def test_one_failing_check_leaves_the_others_reusable() -> None:
    """Partially verified: the grounded check is proof, the other one needs review."""
    failing = made_check(2, "mismatch", "sign_mismatch")
    summary = proof_summary(made_report(made_check(1), failing))
    assert summary["proof_status"] == "partially_verified"
    assert (summary["reusable_checks"], summary["review_checks"]) == (["v0001"], ["v0002"])
    assert summary["proof_limitations"] == ["non_grounded_checks"]


def test_nothing_of_a_stale_report_is_reusable() -> None:
    """A grounded check in a stale report needs review as well."""
    summary = proof_summary(made_report(made_check(), fingerprint_stale=True))
    assert summary["proof_status"] == "unverified"
    assert (summary["reusable_checks"], summary["review_checks"]) == ([], ["v0001"])
    assert summary["proof_limitations"] == ["stale_fingerprint"]


def test_a_check_whose_meaning_is_unverified_needs_review() -> None:
    """Words that stand there do not make a judgement about their meaning reusable."""
    summary = proof_summary(made_report(made_check(semantic_unverified=True)))
    assert summary["proof_status"] == "unverified"
    assert summary["review_checks"] == ["v0001"]
    assert summary["proof_limitations"] == ["semantic_unverified"]


def test_a_report_without_checks_is_unverified() -> None:
    """Nothing was proved, so nothing is certified."""
    summary = proof_summary(made_report())
    assert (summary["proof_status"], summary["request_certified"]) == ("unverified", False)
    assert summary["proof_limitations"] == []


def test_a_certification_that_the_checks_do_not_bear_is_not_believed() -> None:
    """A report edited to `all_evidence_grounded: true` stays uncertified."""
    edited = made_report(made_check(1, "not_found", "page_not_found"), all_evidence_grounded=True)
    assert proof_summary(edited)["request_certified"] is False


def test_limitations_come_in_their_fixed_order() -> None:
    """Capability, staleness, unsupported kinds, failing checks, unverified meaning."""
    report = made_report(
        made_check(1, semantic_unverified=True),
        made_check(2, "unsupported_claim_kind", "unsupported_claim_kind"),
        capability_limits=["missing_tables"],
        fingerprint_stale=True,
        unsupported_claim_kinds=["calculation"],
    )
    assert proof_summary(report)["proof_limitations"] == [
        "capability_limited",
        "stale_fingerprint",
        "unsupported_claim_kind",
        "non_grounded_checks",
        "semantic_unverified",
    ]


@pytest.mark.parametrize(
    "report",
    [
        made_report(made_check(), capability_limits=["missing_spans"]),
        made_report(made_check(), warnings=["capability_limited"]),
        made_report(made_check(warnings=["capability_limited"])),
    ],
    ids=["report limit", "report warning", "check warning"],
)
def test_a_capability_that_is_missing_anywhere_limits_the_proof(report: Report) -> None:
    """The limit counts whether the report lists it, warns of it, or a check does."""
    assert proof_summary(report)["proof_limitations"] == ["capability_limited"]


def test_every_status_is_counted_and_reasons_where_they_occur() -> None:
    """All seven statuses have a count; reasons have one when a check gives them."""
    checks = (
        made_check(1),
        made_check(2, "mismatch", "value_mismatch"),
        made_check(3, "mismatch", "value_mismatch"),
        made_check(4, "error", "missing_locator"),
    )
    summary = proof_summary(made_report(*checks))
    assert list(summary["counts_by_status"]) == list(get_args(Status))
    assert sum(summary["counts_by_status"].values()) == 4
    assert summary["counts_by_status"]["mismatch"] == 2
    assert summary["counts_by_reason"] == {"missing_locator": 1, "value_mismatch": 2}


def test_the_summary_names_the_report_file_that_it_was_made_from() -> None:
    """`report_sha256` is what sha256sum prints for the report as it is written."""
    report = made_report(made_check())
    summary = proof_summary(report)
    assert summary["report_sha256"] == hashlib.sha256(report_bytes(report)).hexdigest()
    assert summary["schema_version"] == report["schema_version"]
    assert summary["artifact_type"] == "pagewitness.proof_summary.v1"


def test_the_summary_is_canonical_data_and_changes_nothing() -> None:
    """It has a canonical form and its own schema, and leaves the report as it was."""
    report = made_report(made_check(), made_check(2, "stale", "stale_fingerprint"))
    before = deepcopy(report)
    summary = proof_summary(report)
    data = json.loads(canonical_bytes(summary))
    assert TypeAdapter(ProofSummary).validate_python(data) == summary
    assert report == before


# Words for reasons


def test_every_reason_of_the_contract_has_a_sentence() -> None:
    """No reason code reaches a person without words, and no sentence is left without a code."""
    assert list(REASON_TEXT) == list(get_args(Reason))


@pytest.mark.parametrize(("reason", "sentence"), REASON_TEXT.items())
def test_a_reasons_sentence_is_one_plain_line(reason: str, sentence: str) -> None:
    """It fits under a check, ends with a full stop, and is not the code again."""
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert reason not in sentence
    assert "_" not in sentence
    assert len(sentence) <= COLUMNS - 9


# The terminal's text


def test_the_text_of_a_report_is_laid_out_for_reading() -> None:
    """Document, fingerprints, freshness and headline come before a table of the checks."""
    failing = made_check(
        2, "mismatch", "sign_mismatch", kind="value", text="412",
        evidence={"text": "(412)", "page": "p0007", "page_number": 7},
    )  # fmt: skip
    report = made_report(made_check(1), failing, warnings=["annotations_present"])
    digest = proof_summary(report)["report_sha256"][:12]
    assert summary_text(report) == (
        "annual-report.pdf\n"
        f"document d0d0d0d0d0d0, source 505050505050, rules c0c0c0c0c0c0, report {digest}\n"
        "fresh: the citations name the version that was checked\n"
        "limitations: non_grounded_checks\n"
        "warnings: annotations_present\n"
        "1 of 2 checks grounded — partially verified\n"
        "\n"
        "check  kind   status                    page  claim\n"
        'v0001  quote  grounded                  3     "Net sales rose by 12 percent."\n'
        'v0002  value  mismatch (sign_mismatch)  7     "412"\n'
        "       The number stands there with the opposite sign."
        ' Claim "412", source "(412)".\n'
    )


def test_the_same_report_gives_the_same_text() -> None:
    """Also when the report was read back from its canonical bytes."""
    report = made_report(made_check(), made_check(2, "mismatch", "text_mismatch"))
    assert summary_text(json.loads(report_bytes(report))) == summary_text(report)


def test_a_quote_on_another_page_says_which_one() -> None:
    """The pages on which the words stand are named, each once."""
    places = [{"page": page, "bbox": [0, 0, 1, 1], "text": "…"} for page in (7, 9, 9)]
    check = made_check(1, "mismatch", "quote_on_other_page", found_elsewhere=places)
    assert found_line(check).endswith("Stands on pages 7 and 9.")
    check["found_elsewhere"] = places[:1]
    assert found_line(check).endswith("Stands on page 7.")


def test_a_quote_on_the_cited_page_but_outside_the_cited_part_says_so() -> None:
    """`text_mismatch` with a place found is no matter of the wrong page."""
    place = {"page": 3, "bbox": [0, 0, 1, 1], "text": "…"}
    check = made_check(1, "mismatch", "text_mismatch", found_elsewhere=[place])
    assert found_line(check).endswith("Stands on page 3, outside the cited place.")


def test_a_quote_in_another_document_names_it() -> None:
    """The document is part of the place."""
    place = {"document": "notes.pdf", "page": 2, "bbox": [0, 0, 1, 1], "text": "…"}
    check = made_check(1, "mismatch", "quote_in_other_document", found_elsewhere=[place])
    assert found_line(check).endswith("Stands on page 2 of notes.pdf.")


def nearest(*differences: tuple[str, str]) -> dict[str, Any]:
    pairs = [{"claim": ours, "source": theirs} for ours, theirs in differences]
    return {"page": 3, "bbox": [0, 0, 1, 1], "text": "x", "similarity": 90, "differences": pairs}


def test_a_misquote_shows_where_claim_and_source_part() -> None:
    """The first difference is shown and the others are counted; typography alone is none."""
    close = nearest(("“", '"'), ("12", "21"), ("", "not"))
    check = made_check(1, "mismatch", "text_mismatch", nearest=close)
    assert found_line(check).endswith('Claim "12", source "21". 1 more.')


def test_words_that_only_one_side_has_are_set_against_nothing() -> None:
    """A word left out reads as such."""
    check = made_check(1, "mismatch", "text_mismatch", nearest=nearest(("", "not")))
    assert found_line(check).endswith('Claim nothing, source "not".')


def test_hidden_text_is_not_shown_as_what_the_source_says() -> None:
    """Its evidence has the claim's own words, which is no difference."""
    evidence = {"text": "Net sales rose by 12 percent.", "page": "p0003", "page_number": 3}
    check = made_check(1, "mismatch", "hidden_text", evidence=evidence)
    assert found_line(check) == REASON_TEXT["hidden_text"]


def test_two_long_lines_say_what_does_not_fit_in_one() -> None:
    """Sentence and finding are never cut for the sake of a single line."""
    evidence = {"text": "word " * 60, "page": "p0003", "page_number": 3}
    check = made_check(1, "mismatch", "text_mismatch", text="term " * 60, evidence=evidence)
    lines = summary_text(made_report(check)).splitlines()[-2:]
    assert lines[0].strip() == REASON_TEXT["text_mismatch"]
    assert lines[1].strip().startswith('Claim "term term')
    assert 'source "word word' in lines[1]


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"warnings": ["citation_not_pinned"]}, "not pinned: "),
        ({"fingerprint_stale": True, "fingerprint_version": 2}, "stale: .* for version 2$"),
        (
            {"fingerprint_stale": True, "fingerprint_reason": "missing_citation_fingerprint"},
            "stale: the citation names no fingerprint",
        ),
    ],
)
def test_freshness_is_told_in_words(parts: dict[str, Any], line: str) -> None:
    """Not pinned, stale with the version that was meant, or stale for want of a fingerprint."""
    text = summary_text(made_report(made_check(), **parts))
    assert any(re.match(line, given) for given in text.splitlines())


def test_a_document_that_was_not_found_has_no_freshness() -> None:
    """Nothing was checked, so nothing is called fresh."""
    report: Any = made_report(made_check(1, "error", "document_not_found"))
    del report["document_fingerprint"], report["source_fingerprint"], report["grounding"]
    assert "unknown: no document was checked" in summary_text(report)


def test_a_set_begins_with_one_headline_over_all_reports() -> None:
    """The set is verified only when every report is; each report follows with its own table."""
    good, bad = made_report(made_check()), made_report(made_check(1, "mismatch", "text_mismatch"))
    first = summary_text(report_set([good, bad])).splitlines()[0]
    assert first == "2 documents, 1 of 2 checks grounded — partially verified"
    assert headline([good, good]) == "2 of 2 checks grounded — verified"
    assert headline([bad]) == "0 of 1 check grounded — unverified"


@pytest.mark.parametrize(
    "text",
    ["W" * 5000, "公司去年收入增加" * 40, "e\u0301" * 300, "\x1b[31mred\r\n\u202egnorw", "ש" * 200],
    ids=["unbroken", "wide", "marks", "controls", "right to left"],
)
def test_no_text_breaks_the_width_or_moves_the_cursor(text: str) -> None:
    """Whatever a claim holds, lines have at most 100 columns and no unprintable character."""
    check = made_check(
        1, "capability_blocked", "unknown_coordinate_origin", kind="calculation", text=text,
        citation={"page": text, "prefix": text}, nearest=nearest((text, text[::-1])),
    )  # fmt: skip
    parts: dict[str, Any] = {"document": {"name": text}, "expected_fingerprint": text}
    report = made_report(check, fingerprint_stale=True, **parts)
    lines = summary_text(report).split("\n")
    assert all(columns(line) <= COLUMNS and (line.isprintable() or not line) for line in lines)


def test_shortened_text_says_that_it_was_cut() -> None:
    """An ellipsis stands for what is missing, and unseen characters are spelled out."""
    assert shortened("a  b\nc", 10) == "a b c"
    assert shortened("abcdefghijk", 10) == "abcdefghi…"
    assert shortened("im\u00adproved", 20) == "im\\xadproved"
    assert columns(shortened("収入" * 20, 11)) <= 11


def test_a_set_is_told_from_a_report_by_its_type() -> None:
    """A set of one report is still a set."""
    answer: ReportSet = report_set([made_report(made_check())])
    assert summary_text(answer).startswith("1 document, 1 of 1 check grounded — verified\n\n")
