"""The checker of proofs: what is false is rejected, and each named theorem holds in numbers."""

import ast
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp
from numpy.random import default_rng

from bounds.kernel import ProofRejected, check, theorems
from bounds.kernel.syntax import expression

FALSE = Path(__file__).with_name("false_theorems.txt").read_text("utf-8").split("\n\n")
TRUE = """
theorem x.y tight
for n: nat
for a: nat -> real
given a_: for k nat: 0 <= a(k)
define S(0) = 0, S(k+1) = S(k) + a(k)
show 0 <= S(n)
all: for k nat: 0 <= S(k) by induction on k
  base: hence by algebra with [S_0]
  step: hence by [ih] + a(k) with [S_1(k)]
hence by [all(n)]
"""


def test_a_proof_is_accepted():
    proof = check(TRUE)
    assert (proof.id, proof.form, proof.theorems) == ("x.y", "tight", ())
    assert proof.givens == ("a_: for k nat: 0 <= a(k)",)


def test_there_are_enough_false_theorems():
    names = re.findall(r"^theorem false\.(\w+) x$", "\n".join(FALSE), re.M)
    assert len(names) == len(set(names)) == len(FALSE) >= 60


@pytest.mark.parametrize("text", FALSE, ids=lambda text: text.split()[1])
def test_a_false_theorem_is_rejected(text):
    with pytest.raises(ProofRejected):
        check(text)


def test_the_list_of_named_theorems_is_short_and_each_has_a_source():
    assert len(theorems()) <= 30
    assert all(theorem.source for theorem in theorems().values())


# What predicates and functions mean for laws N(place, scale^2) and maps x -> slope x + offset.


def gap(X, Y):
    return abs(X[0] - Y[0])


def link(X, Y, z, v):
    """The best law within z of X is X moved towards Y."""
    return max(gap(X, Y) - z, 0) ** 2 <= v * X[1] ** 2 * (1 + 1e-9)


def close(f, g, c, d):
    return abs(f[0]) <= c * (1 + 1e-12) and abs(f[1] - g[1]) <= d * (1 + 1e-12)


def noisy(f, X, s):
    return (f[0] * X[0] + f[1], math.hypot(f[0] * X[1], s))


def delta_of_pair(epsilon, X):
    """Of a law with mass p at likelihood ratio r, and what is left, against the other one."""
    p, r = X
    return max(p - math.exp(epsilon) * p / r, 0) + max(1 - p - math.exp(epsilon) * (1 - p / r), 0)


def renyi(alpha, X, Y):
    if Y is None:
        p, r = X
        rest = (1 - p) ** alpha * (1 - p / r) ** (1 - alpha)
        return math.log(p * r ** (alpha - 1) + rest) / (alpha - 1)
    return alpha * gap(X, Y) ** 2 / (2 * X[1] ** 2)


def renyi_shifted(alpha, z, X, Y):
    """The best law within z of X is X moved towards Y."""
    return alpha * max(gap(X, Y) - z, 0) ** 2 / (2 * X[1] ** 2)


def noise(xi, x, d, s):
    """Random vectors are rows of equal chance: mean 0, covariance s^2 I, uncorrelated with x."""
    count = len(xi)
    covariance = xi.T @ xi / count
    around = x - x.mean(axis=0)
    return (
        xi.shape[1] == d
        and np.allclose(xi.mean(axis=0), 0)
        and np.allclose(covariance, s**2 * np.eye(xi.shape[1]))
        and np.allclose(around.T @ xi / count, 0)
    )


def project(ball, x):
    length = np.linalg.norm(x)
    return x if length <= ball else x * (ball / length)


MEANINGS = {
    "sqrt": math.sqrt,
    "log": math.log,
    "abs": abs,
    "min": min,
    "norm": np.linalg.norm,
    "dot": np.dot,
    "sq": lambda x: np.sum(np.square(x), axis=-1),
    "expectation": np.mean,
    "noise": noise,
    "proj": project,
    "convex": lambda ball: True,
    "member": lambda x, ball: np.linalg.norm(x) <= ball,
    "winf": lambda X, Y, z: gap(X, Y) <= z * (1 + 1e-12) + 1e-12,
    "gdp": lambda X, Y, v: gap(X, Y) ** 2 <= v * X[1] ** 2 * (1 + 1e-9),
    "link": link,
    "close": close,
    "noisy": noisy,
    "image": lambda f, X: (f[0] * X[0] + f[1], abs(f[0]) * X[1]),
    "renyi": renyi,
    "renyi_shifted": renyi_shifted,
    "dp": lambda X, Y, e, delta: delta_of_pair(e, X) <= delta * (1 + 1e-9),
}
NEAR = 1e-9


