"""Every true sentence of the sample documents is grounded, and no falsified one is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from reading import Shelf, element_text, report

from grounding.model import RUNNING_KINDS, ElementKind
from grounding.store import StoredSource

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "sample_docs").glob("*.pdf"))
LEAST_WORDS = 6
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\u201c\"(\d])")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|may|shall|will|must|has|have|can|does|did|would|should)\b(?! not)"
)
_NEGATION = re.compile(r"\b(not|no|never|neither|nor|without|un(?=paid|able|less))\b ?", re.I)
_WEIGHT = re.compile(r"\d|\b(?:not|no|never|without|unless|if|only|may|more|less|except)\b", re.I)
_CURRENCIES = {"$": "\u20ac", "\u20ac": "$", "\u00a3": "$", "EUR": "USD", "USD": "EUR"}
_SCALES = {
    "thousand": "million",
    "thousands": "millions",
    "million": "billion",
    "millions": "billions",
    "billion": "million",
}
_CURRENCY = re.compile("|".join(re.escape(mark) for mark in _CURRENCIES))
_SCALE = re.compile(rf"\b({'|'.join(_SCALES)})\b")


@dataclass(frozen=True)
class Sentence:
    page: int
    text: str
    following: str
    """The next sentence of the same element; empty at its end."""


def joined(raw: str) -> str:
    """Raw text as a reader writes it down: broken words closed, lines joined."""
    closed = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", raw.replace("\u00ad\n", ""))
    return " ".join(closed.split())


def sentences(source: StoredSource) -> Iterator[Sentence]:
    """Sentences of the body of every readable page, in order."""
    aside = RUNNING_KINDS | {ElementKind.FIGURE, ElementKind.TABLE}
    for page in source.pages:
        for element in source.elements(page.number):
            if page.status != "ok" or element.kind in aside:
                continue
            parts = _SENTENCE_END.split(joined(element_text(source, element)))
            for text, following in zip(parts, [*parts[1:], ""], strict=True):
                if len(text.split()) >= LEAST_WORDS:
                    yield Sentence(page.number, text, following)


# Mutations: each yields falsified texts of a sentence.

Mutation = Callable[[Sentence], Iterator[str]]


def replaced(text: str, found: re.Match[str], by: str) -> str:
    return text[: found.start()] + by + text[found.end() :]


def digit_changed(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"\d", sentence.text):
        yield replaced(sentence.text, found, str((int(found[0]) + 1) % 10))


def digits_swapped(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?=(\d)(\d))", sentence.text):
        if found[1] != found[2]:
            at = found.start()
            yield sentence.text[:at] + found[2] + found[1] + sentence.text[at + 2 :]


def digit_added(sentence: Sentence) -> Iterator[str]:
    for found in _NUMBER.finditer(sentence.text):
        yield replaced(sentence.text, found, found[0] + "0")
        yield replaced(sentence.text, found, "1" + found[0])


def sign_added(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<![\w.,(-])\d(?:[\d.,]*\d)?", sentence.text):
        yield replaced(sentence.text, found, f"-{found[0]}")
        yield replaced(sentence.text, found, f"({found[0]})")


def sign_dropped(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(
        r"\((\d[\d.,]*)\)|(?<![\w)])[-\u2212\u2013](\d[\d.,]*)", sentence.text
    ):
        yield replaced(sentence.text, found, found[1] or found[2])


def bracket_dropped(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"[()]", sentence.text):
        if 0 < found.start() < len(sentence.text) - 2:
            yield replaced(sentence.text, found, "")


def negation_inserted(sentence: Sentence) -> Iterator[str]:
    for found in _AUXILIARY.finditer(sentence.text):
        yield replaced(sentence.text, found, f"{found[0]} not")


def negation_removed(sentence: Sentence) -> Iterator[str]:
    for found in _NEGATION.finditer(sentence.text):
        yield replaced(sentence.text, found, "").strip()


def word_replaced(sentence: Sentence) -> Iterator[str]:
    words = sentence.text.split(" ")
    for at in range(0, len(words), 2):
        yield " ".join([*words[:at], "otherwise", *words[at + 1 :]])


def word_dropped(sentence: Sentence) -> Iterator[str]:
    words = sentence.text.split(" ")
    for at in range(1, len(words) - 1):
        yield " ".join([*words[:at], *words[at + 1 :]])


def word_repeated(sentence: Sentence) -> Iterator[str]:
    words = sentence.text.split(" ")
    for at in range(0, len(words), 4):
        yield " ".join([*words[: at + 1], *words[at:]])


def words_swapped(sentence: Sentence) -> Iterator[str]:
    words = sentence.text.split(" ")
    for at in range(len(words) - 1):
        if words[at] != words[at + 1]:
            yield " ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]])


def words_joined(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<=[a-z]) (?=[a-z])", sentence.text):
        yield replaced(sentence.text, found, "")


def word_cut_in_two(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<=[a-z]{3})(?=[a-z]{3})", sentence.text):
        yield replaced(sentence.text, found, " ")


def middle_dropped(sentence: Sentence) -> Iterator[str]:
    words = sentence.text.split(" ")
    third = len(words) // 3
    kept = [words[:third], words[2 * third :]]
    yield " ".join([*kept[0], *kept[1]])


def weight_elided(sentence: Sentence) -> Iterator[str]:
    """A middle that holds a number, a negation or a condition, left out at an ellipsis."""
    words = sentence.text.split(" ")
    third = len(words) // 3
    if _WEIGHT.search(" ".join(words[third : 2 * third])):
        for between in ("...", "\u2026", "[...]"):
            yield " ".join([*words[:third], between, *words[2 * third :]])


def currency_changed(sentence: Sentence) -> Iterator[str]:
    for found in _CURRENCY.finditer(sentence.text):
        yield replaced(sentence.text, found, _CURRENCIES[found[0]])
        if found.start():
            yield " ".join(replaced(sentence.text, found, "").split())


def currency_added(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<= )\d(?:[\d.,]*\d)?", sentence.text):
        yield replaced(sentence.text, found, f"${found[0]}")


def scale_changed(sentence: Sentence) -> Iterator[str]:
    for found in _SCALE.finditer(sentence.text):
        yield replaced(sentence.text, found, _SCALES[found[0]])
        if found.end() < len(sentence.text) - 1:
            yield " ".join(replaced(sentence.text, found, "").split())


def percent_changed(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"\s?(?:%|\bper ?cent\b)", sentence.text):
        yield replaced(sentence.text, found, "")
        yield replaced(sentence.text, found, " basis points")


def percent_added(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"\d(?=[ .](?!\d|per))", sentence.text):
        yield replaced(sentence.text, found, f"{found[0]}%")


def decimal_moved(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(\d)([.,])(\d)", sentence.text):
        yield replaced(sentence.text, found, found[2].join(("", found[1] + found[3])))
        yield replaced(sentence.text, found, f"{found[1]}{found[3]}{found[2]}")
        yield replaced(sentence.text, found, found[1] + found[3])
        other = "," if found[2] == "." else "."
        yield replaced(sentence.text, found, found[1] + other + found[3])


def number_cut_inside(sentence: Sentence) -> Iterator[str]:
    for found in _NUMBER.finditer(sentence.text):
        if len(found[0]) > 1:
            yield replaced(sentence.text, found, found[0][1:])
            yield replaced(sentence.text, found, found[0][:-1])


def mark_dropped(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<=\w)[,;:](?= )", sentence.text):
        yield replaced(sentence.text, found, "")


def sentences_reversed(sentence: Sentence) -> Iterator[str]:
    if len(sentence.following.split()) >= 2:
        yield f"{sentence.following} {sentence.text}"


def sentence_doubled(sentence: Sentence) -> Iterator[str]:
    yield f"{sentence.text} {sentence.text}"


# Cuts: pieces of a sentence that end or begin inside a number or word. They stand on the page as
# characters and say something else.


def cut_off_inside_a_number(sentence: Sentence) -> Iterator[str]:
    for found in _NUMBER.finditer(sentence.text):
        for at in range(found.start() + 1, found.end()):
            yield sentence.text[:at]


def begun_inside_a_number(sentence: Sentence) -> Iterator[str]:
    for found in _NUMBER.finditer(sentence.text):
        for at in range(found.start() + 1, found.end()):
            yield sentence.text[at:]


def cut_off_before_percent(sentence: Sentence) -> Iterator[str]:
    for found in re.finditer(r"(?<=\d)\s?%", sentence.text):
        yield sentence.text[: found.start()]


def cut_off_inside_a_word(sentence: Sentence) -> Iterator[str]:
    for found in list(re.finditer(r"(?<=[a-z])(?=[a-z'\u2019][a-z])", sentence.text))[::3]:
        yield sentence.text[: found.start()]


def begun_inside_a_word(sentence: Sentence) -> Iterator[str]:
    for found in list(re.finditer(r"(?<=[A-Za-z])(?=[a-z])", sentence.text))[::3]:
        yield sentence.text[found.start() :]


FALSIFIED: tuple[Mutation, ...] = (
    digit_changed,
    digits_swapped,
    digit_added,
    sign_added,
    sign_dropped,
    bracket_dropped,
    negation_inserted,
    negation_removed,
    word_replaced,
    word_dropped,
    word_repeated,
    words_swapped,
    middle_dropped,
    weight_elided,
    currency_changed,
    currency_added,
    scale_changed,
    percent_changed,
    percent_added,
    decimal_moved,
    number_cut_inside,
    mark_dropped,
    sentences_reversed,
    sentence_doubled,
)
CUT: tuple[Mutation, ...] = (
    cut_off_inside_a_number,
    begun_inside_a_number,
    cut_off_before_percent,
    cut_off_inside_a_word,
    begun_inside_a_word,
)
_ONLY_MARKS = {
    sign_added,
    sign_dropped,
    bracket_dropped,
    currency_changed,
    currency_added,
    percent_changed,
    percent_added,
    decimal_moved,
    mark_dropped,
}


def bare(text: str) -> str:
    """Letters and digits alone."""
    return "".join(c for c in text if c.isalnum())


def unspaced(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True)
class Near:
    """The text of a page and of its neighbours, in the forms that are compared."""

    read: str
    lines: str
    marks: str
    letters: str


@cache
def near(text: str) -> Near:
    read = joined(text)
    return Near(read, " ".join(text.split()), unspaced(read), bare(read))


def stands(mutation: Mutation, mutant: str, sentence: Sentence, source: StoredSource) -> bool:
    """Whether a falsified text stands on the page (or over its breaks) by chance."""
    pages = range(max(1, sentence.page - 1), min(len(source.pages), sentence.page + 1) + 1)
    text = near("\n".join(source.page_text(page) for page in pages))
    if mutation in CUT:
        pattern = r"(?<![\w.,'\u2019(-])" + re.escape(mutant) + r"(?![\w%]|[.,'\u2019]\w| %)"
        return re.search(pattern, text.read) is not None
    if mutation in _ONLY_MARKS:
        return unspaced(mutant) in text.marks
    return bare(mutant) in text.letters


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, StoredSource]]:
    with Shelf(tmp_path_factory.mktemp("samples")) as shelf:
        yield {path.name: shelf.put(path.read_bytes(), path.name) for path in SAMPLES}


def claims(texts: list[tuple[int, str]]) -> list[dict[str, Any]]:
    return [{"kind": "quote", "text": text, "citation": {"page": page}} for page, text in texts]


each_sample = pytest.mark.parametrize("name", [path.name for path in SAMPLES])


@each_sample
def test_every_true_sentence_is_grounded(samples: dict[str, StoredSource], name: str) -> None:
    """Quoted as a reader writes it down, on its page."""
    source = samples[name]
    true = [(s.page, s.text) for s in sentences(source)]
    checks = report(source, claims(true))["checks"]
    lost = [(c["claim"]["text"], c["reason"]) for c in checks if c["status"] != "grounded"]
    assert len(true) >= 3
    assert lost == []


def badly_spaced(sentence: Sentence) -> Iterator[str]:
    """Words run together, and words broken in pieces that are none, as extractors do."""
    for found in re.finditer(r"(?<=[a-z]{3}) (?=[a-z]{3})(?!cover|day)", sentence.text):
        yield replaced(sentence.text, found, "")  # "undercover" and "everyday" are words
    for found in re.finditer(
        r"(?<=[bcdfghjklmnpqrstvwxz]{2}[aeiou][bcdfg])(?=[a-z]{3})", sentence.text
    ):
        yield replaced(sentence.text, found, " ")


def adapted(sentence: Sentence) -> Iterator[str]:
    """What writers put around a quote and take from its end."""
    text = sentence.text
    yield f"\u201c{text}\u201d"
    yield f"**{text}**"
    yield f"\u2026 {text}"
    yield f"{text} [...]"
    if text[0].isalpha():
        yield f"- {text}"
    if text.endswith("."):
        yield text[:-1]
    elif text[-1].isalpha():
        yield f"{text}."
    words = text.split(" ")
    if words[2].isalpha():
        yield " ".join([*words[:2], f"*{words[2]}*", *words[3:]])


@each_sample
@pytest.mark.parametrize("change", [badly_spaced, adapted], ids=lambda m: m.__name__)
def test_noise_and_tidying_do_not_cost_a_true_sentence(
    samples: dict[str, StoredSource], name: str, change: Mutation
) -> None:
    """And the report names the folds that it took."""
    source = samples[name]
    true = [(s.page, text) for s in sentences(source) for text in change(s)]
    checks = report(source, claims(true))["checks"]
    lost = [(c["claim"]["text"], c["reason"]) for c in checks if c["status"] != "grounded"]
    assert lost == []
    unnamed = [c["claim"]["text"] for c in checks if not c["match"]["folds"]]
    assert all(text[-1].isalnum() or text in near(source.page_text(1)).read for text in unnamed)


@each_sample
@pytest.mark.parametrize("mutation", [*FALSIFIED, *CUT], ids=lambda m: m.__name__)
def test_no_falsified_sentence_is_grounded(
    samples: dict[str, StoredSource], name: str, mutation: Mutation
) -> None:
    """Whatever a slip of the pen or a bad summary makes of a true sentence."""
    source = samples[name]
    false = [
        (sentence.page, mutant)
        for sentence in sentences(source)
        for mutant in mutation(sentence)
        if mutant != sentence.text and not stands(mutation, mutant, sentence, source)
    ]
    checks = report(source, claims(false))["checks"]
    assert [c["claim"]["text"] for c in checks if c["status"] == "grounded"] == []


@pytest.mark.parametrize("mutation", [*FALSIFIED, *CUT], ids=lambda m: m.__name__)
def test_every_mutation_finds_something_to_falsify(
    samples: dict[str, StoredSource], mutation: Mutation
) -> None:
    """A mutation that never applies would prove nothing."""
    made = [
        mutant
        for source in samples.values()
        for sentence in sentences(source)
        for mutant in mutation(sentence)
        if mutant != sentence.text and not stands(mutation, mutant, sentence, source)
    ]
    assert len(made) >= 1
