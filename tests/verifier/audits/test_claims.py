"""An answer as claims: what is one, where it stands, and which documents it cites."""

from __future__ import annotations

import pytest

from verifier.coverage.claims import Decomposed, decompose
from verifier.traces import Trace, TraceDocument

IDS = ("report#1", "E1", "statement.pdf", "4")


def parts(answer: str, *ids: str, **metadata: str) -> Decomposed:
    documents = tuple(
        TraceDocument(name, "text", rank, metadata=metadata if rank == 1 else {})
        for rank, name in enumerate(ids or ("a", "b", "c"), 1)
    )
    return decompose(Trace("t", "q", answer, documents))


def texts(answer: str) -> list[str]:
    return [claim.text for claim in parts(answer).claims]


class TestDecomposition:
    """Every claim is a slice of the answer."""

    @pytest.mark.parametrize(
        ("answer", "claims"),
        [
            ("The rent rose. The fee fell.", ["The rent rose.", "The fee fell."]),
            ("Dr. Smith paid. No. 5 was sold.", ["Dr. Smith paid.", "No. 5 was sold."]),
            ("The rent rose [1]. The fee fell.", ["The rent rose [1].", "The fee fell."]),
            ("The rent rose. [1] The fee fell. [2]", ["The rent rose. [1]", "The fee fell. [2]"]),
            ("- The rent rose.\n- The fee fell", ["The rent rose.", "The fee fell"]),
            ("1. The rent rose.\n2) The fee fell.", ["The rent rose.", "The fee fell."]),
            ("The rent\nrose by 5 euro.", ["The rent\nrose by 5 euro."]),
            ("The rent rose; the new fee fell.", ["The rent rose", "the new fee fell."]),
            ("He paid (a lot; too much) today.", ["He paid (a lot; too much) today."]),
            ("**The rent** rose.", ["**The rent** rose."]),
            ("Paris", ["Paris"]),
        ],
    )
    def test_claims(self, answer: str, claims: list[str]) -> None:
        assert texts(answer) == claims
        for claim in parts(answer).claims:
            assert answer[claim.start : claim.end] == claim.text

    def test_the_statement_is_what_has_to_be_borne_out(self) -> None:
        (claim,) = parts("- **The rent** rose [1] by 5 euro [2, 3].").claims
        assert (claim.kind, claim.statement) == ("bullet", "The rent rose by 5 euro.")
        assert claim.cited == ("a", "b", "c")

    def test_rows_of_a_table_are_claims_under_their_header(self) -> None:
        answer = "| | 2024 | 2023 |\n|---|:-:|---|\n| Rent | 5 [1] | 4 |\n| Fee | | |"
        found = parts(answer)
        (claim,) = found.claims
        assert (claim.kind, claim.text) == ("table_row", "| Rent | 5 [1] | 4 |")
        assert (claim.header, claim.cells) == (("", "2024", "2023"), ("Rent", "5", "4"))
        assert claim.cited == ("a",)
        assert [item.reason for item in found.excluded] == ["heading", "no_words"]

    def test_the_parts_of_a_sentence_share_its_citation(self) -> None:
        first, second = parts("The old rent rose; the new fee fell [2].").claims
        assert first.cited == second.cited == ("b",)


