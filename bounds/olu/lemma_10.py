"""Lemma 10 of olu, (52) and its proof (58): squared distances from two points to a third."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

cb = Symbol("cb", "distance of c and b", r"\|c-b\|", low=0)
ac = Symbol("ac", "distance of a and c", r"\|a-c\|", low=0)
formula = Formula(
    id="olu.lem10",
    label="Lemma 10, (52)",
    left=r"\|a-b\|",
    symbols=(cb, ac),
)


@formula.form(
    "printed",
    tex=r"\left\lVert c-b\right\rVert^{2}+\left\lVert a-c\right\rVert^{2}"
    r"+2\left\lVert a-c\right\rVert\left\lVert c-b\right\rVert",
    note="(52) with |c - b|^2 on the right; the square of |a - b| is missing",
)
def printed(cb: Array, ac: Array) -> Array:
    """|a - b| is at most this value. Source: olu, (52). False where the right side is below 1."""
    return (cb + ac) ** 2


@printed.expression
def _(sp: Any, cb: Any, ac: Any) -> Any:
    return cb**2 + ac**2 + 2 * ac * cb


@formula.form(
    "corrected",
    tex=r"\sqrt{\|c-b\|^2+\|a-c\|^2+2\|a-c\|\|c-b\|}",
    note="with |a - b|^2: the triangle inequality, squared; equality for c between a and b",
)
def corrected(cb: Array, ac: Array) -> Array:
    """|a - b| is at most this value; equality where a - c is a multiple >= 0 of c - b."""
    return cb + ac


@corrected.expression
def _(sp: Any, cb: Any, ac: Any) -> Any:
    return sp.sqrt(cb**2 + ac**2 + 2 * ac * cb)


proof = Formula(
    id="olu.eq58",
    label="(58)",
    left=r"\|a-b\|^2-\|c-b\|^2",
    symbols=(
        ac,
        Symbol("inner", "(a - c)^T (c - b)", r"(a-c)^\top(c-b)"),
    ),
)


@proof.form(
    "printed",
    tex=r"\left\lVert a-c\right\rVert^{2}+2(a-c)^{\top}(c-b)",
    note="the last line before the inequality",
)
def proof_printed(ac: Array, inner: Array) -> Array:
    """The difference of the squares equals this value. Source: olu, (58). Holds."""
    return np.square(ac) + 2 * inner


@proof_printed.expression
def _(sp: Any, ac: Any, inner: Any) -> Any:
    return ac**2 + 2 * inner
