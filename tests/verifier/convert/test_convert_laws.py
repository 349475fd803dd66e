"""What holds for every format and any input."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from converting import FORMATS, ROOT, check, claims_of, codes, example, made, sources
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.errors import ConversionInvalidError, UsageError
from verifier.convert import CODES, Cited, convert, converter, format_names, load_sources
from verifier.convert import registry as registered
from verifier.convert.registry import BUILT_IN, GROUP

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.just("[1]"),
    st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=12), st.just("\ud800"),
    st.sampled_from(["a.pdf", "https://a.example", "D(1,1,1,2,2,3,3)", "“a b” [1]. ", "{", " "]),
)  # fmt: skip


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for item in value.values() for key in keys_of(item)}
    return {key for item in value for key in keys_of(item)} if isinstance(value, list) else set()


KEYS = sorted({key for name in FORMATS for key in keys_of(json.loads(example(name)))})
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        inside = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [at, *(place for key, item in inside for place in places(item, (*at, key)))]


def attempt(data: bytes, name: str) -> None:
    """Converts or is refused, in one way each."""
    refused = None
    try:
        check(convert(data, name, document="a.pdf"))
    except ConversionInvalidError as error:
        refused = error.line()
    assert refused is None or refused.startswith("error[invalid_conversion_input]: ")
    assert refused is None or "\n" not in refused


@pytest.mark.parametrize("name", FORMATS)
class TestAnyInput:
    @settings(max_examples=60, deadline=None)
    @given(value=ANYTHING)
    def test_any_json_is_converted_or_refused(self, name: str, value: Any) -> None:
        attempt(json.dumps(value).encode(), name)

    @settings(max_examples=120, deadline=None)
    @given(data=st.data())
    def test_a_changed_example_is_converted_or_refused(self, name: str, data: Any) -> None:
        value = json.loads(example(name))
        for _ in range(data.draw(st.integers(1, 3))):
            place = data.draw(st.sampled_from(places(value)))
            value = _changed(value, place, data.draw(ANYTHING), data.draw(st.booleans()))
        attempt(json.dumps(value).encode(), name)

    @settings(max_examples=40, deadline=None)
    @given(data=st.binary(max_size=40))
    def test_any_bytes_are_converted_or_refused(self, name: str, data: bytes) -> None:
        attempt(data, name)

    @pytest.mark.parametrize("depth", [100, 400, 5_000])
    def test_deep_nesting_is_refused(self, name: str, depth: int) -> None:
        key = {"azure-content-understanding": "valueObject", "landingai": "extraction"}.get(name)
        data = (f'{{"{key or "kwargs"}":' * depth + "{}" + "}" * depth).encode()
        attempt(data, name)
        attempt(b'{"contents":[{"fields":{"F":' + data + b"}}]}", name)
        attempt(b"[" * depth + b"]" * depth, name)

    @pytest.mark.parametrize(
        "data",
        [b'{"content":[],"content":[]}', b'{"a":NaN}', b"\xff", b"", b'{"a":1e99999999999999}'],
    )
    def test_malformed_json_is_refused(self, name: str, data: bytes) -> None:
        with pytest.raises(ConversionInvalidError):
            convert(data, name)

    def test_an_example_loses_nothing_when_its_document_is_unknown(self, name: str) -> None:
        """Every citation is a claim or counted as none, whatever is known of documents."""
        known = convert(example(name), name, document="a.pdf")
        unknown = convert(example(name), name)
        assert known.claims + known.unconverted == unknown.claims + unknown.unconverted


def _changed(value: Any, place: tuple[Any, ...], new: Any, drop: bool) -> Any:
    if not place:
        return new
    at: Any = value
    for key in place[:-1]:
        at = at[key]
    if drop and isinstance(at, dict):
        del at[place[-1]]
    else:
        at[place[-1]] = new
    return value


class TestHostileInput:
    """Work and output stay in proportion to the input."""

    @pytest.mark.timeout(20)
    def test_names_that_every_field_repeats_are_refused(self) -> None:
        fields = {str(number): number for number in range(20_000)}
        for value in ({"x" * 100_000: fields}, {"x" * 1999: {"y": fields}}):
            with pytest.raises(ConversionInvalidError, match="names of nested fields"):
                made("landingai", {"extraction": value})

    @pytest.mark.timeout(20)
    def test_ids_that_begin_alike_are_told_apart(self) -> None:
        fields = {f"{'x' * 300}{number}": "It rose." for number in range(20_000)}
        conversion = made("landingai", {"extraction": fields}, document="a.pdf")
        assert conversion.claims == 20_000

    @pytest.mark.timeout(20)
    def test_many_references_to_many_boxes_are_their_pages(self) -> None:
        box = {"left": 0, "top": 0, "right": 1}
        grounding = [{"page": n % 9, "box": {**box, "bottom": n + 1}} for n in range(90)] * 50
        grounding += [{"page": 9, "box": {**box, "bottom": n + 1}} for n in range(90)]
        value = {
            "chunks": [{"id": "k", "markdown": "It rose.", "grounding": grounding}],
            "extraction": {"a": ["It rose."] * 5_000},
            "extraction_metadata": {"a": [{"references": ["k"] * 20}] * 5_000},
        }
        conversion = made("landingai", value, document="a.pdf")
        place = {"page": 1, "page_end": 10}
        assert all(claim["citation"] == place for claim in claims_of(conversion))
        assert codes(conversion).count("box_not_read") == conversion.claims

    @pytest.mark.timeout(20)
    def test_a_quotation_is_repeated_for_few_sources(self) -> None:
        listed = [{"n": number, "document": "a.pdf"} for number in range(500)]
        text = "“a b” " * 500 + "".join(f"[{number}]" for number in range(500))
        value = {"answer": text, "sources": listed}
        kinds = [claim["kind"] for claim in claims_of(made("numbered-answer", value))]
        assert kinds.count("quote") == 500 * 20


class TestNames:
    @pytest.mark.parametrize(
        ("name", "document"),
        [
            ("/data/x/annual.pdf", "annual.pdf"),
            ("C:\\docs\\annual.pdf", "annual.pdf"),
            ("x/annual.pdf", "annual.pdf"),
            ("../annual", "annual"),
            ("file:///x/annual.pdf", "annual.pdf"),
            ("Profit / loss 2024", "Profit / loss 2024"),
            (" annual.pdf ", "annual.pdf"),
            ("/", "/"),
            ("https://example.org/annual.pdf", None),
            ("", None),
        ],
    )
    def test_paths_are_named_by_their_last_part(self, name: str, document: str | None) -> None:
        assert Cited.of(name).document == document

    def test_an_address_is_a_document_only_where_the_map_says_so(self) -> None:
        value = [{"page_content": "It rose.", "metadata": {"source": "https://example.org/a"}}]
        names = sources({"name": "https://example.org/a", "document": "a.pdf"})
        assert made("langchain", value, names=names).requests[0]["document"] == "a.pdf"
        assert codes(made("langchain", value, document="b.pdf")) == ["url_not_a_document"]

    def test_a_pin_belongs_to_the_document_whatever_it_is_called(self) -> None:
        names = sources({"name": "x", "document": "a.pdf", "document_fingerprint": "sha256:00"})
        value = [{"page_content": "It rose.", "metadata": {"source": "/y/a.pdf"}}]
        request = made("langchain", value, names=names).requests[0]
        assert (request["document"], request["document_fingerprint"]) == ("a.pdf", "sha256:00")

    def test_documents_come_in_the_order_in_which_they_are_cited(self) -> None:
        items = [{"page_content": "It.", "metadata": {"source": s}} for s in ("b", "a", "b", "c")]
        assert [r["document"] for r in made("langchain", items).requests] == ["b", "a", "c"]


class TestSourcesMap:
    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ({"sources": [{"name": "a", "document": "b", "pages": 3}]}, r"\$\.sources\[0\]"),
            ({"sources": [{"name": "a"}]}, r"\$\.sources\[0\]\.document: Field required"),
            ({"sources": [{"name": "a", "document": "b"}] * 2}, "'a' is given twice"),
            (
                {
                    "sources": [
                        {"name": n, "document": "b", "document_fingerprint": n} for n in "xy"
                    ]
                },
                "'b' has two fingerprints",
            ),
            ({"source": []}, "sources map"),
            ([], "sources map"),
        ],
    )
    def test_a_wrong_one_is_refused(self, value: Any, message: str) -> None:
        with pytest.raises(ConversionInvalidError, match=message):
            load_sources(json.dumps(value).encode())


class TestRegistry:
    def test_the_formats_are_those_of_the_package_s_metadata(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["entry-points"][GROUP] == BUILT_IN
        assert set(FORMATS) <= set(format_names())

    @pytest.mark.parametrize("name", FORMATS)
    def test_a_format_is_registered_under_its_name(self, name: str) -> None:
        assert converter(name).name == name

    def test_an_unknown_format_is_refused_with_the_known_ones(self) -> None:
        with pytest.raises(UsageError, match="'pdf' is not known") as caught:
            convert(b"", "pdf")
        assert "langchain" in caught.value.what_to_do

    def test_other_packages_add_formats(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One of theirs is loaded; a name that is taken, one that leads nowhere and what is no
        converter are refused."""
        info = tmp_path / "others-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            f"[{GROUP}]\nmine = verifier.convert.openai:CONVERTER\nopenai = x:Y\n"
            "lost = verifier.convert:LOST\nodd = verifier.convert:CODES\n"
        )
        monkeypatch.syspath_prepend(str(tmp_path))
        registered._entries.cache_clear()
        try:
            assert converter("mine").name == "openai"
            for name, message in (("openai", "by 2"), ("lost", "loaded"), ("odd", "no Converter")):
                with pytest.raises(UsageError, match=message):
                    converter(name)
        finally:
            registered._entries.cache_clear()


def test_the_documentation_lists_every_code_and_format() -> None:
    text = (ROOT / "docs" / "convert.md").read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"| `{code}` | {meaning} |" in text
    for name in FORMATS:
        assert f"### `{name}`" in text
