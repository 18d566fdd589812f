"""What of a JSON document breaks a JSON Schema, for the keywords that our schema uses."""

from collections.abc import Iterator
from typing import Any

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": int,
    "null": type(None),
}
KNOWN = {
    "$ref",
    "$defs",
    "$schema",
    "$id",
    "title",
    "default",
    "description",
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "required",
    "properties",
    "additionalProperties",
    "minProperties",
    "items",
    "minItems",
    "uniqueItems",
    "anyOf",
    "oneOf",
}


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """Every place where the value breaks the schema, in words; an unknown keyword is an error."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    return list(_faults(value, schema, root, at))


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _faults(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[str]:
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].split("/")[-1]], root, at)
    kinds = schema.get("type", [])
    if kinds and not any(_is(value, kind) for kind in ([kinds] if type(kinds) is str else kinds)):
        yield f"{at}: {value!r} is not {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "anyOf" in schema and all(faults(value, each, root, at) for each in schema["anyOf"]):
        yield f"{at}: {str(value)[:60]} is none of the alternatives"
    if "oneOf" in schema and sum(not faults(value, s, root, at) for s in schema["oneOf"]) != 1:
        yield f"{at}: {str(value)[:60]} is not one of the alternatives"
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        yield f"{at}: {value!r} is too short"
    if _is(value, "number"):
        if not value >= schema.get("minimum", value):
            yield f"{at}: {value} is too small"
        if not value <= schema.get("maximum", value):
            yield f"{at}: {value} is too large"
        if "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
            yield f"{at}: {value} is too small"
        if "exclusiveMaximum" in schema and not value < schema["exclusiveMaximum"]:
            yield f"{at}: {value} is too large"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{at}: {len(value)} items are too few"
        if schema.get("uniqueItems") and any(item in value[:i] for i, item in enumerate(value)):
            yield f"{at}: an item stands twice"
        for i, item in enumerate(value if "items" in schema else []):
            yield from faults(item, schema["items"], root, f"{at}[{i}]")
    if isinstance(value, dict):
        if len(value) < schema.get("minProperties", 0):
            yield f"{at}: {len(value)} properties are too few"
        yield from (
            f"{at}: {name} is missing" for name in schema.get("required", ()) if name not in value
        )
        others = schema.get("additionalProperties", {})
        for name, item in value.items():
            found = schema.get("properties", {}).get(name, others)
            if found is False:
                yield f"{at}: {name} is unknown"
            else:
                yield from faults(item, {} if found is True else found, root, f"{at}.{name}")
