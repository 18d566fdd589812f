"""No paper is named outside its own folders: what is true of one paper stands with that paper.

Names in documentation (docstrings, comments, examples of commands) are references, and stay.
"""

import ast
import re
from pathlib import Path

import pytest

import bounds

ROOT = Path(__file__).resolve().parents[2]
KEYS = [paper.key for paper in bounds.papers()]
# Keys that are English words count as parts of an id or of a module's name only.
WORDS = ("mini", "safe", "own")
NAMED = re.compile(
    rf"\b(?:{'|'.join(k for k in KEYS if k not in WORDS)})\b|^(?:{'|'.join(WORDS)})\.[a-z0-9]"
)
MODULE = re.compile(rf"(?:bounds|verify)\.(?:{'|'.join(KEYS)})(?:\.|$)")
EXAMPLE = re.compile("Example: forgetproof")
PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")
FILES = [
    path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.relative_to(ROOT).parts[1] not in KEYS
]


def documentation(tree):
    """Strings that are statements of their own, docstrings among them."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def found(path):
    tree = ast.parse(path.read_text("utf-8"))
    spared = documentation(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and MODULE.match(node.module):
            yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if MODULE.match(a.name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if id(node) not in spared and NAMED.search(text) and not EXAMPLE.search(text):
                yield node.lineno, text


@pytest.mark.parametrize("package", PACKAGES)
def test_no_paper_is_named_outside_its_folders(package):
    mine = [path for path in FILES if path.relative_to(ROOT).parts[0] == package]
    named = [f"{p.relative_to(ROOT)}:{line}: {text}" for p in mine for line, text in found(p)]
    assert not named, "\n".join(named)
