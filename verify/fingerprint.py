"""Hashes of the source that a claim's verdict rests on, so that resumed runs redo what changed."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import accounting
import bounds
import simulators
from verify import registry
from verify.claim import Claim


@cache
def _tree(package: str) -> bytes:
    """Digest of everything that all claims share in a package (paper folders left out)."""
    folder = Path(
        {"accounting": accounting, "bounds": bounds, "simulators": simulators}[package].__file__
        or ""
    ).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        inner = path.relative_to(folder)
        if inner.parts[0] not in registry.PAPERS:
            digest.update(str(inner).encode() + b"\0" + path.read_bytes())
    return digest.digest()


@cache
def _folder(path: Path) -> bytes:
    digest = hashlib.sha256()
    for file in sorted(path.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.digest()


def _uses(module: str) -> frozenset[Path]:
    """Source files of `verify` that a module of it imports, at any depth and wherever in it."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported = _imports(name)
            waiting.extend(imported)
    return frozenset(found.values())


@cache
def _imports(module: str) -> tuple[Path, tuple[str, ...]]:
    """The file of a module of `verify`, and the modules of `verify` that its text imports."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            names += [node.module, *(n for n in inner if _is_module(n))]
    return path, tuple(n for n in dict.fromkeys(names) if n.split(".")[0] == "verify")


@cache
def _is_module(name: str) -> bool:
    if name.split(".")[0] != "verify":
        return False
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module, not a package
        return False


def formula_hash(claim: Claim) -> str:
    """Changes whenever the claim's formula, its check, or code that these use changes."""
    digest = hashlib.sha256(claim.id.encode())
    for package in ("accounting", "bounds", "simulators"):
        digest.update(_tree(package))
    digest.update(_folder(Path(bounds.__file__ or "").parent / claim.paper))
    check = _uses(registry.module(claim).__name__) | _uses("verify.context")
    check |= _uses("verify.transcription")
    for path in sorted(check):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
