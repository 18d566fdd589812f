"""Counterexample programs: files in the folder `counterexamples` beside the checks that name them.

A program runs by itself: it imports nothing of this project, prints both sides, and asserts that
they contradict each other.
"""

from importlib import import_module
from pathlib import Path

import bounds
from bounds import Statement

FOLDER = "counterexamples"


def path(claim: Statement, name: str) -> Path:
    """The file of the program `name`, beside the module that checks the claim.

    Raises:
        ValueError: there is no such file.
    """
    found = folder(claim) / f"{name}.py"
    if not found.is_file():
        raise ValueError(f"script must name a program in {found.parent}, got {name!r}")
    return found


def folder(claim: Statement) -> Path:
    """Where the programs of a claim's paper are; it need not exist."""
    checks = import_module(bounds.paper(claim.paper).check(claim.id))
    return Path(checks.__file__ or "").parent / FOLDER


def text(claim: Statement, name: str) -> str:
    """The program itself. Raises ValueError as `path` does."""
    return path(claim, name).read_text("utf-8")
