"""Configurations in Ethos's form: what is taken, and their hash."""

from decimal import Decimal
from typing import Any

import pytest
from ethos_documents import configured

from grounding.errors import ConfigInvalidError
from verifier.config import VerificationConfig
from verifier.ethos import DEFAULT, is_ethos_config, parse_config

MINIMAL: dict[str, Any] = {
    "schema_version": "1.0.0",
    "config_version": "mine",
    "claim_kinds": ["presence", "quote"],
    "matching": {"text_normalization": "none", "case_sensitive": False},
    "staleness": {"require_fingerprint_match": False},
    "limits": {"max_checks": 3},
}


class TestHash:
    def test_the_default_has_the_known_hash(self) -> None:
        assert DEFAULT.sha256 == "4bb224166a04a25fed2dd3ecdb9638ddcc5b398658532b73f1c0547e4983d0b0"

    def test_the_default_with_crops_has_the_known_hash(self) -> None:
        crops = DEFAULT.with_crops()
        assert crops.sha256 == "94f2b408f1c60d0111ef89750ba8483e6e5fbcd28d7414bd0ad51083c9202b08"
        assert crops.includes_text

    def test_crops_without_evidence_options_show_no_text(self) -> None:
        crops = parse_config(MINIMAL).with_crops()
        assert crops.effective["evidence"] == {"include_text": False, "include_crops": True}

    def test_what_is_absent_stays_absent(self) -> None:
        assert parse_config(MINIMAL).effective == MINIMAL

    def test_evidence_options_have_defaults(self) -> None:
        config = parse_config({**MINIMAL, "evidence": {}})
        assert config.effective["evidence"] == {"include_text": False, "include_crops": False}

    def test_kinds_keep_their_order_and_count_in_the_hash(self) -> None:
        turned = parse_config({**MINIMAL, "claim_kinds": ["quote", "presence"]})
        assert turned.effective["claim_kinds"] == ["quote", "presence"]
        assert turned.sha256 != parse_config(MINIMAL).sha256

    def test_null_is_absent_where_a_key_is_optional(self) -> None:
        matching = {**MINIMAL["matching"], "bbox_containment_tolerance_q": None}
        config = parse_config({**MINIMAL, "matching": matching, "evidence": None})
        assert config.sha256 == parse_config(MINIMAL).sha256
        assert config.tolerance == 0


class TestRules:
    @pytest.mark.parametrize(
        ("change", "where"),
        [
            ({"surprise": 1}, "surprise"),
            ({"claim_kinds": []}, "claim_kinds"),
            ({"claim_kinds": ["quote", "quote"]}, "claim_kinds"),
            ({"claim_kinds": ["region"]}, "claim_kinds"),
            ({"claim_kinds": ["calculation"]}, "claim_kinds"),
            ({"limits": {"max_checks": 0}}, "limits.max_checks"),
            ({"limits": {"max_checks": True}}, "limits.max_checks"),
            ({"limits": {"max_checks": Decimal("2.0")}}, "limits.max_checks"),
            ({"limits": {"max_checks": 2**53}}, "limits.max_checks"),
            ({"limits": {"max_checks": 1, "more": 2}}, "limits.more"),
            ({"matching": {"text_normalization": "fuzzy"}}, "matching.text_normalization"),
            ({"matching": {"bbox_containment_tolerance_q": -1}}, "bbox_containment_tolerance_q"),
            ({"matching": {"case_sensitive": 1}}, "matching.case_sensitive"),
            ({"matching": {"surprise": 1}}, "matching.surprise"),
            ({"staleness": {}}, "staleness.require_fingerprint_match"),
            ({"evidence": {"include_text": None}}, "evidence.include_text"),
            ({"evidence": {"surprise": True}}, "evidence.surprise"),
            ({"schema_version": "2.0.0"}, "schema_version"),
            ({"config_version": 1}, "config_version"),
            ({"config_version": "\ud800"}, "surrogate"),
            ({"limits": None}, "limits"),
        ],
    )
    def test_a_broken_rule_is_named(self, change: dict[str, Any], where: str) -> None:
        value = {**MINIMAL, **change}
        if "matching" in change:
            value["matching"] = {**MINIMAL["matching"], **change["matching"]}
        with pytest.raises(ConfigInvalidError, match=where):
            parse_config(value)

    @pytest.mark.parametrize("value", [None, [], "default-v1", 5])
    def test_a_configuration_is_an_object(self, value: object) -> None:
        with pytest.raises(ConfigInvalidError):
            parse_config(value)


class TestWhose:
    def test_configurations_are_told_apart(self) -> None:
        assert is_ethos_config(MINIMAL)
        assert is_ethos_config({"staleness": {}})
        assert not is_ethos_config(VerificationConfig().model_dump(mode="json"))
        assert not is_ethos_config({})
        assert not is_ethos_config(["matching"])

    def test_parts_can_be_changed_one_by_one(self) -> None:
        assert configured(limits={"max_checks": 9}).limits.max_checks == 9
        assert configured(limits={"max_checks": 256}) == DEFAULT
