"""Counterexample programs: files in the folder `counterexamples` beside the checks that name them.

A program runs by itself: it imports nothing of this project, prints both sides, and asserts that
they contradict each other.
"""

import ast
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TypeGuard

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

    Where checks of one module share a function, it may name programs of the other claims as well.
    Empty where a third party's check cannot be read.
    """
    try:
        # The source is parsed, not imported: it may need an extra that is missing.
        tree = ast.parse(_source(claim).read_text("utf-8"))
    except (ImportError, SyntaxError, ValueError):
        return []
    every = {file.stem: file for file in folder(claim).glob("*.py")}
    nodes: list[ast.AST] = [*_of_claim(tree, claim.id)] or [tree]
    words = [node for part in nodes for node in ast.walk(part) if _is_text(node)]
    words.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(every[node.value] for node in words if node.value in every))


def docstring(file: Path) -> str:
    """What a program says of itself, on one line; empty where it cannot be read."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, ValueError):
        return ""
    return " ".join((ast.get_docstring(tree) or "").split())


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_claim(tree: ast.Module, id: str) -> list[ast.stmt | ast.expr]:
    """The call that makes the claim's check, and the definitions of the module that it uses.

    Empty where no call names the claim, as where checks are made in a loop.
    """
    definitions = {name: statement for statement in tree.body for name in _defines(statement)}
    # Checks are made where the module is, and not in its functions.
    parts = (part for part in tree.body if not isinstance(part, ast.FunctionDef | ast.ClassDef))
    nodes = (node for part in parts for node in ast.walk(part))
    calls = (node for node in nodes if isinstance(node, ast.Call) and node.args)
    related: list[ast.stmt | ast.expr] = [
        call for call in calls if _is_text(call.args[0]) and call.args[0].value == id
    ]
    # The list grows while it is read: what a definition uses is looked at in turn.
    for part in related:
        for node in ast.walk(part):
            used = definitions.get(node.id) if isinstance(node, ast.Name) else None
            if used is not None and used not in related:
                related.append(used)
    return related


def _defines(statement: ast.stmt) -> list[str]:
    """The names that a function or an assignment of the module binds, but for its checks."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        return [name for name in names if name != "CHECKS"]
    return []


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
