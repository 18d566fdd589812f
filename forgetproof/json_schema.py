"""What of a JSON document breaks a JSON Schema (2020-12), for the keywords that our schemas use."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
_NOTES = {"$schema", "$id", "$defs", "title", "description", "default"}
_RULES = {
    *("$ref", "type", "enum", "const", "anyOf", "oneOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "pattern"),
    *("required", "properties", "additionalProperties", "minProperties"),
    *("items", "minItems", "maxItems", "uniqueItems"),
}
_Rule = Mapping[str, Any]


class JsonSchema:
    """A schema, with the definitions that its references name.

    schema: its document.  name: what the whole document is called in a fault.
    """

    def __init__(self, schema: _Rule, name: str = "document") -> None:
        self._schema, self._name = schema, name

    def faults(self, value: Any) -> Iterator[str]:
        """Every place where the value is not as the schema says, by its path.

        Raises ValueError for a keyword of the schema that is not known here: it would be passed
        over.
        """
        return self._faults(value, self._schema, "")

    def _faults(self, value: Any, rule: _Rule, path: str) -> Iterator[str]:
        if unknown := set(rule) - _NOTES - _RULES:
            raise ValueError(f"schema must have known keywords, got {', '.join(sorted(unknown))}")
        if "$ref" in rule:
            target = self._schema["$defs"][rule["$ref"].rpartition("/")[2]]
            yield from self._faults(value, target, path)
        kinds = rule.get("type", [])
        names = [kinds] if isinstance(kinds, str) else kinds
        if names and not any(_is(value, kind) for kind in names):
            yield f"{path or self._name} must be of type {kinds}, got {_shown(value)}"
            return
        yield from _word_faults(value, rule, path or self._name)
        yield from self._alternatives(value, rule, path)
        if isinstance(value, str):
            yield from _text_faults(value, rule, path)
        elif isinstance(value, dict):
            yield from self._object_faults(value, rule, path)
        elif isinstance(value, list):
            yield from self._list_faults(value, rule, path)
        elif _is(value, "number"):
            yield from _number_faults(value, rule, path)

    def _alternatives(self, value: Any, rule: _Rule, path: str) -> Iterator[str]:
        for keyword, most in (("anyOf", None), ("oneOf", 1)):
            if keyword not in rule:
                continue
            fitting = sum(not any(self._faults(value, one, path)) for one in rule[keyword])
            if not fitting or (most is not None and fitting > most):
                what = f"{path or self._name} must be as one of the alternatives"
                yield f"{what}, got {_shown(value)}"

    def _object_faults(self, value: dict[str, Any], rule: _Rule, path: str) -> Iterator[str]:
        if len(value) < rule.get("minProperties", 0):
            yield f"{path or self._name} must have a field, got none"
        for name in rule.get("required", ()):
            if name not in value:
                yield f"{path or self._name} must have {name}, got none"
        others = rule.get("additionalProperties", {})
        for name, each in value.items():
            inner = f"{path}.{name}" if path else name
            part = rule.get("properties", {}).get(name, others)
            if part is False:
                yield f"{inner} must be left out, got {_shown(each)}"
            elif part is not True:
                yield from self._faults(each, part, inner)

    def _list_faults(self, value: list[Any], rule: _Rule, path: str) -> Iterator[str]:
        if len(value) < rule.get("minItems", 0):
            yield f"{path} must have at least {rule['minItems']} items, got {len(value)}"
        if len(value) > rule.get("maxItems", len(value)):
            yield f"{path} must have at most {rule['maxItems']} items, got {len(value)}"
        if rule.get("uniqueItems") and any(each in value[:at] for at, each in enumerate(value)):
            yield f"{path} must have every item once, got {_shown(value)}"
        for at, each in enumerate(value):
            yield from self._faults(each, rule.get("items", {}), f"{path}[{at}]")


def _word_faults(value: Any, rule: _Rule, path: str) -> Iterator[str]:
    if "const" in rule and value != rule["const"]:
        yield f"{path} must be {rule['const']!r}, got {_shown(value)}"
    if "enum" in rule and value not in rule["enum"]:
        words = ", ".join(str(each) for each in rule["enum"])
        yield f"{path} must be one of {words}, got {_shown(value)}"


def _text_faults(value: str, rule: _Rule, path: str) -> Iterator[str]:
    if len(value) < rule.get("minLength", 0):
        yield f"{path} must not be empty, got {_shown(value)}"
    if "pattern" in rule and not re.search(rule["pattern"], value):
        yield f"{path} must match {rule['pattern']}, got {_shown(value)}"


def _number_faults(value: float, rule: _Rule, path: str) -> Iterator[str]:
    if not value >= rule.get("minimum", value):
        yield f"{path} must be >= {rule['minimum']}, got {value}"
    if not value <= rule.get("maximum", value):
        yield f"{path} must be <= {rule['maximum']}, got {value}"
    if "exclusiveMinimum" in rule and not value > rule["exclusiveMinimum"]:
        yield f"{path} must be > {rule['exclusiveMinimum']}, got {value}"
    if "exclusiveMaximum" in rule and not value < rule["exclusiveMaximum"]:
        yield f"{path} must be < {rule['exclusiveMaximum']}, got {value}"


def _is(value: Any, kind: str) -> bool:
    """A truth value is a number in Python, and none in JSON."""
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _shown(value: Any) -> str:
    return f"{value!r:.60}"
