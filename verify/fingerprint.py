"""Hashes of the source that a claim's verdict rests on, so that resumed runs redo what changed."""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import bounds
from bounds import Statement
from verify.measurements import measured_in
from verify.self_tests.subjects import subjects
from verify.self_tests.uses import uses


@cache
def _source(package: str, apart: frozenset[str] = frozenset()) -> bytes:
    """Digest of the source in a package, at any depth, without that in packages set `apart`."""
    spec = find_spec(package)
    digest = hashlib.sha256()
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place)
        # Papers and checks inside the package have digests of their own; others must not redo
        # theirs.
        exclusions = {folder.joinpath(*name.split(".")[package.count(".") + 1 :]) for name in apart}
        # Sorted, as the order of a folder's files is the file system's own.
        for file in sorted(folder.rglob("*.py")):
            if not exclusions.intersection(file.parents):
                digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return digest.digest()


@cache
def _digest(file: Path) -> bytes:
    """Of a file that many claims use."""
    return hashlib.sha256(file.read_bytes()).digest()


def _inner(package: str, names: Iterable[str]) -> frozenset[str]:
    """Those of the packages that lie inside the package."""
    return frozenset(name for name in names if name.startswith(f"{package}."))


def _measured_modules(claim: Statement) -> tuple[str, ...]:
    """The modules of the experiments whose runs its check measures, and of the views on them."""
    try:
        return measured_in(claim)
    except Exception:  # a check that cannot be imported is reported as broken when it is run
        return ()


def code_hash(*packages: str) -> str:
    """Changes whenever the source of these packages does, or any that computes a number."""
    digest = hashlib.sha256()
    for package in ("accounting", "bounds", "simulators", "verify", *packages):
        digest.update(_source(package))
    return digest.hexdigest()[:16]


def formula_hash(claim: Statement) -> str:
    """Changes whenever the claim's formula, its check, or code that these use changes.

    Both are followed from the modules in which they really are, in whatever distribution.
    """
    paper = bounds.paper(claim.paper)
    digest = hashlib.sha256(claim.id.encode())
    # All code that computes a number counts for every claim; the papers count one by one.
    for package in ("accounting", "bounds", "simulators", "verify.self_tests"):
        digest.update(_source(package, _inner(package, (p.package for p in bounds.papers()))))
    digest.update(_source(paper.package, _inner(paper.package, [paper.checks])))
    used = uses(paper.module(claim.id)) | uses("verify.context") | uses("verify.transcription")
    if paper.checks:
        used |= uses(paper.check(claim.id))
        for module in _measured_modules(claim):
            used |= uses(module)
    # Self-tests that hold what is used decide whether the check is run, so they count too.
    run_comparisons = {
        subject.rpartition(".")[0]
        for subject, held in subjects().items()
        if not used.keys().isdisjoint(held)
    }
    for package in sorted(run_comparisons):
        digest.update(_source(package))
    for name, path in sorted(used.items()):
        digest.update(name.encode() + b"\0" + _digest(path))
    return digest.hexdigest()[:16]