def said(node, values):
    """Whether a claim is true of these values, up to rounding."""
    if isinstance(node, ast.Call):
        return bool(value(node, values))
    left, right = value(node.left, values), value(node.comparators[0], values)
    room = NEAR * (1 + abs(left) + abs(right))
    if isinstance(node.ops[0], ast.Eq):
        return abs(left - right) <= room
    return left <= right + room


def value(node, values):
    code = compile(ast.Expression(ast.fix_missing_locations(node)), "theorem", "eval")
    return eval(code, {"__builtins__": {}}, MEANINGS | values)


def vectors(rng):
    x, y = rng.normal(size=3), rng.normal(size=3)
    # Often along each other, where the inequalities are equalities.
    return {"x": x, "y": x * rng.choice([2.0, 0.5]) if rng.random() < 0.5 else y}


def laws(rng):
    place, scale = rng.normal(size=2) * 2, rng.uniform(0.5, 2)
    return (float(place[0]), scale), (float(place[1]), scale)


def linear(rng):
    c, offset = rng.uniform(0.2, 1.2), rng.normal(size=2)
    return (c, float(offset[0])), (c, float(offset[1]))


def chain(rng):
    """A step of two chains of linear maps, the payment at its best."""
    X, Y = laws(rng)
    X, Y = (X, Y) if X[0] >= Y[0] else (Y, X)
    z = gap(X, Y) * rng.uniform(0, 1)
    v = (gap(X, Y) - z) ** 2 / X[1] ** 2
    c, d, s = rng.uniform(0.2, 1.2), rng.uniform(0, 1), rng.uniform(0.2, 2)
    f, g = (c, d), (c, 0.0)
    # The payment of least cost is in proportion to the variances.
    a = min(s**2 * (gap(X, Y) - z) / (c * X[1] ** 2), c * z + d) if c else 0.0
    return {"X": X, "Y": Y, "f": f, "g": g, "z": z, "v": v, "c": c, "d": d, "a": a, "s": s} | {
        "w": (a / s) ** 2
    }


def pair(rng):
    """A law whose Rényi divergence is nearly all at one ratio, at the delta where that shows."""
    delta = 10.0 ** -rng.uniform(2, 8)
    X = (delta / 0.999, math.exp(rng.uniform(30, 60)))
    alpha = rng.uniform(1.5, 6)
    delta = delta * 0.95
    return {"X": X, "Y": None, "alpha": alpha, "e": renyi(alpha, X, None), "delta": delta}


def with_noise(rng):
    """A random vector, and noise along every axis, both ways, whatever the vector is."""
    d, s = 3, rng.uniform(0.1, 2)
    rows = rng.normal(size=(4, d))
    steps = s * math.sqrt(d) * np.concatenate([np.eye(d), -np.eye(d)])
    return {
        "x": np.repeat(rows, 2 * d, axis=0),
        "xi": np.tile(steps, (4, 1)),
        "d": d,
        "s": s,
    }


def linked(rng):
    """Two laws, some of whose distance is left, the rest paid at its price."""
    X, Y = laws(rng)
    z = gap(X, Y) * rng.uniform(0, 0.9)
    return {"X": X, "Y": Y, "z": z, "v": (gap(X, Y) - z) ** 2 / X[1] ** 2}


def root(rng):
    a, r = rng.uniform(0.1, 3, 2)
    return {"a": a, "r": r, "b": a * r}


SAMPLES = {
    "nonexpansive": lambda rng: {
        "K": 1.0,
        "x": rng.normal(size=3) * rng.choice([0.2, 2.0]),
        "u": project(1.0, rng.normal(size=3)),
    },
    "cauchy": vectors,
    "triangle": vectors,
    "scaled": lambda rng: {"a": rng.uniform(0, 3)} | vectors(rng),
    "norm_square": vectors,
    "root_square": lambda rng: {"x": rng.uniform(0, 5)},
    "from_squares": lambda rng: {"x": float(rng.normal()), "y": 0.0},
    "abs_below": lambda rng: {"x": float(rng.normal()), "c": 0.0},
    "abs_above": lambda rng: {"x": float(rng.normal())},
    "abs_above_minus": lambda rng: {"x": float(rng.normal())},
    "cancel": root,
    "min_below": lambda rng: dict(zip("ab", rng.normal(size=2), strict=True)),
    "log_tangent": lambda rng: {"x": float(rng.choice([1.0, rng.uniform(0.01, 4)]))},
    "log_quotient": lambda rng: dict(zip("ab", rng.uniform(0.1, 5, 2), strict=True)),
    "start": lambda rng: dict(zip("XY", (laws(rng)), strict=True)) | {"z": 0.0},
    "shift": chain,
    "link_weaker": lambda rng: linked(rng) | {"x": 0.0, "w": 0.0},
    "link_limit": lambda rng: linked(rng) | dict(zip("CD", rng.uniform(0, 3, 2), strict=True)),
    "shifted_renyi": lambda rng: linked(rng) | {"alpha": rng.uniform(1.1, 9)},
    "noise_square": with_noise,
    "meet": lambda rng: dict(zip("XY", laws(rng), strict=True)) | {"v": 0.0},
    "gaussian_renyi": lambda rng: (
        dict(zip("XY", laws(rng), strict=True)) | {"v": 0.0, "alpha": rng.uniform(1.1, 9)}
    ),
    "mironov": pair,
    "dp_weaker": lambda rng: pair(rng) | {"f": 0.0},
    "coupled": lambda rng: (
        dict(zip("XY", laws(rng), strict=True))
        | dict(zip("fg", linear(rng), strict=True))
        | {"z": 0.0, "c": 0.0, "d": 0.0}
    ),
    "winf_least": lambda rng: dict(zip("XY", laws(rng), strict=True)) | {"a": 0.0, "b": 0.0},
    "winf_triangle": lambda rng: {
        "X": (0.0, 1.0),
        "Y": (rng.uniform(0, 2), 1.0),
        "Z": (rng.uniform(2, 4), 1.0),
        "a": 0.0,
        "b": 0.0,
    },
}


