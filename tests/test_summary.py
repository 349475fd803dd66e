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
from verifier.proof import ProofSummary, headline, proof_summary
from verifier.reason_text import REASON_TEXT
from verifier.report import Report, ReportSet, all_evidence_grounded, report_set
from verifier.summary import summary_text
from verifier.terminal import COLUMNS, columns, shortened
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


def number(digits: str, **parts: Any) -> dict[str, Any]:
    """A positive number as the report shows it."""
    places = len(digits.partition(".")[2])
    return {"number": digits, "sign": "positive", "precision": places, **parts}


IN_THOUSANDS = {"what": "scale", "origin": "caption", "text": "Income ($ in thousands)"}
IN_DOLLARS = {**IN_THOUSANDS, "what": "currency"}
OF_2024 = {"what": "period", "origin": "column_header", "text": "2024"}


def made_comparison(
    reason: str | None,
    claim: dict[str, Any],
    source: dict[str, Any] | None,
    **parts: Any,
) -> dict[str, Any]:
    """A check of a value whose sides were read; grounded without a reason."""
    sides = {"claim": claim} if source is None else {"claim": claim, "source": source}
    status = "grounded" if reason is None else "mismatch"
    return made_check(1, status, reason, kind="value", text="5,079", quantities=sides, **parts)


def made_cell(**parts: Any) -> dict[str, Any]:
    """The evidence of a cell under labels."""
    return {
        "text": "5,079", "page": "p0003", "page_number": 3, "table_id": "t0001",
        "cell": {"row": 4, "col": 1}, "row_labels": ["Assets", "Cash"],
        "column_labels": ["Year ended", "2024"], "caption": "Balance sheet",
        "statement": "(in thousands)", "footnotes": [{"marker": "(1)", "text": "Restated."}],
        **parts,
    }  # fmt: skip


def made_candidates(count: int = 2) -> list[dict[str, Any]]:
    """Cells that ambiguous labels lead to."""
    return [
        {
            "page": 3, "bbox": [0, 0, 1, 1], "text": f"{at},000", "table_id": "t0001",
            "cell": {"row": at, "col": 1}, "row_labels": [f"Group {at}", "Total"],
            "column_labels": ["2024"],
        }
        for at in range(1, count + 1)
    ]  # fmt: skip


def made_calculation(
    status: str, reason: str | None, value: str, data: dict[str, Any], **parts: Any
) -> dict[str, Any]:
    """A calculation from v0001 and v0002."""
    sides = (("v0001", "120"), ("v0002", "96"))
    scaled = {"scale": "1000000", "scale_source": "word", "currency": "USD"}
    inputs = [{"check_id": i, "quantity": number(digits, **scaled)} for i, digits in sides]
    calculation = {"operation": "sum", "inputs": inputs, **data}
    claim = {"kind": "calculation", "value": value, "operation": "sum", "inputs": ["new", "old"]}
    return made_check(3, status, reason, claim=claim, calculation=calculation, **parts)


MILLIONS = {"scale": "1000000", "scale_source": "word", "currency": "USD"}
THOUSANDS = {"scale": "1000", "scale_source": "context", "currency": "USD"}


def lines_below(check: dict[str, Any], check_id: str = "v0001") -> list[str]:
    """The lines under a check."""
    lines = summary_text(made_report(check)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith(check_id))
    return [line.strip() for line in lines[at + 1 :]]


def found_line(check: dict[str, Any]) -> str:
    """The lines under a failing check, joined."""
    return " ".join(lines_below(check))


def test_made_reports_have_the_reports_form() -> None:
    """The reports of these tests are valid reports."""
    checks = [made_check(), made_check(2, "mismatch", "text_mismatch")]
    numbers = made_comparison("scale_mismatch", number("1", **MILLIONS), number("1", **THOUSANDS))
    calculation = made_calculation("grounded", None, "216", {"result": number("216")})
    places = made_check(4, "mismatch", "label_ambiguous", found_elsewhere=made_candidates())
    report = made_report(*checks, {**numbers, "evidence": made_cell()}, calculation, places)
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


