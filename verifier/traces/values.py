"""Values of exported attributes, whatever form they have: flattened or nested, JSON inside strings.

Nothing here raises for a value of an odd type: what cannot be read as what was asked for is absent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

DEEPEST = 24
"""Levels of nesting that are looked into."""
LONGEST_SCALAR = 2000
"""Characters of a recorded value that are kept beside a trace; texts are read by their names."""
MOST_SCALARS = 200

_SURROGATE = re.compile("[\ud800-\udfff]")

_TEXT_KEYS = (
    "answer", "output", "response", "result", "completion", "generation", "text", "content",
    "output_text", "message", "value", "final_answer", "page_content",
)  # fmt: skip
_QUERY_KEYS = (
    "query", "question", "input", "user_query", "user_input", "prompt", "text", "content", "value",
    "message",
)  # fmt: skip
_ANSWERING = ("assistant", "ai", "model")
_ASKING = ("user", "human")


def parse(text: str) -> Any:
    """JSON as exports hold it: fractions come as the text that was written, NaN and infinities as
    null. Raises ValueError with the reason for what is none, or has a key twice."""
    try:
        return json.loads(
            text,
            parse_float=str,
            parse_constant=lambda name: None,
            object_pairs_hook=_unique,
        )
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has a key twice")
    return value


def opened(value: Any) -> Any:
    """A value, or what the JSON in a string holds: tools write objects as strings."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and len(value) > 1:
        try:
            return parse(value)
        except ValueError:
            return value
    return value


def nested(attributes: Any) -> dict[str, Any]:
    """Attributes as a tree: `a.b.0.c` and {"a": {"b": [{"c": …}]}} are the same. Where a name is
    both a value and the beginning of longer names, the longer ones are kept."""
    tree: dict[str, Any] = {}
    if not isinstance(attributes, Mapping):
        return tree
    for name, value in attributes.items():
        parts = str(name).split(".")
        if len(parts) <= DEEPEST:
            _put(tree, parts, value)
    return tree


def _put(tree: dict[str, Any], parts: list[str], value: Any) -> None:
    for part in parts[:-1]:
        inner = tree.get(part)
        if isinstance(inner, list):
            inner = {str(at): item for at, item in enumerate(inner)}
        elif not isinstance(inner, dict):
            inner = {}
        tree[part] = inner
        tree = inner
    last, known = parts[-1], tree.get(parts[-1])
    if isinstance(value, Mapping):
        inner = dict(known) if isinstance(known, dict) else {}
        tree[last] = inner
        for name, item in value.items():
            _put(inner, str(name).split(".")[:DEEPEST], item)
    elif not isinstance(known, dict):
        tree[last] = value


def at(tree: Any, path: str) -> Any:
    """The value at a dotted path of a tree; None where there is none."""
    for part in path.split("."):
        tree = opened(tree)
        if isinstance(tree, Mapping):
            tree = tree.get(part)
        elif isinstance(tree, list) and part.isdecimal() and int(part) < len(tree):
            tree = tree[int(part)]
        else:
            return None
    return tree


def items(value: Any) -> list[Any]:
    """A list, or an object whose keys are numbers, in their order; empty for anything else."""
    value = opened(value)
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping) and value and all(str(k).isdecimal() for k in value):
        return [value[key] for key in sorted(value, key=lambda k: int(str(k)))]
    return []


def scalar(value: Any) -> str:
    """A string, number or truth value as text; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) and abs(value) < 10**40 else ""


def scalars(tree: Any, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Short values of a tree by their dotted names, in order."""
    if depth > DEEPEST:
        return
    if isinstance(tree, Mapping):
        for name, value in tree.items():
            yield from scalars(value, f"{prefix}.{name}" if prefix else str(name), depth + 1)
    elif isinstance(tree, list):
        if tree and all(scalar(item) for item in tree):
            text = ", ".join(map(scalar, tree))
            if len(text) <= LONGEST_SCALAR:
                yield prefix, text
    elif (text := scalar(tree)) and len(text) <= LONGEST_SCALAR:
        yield prefix, text


