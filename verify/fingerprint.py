"""Hashes of the source that a claim's verdict rests on, so that resumed runs redo what changed."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path

import accounting
import bounds
import simulators
from bounds import Statement
from verify import checks, oracles
from verify.oracles.uses import uses


@cache
def _tree(package: str) -> bytes:
    """Digest of everything that all claims share in a package (packages of papers left out)."""
    apart = {paper.package for paper in bounds.papers()}
    folder = Path(
        {"accounting": accounting, "bounds": bounds, "simulators": simulators}[package].__file__
        or ""
    ).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        inner = path.relative_to(folder)
        if f"{package}.{inner.parts[0]}" not in apart:
            digest.update(str(inner).encode() + b"\0" + path.read_bytes())
    return digest.digest()


@cache
def _folder(path: Path) -> bytes:
    digest = hashlib.sha256()
    for file in sorted(path.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.digest()


def formula_hash(claim: Statement) -> str:
    """Changes whenever the claim's formula, its check, or code that these use changes."""
    digest = hashlib.sha256(claim.id.encode())
    for package in ("accounting", "bounds", "simulators"):
        digest.update(_tree(package))
    home = import_module(bounds.paper(claim.paper).package)
    digest.update(_folder(Path(home.__file__ or "").parent))
    digest.update(_folder(Path(oracles.__file__ or "").parent))
    check = uses(checks.module(claim).__name__) | uses("verify.context")
    check |= uses("verify.transcription")
    for path in sorted({path for name, path in check.items() if name.startswith("verify")}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