class TestWhatMakesNoClaim:
    """By a stated rule each; what states a number, quotes or cites is always a claim."""

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            ("Which boats do you mean?", "question"),
            ("I think that the trust is well run.", "opinion"),
            ("In my opinion, it is healthy.", "opinion"),
            ("Hopefully it gets better.", "opinion"),
            ("Please ask a lawyer.", "opinion"),
            ("Let me know what else you need.", "transition"),
            ("Hello!", "transition"),
            ("Here is what I found:", "transition"),
            ("In summary:", "transition"),
            ("The terms are these:", "transition"),
            ("I don't know.", "no_answer"),
            ("The documents provided do not contain this information.", "no_answer"),
            ("Unfortunately, the context does not mention the rent.", "no_answer"),
            ("There is no information about this in the sources.", "no_answer"),
            ("## Rent", "heading"),
            ("**Rent**", "heading"),
            ("```\nrent = 5\n```", "code"),
            ("---", "no_words"),
        ],
    )
    def test_reasons(self, answer: str, reason: str) -> None:
        found = parts(answer)
        assert found.claims == []
        assert [item.reason for item in found.excluded] == [reason]

    @pytest.mark.parametrize(
        "answer",
        [
            "I think that the rent was 5 euro.",
            "I believe the trust is well run [1].",
            "In my view the form says “no refund is made”.",
            "Unfortunately, the trust has no reserve.",
            "The documents provided by the town do not bind the trust.",
            "You should pay within 30 days.",
            "The terms are 5 euro and 6 days:",
            "Sure, the rent rose by 5 euro.",
        ],
    )
    def test_what_only_looks_like_it(self, answer: str) -> None:
        assert texts(answer) == [answer]

    def test_a_list_of_sources_is_none(self) -> None:
        found = parts(
            "The rent rose [1].\n\nSources:\n[1] a.pdf, page 5\n[2] b.pdf\n\nThe fee fell."
        )
        assert [claim.text for claim in found.claims] == ["The rent rose [1].", "The fee fell."]
        assert [item.reason for item in found.excluded] == ["source_list"]


class TestMarkers:
    """Numbers, ranges, footnotes, handles and ids name documents; anything else is text."""

    @pytest.mark.parametrize(
        ("marker", "cited", "unknown"),
        [
            ("[1]", ("a",), ()),
            ("[1, 3]", ("a", "c"), ()),
            ("[1; 2]", ("a", "b"), ()),
            ("[1-3]", ("a", "b", "c"), ()),
            ("[1][3]", ("a", "c"), ()),
            ("[2](https://x.invalid/2)", ("b",), ()),
            ("[b]", ("b",), ()),
            ("[E2]", ("b",), ()),
            ("[E1-E3]", ("a", "b", "c"), ()),
            ("【2】", ("b",), ()),
            ("【2†file.pdf】", ("b",), ()),
            ("[9]", (), ("9",)),
            ("[0]", (), ("0",)),
            ("[1, 9]", ("a",), ("9",)),
            ("[E7]", (), ("E7",)),
            ("【4:0†none.pdf】", (), ("4:0†none.pdf",)),
            ("[^x]", (), ("^x",)),
        ],
    )
    def test_forms(self, marker: str, cited: tuple[str, ...], unknown: tuple[str, ...]) -> None:
        (claim,) = parts(f"The rent rose {marker}.").claims
        assert (claim.cited, claim.unknown) == (cited, unknown)
        assert claim.statement == "The rent rose."

    @pytest.mark.parametrize("text", ["[sic]", "[T]he rent", "[a b]", "[see below]", "[]", "【】"])
    def test_other_brackets_are_text(self, text: str) -> None:
        found = parts(f"The rent {text} rose.")
        assert found.markers == []
        assert text.strip("【】[]") in found.claims[0].statement

    def test_a_number_is_an_id_where_documents_have_such_ids(self) -> None:
        (claim,) = parts("The rent rose [4] [1].", *IDS).claims
        assert (claim.cited, claim.unknown) == (("4",), ("1",))

    def test_footnotes_lead_to_what_they_name(self) -> None:
        answer = "The rent rose [^n]. The fee fell [^m].\n\n[^n]: statement.pdf\n[^m]: [E1]"
        first, second = parts(answer, *IDS).claims
        assert (first.cited, second.cited) == (("statement.pdf",), ("E1",))

    def test_a_file_names_the_one_document_that_is_of_it(self) -> None:
        (claim,) = parts("The rent rose 【7†Lease.pdf】.", "a", "b", source="in/lease.pdf").claims
        assert claim.cited == ("a",)

    def test_a_handle_that_the_prompt_gave(self) -> None:
        (claim,) = parts("The rent rose [E9].", "a", "b", handle="E9").claims
        assert claim.cited == ("a",)
