"""Every keyword of a schema lets a right value pass, and names a wrong one by its path."""

import pytest

from forgetproof.json_schema import _RULES, JsonSchema

NUMBER = {"$ref": "#/$defs/number"}
CASES = {
    "$ref": (NUMBER, 1.5, "1.5", "document must be of type number, got '1.5'"),
    "type": ({"type": ["integer", "null"]}, None, True, "document must be of type"),
    "enum": ({"enum": ["a", "b"]}, "a", "c", "document must be one of a, b, got 'c'"),
    "const": ({"const": 3}, 3, 4, "document must be 3, got 4"),
    "anyOf": ({"anyOf": [NUMBER, {"type": "null"}]}, None, "x", "one of the alternatives"),
    "oneOf": ({"oneOf": [NUMBER, {"type": "integer"}]}, 1.5, 1, "one of the alternatives"),
    "minimum": ({"minimum": 0}, 0, -1, " must be >= 0, got -1"),
    "maximum": ({"maximum": 1}, 1, 2, " must be <= 1, got 2"),
    "exclusiveMinimum": ({"exclusiveMinimum": 0}, 0.1, 0, " must be > 0, got 0"),
    "exclusiveMaximum": ({"exclusiveMaximum": 1}, 0.9, 1, " must be < 1, got 1"),
    "minLength": ({"minLength": 1}, "a", "", " must not be empty, got ''"),
    "pattern": ({"pattern": "^[0-9]$"}, "7", "77", " must match ^[0-9]$, got '77'"),
    "required": ({"required": ["a"]}, {"a": 1}, {"b": 1}, "document must have a, got none"),
    "properties": ({"properties": {"a": NUMBER}}, {"b": ""}, {"a": ""}, "a must be of type number"),
    "additionalProperties": (
        {"properties": {"a": NUMBER}, "additionalProperties": False},
        {"a": 1},
        {"a": 1, "b": 2},
        "b must be left out, got 2",
    ),
    "minProperties": ({"minProperties": 1}, {"a": 1}, {}, "document must have a field, got none"),
    "items": ({"items": NUMBER}, [1, 2], [1, "x"], "[1] must be of type number, got 'x'"),
    "minItems": ({"minItems": 2}, [1, 2], [1], " must have at least 2 items, got 1"),
    "maxItems": ({"maxItems": 1}, [1], [1, 2], " must have at most 1 items, got 2"),
    "uniqueItems": ({"uniqueItems": True}, [1, 2], [1, 1], " must have every item once"),
}


def test_every_keyword_is_here():
    assert set(CASES) == _RULES


@pytest.mark.parametrize("keyword", CASES)
def test_a_keyword_tells_right_from_wrong(keyword):
    rule, right, wrong, words = CASES[keyword]
    schema = JsonSchema({**rule, "$defs": {"number": {"type": "number"}}})
    assert list(schema.faults(right)) == []
    (fault,) = schema.faults(wrong)
    assert words in fault


def test_a_place_is_named_by_its_path():
    inner = {"type": "object", "properties": {"b": {"items": {"minimum": 1}}}}
    schema = JsonSchema({"properties": {"a": inner}})
    assert list(schema.faults({"a": {"b": [1, 0]}})) == ["a.b[1] must be >= 1, got 0"]


def test_a_keyword_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match="schema must have known keywords, got maxLength"):
        list(JsonSchema({"maxLength": 1}).faults("ab"))