def kept(tree: Any) -> dict[str, str]:
    """The first MOST_SCALARS short values of a tree by their dotted names, those that can be
    written as UTF-8."""
    found: dict[str, str] = {}
    for name, value in scalars(tree):
        if len(found) >= MOST_SCALARS:
            break
        if writable(name) and writable(value):
            found[name] = value
    return found


def writable(text: str) -> bool:
    """Whether a text can be written as UTF-8: it holds no half of a surrogate pair."""
    return text.isascii() or not _SURROGATE.search(text)


def answer_text(value: Any) -> str:
    """What was said, of any form of output: a text, an object with one, messages. A text that is
    JSON in which nothing is known is itself what was said."""
    return _said(value, _TEXT_KEYS, _ANSWERING, 0)


def query_text(value: Any) -> str:
    """What was asked, of any form of input."""
    return _said(value, _QUERY_KEYS, _ASKING, 0)


def _said(value: Any, keys: tuple[str, ...], roles: tuple[str, ...], depth: int) -> str:
    written = value if isinstance(value, str) else ""
    value = opened(value)
    if depth > DEEPEST or isinstance(value, str):
        return written
    if isinstance(value, Mapping):
        return _of_object(value, keys, roles, depth) or written
    if isinstance(value, list) and value:
        return _of_list(value, keys, roles, depth) or written
    return written


def _of_object(
    value: Mapping[Any, Any], keys: tuple[str, ...], roles: tuple[str, ...], depth: int
) -> str:
    if isinstance(value.get("kwargs"), Mapping):  # a serialized object of LangChain
        return _of_object(value["kwargs"], keys, roles, depth + 1)
    for holder in ("messages", "generations", "choices", "parts", "contents"):
        if items(value.get(holder)) and (
            found := _said(items(value[holder]), keys, roles, depth + 1)
        ):
            return found
    for key in keys:
        if key in value and (found := _said(value[key], keys, roles, depth + 1)):
            return found
    for inner in ("message_content", "data"):
        if inner in value and (found := _said(value[inner], keys, roles, depth + 1)):
            return found
    return ""


def _of_list(value: list[Any], keys: tuple[str, ...], roles: tuple[str, ...], depth: int) -> str:
    """Of messages the last one by a role; of parts of a message all texts; else the first text."""
    messages = [m for m in value if isinstance(m, Mapping) and role_of(m)]
    if messages:
        for message in reversed(messages):
            if role_of(message) in roles and (
                found := _said(_body(message), keys, roles, depth + 1)
            ):
                return found
        return ""
    if all(isinstance(item, Mapping) and "type" in item for item in value):
        texts = [
            _said(part, ("text", "content"), roles, depth + 1)
            for part in value
            if part.get("type") in ("text", "output_text", "input_text")
        ]
        return "".join(texts)
    return next((found for item in value if (found := _said(item, keys, roles, depth + 1))), "")


def role_of(message: Mapping[Any, Any]) -> str:
    """Who a message is by, in small letters; empty where it does not say."""
    for name in ("role", "message.role"):
        if isinstance(message.get(name), str):
            return str(message[name]).lower()
    inner = message.get("message")
    if isinstance(inner, Mapping) and isinstance(inner.get("role"), str):
        return str(inner["role"]).lower()
    kwargs, ids = message.get("kwargs"), message.get("id")
    if isinstance(kwargs, Mapping) and isinstance(ids, list) and ids:
        name = str(ids[-1])
        return {"HumanMessage": "human", "AIMessage": "ai", "SystemMessage": "system"}.get(name, "")
    if message.get("type") in ("human", "ai", "system") and "content" in message:
        return str(message["type"])
    return ""


def _body(message: Mapping[Any, Any]) -> Any:
    inner = message.get("message")
    if isinstance(inner, Mapping):
        message = inner
    if isinstance(message.get("kwargs"), Mapping):
        message = message["kwargs"]
    for name in ("content", "contents", "parts", "text"):
        if message.get(name):
            return message[name]
    return ""
