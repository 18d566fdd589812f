"""The reader of printed TeX: small formulas with known values, and random ones."""

import math

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import Symbol
from verify.tex.evaluate import Evaluation
from verify.tex.names import Meanings, written
from verify.tex.normalise import normalise, tokens
from verify.tex.reader import Reader
from verify.tex.split import split
from verify.tex.tree import Unread

LISTS = {"a": Symbol("a", "", "a_i", kind="list"), "tau": Symbol("tau", "", r"\tau_i", kind="list")}


def value(tex, **inputs):
    """The value of a formula in single letters, with the definitions that follow it."""
    symbols = [LISTS.get(name) or Symbol(name, "", name) for name in inputs]
    parts = split(normalise(tex))
    own = Meanings()
    own.add(parts.definitions)
    tree = Reader(parts.sides[-1], own.callables()).whole()
    return float(Evaluation(inputs, written(symbols), (own, Meanings())).value(tree))


FORMULAS = {
    "power before product": (r"2k^2", 18),
    "sign after power": (r"-k^2", -9),
    "index of two factors": (r"2k^{2}n", 90),
    "product in an exponent": (r"c^{2Kn/b}", 0.5**10),
    "product below a slash": (r"n/2k", 5 / 6),
    "dot after a slash": (r"n/2\cdot k", 7.5),
    "fraction of figures": (r"\frac12kn", 7.5),
    "small fraction": (r"\tfrac32k", 4.5),
    "nested fractions": (r"\frac{\frac1k}{\frac1n}", 5 / 3),
    "root of one figure": (r"\sqrt2k", math.sqrt(2) * 3),
    "cube root": (r"\sqrt[3]{8}", 2),
    "least of a set": (r"\min\{k,n\}", 3),
    "greatest of three": (r"\max(k,n,\,2n)", 10),
    "power of an extreme": (r"\min\big\{k,n\big\}^2", 9),
    "positive parts": (r"(n-2k)^+ +(k-n)_+", 0),
    "bars side by side": (r"|k-n||k|", 6),
    "norm": (r"\|k-n\|_2^2", 4),
    "logarithm before slash": (r"\log k/n", math.log(3) / 5),
    "logarithm to a base": (r"\log_{2}8k", 9),
    "power of a logarithm": (r"\log^{2}k", math.log(3) ** 2),
    "rounding": (r"\lceil n/2\rceil\lfloor n/2\rfloor", 6),
    "binomial": (r"\binom nk", 10),
    "factorial": (r"k!\,n", 30),
    "exponential": (r"e^{-k}\pi", math.exp(-3) * math.pi),
    "special functions": (r"\Phi(0)\Gamma(n)\zeta(2)", 12 * math.pi**2 / 6),
    "hypergeometric": (r"{}_1F_1\!\left(1;1;k\right)", math.exp(3)),
    "cases": (r"\begin{cases}n & k<3\\ 2n & \text{if }k\le3\\ 0 & \text{otherwise}\end{cases}", 10),
    "sum of squares": (r"\sum_{i=1}^{n}i^2", 55),
    "geometric sum": (r"\sum_{i<n}c^i k", 3 * (2 - 2 * 0.5**5)),
    "sum up to": (r"\sum_{i\le n}i", 15),
    "sum between": (r"\sum_{k<i\le n}i", 9),
    "infinite sum": (r"\sum_{i\ge1}c^i", 1),
    "product then factor": (r"\prod_{i=1}^{k}i\,n", 30),
    "product between with a definition": (r"\prod_{i<j\le n}2,\quad i=2", 8),
    "products in a sum": (r"\sum_{i=1}^{k}\prod_{j=i}^{k}j", 6 + 6 + 3),
    "integral then factor": (r"\int_0^k x^2\,dx\,n", 45),
    "integral over a kink": (r"\int_0^1\min(x,\tfrac13)\,dx", 1 / 3 - 1 / 18),
    "integral to infinity": (r"\int_1^\infty\frac{1}{x^{2}}dx", 1),
    "least over reals": (r"\min_{x>0}\Big(x+\frac{n}{x}\Big)", 2 * math.sqrt(5)),
    "least over wholes": (r"\min_{0\le\tau}(\tau-k)^2", 0),
    "least whole number": (r"\min\{K\ge1:c^K\le\tfrac1{100}\}", 7),
    "chain of definitions": (r"x+y,\quad x=2y,\ y=k^2", 27),
    "definitions with a letter and without": (r"\sum_{i=1}^{k}(x+y),\quad x=i^2,\ y=n", 29),
    "definition of two letters": (r"\sum_{i=1}^{2}\sum_{j=1}^{i}x,\quad x=ij", 7),
    "definition by a definition": (r"\sum_{i=1}^{k}x,\quad x=y+1,\ y=2i", 15),
    "definition known before": (r"\sum_{i=1}^{k}(y+x),\quad x=y+1,\ y=2i", 27),
    "letter below another": (r"\sum_{i=1}^{k}x,\quad x=\sum_{j=1}^{2}i", 12),
    "letter in place of an argument": (r"\sum_{k=1}^{2}x+x,\quad x=y,\ y=k", 6),
    "functions and indexed names": (
        r"G(n)-G_2,\quad G(N)=\sum_{i<N}c^{2i},\ G_2=1",
        0.25 + 0.0625 + 0.015625 + 0.00390625,
    ),
    "root defined": (r"x,\quad\sqrt x=n", 25),
    "square defined": (r"y,\quad y^2=n", math.sqrt(5)),
    "equation solved": (r"y,\quad y^3+y=k+7", 2),
    "right side of a chain": (r"A\le B=k\cdot n", 15),
}
LISTED = {
    "sum over a list": (r"\sum_ia_i", 6),
    "entries of two lists": (r"\sum_{i=1}^2a_i\tau[i]", 1 * 4 + 2 * 6),
    "greatest ratio": (r"\max_i\frac{\tau_i}{a_i}", 4),
    "entry before the first": (r"\sum_i(\tau_i-\tau_{i-1}),\quad\tau_0=1", 8),
    "recursion from nothing": (r"S_3,\quad S_i=a_i+2S_{i-1}", 3 + 2 * (2 + 2)),
    "recursion from a start": (r"x_3,\quad x_{i+1}=x_i+1,\ x_0=5", 7),
    "recursion by a mark": (r"Z^{(j)},\quad Z^{(s+1)}=2Z^{(s)}+Z,\ Z=1,\ j=3", 7),
    "product of later entries": (r"\sum_iP_i,\quad P_i=\prod_{j>i}a_j", 6 + 3 + 1),
    "index given": (r"a_{i}^{2},\quad i=3", 9),
}


