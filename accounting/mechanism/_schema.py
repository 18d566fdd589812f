"""The JSON Schema of a mechanism document, made from the fields of its parts."""

from __future__ import annotations

import json
from dataclasses import MISSING
from importlib.resources import files
from typing import Any

from accounting.mechanism._claims import FORMS, PrivacyClaim, Provenance, Relation
from accounting.mechanism._node import Node, entries, key, kind_of
from accounting.mechanism._steps import Clip, Divisor, GaussianNoise, Gradient, Maps, Sampling
from accounting.mechanism._value import SCHEMA, MechanismFields

PARTS = (Provenance, Relation, Gradient, Maps, Sampling, Clip, Divisor, GaussianNoise, PrivacyClaim)


def made() -> dict[str, Any]:
    """The schema as the parts have it; the file that is shipped holds the same."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA,
        "title": "A mechanism as executed, and what is claimed of it",
        **_of(MechanismFields),
        "$defs": {part.__name__.lower(): _of(part) for part in PARTS},
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a mechanism document."""
    text = files("accounting.mechanism").joinpath("mechanism.schema.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def _of(part: type[Node]) -> dict[str, Any]:
    properties, required = {}, []
    for each in entries(part):
        about = {"description": each.metadata["help"]}
        if each.default not in (MISSING, None) and isinstance(each.default, str | int | float):
            about["default"] = each.default
        properties[key(each)] = about | kind_of(each).schema()
        if each.default is MISSING or (part is MechanismFields and each.name == "schema"):
            required.append(key(each))
    document = {
        "type": "object",
        "description": (part.__doc__ or "").split("\n")[0],
        "required": required,
        "additionalProperties": False,
        "properties": properties,
    }
    if part is PrivacyClaim:
        document["oneOf"] = [{"required": list(form)} for form in FORMS]
    return document