def test_each_of_several_other_documents_has_its_own_pages() -> None:
    """No page is told of a document that does not have it."""
    places = [
        {"document": name, "page": page, "bbox": [0, 0, 1, 1], "text": "…"}
        for name, page in (("a.pdf", 2), ("b.pdf", 7), ("a.pdf", 3))
    ]
    check = made_check(1, "mismatch", "quote_in_other_document", found_elsewhere=places)
    assert found_line(check).endswith("Stands on pages 2 and 3 of a.pdf, page 7 of b.pdf.")


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


# Numbers and cells


@pytest.mark.parametrize(
    ("reason", "claim", "source", "line"),
    [
        (
            "scale_mismatch", number("5079", **MILLIONS), number("5079", **THOUSANDS),
            "claim 5,079 × million USD | source 5,079 × thousand USD — scale differs",
        ),
        (
            "sign_mismatch", number("412"), number("412", sign="negative"),
            "claim 412 | source -412 — sign differs",
        ),
        (
            "currency_mismatch", number("5", currency="EUR"), number("5", currency="USD"),
            "claim 5 EUR | source 5 USD — currency differs",
        ),
        (
            "unit_mismatch", number("3", unit="percent"), number("3", unit="percentage points"),
            "claim 3 percent | source 3 percentage points — unit differs",
        ),
        (
            "period_mismatch", number("9", period="FY2023"), number("9", period="2024"),
            "claim 9, FY2023 | source 9, 2024 — period differs",
        ),
        (
            "value_mismatch", number("1.50"), number("1234567.25"),
            "claim 1.50 | source 1,234,567.25 — number differs",
        ),
        (
            "sign_mismatch",
            number("8.471", **MILLIONS, sign="negative", period="2023"),
            number("8471", scale="1000", currency="EUR", period="2024"),
            "claim -8.471 × million USD, 2023 | source 8,471 × thousand EUR, 2024 —"
            " sign, currency and period differ",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "_" in value else "",
)  # fmt: skip
def test_both_sides_of_a_number_stand_in_one_line(
    reason: str, claim: dict[str, Any], source: dict[str, Any], line: str
) -> None:
    """As they were read, with the parts in which they differ."""
    assert line in found_line(made_comparison(reason, claim, source))


def test_what_a_claim_leaves_open_is_no_difference() -> None:
    """A bare number states neither scale nor currency nor period, and a dollar may be the United
    States'; a loss label makes a positive number the claim's negative one."""
    told = {"what": "sign", "origin": "row_label", "text": "Net loss"}
    source = number("5", **THOUSANDS, period="2024", stated=[told])
    bare = made_comparison("value_mismatch", number("6", sign="negative"), source)
    assert found_line(bare).count("— number differs") == 1
    dollars = made_comparison("value_mismatch", number("6", currency="$"), number("5", **THOUSANDS))
    assert "— number differs" in found_line(dollars)


def test_no_difference_is_named_where_a_number_can_be_read_in_several_ways() -> None:
    """All readings are shown instead."""
    claim = number("1.234", other_readings=[number("1234")])
    lines = lines_below(made_comparison("value_ambiguous", claim, number("1234")))
    assert "claim 1.234 or 1,234 | source 1,234" in lines


def test_a_number_that_was_rounded_says_so_though_it_is_grounded() -> None:
    """Other grounded numbers are not repeated."""
    claim, source = number("5.1", **MILLIONS), number("5079", **THOUSANDS)
    rounded = {"folds": [], "occurrences": 1, "rounded": True}
    (line,) = lines_below(made_comparison(None, claim, source, match=rounded))
    assert line.endswith("source 5,079 × thousand USD — rounded to the claim's last digit")
    assert lines_below(made_comparison(None, claim, claim)) == []


def test_what_was_said_around_a_number_is_quoted_with_its_place() -> None:
    """One text that tells two things is quoted once."""
    stated = [IN_THOUSANDS, IN_DOLLARS, OF_2024]
    source = number("5079", **THOUSANDS, period="2024", stated=stated)
    line = found_line(made_comparison("scale_mismatch", number("5079", **MILLIONS), source))
    assert (
        'said in the source: scale and currency "Income ($ in thousands)" (caption);'
        ' period "2024" (column header)' in line
    )


def test_a_source_without_such_a_number_is_said_to_have_none_where_it_was_read() -> None:
    """A page that could not be read, or text that nobody sees, is not."""
    check = made_comparison("value_mismatch", number("5079"), None)
    assert "claim 5,079 | source none found" in found_line(check)
    hidden = made_comparison("hidden_text", number("5079"), None)
    blocked = {**check, "status": "capability_blocked", "reason": "page_garbled"}
    assert "none found" not in found_line(hidden) + found_line(blocked)


def test_several_numbers_are_listed_with_what_tells_them_apart() -> None:
    """Page, text and verdict of each, up to five."""
    found = [
        {"page": at, "char_start": at, "char_end": at + 1, "text": f"${at}"} for at in range(1, 8)
    ]
    found[0]["reason"] = "scale_mismatch"
    check = made_comparison("scale_mismatch", number("1"), number("1", **THOUSANDS))
    check["quantities"]["found"] = found
    line = found_line(check)
    assert 'numbers found: page 1 "$1" (scale mismatch); page 2 "$2" (agrees);' in line
    assert line.endswith('page 5 "$5" (agrees); 2 more')


def test_a_date_is_compared_as_a_period() -> None:
    """It has no number; two dates differ in the period alone."""
    claim, source = {"period": "2024-06-04"}, {"period": "2024-06-05"}
    line = found_line(made_comparison("text_mismatch", claim, source))
    assert line.endswith("claim 2024-06-04 | source 2024-06-05 — period differs")


def test_a_calculation_shows_inputs_result_and_difference() -> None:
    """Inputs by the ids of their checks."""
    result, claim = number("216", **MILLIONS), number("215", **MILLIONS)
    check = made_calculation(
        "mismatch", "calculation_mismatch", "$215 million",
        {"result": result, "difference": "-1000000.0"},
        quantities={"claim": claim, "source": result},
    )  # fmt: skip
    assert " ".join(lines_below(check, "v0003")) == (
        "The calculation gives another result."
        " claim 215 × million USD | recomputed 216 × million USD"
        " — number differs, difference -1,000,000"
        " sum of v0001 (120 × million USD); v0002 (96 × million USD)"
    )


def test_a_grounded_calculation_says_what_it_gave() -> None:
    """Numbers and comparisons alike."""
    given = made_calculation("grounded", None, "216", {"result": number("216", **MILLIONS)})
    assert lines_below(given, "v0003")[-1].endswith("(96 × million USD): 216 × million USD")
    holds = made_calculation("grounded", None, "true", {"holds": True, "operation": "less_than"})
    (line,) = lines_below(holds, "v0003")
    assert line.startswith("less than of v0001")
    assert line.endswith(": true")


def test_a_calculation_without_a_result_says_why() -> None:
    """The problem follows the sentence of the reason."""
    data = {"problem": "division by zero"}
    check = made_calculation("mismatch", "calculation_undefined", "0", data)
    assert lines_below(check, "v0003")[0].endswith("Division by zero.")


@pytest.mark.parametrize(
    ("claim", "result", "parts"),
    [
        (number("216"), number("216", unit="percent", sign="negative"), "sign differs"),
        (number("216", **MILLIONS), number("216", **THOUSANDS), "scale differs"),
        (number("30", unit="percent"), number("0.3"), "number and unit differ"),
    ],
    ids=["sign", "scale", "unit"],
)
def test_a_wrong_result_says_in_what_it_is_wrong(
    claim: dict[str, Any], result: dict[str, Any], parts: str
) -> None:
    """Right digits with another sign, scale or unit are not called another number."""
    data = {"result": result, "difference": "1"}
    sides = {"claim": claim, "source": result}
    check = made_calculation("mismatch", "calculation_mismatch", "x", data, quantities=sides)
    assert f"— {parts}, difference 1" in " ".join(lines_below(check, "v0003"))


def test_a_cell_stands_under_its_labels() -> None:
    """Paths of row and column, caption, statement and footnotes, whether it is grounded or not."""
    line = found_line(made_check(kind="table_cell", evidence=made_cell()))
    assert line == (
        'row "Assets › Cash", column "Year ended › 2024", table "Balance sheet",'
        ' stated "(in thousands)", footnote (1) "Restated."'
    )


def test_a_statement_is_not_repeated_beside_the_number_that_it_was_applied_to() -> None:
    """It is quoted once, with what it told."""
    stated = {"what": "scale", "origin": "caption", "text": "Balance sheet\n(in thousands)"}
    source = number("5079", **THOUSANDS, stated=[stated])
    check = made_comparison("value_mismatch", number("1"), source, evidence=made_cell())
    assert found_line(check).count("(in thousands)") == 1


def test_ambiguous_labels_list_the_cells_that_they_may_mean() -> None:
    """One a line, up to five, with labels and text."""
    check = made_check(
        1, "mismatch", "label_ambiguous", kind="table_cell", found_elsewhere=made_candidates(7)
    )
    first, candidate, *_, last = lines_below(check)
    assert first == REASON_TEXT["label_ambiguous"]
    assert candidate == 'may be page 3, t0001 row "Group 1 › Total", column "2024": "1,000"'
    assert last == "and 2 more"


def test_quotation_marks_of_a_document_do_not_end_its_quotation() -> None:
    """A label cannot pass itself off as another one."""
    evidence = made_cell(row_labels=['Cash", column "2025'])
    line = found_line(made_check(kind="table_cell", evidence=evidence))
    assert line.startswith('row "Cash\\", column \\"2025", column "Year ended › 2024"')


def hostile_checks(text: str) -> list[dict[str, Any]]:
    """Checks of numbers and cells with a text wherever a document, or whoever made the report, can
    put one."""
    stated = {"what": "scale", "origin": "caption", "text": text}
    other = {"number": text, "sign": "negative", "scale": text, "unit": text, "currency": text}
    side = {
        **other, "period": text, "sign_source": text, "scale_source": text, "written": text,
        "precision": 1, "other_readings": [other], "stated": [stated],
    }  # fmt: skip
    found = [{"page": 1, "char_start": 0, "char_end": 1, "text": text}] * 7
    cell = made_cell(
        text=text, row_labels=[text], column_labels=[text, text], caption=text, statement=text,
        table_id=text, footnotes=[{"marker": text, "text": text}],
    )  # fmt: skip
    places = [{**made_candidates(1)[0], "text": text, "table_id": text, "row_labels": [text]}]
    inputs = [{"check_id": text, "quantity": side}]
    calculation = {"operation": text, "inputs": inputs, "result": side, "difference": text}
    sides = {"claim": side, "source": side, "found": found}
    return [
        made_check(2, "mismatch", "scale_mismatch", quantities=sides, evidence=cell),
        made_check(3, "mismatch", "label_ambiguous", found_elsewhere=places),
        made_check(
            4, "mismatch", "calculation_mismatch", quantities=sides, calculation=calculation
        ),
        made_check(5, "mismatch", "calculation_undefined", calculation={
            "operation": text, "inputs": inputs, "problem": text,
        }),
    ]  # fmt: skip


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
    report = made_report(check, *hostile_checks(text), fingerprint_stale=True, **parts)
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
