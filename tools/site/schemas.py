"""The JSON Schemas that documents of ours are held to, a page each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tools.site.folder import SourceFolder
from tools.site.markdown import cell, contents, plain, table
from tools.site.places import ROOT

SCHEMAS = {
    "answer": "forgetproof/answer.schema.json",
    "certificate": "forgetproof/certificates/certificate.schema.json",
    "mechanism": "accounting/mechanism/mechanism.schema.json",
}


def lay(folder: SourceFolder) -> None:
    """Lays the pages of all schemas and their index."""
    for name, file in SCHEMAS.items():
        path = ROOT / file
        document = json.loads(path.read_text("utf-8"))
        folder.copy(f"_downloads/{path.name}", path)
        folder.write(f"reference/schemas/{name}.md", _page(path.name, document))
    folder.write(
        "reference/schemas/index.md",
        "# File formats\n\nJSON Schemas (2020-12) of what commands print and read.\n\n"
        + contents(SCHEMAS),
    )


def _page(name: str, document: Mapping[str, Any]) -> str:
    rows = list(_rows("", document))
    said = document.get("description", "")
    return (
        f"# {plain(document['title'])}\n\n{plain(said)}\n\n"
        f"{{download}}`{name} </_downloads/{name}>`\n\n## Fields\n\n"
        + table(("field", "is", "means"), rows)
        + "\n"
        + "".join(
            f"## {key}\n\n{plain(part.get('description', ''))}\n\n"
            + table(("field", "is", "means"), list(_rows("", part)))
            + "\n"
            for key, part in document.get("$defs", {}).items()
            if "properties" in part
        )
    )


def _rows(prefix: str, part: Mapping[str, Any]) -> Iterator[list[str]]:
    """Field, type and description of every property, also of those inside."""
    required = part.get("required", ())
    for name, rule in part.get("properties", {}).items():
        path = f"{prefix}{name}"
        needed = "" if name in required else ", may be absent"
        yield [f"`{path}`", cell(_kind(rule)) + needed, cell(rule.get("description", ""))]
        if "properties" in rule:
            yield from _rows(f"{path}.", rule)


def _kind(rule: Mapping[str, Any]) -> str:
    if "$ref" in rule:
        return str(rule["$ref"]).rpartition("/")[2]
    if "const" in rule:
        return f"always {json.dumps(rule['const'])}"
    if "enum" in rule:
        return "one of " + ", ".join(map(json.dumps, rule["enum"]))
    for key in ("anyOf", "oneOf"):
        if key in rule:
            return " or ".join(_kind(each) for each in rule[key])
    kind = rule.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return f"array of {_kind(rule['items'])}" if kind == "array" and "items" in rule else kind
