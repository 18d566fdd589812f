"""Counterexample programs: files in the folder `counterexamples` beside the checks that name them.

A program runs by itself: it imports nothing of this project, prints both sides, and asserts that
they contradict each other.
"""

from pathlib import Path

from bounds import Statement
from verify import checks

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
    return Path(checks.module(claim).__file__ or "").parent / FOLDER


def text(claim: Statement, name: str) -> str:
    """The program itself. Raises ValueError as `path` does."""
    return path(claim, name).read_text("utf-8")
