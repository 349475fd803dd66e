"""Citations in Ethos's form: every rule, and which one is told first."""

import json
from typing import Any

import pytest
from ethos_documents import PIN, claim, configured
from hypothesis import given
from hypothesis import strategies as st

from grounding.canonical import canonical_sha256
from grounding.errors import InputError, RequestInvalidError
from verifier.ethos import DEFAULT, Citations, parse_citations

GOOD = claim("quote", "Dogs travel free.", element_id="second")


def read(value: object, **limits: int) -> Citations:
    return parse_citations(json.dumps(value), configured(limits=limits))


class TestForms:
    def test_a_bare_array_and_an_envelope_say_the_same(self) -> None:
        bare, wrapped = read([GOOD]), read({"claims": [GOOD]})
        assert bare == wrapped
        assert bare.document_fingerprint is None
        assert bare.sha256 == canonical_sha256({"claims": [GOOD]})

    def test_a_pin_is_part_of_the_hash(self) -> None:
        pinned = read({"document_fingerprint": PIN, "claims": [GOOD]})
        assert pinned.document_fingerprint == PIN
        assert pinned.sha256 != read([GOOD]).sha256

    def test_null_is_absent_everywhere(self) -> None:
        cited = {"element_id": "e", "page": None, "cell": None, "bbox": None, "table_id": None}
        made = read({"document_fingerprint": None, "claims": [claim("presence", **cited)]})
        assert made.echoes == ({"kind": "presence", "citation": {"element_id": "e"}},)
        assert made == read([{**claim("presence", element_id="e"), "text": None}])

    def test_the_echo_is_the_claim(self) -> None:
        claims = [
            claim("value", " 5 ", table_id="t", cell={"row": 0, "col": 2**32 - 1}),
            claim("region", page="", bbox=[-1, 0, 1, 2]),
            claim("other", "", span_id="s"),
        ]
        assert list(read(claims).echoes) == claims


class TestRules:
    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (claim("presence"), "no locator"),
            (claim("presence", page=None), "no locator"),
            (claim("presence", table_id="t"), "table_id and cell must be provided together"),
            (claim("presence", cell={"row": 0, "col": 0}), "provided together"),
            (claim("table_cell", "x", table_id="t"), "provided together"),
            (
                claim("table_cell", "x", element_id="e"),
                "table_cell citation must include table_id and cell",
            ),
            (
                claim("presence", bbox=[0, 0, 1, 1]),
                "citation bbox requires page unless another target locator is present",
            ),
            (claim("presence", page="p", bbox=[5, 0, 5, 1]), "x0 < x1"),
            (claim("presence", span_id="s", bbox=[0, 3, 1, 2]), "y0 < y1"),
            (claim("quote", page="p"), "text"),
            (claim("value", "", page="p"), "text"),
            (claim("quote", "\u2003\n", page="p"), "text"),
            (claim("table_cell", " ", table_id="t", cell={"row": 0, "col": 0}), "text"),
        ],
    )
    def test_a_broken_rule_names_its_claim(self, made: dict[str, Any], message: str) -> None:
        with pytest.raises(RequestInvalidError, match=message) as error:
            read([GOOD, made])
        assert error.value.message.startswith("claim v0002: ")

    @pytest.mark.parametrize("place", ["page", "element_id", "span_id", "table_id"])
    def test_a_box_stands_beside_any_other_place(self, place: str) -> None:
        cited: dict[str, Any] = {place: "x", "bbox": [0, 0, 1, 1]}
        if place == "table_id":
            cited["cell"] = {"row": 0, "col": 0}
        assert len(read([claim("presence", **cited)]).claims) == 1

    def test_the_first_rule_of_the_first_claim_is_told(self) -> None:
        """Locators before pairs, pairs before boxes, boxes before texts; claims in their order."""
        box: dict[str, Any] = {"bbox": [5, 5, 5, 5]}
        order = [
            (claim("table_cell"), "no locator"),
            (claim("table_cell", table_id="t", **box), "provided together"),
            (claim("table_cell", **box), "must include table_id and cell"),
            (claim("quote", **box), "requires page"),
            (claim("quote", page="p", **box), "x0 < x1"),
            (claim("quote", page="p"), "text"),
        ]
        for made, message in order:
            with pytest.raises(RequestInvalidError, match=message):
                read([made])
        with pytest.raises(RequestInvalidError, match=r"claim v0001: .*needs text"):
            read([claim("quote", page="p"), claim("table_cell")])

    def test_counts_come_before_the_pin_and_the_pin_before_claims(self) -> None:
        with pytest.raises(RequestInvalidError, match="at least one claim"):
            read({"document_fingerprint": "x", "claims": []})
        with pytest.raises(RequestInvalidError, match="2 claims are more than the 1"):
            read({"document_fingerprint": "x", "claims": [GOOD, claim("quote")]}, max_checks=1)
        with pytest.raises(RequestInvalidError, match="document_fingerprint"):
            read({"document_fingerprint": "x", "claims": [claim("quote")]})

    @pytest.mark.parametrize(
        "pin",
        [
            "",
            "ab" * 32,
            "sha256:" + "AB" * 32,
            PIN[:-1],
            PIN + "0",
            PIN + "\n",
            f"blake3:{PIN[7:]}",
        ],
    )
    def test_a_pin_is_written_one_way(self, pin: str) -> None:
        with pytest.raises(RequestInvalidError, match="document_fingerprint"):
            read({"document_fingerprint": pin, "claims": [GOOD]})

    def test_as_many_claims_as_the_configuration_allows(self) -> None:
        assert len(read([GOOD] * 256).claims) == 256
        with pytest.raises(RequestInvalidError, match="max_checks"):
            read([GOOD] * 257)


