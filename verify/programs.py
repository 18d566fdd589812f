"""Counterexample programs: files in the folder `counterexamples` beside the checks that name them.

A program runs by itself: it imports nothing of this project, prints both sides, and asserts that
they contradict each other.
"""

from __future__ import annotations

from pathlib import Path

from verify import registry
from verify.claim import Claim

FOLDER = "counterexamples"


def path(claim: Claim, name: str) -> Path:
    """The file of the program `name`, beside the module that checks the claim.

    Raises:
        ValueError: there is no such file.
    """
    found = folder(claim) / f"{name}.py"
    if not found.is_file():
        raise ValueError(f"script must name a program in {found.parent}, got {name!r}")
    return found


def folder(claim: Claim) -> Path:
    """Where the programs of a claim's paper are; it need not exist."""
    return Path(registry.module(claim).__file__ or "").parent / FOLDER


def text(claim: Claim, name: str) -> str:
    """The program itself. Raises ValueError as `path` does."""
    return path(claim, name).read_text("utf-8")
