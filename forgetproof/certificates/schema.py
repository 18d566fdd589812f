"""What a certificate's file has to look like: `certificate.schema.json`, and the first fault."""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


@cache
def schema() -> dict[str, Any]:
    """The schema, a JSON Schema of 2020-12; the keywords are those that `insist` knows."""
    text = (files("forgetproof.certificates") / "certificate.schema.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def insist(document: Any) -> None:
    """ValueError naming the path of the first value that is not as the schema says."""
    for fault in _faults(document, schema(), ""):
        raise ValueError(fault)


def _faults(value: Any, rule: dict[str, Any], path: str) -> Iterator[str]:
    if "$ref" in rule:
        yield from _faults(value, schema()["$defs"][rule["$ref"].rpartition("/")[2]], path)
    kinds = rule.get("type", [])
    if kinds and not any(_is(value, kind) for kind in ([kinds] if type(kinds) is str else kinds)):
        yield f"{path or 'certificate'} must be of type {kinds}, got {_shown(value)}"
        return
    if "const" in rule and value != rule["const"]:
        yield f"{path} must be {rule['const']!r}, got {_shown(value)}"
    if "anyOf" in rule and all(any(_faults(value, one, path)) for one in rule["anyOf"]):
        yield f"{path} must be as one of the alternatives, got {_shown(value)}"
    if isinstance(value, str):
        yield from _text_faults(value, rule, path)
    elif isinstance(value, dict):
        yield from _object_faults(value, rule, path)
    elif isinstance(value, list):
        low, high = rule.get("minItems", 0), rule.get("maxItems", len(value))
        if not low <= len(value) <= high:
            yield f"{path} must have from {low} to {high} items, got {len(value)}"
        for at, each in enumerate(value):
            yield from _faults(each, rule.get("items", {}), f"{path}[{at}]")
    elif _is(value, "number"):
        yield from _number_faults(value, rule, path)


def _text_faults(value: str, rule: dict[str, Any], path: str) -> Iterator[str]:
    if len(value) < rule.get("minLength", 0):
        yield f"{path} must not be empty, got {_shown(value)}"
    if "pattern" in rule and not re.search(rule["pattern"], value):
        yield f"{path} must match {rule['pattern']}, got {_shown(value)}"


def _object_faults(value: dict[str, Any], rule: dict[str, Any], path: str) -> Iterator[str]:
    for name in rule.get("required", ()):
        if name not in value:
            yield f"{path or 'certificate'} must have {name}, got none"
    for name, each in value.items():
        inner = f"{path}.{name}" if path else name
        part = rule.get("properties", {}).get(name, rule.get("additionalProperties", {}))
        if part is False:
            yield f"{inner} must be left out, got {_shown(each)}"
        else:
            yield from _faults(each, part, inner)


def _number_faults(value: float, rule: dict[str, Any], path: str) -> Iterator[str]:
    if not value >= rule.get("minimum", value):
        yield f"{path} must be >= {rule['minimum']}, got {value}"
    if "exclusiveMinimum" in rule and not value > rule["exclusiveMinimum"]:
        yield f"{path} must be > {rule['exclusiveMinimum']}, got {value}"
    if "exclusiveMaximum" in rule and not value < rule["exclusiveMaximum"]:
        yield f"{path} must be < {rule['exclusiveMaximum']}, got {value}"


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return f"{value!r:.60}"
