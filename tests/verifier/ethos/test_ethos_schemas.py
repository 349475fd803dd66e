"""JSON Schemas of the files in Ethos's formats: closed, and true of what is read and written."""

import json
from typing import Any

import pytest
from ethos_documents import FERRY, PIN, answer, claim
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from pydantic import TypeAdapter

import verifier.ethos
from verifier.ethos import (
    DEFAULT,
    anchor,
    parse_anchor_request,
    parse_release_claims,
    release_decision,
)
from verifier.ethos.schemas import DESCRIPTIONS, SCHEMAS

QUOTE = claim("quote", "Dogs travel free.", element_id="second")
REQUEST = {
    "artifact_type": "ethos.evidence_anchor_request.v1",
    "schema_version": "1.0.0",
    "evidence_refs": [
        {
            "evidence_id": "e",
            "evidence_kind": "page",
            "required_anchor_level": "page",
            "locator": {"page_index": 1},
        }
    ],
}
SAID = [
    {
        "id": "c",
        "text": "t",
        "check_ids": ["v0001"],
        "question_relevance": "direct_answer",
        "claim_type": "source_fact",
    }
]
REPORT = answer([QUOTE])
FILES: dict[str, Any] = {
    "ethos_citations": {"document_fingerprint": PIN, "claims": [QUOTE]},
    "ethos_verification_config": DEFAULT.effective,
    "ethos_verification_report": REPORT,
    "ethos_evidence_anchor_request": REQUEST,
    "ethos_evidence_anchor_report": anchor(FERRY, parse_anchor_request(json.dumps(REQUEST))),
    "ethos_release_claims": {"question": "q", "claims": SAID},
    "ethos_release_decision": release_decision(
        REPORT, "q", parse_release_claims(json.dumps(SAID)).claims
    ),
}


def validator(name: str) -> Draft202012Validator:
    schema = TypeAdapter(SCHEMAS[name]).json_schema(mode="validation")
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_every_file_has_a_schema_and_a_description() -> None:
    assert set(SCHEMAS) == set(FILES) == set(DESCRIPTIONS)


@pytest.mark.parametrize("name", FILES)
def test_files_keep_their_schema_and_surprises_do_not(name: str) -> None:
    validator(name).validate(FILES[name])
    with pytest.raises(ValidationError):
        validator(name).validate({**FILES[name], "surprise": 1})


@pytest.mark.parametrize("name", ["ethos_citations", "ethos_release_claims"])
def test_an_array_alone_is_a_file_too(name: str) -> None:
    validator(name).validate(FILES[name]["claims"])


@pytest.mark.parametrize("value", [[], {"claims": []}, {"claims": [{**QUOTE, "kind": "sum"}]}])
def test_citations_that_are_refused_break_the_schema(value: object) -> None:
    with pytest.raises(ValidationError):
        validator("ethos_citations").validate(value)


def test_public_names_can_be_imported() -> None:
    for name in verifier.ethos.__all__:
        assert getattr(verifier.ethos, name) is not None
