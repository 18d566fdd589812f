"""Which functions and pages use which claims, read from the text of modules and documents."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import bounds
from tools.site.places import DOCS, PROOFS, address, documents

_ID = re.compile(r"(?<![\w.])[a-z0-9_]+(?:\.[a-z0-9_]+)+")


@dataclass(frozen=True)
class Uses:
    """What stands beside a claim, by its id.

    functions: public names that its statement or its check computes with.  documents: pages that
    name it.  claims: claims whose proofs rest on it.  of_functions: public name -> the claims that
    are computed with it.
    """

    functions: Mapping[str, tuple[str, ...]]
    documents: Mapping[str, tuple[str, ...]]
    claims: Mapping[str, tuple[str, ...]]
    of_functions: Mapping[str, tuple[str, ...]]


def uses(places: Mapping[str, str]) -> Uses:
    """All of them.

    places: "module.name" of where an object is defined -> the public name of its page.
    """
    functions: dict[str, tuple[str, ...]] = {}
    imports: dict[Path, list[str]] = {}
    for paper in bounds.papers():
        for id in paper.statements:
            modules = [paper.module(id), *([paper.check(id)] if paper.checks else [])]
            names: list[str] = []
            for file in filter(None, map(_file, modules)):
                if file not in imports:
                    imports[file] = sorted(_imported(file, places))
                names += imports[file]
            functions[id] = tuple(dict.fromkeys(names))
    return Uses(functions, _documents(), _claims(), _inverted(functions))


def _file(module: str) -> Path | None:
    spec = find_spec(module)
    return Path(spec.origin) if spec and spec.origin else None


def _imported(file: Path, places: Mapping[str, str]) -> Iterable[str]:
    """The public names that a module takes from packages of ours."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (places[name] for name in full if name in places)


def _documents() -> dict[str, tuple[str, ...]]:
    """Claim -> the pages whose document has its id."""
    ids = frozenset(bounds.ids())
    pages: dict[str, list[str]] = {}
    texts = [(address(name), DOCS / name) for name in documents()]
    texts += [(f"explanation/proofs/{p.stem}", p) for p in sorted(PROOFS.glob("*.md"))]
    for page, path in texts:
        for id in ids.intersection(_ID.findall(path.read_text("utf-8"))):
            pages.setdefault(id, []).append(page)
    return {id: tuple(sorted(found)) for id, found in pages.items()}


def _claims() -> dict[str, tuple[str, ...]]:
    """Claim -> the claims of which a proof names it among what it rests on."""
    ids = frozenset(bounds.ids())
    resting: dict[str, set[str]] = {}
    for claim in bounds.statements():
        for way in claim.interpretations:
            for form in way.forms:
                proof = way.proof(form)
                for id in ids.intersection(proof.rests_on if proof else ()):
                    resting.setdefault(id, set()).add(claim.id)
    return {id: tuple(sorted(found)) for id, found in resting.items()}


def _inverted(table: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    turned: dict[str, list[str]] = {}
    for key, values in table.items():
        for value in values:
            turned.setdefault(value, []).append(key)
    return {value: tuple(keys) for value, keys in turned.items()}
