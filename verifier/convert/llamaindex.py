"""Source nodes of LlamaIndex."""

from __future__ import annotations

from typing import Any

from grounding.errors import ConversionInvalidError
from grounding.json_input import load_json
from verifier.convert.model import Converter, Draft
from verifier.convert.naming import Cited
from verifier.convert.own import own_claim
from verifier.convert.shapes import Foreign, Index, Path, expected, shaped


class NodeMetadata(Foreign):
    """What readers write; `page_label` is a printed label and no number. `pagewitness` is the
    citation of this project's own loader, as JSON text."""

    file_name: str | None = None
    file_path: str | None = None
    page_label: str | None = None
    pagewitness: str | None = None


class TextResource(Foreign):
    text: str | None = None


class Node(Foreign):
    """A node; the newer ones keep their text in a resource. Offsets count in the text that was
    split."""

    id_: str | None = None
    text: str | None = None
    text_resource: TextResource | None = None
    metadata: NodeMetadata | None = None
    start_char_idx: Index | None = None
    end_char_idx: Index | None = None


class ScoredNode(Foreign):
    node: Node


class Answer(Foreign):
    """A response of a query engine."""

    source_nodes: list[ScoredNode | Node]


def _read(data: bytes, draft: Draft) -> None:
    value = load_json(data, refusal=ConversionInvalidError)
    at: Path = ()
    if isinstance(value, dict) and "source_nodes" in value:
        value, at = value["source_nodes"], ("source_nodes",)
    if not isinstance(value, list):
        raise expected("no array of nodes", at)
    for number, item in enumerate(value):
        place = (*at, number)
        if isinstance(item, dict) and "node" in item:
            scored: ScoredNode = shaped(ScoredNode, item, place)
            _node(scored.node, (*place, "node"), f"n{number}", draft)
        else:
            _node(shaped(Node, item, place), place, f"n{number}", draft)


def _node(node: Node, at: Path, claim_id: str, draft: Draft) -> None:
    text = node.text if node.text is not None else (node.text_resource or TextResource()).text
    if text is None:
        draft.lose("no_text", at)
        return
    metadata = node.metadata or NodeMetadata()
    if own_claim(metadata.pagewitness, text, at, claim_id, draft):
        return
    cited = Cited.of(metadata.file_name, metadata.file_path, ids=(node.id_,))
    place: dict[str, Any] = {}
    if metadata.page_label and metadata.page_label.strip():
        place["page_label"] = metadata.page_label
    made = draft.claim(cited, at, claim_id, "quote", text=text, place=place)
    if made is None:
        return
    if place:
        draft.note("page_label_only", at, claim_id=made)
    if node.start_char_idx is not None or node.end_char_idx is not None:
        draft.note("offsets_of_other_text", at, claim_id=made)


CONVERTER = Converter(
    name="llamaindex",
    shape='a response with "source_nodes", or an array of nodes with or without scores',
    read=_read,
    kind=Answer | list[ScoredNode | Node],
    about="Source nodes of LlamaIndex.",
)
