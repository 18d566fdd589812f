"""Counterexample programs: files in the folder `counterexamples` beside the checks that name them.

A program runs by itself: it imports nothing of this project, prints both sides, and asserts that
they contradict each other.
"""

import ast
import sys
from importlib.util import find_spec
from pathlib import Path

import bounds
from bounds import Statement

FOLDER = "counterexamples"


def path(claim: Statement, name: str) -> Path:
    """The file of the program `name`, beside the module that checks the claim.

    Raises:
        ValueError: there is no such file.
    """
    program_path = folder(claim) / f"{name}.py"
    if not program_path.is_file():
        raise ValueError(f"script must name a program in {program_path.parent}, got {name!r}")
    return program_path


def folder(claim: Statement) -> Path:
    """Where the programs of a claim's paper are; it need not exist."""
    return _source(claim).parent / FOLDER


def text(claim: Statement, name: str) -> str:
    """The program itself. Raises ValueError as `path` does."""
    return path(claim, name).read_text("utf-8")


def named(claim: Statement) -> list[Path]:
    """The programs that the source of the claim's check names, in that order; nothing is run.

    The module may check other claims as well: their programs are among them.
    """
    every = {file.stem: file for file in folder(claim).glob("*.py")}
    # The source is parsed, not imported: it may need an extra that is missing.
    tree = ast.parse(_source(claim).read_text("utf-8"))
    words = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    words.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(every[node.value] for node in words if node.value in every))


def _source(claim: Statement) -> Path:
    """The file of the module that checks the claim, which is not imported: it may need torch."""
    module = bounds.paper(claim.paper).check(claim.id)
    there = sys.modules.get(module)
    if there is not None:  # a module made by a program may have a file and no spec
        file = getattr(there, "__file__", None)
    else:
        spec = find_spec(module)
        file = None if spec is None else spec.origin
    if file is None:
        raise ValueError(f"{claim.id} must have a check in a file, got module {module}")
    return Path(file)