@pytest.mark.parametrize(("tex", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_formulas_of_known_value(tex, expected):
    assert value(tex, k=3, n=5, c=0.5, K=1, b=1) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("tex", "expected"), LISTED.values(), ids=LISTED)
def test_lists_and_sequences(tex, expected):
    assert value(tex, a=[1, 2, 3], tau=[4, 6, 9]) == pytest.approx(expected)


UNREAD = {
    "nothing": "",
    "open sum": "k+",
    "half a fraction": r"\frac{k}",
    "open bracket": "(k",
    "closed bracket": "k]",
    "gradient": r"\nabla k",
    "words": r"\text{words}k",
    "unknown name": "y",
    "transpose": r"a^\top a",
    "sum over a set": r"\sum_{i\in U}k",
    "circle": r"x,\quad x=x+1",
    "condition never met": r"\min\{K\ge1:k\le1\}",
    "complex root": r"\sqrt{-k}",
}


@pytest.mark.parametrize("tex", UNREAD.values(), ids=UNREAD)
def test_what_is_no_arithmetic_is_unread(tex):
    with pytest.raises(Unread):
        value(tex, k=3)


def test_dress_does_not_matter():
    dressed = r"\,\dfrac{a}{b}\ \min\Big( {x}_{i} ,\ \tau[i]\Big)"
    dressed += r"\left\lVert\mathbf{w}^{\star}\right\rVert"
    assert normalise(dressed) == normalise(r"\frac{a}{b}\min(x_i,\tau_i)\|w^*\|")


NUMBERS = st.integers(1, 9)


def combined(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: (rf"\left({p[0][0]}+{p[1][0]}\right)", p[0][1] + p[1][1])),
        pair.map(lambda p: (rf"\big[{p[0][0]}-{p[1][0]}\big]", p[0][1] - p[1][1])),
        pair.map(lambda p: (rf"{p[0][0]}\,{p[1][0]}", p[0][1] * p[1][1])),
        pair.map(lambda p: (rf"{p[0][0]}\cdot {p[1][0]}", p[0][1] * p[1][1])),
        pair.map(
            lambda p: (
                rf"\frac{{{p[0][0]}}}{{1+\left|{p[1][0]}\right|}}",
                p[0][1] / (1 + abs(p[1][1])),
            )
        ),
        pair.map(lambda p: (rf"\max\{{{p[0][0]},{p[1][0]}\}}", max(p[0][1], p[1][1]))),
        inner.map(lambda x: (rf"\sqrt{{\|{x[0]}\|}}", math.sqrt(abs(x[1])))),
        inner.map(lambda x: (rf"\Big({x[0]}\Big)^2", x[1] ** 2)),
    )


LEAVES = st.one_of(
    st.sampled_from([("k", 3.0), ("n", 5.0), (r"\mathbf{c}", 0.5)]),
    NUMBERS.map(lambda n: (rf"\tfrac1{n}", 1 / n)),
)


@given(st.recursive(LEAVES, combined, max_leaves=12))
def test_random_expressions(pair):
    tex, expected = pair
    found = value(tex, k=3, n=5, c=0.5)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * (1 + abs(expected)))


def test_precision_is_kept():
    with mp.workdps(30):
        tree = Reader(tokens(normalise(r"1-(1-\frac{1}{10^{25}})"))).whole()
        found = Evaluation({}, written([]), (Meanings(), Meanings())).value(tree)
    assert float(found) == pytest.approx(1e-25, rel=1e-4)
