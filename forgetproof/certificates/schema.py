"""What a certificate's file has to look like: `certificate.schema.json`, and the first fault."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from forgetproof.json_schema import JsonSchema


@cache
def schema() -> dict[str, Any]:
    """The schema, a JSON Schema of 2020-12."""
    text = (files("forgetproof.certificates") / "certificate.schema.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def insist(document: Any) -> None:
    """ValueError naming the path of the first value that is not as the schema says."""
    for fault in JsonSchema(schema(), "certificate").faults(document):
        raise ValueError(fault)