def completed(name, values, rng):
    """The values with the numbers at which the theorem is as sharp as it can be."""
    if name == "from_squares":
        values["y"] = abs(values["x"])
    if name == "abs_below":
        values["c"] = abs(values["x"])
    if name in ("start", "coupled"):
        values["z"] = gap(values["X"], values["Y"])
    if name in ("meet", "gaussian_renyi"):
        values["v"] = gap(values["X"], values["Y"]) ** 2 / values["X"][1] ** 2
    if name == "link_weaker":
        values["x"], values["w"] = values["z"], values["v"]
    if name == "coupled":
        values["c"], values["d"] = values["f"][0], abs(values["f"][1] - values["g"][1])
    if name == "dp_weaker":
        values["e"] = values["f"] = math.log(values["X"][1] * 0.05) + rng.uniform(0, 0.1)
        values["delta"] = delta_of_pair(values["e"], values["X"])
    if name == "winf_least":
        values["a"] = values["b"] = gap(values["X"], values["Y"])
    if name == "winf_triangle":
        values["a"] = gap(values["X"], values["Y"])
        values["b"] = gap(values["Y"], values["Z"])
    return values


FAR = (0, 1, 7, 100, 10**9)
"""Whole numbers at which a premise for all of them is tried."""


def fulfilled(theorem, values):
    """Whether the premises are true of these values."""
    at_all = ((claim, {name: n}) for (((name, _),), _, claim) in theorem.for_all for n in FAR)
    return all(said(premise, values) for premise in theorem.premises) and all(
        said(claim, values | at) for claim, at in at_all
    )


def violations(name, theorem, conclusion):
    """How many of 400 instances meet the premises and miss the conclusion; and how many meet."""
    rng = default_rng(7)
    missed = met = 0
    for _ in range(400):
        values = completed(name, SAMPLES[name](rng), rng)
        try:
            if fulfilled(theorem, values):
                met += 1
                missed += not said(conclusion, values)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
    return missed, met


@pytest.mark.parametrize("name", theorems())
def test_a_named_theorem_holds_in_numbers(name):
    theorem = theorems()[name]
    missed, met = violations(name, theorem, theorem.conclusion)
    assert missed == 0
    assert met >= 40


def sharpened(conclusion):
    """The conclusion with a smaller right side, or with each number of its predicate smaller."""
    less = "({0}) - (1 + abs({0}))/20"
    if isinstance(conclusion, ast.Compare):
        right = ast.unparse(conclusion.comparators[0])
        operator = "==" if isinstance(conclusion.ops[0], ast.Eq) else "<="
        yield expression(f"{ast.unparse(conclusion.left)} {operator} {less.format(right)}")
        return
    places = {"winf": (2,), "gdp": (2,), "link": (2, 3), "dp": (2,)}[conclusion.func.id]
    for place in places:
        terms = [ast.unparse(node) for node in conclusion.args]
        terms[place] = less.format(terms[place])
        yield expression(f"{conclusion.func.id}({', '.join(terms)})")


@pytest.mark.parametrize("name", theorems())
def test_a_named_theorem_that_says_more_is_noticed(name):
    theorem = theorems()[name]
    for stronger in sharpened(theorem.conclusion):
        missed, _ = violations(name, theorem, stronger)
        assert missed > 0, ast.unparse(stronger)


def test_logarithms_are_those_of_fifty_digits():
    # log_quotient and log_tangent once more, on another route.
    with mp.workdps(50):
        for a, b in ((Fraction(1, 3), Fraction(7, 2)), (Fraction(10**9), Fraction(1, 10**9))):
            x, y = mp.mpf(a.numerator) / a.denominator, mp.mpf(b.numerator) / b.denominator
            assert abs(mp.log(x / y) - mp.log(x) + mp.log(y)) < mp.mpf(10) ** -45
            assert mp.log(x) <= x - 1