class TestShape:
    @pytest.mark.parametrize(
        ("value", "where"),
        [
            ({"claims": [GOOD], "document": "x"}, "document"),
            ([{**GOOD, "id": "c1"}], "claim v0001: id"),
            ([claim("quote", "x", page="p", page_label="i")], "citation.page_label"),
            (
                [claim("presence", table_id="t", cell={"row": 0, "col": 0, "n": 1})],
                "citation.cell.n",
            ),
            ([claim("calculation", "x", page="p")], "claim v0001: kind"),
            ([{"kind": "quote", "text": "x"}], "claim v0001: citation"),
            ([claim("presence", page=1)], "citation.page"),
            ([claim("presence", table_id="t", cell={"row": -1, "col": 0})], "cell.row"),
            ([claim("presence", table_id="t", cell={"row": 0, "col": 2**32})], "cell.col"),
            ([claim("presence", table_id="t", cell={"row": 0, "col": 1.0})], "cell.col"),
            ([claim("presence", table_id="t", cell={"row": True, "col": 1})], "cell.row"),
            ([claim("presence", page="p", bbox=[0, 0, 1])], "citation.bbox"),
            ([claim("presence", page="p", bbox=[0, 0, 1.5, 2])], "citation.bbox"),
            ([claim("presence", page="p", bbox=[0, 0, 1, 2**53])], "citation.bbox"),
            ([claim("quote", 5, page="p")], "claim v0001: text"),  # type: ignore[arg-type]
            ({"document_fingerprint": PIN}, "claims"),
            ("quote", "citations"),
            (None, "citations"),
            ([None], "claim v0001"),
            ([claim("quote", "\ud800", page="p")], "surrogate"),
        ],
    )
    def test_another_shape_is_refused(self, value: object, where: str) -> None:
        with pytest.raises(RequestInvalidError, match=where):
            read(value)

    @pytest.mark.parametrize("data", [b"", b"{", b"\xff", b'{"claims":[],"claims":[]}', b"[NaN]"])
    def test_what_is_no_json_is_refused(self, data: bytes) -> None:
        with pytest.raises(RequestInvalidError):
            parse_citations(data, DEFAULT)


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
keys = st.sampled_from(
    "claims document_fingerprint kind text citation page cell row col bbox table_id x".split()
)
anything = st.recursive(
    scalars | st.sampled_from(["quote", "presence"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


@given(anything)
def test_any_json_is_read_or_refused(value: object) -> None:
    try:
        made = read(value)
    except InputError:
        return
    assert made.claims
