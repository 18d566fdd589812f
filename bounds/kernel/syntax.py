"""Text of proofs to syntax trees: expressions, quantified statements, lists outside of brackets."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from bounds.kernel.algebra import ProofRejected

USE = "USE_"
"""Before the label of a fact where an expression uses it: [near(t)] is read as USE_near(t)."""
_USED = re.compile(r"\[(\w+)\s*(\(|\])")
_LETTERS = re.compile(r"[\w\s()\[\],+\-*/^<>=?]*", re.ASCII)
"""No remarks, no strings, no letters that Python reads as others."""
_EQUAL = re.compile(r"(?<![<>=!])=(?!=)")


class Quantified(NamedTuple):
    """A statement for all values of its parameters, perhaps under guards."""

    parameters: tuple[tuple[str, str], ...]
    guards: tuple[ast.expr, ...]
    claim: ast.expr


def expression(text: str) -> ast.expr:
    """The tree of an expression, an inequality, or a predicate. Raises ProofRejected."""
    if not _LETTERS.fullmatch(text):
        raise ProofRejected(f"cannot read {text.strip()!r}")
    text = _USED.sub(lambda m: USE + m[1] + ("(" if m[2] == "(" else ""), text)
    text = _EQUAL.sub("==", text.replace(")]", ")").replace("^", "**"))
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ProofRejected(f"cannot read {text.strip()!r}") from error


def parts(text: str, mark: str) -> list[str]:
    """The text between the marks that stand outside of brackets."""
    pieces, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and text.startswith(mark, i):
            pieces.append(text[begin:i])
            begin = i + len(mark)
    return [piece.strip() for piece in [*pieces, text[begin:]] if piece.strip()]


def quantified(text: str) -> Quantified:
    """`for k, m nat; for x real; if GUARD: CLAIM`, or a claim alone."""
    text = text.strip()
    if not text.startswith("for "):
        return Quantified((), (), expression(text))
    head, colon, claim = text.removeprefix("for ").partition(":")
    if not colon:
        raise ProofRejected(f"a statement for all values has a colon, got {text!r}")
    declared, *guards = head.split("; if ")
    parameters: list[tuple[str, str]] = []
    for group in parts(declared, ";"):
        names, _, sort = group.removeprefix("for ").rpartition(" ")
        parameters += [(name.strip(), sort.strip()) for name in names.split(",")]
    return Quantified(tuple(parameters), tuple(map(expression, guards)), expression(claim))


def called(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """The name of a call, or of a name alone, and its arguments."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return node.func.id, node.args
    return (node.id, []) if isinstance(node, ast.Name) else ("", [])
