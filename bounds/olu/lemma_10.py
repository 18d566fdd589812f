"""Lemma 10 of olu, (52) and its proof (58): squared distances from two points to a third."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol

cb = Symbol("cb", "distance of c and b", r"\|c-b\|", low=0, unit="parameter")
ac = Symbol("ac", "distance of a and c", r"\|a-c\|", low=0, unit="parameter")
statement = Statement(
    "olu.lem10",
    "Lemma 10",
    "inequality",
    words="|a - b| - |c - b|^2 <= |a - c|^2 + 2 |a - c| |c - b|.",
    left=r"\|a-b\|",
    symbols=(cb, ac),
    aliases=("olu.eq52",),
    plot=Plot("ac", tuple(np.linspace(0, 2, 21).tolist()), {"cb": 0.25}, log_y=False),
    quantity="|a - b|",
    correction="|a - b|^2 in place of |a - b|.",
)
statement.interpreted_as(
    "literal",
    "any a, b, c",
    edits={"printed": Edit("the square of |a - b| is missing", "|a - b| -", "|a - b|^2 -")},
)


@statement.form(
    "printed",
    tex=r"\left\lVert c-b\right\rVert^{2}+\left\lVert a-c\right\rVert^{2}"
    r"+2\left\lVert a-c\right\rVert\left\lVert c-b\right\rVert",
)
def printed(xp, cb, ac):
    """|a - b| is at most this value. False where the right side is below 1.

    Note: (52) with |c - b|^2 on the right; the square of |a - b| is missing
    Fails (literal): The square of |a - b| is missing; the proof (58) has it. At |a - c| = {ac}, |c
        - b| = {cb} the distance |a - b| is {measured}, and the lemma allows {bound}.
    Source: olu, (52)
    """
    return (cb + ac) ** 2


@statement.form("corrected", tex=r"\sqrt{\|c-b\|^2+\|a-c\|^2+2\|a-c\|\|c-b\|}")
def corrected(xp, cb, ac):
    """|a - b| is at most this value.

    Note: with |a - b|^2: the triangle inequality, squared; equality for c between a and b
    Proof: the triangle inequality, squared
    """
    return cb + ac


proof = Statement(
    "olu.eq58",
    "(58)",
    "equality",
    words="|a - b|^2 - |c - b|^2 = |a - c|^2 + 2 (a - c).(c - b).",
    left=r"\|a-b\|^2-\|c-b\|^2",
    reads={r"(a-c)^{\top}(c-b)": "inner"},
    symbols=(ac, Symbol("inner", "(a - c)^T (c - b)", r"(a-c)^\top(c-b)", unit="parameter^2")),
    plot=Plot("inner", tuple(np.linspace(-1, 1, 21).tolist()), {"ac": 1.0}, log_y=False),
    quantity="difference of the squares",
)
proof.interpreted_as("literal", "any a, b, c")


@proof.form("printed", tex=r"\left\lVert a-c\right\rVert^{2}+2(a-c)^{\top}(c-b)")
def proof_printed(xp, ac, inner):
    """The difference of the squares equals this value.

    Note: the last line before the inequality
    Proof: expanding the squares around c
    Source: olu, (58)
    """
    return ac**2 + 2 * inner
