"""What counts as an answer in the asked form: the schema decides, not the server's word, and nothing is repaired."""

import json

import pytest
from llm_stand_ins import GOOD, SCHEMA

from genoplatform.resources.llm.errors import LlmError
from genoplatform.resources.llm.structured import modes, parse, response_format, validator

VALUE = json.loads(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}```",
        f"```JSON\n{GOOD}",
        f"<think>Is it TTN? ```no```</think>\n{GOOD}",
        f"<think>hm</think>```json\n{GOOD}\n```",
    ],
)
def test_an_answer_with_the_schema_is_parsed(text):
    assert parse(text, SCHEMA) == VALUE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FBN1",
        GOOD[:-1],  # truncated
        f"Here it is: {GOOD}",
        f"{GOOD} I hope this helps",
        '[{"gene": "FBN1"}]',  # a key is missing
        '[{"gene": "FBN1", "confidence": "high"}]',
        '[{"gene": "FBN1", "confidence": 0.9, "extra": 1}]',
        '{"gene": "FBN1", "confidence": 0.9}',  # not a list
        '[{"gene": "FBN1", "confidence": NaN}]',  # not JSON
        "[{'gene': 'FBN1', 'confidence': 0.9}]",
        "[" * 200_000,
        f"<think>unclosed {GOOD}",
    ],
)
def test_anything_else_is_none(text):
    assert parse(text, SCHEMA) is None


def test_without_a_schema_nothing_is_parsed():
    assert parse(GOOD, None) is None
    assert modes("auto", None) == ["plain"]
    assert response_format("plain", SCHEMA) == {}


def test_the_order_of_asking():
    assert modes("auto", SCHEMA) == ["json_schema", "json_object", "plain"]
    assert modes("plain", SCHEMA) == ["plain"]


def test_a_schema_that_is_none_is_the_callers_fault():
    with pytest.raises(LlmError, match="not a JSON schema"):
        validator({"type": "arrray"})
