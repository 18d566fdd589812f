"""Hypotheses of readings, and limits of oracles, that no range or requirement of a formula holds.

A reading narrows its claim in words; the search needs the same as conditions on the inputs, or as
inputs that follow from others, or it would report what lies outside. An oracle may be good on part
of the domain only (a lattice, a quadrature): beyond it nothing can be said. One that subtracts
rounded numbers says nothing below a few units in their last place.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import gt
from typing import Any

import bounds

Condition = Callable[[Mapping[str, Any]], bool]
Follows = Callable[[Mapping[str, Any]], Any]
ULPS, EPSILON = 64, sys.float_info.epsilon
Size = Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class Restriction:
    """What a reading asks beyond the formula.

    Attributes:
        reason: the words of the reading, or the limit of the oracle.
        condition: must hold of the inputs.
        follows: inputs that are functions of the others.
        size: of the numbers that the oracle subtracts; sides closer than ULPS of it are equal.
        searchable: False where the check compares what inputs alone do not say.
        others: forms that the check compares with another left side than the oracle's.
    """

    reason: str
    condition: Condition = lambda point: True
    follows: Mapping[str, Follows] = field(default_factory=dict)
    size: Size | None = None
    searchable: bool = True
    others: tuple[str, ...] = ()


def restriction(claim: str, reading: str) -> Restriction | None:
    """What this reading of a claim asks beyond the formula, if anything."""
    return READINGS.get((claim, reading))


def conditions(claim: str, reading: str) -> tuple[Condition, ...]:
    """All conditions on the inputs of a reading."""
    own = restriction(claim, reading)
    return (own.condition,) if own else ()


def searchable(claim: str, reading: str, form: str) -> bool:
    """Whether the oracle is the left side of this form under this reading."""
    own = restriction(claim, reading)
    return own is None or (own.searchable and form not in own.others)


def follows(claim: str, reading: str) -> dict[str, Follows]:
    """The inputs of a reading that are functions of the others."""
    own = restriction(claim, reading)
    return dict(own.follows) if own else {}


def noise(claim: str, reading: str) -> Size:
    """The absolute error of a claim's oracle at inputs: 0 unless it subtracts rounded numbers."""
    own = restriction(claim, reading)
    size = own.size if own else None
    return (lambda point: ULPS * EPSILON * size(point)) if size else (lambda point: 0.0)


def _thousandths(name: str) -> Mapping[str, Follows]:
    return {name: lambda p: round(p[name], 3)}


def _one(p: Mapping[str, Any]) -> float:
    return 1.0


def _short_step(p: Mapping[str, Any]) -> bool:
    return bool(p["eta"] <= 2 / (p["L"] + p["mu"]))


def _over_whole(numerator: float, value: float) -> float:
    return numerator / max(1, round(numerator / value))


def _repairs(p: Mapping[str, Any]) -> float:
    move = p["eta"] * abs(p["h"])
    growth = p["T"] * math.log(max(1.0, abs(1 - p["eta"] * p["h"]), 1 + move * (p["h"] < 0)))
    largest = max(abs(p[name]) for name in ("cbar", "c_u", "w0", "a0"))
    return float(largest * (1 + p["T"] * (1 + move)) * math.exp(min(growth, 600.0)))


def _square(p: Mapping[str, Any]) -> float:
    return float(max(map(abs, [*p["kept"], *p["gone"], p["w"]])) ** 2)


_SUMS = Restriction(
    "logarithms of sums of powers of the order near 1, over the order less 1",
    size=lambda p: p["alpha"] / (p["alpha"] - 1),
)
_CANCEL = Restriction("gradients that cancel are added", size=lambda p: 1 + p["C"])
_NEAR = Restriction("the model less the rounded mean, squared", size=_square)
_WHOLE = Restriction(
    "the capacity is a whole number: so is what is subtracted from n",
    follows={"gamma": lambda p: _over_whole(4 * p["L"] ** 2 / p["lam"], p["gamma"])},
    size=lambda p: p["n"],
)
_SMALL = Restriction("eta <= 2/(L + mu)", _short_step)
_BELOW_ONE = Restriction("epsilon < 1", lambda p: p["epsilon"] < 1)
_ALL = Restriction(
    "with nothing kept the forgotten samples' mean is the mean",
    follows={"c_U": lambda p: p["cbar"] if p["m"] == p["n"] else p["c_U"]},
)
_LINE = Restriction(
    "the oracle is a chain on the line, no projection: finite radii only cap the distance",
    follows={"R": lambda p: math.inf},
)


def _within(p: Mapping[str, Any], deviations: float) -> bool:
    return bool(p["R"] <= deviations * math.sqrt(2 * p["eta"]) * p["sigma"])


def _settled(p: Mapping[str, Any], first: float) -> bool:
    return bool(first + 1 >= (1 + p["beta"] / p["mu"]) / 2)


def _root(p: Mapping[str, Any]) -> float:
    """What an error of ULPS in d_alpha = alpha mu^2/2 adds to mu, in ULPS, at the mu of X3 (iv)."""
    form, square = bounds.get("sglu.x3.iv")["tight"], 2 / float(p.get("alpha", 2.0))
    mu = float(form(**{name: p[name] for name in form.arguments}))
    return square / (mu + math.sqrt(mu * mu + ULPS * EPSILON * square))


READINGS: Mapping[tuple[str, str], Restriction] = {
    ("olu.ass2", "literal"): Restriction("unit lengths; else see units", lambda p: p["A"] <= 1),
    ("olu.def5", "literal"): Restriction(
        "the oracle's lattice: x and e are quarters of s, the order is whole",
        follows={
            "alpha": lambda p: max(2.0, float(round(min(p["alpha"], 5.0)))),
            "s": lambda p: 1.0,
            "x": lambda p: round(min(p["x"], 3.0) * 4) / 4,
            "e": lambda p: round(min(p["e"], 3.0) * 4) / 4,
        },
    ),
    ("olu.eq40", "repaired"): Restriction(
        "a loss is asked for after the request before it, and once steps contract",
        lambda p: _settled(p, min(p["u"])) and not any(map(gt, p["tau"], p["u"][1:])),
    ),
    ("olu.thm6.shift", "repaired"): Restriction(
        "contracting steps", lambda p: _settled(p, p["u_i"]), {"m": lambda p: p["tau_i"] - 1}
    ),
    ("olu.thm6.regret", "explicit"): Restriction(
        "distances in K, on which mu-strongly convex losses are L-Lipschitz",
        lambda p: max(*p["r"], *p["q"]) <= p["D"] <= 2 * p["L"] / p["mu"],
    ),
    ("hf.alg1.noise", "literal"): _BELOW_ONE,
    ("hf.eq17.error", "literal"): Restriction(
        "step <= mL/(lam n)", lambda p: p["step"] <= p["m"] * p["L"] / (p["lam"] * p["n"])
    ),
    ("olu.eq40", "units"): Restriction("two runs in two units of length", searchable=False),
    ("olu.lemd.2", "literal"): Restriction(
        "eta = 2/(M + m), rounded",
        size=_one,
        follows={"eta": lambda p: 2 / (p["mu"] + p["beta"])},
    ),
    ("olu.lemd.2", "any"): Restriction("1 less a rounded product", size=_one),
    ("olu.c2", "literal"): Restriction("1 less a rounded product", size=_one),
    ("sglu.def2.1", "literal"): Restriction("a sum of terms that cancel", size=_one),
    ("safe.thm1.gauss", "literal"): Restriction("a sum of terms that cancel", size=_one),
    ("hf.eq4_5", "literal"): Restriction("U = {u}", follows={"m": lambda p: 1}),
    ("hf.eq9", "literal"): _ALL,
    ("hf.thm3.1", "kept"): _ALL,
    ("hf.lem4.2", "literal"): Restriction("rho of one step", follows={"T": lambda p: 1}),
    ("hf.eq41", "supremum"): Restriction("rho of all steps, not of the first", searchable=False),
    ("hf.eq41", "sets"): Restriction("rho of all steps, not of the first", searchable=False),
    ("hf.table1.jackknife", "literal"): Restriction("a request, m >= 1", lambda p: p["m"] >= 1),
    ("hf.proofa4", "unit"): Restriction("M - lam <= 1", lambda p: p["M"] - p["lam"] <= 1),
    ("hf.eq56", "literal"): Restriction(
        "the oracle's mean, moved, stays where its risk is L-Lipschitz",
        lambda p: p["distance"] <= p["L"] / (2 * p["lam"]),
    ),
    ("hf.thmc3.independent", "literal"): _WHOLE,
    ("hf.alg2", "literal"): Restriction(
        "one sample is its own mean; two repairs are subtracted",
        size=_repairs,
        follows={"c_u": lambda p: p["cbar"] if p["n"] == 1 else p["c_u"]},
    ),
    ("hf.tightness", "slow"): Restriction("q <= rho", lambda p: p["q"] <= p["rho"]),
    ("hf.lem4.1.convex", "literal"): Restriction(
        "two iterates of the size of all steps are subtracted",
        size=lambda p: p["eta"] * p["C"] * (p["E"] + 1) * p["B"],
    ),
    ("hf.thm4.3.constant.batch", "literal"): Restriction(
        "iterates as far apart as the minima are subtracted", size=lambda p: p["C"] / p["lam"]
    ),
    ("sglu.thm3.2", "difference"): _SUMS,
    ("sglu.cor3.8", "convergent"): _SUMS,
    ("sglu.sec4.t", "distance"): Restriction(
        "whole batches: b divides n",
        follows={"n": lambda p: p["b"] * max(1, round(p["n"] / p["b"]))},
    ),
    ("sglu.eq14_17", "literal"): Restriction(
        "eta <= 1/L; 1 less rounded products", lambda p: p["eta"] * p["L"] <= 1, size=_one
    ),
    ("sglu.eq14_17", "longer"): Restriction(
        "1/L < eta <= 2/(L + m); 1 less rounded products",
        lambda p: 1 < p["eta"] * p["L"] <= 2 - p["eta"] * p["m"],
        size=_one,
    ),
    ("sglu.eq14_17", "beyond"): Restriction(
        "2/(L + m) < eta; 1 less rounded products",
        lambda p: p["eta"] * (p["L"] + p["m"]) > 2,
        size=_one,
    ),
    ("sglu.k3", "unit"): Restriction("|x| <= 1", lambda p: p["x"] <= 1),
    ("sglu.claim20x", "counted"): Restriction(
        "the oracle counts the least epochs, not those by Corollary 3.8", others=("corrected",)
    ),
    ("sglu.lem3.5", "literal"): Restriction("quantiles are subtracted", size=lambda p: p["R"]),
    ("sglu.lem3.6", "literal"): Restriction("quantiles are subtracted", size=lambda p: p["W0"]),
    ("mini.alg2", "literal"): Restriction("exact Hessians", follows={"m": lambda p: 0}),
    ("mini.basis", "literal"): Restriction("orthonormal", follows={"length": lambda p: 1.0}),
    ("guo.delta", "small"): Restriction(
        "epsilon <= 4 log(3/2)", lambda p: p["epsilon"] <= 4 * math.log(1.5)
    ),
    ("guo.residual", "literal"): _CANCEL,
    ("guo.residual", "noise"): _CANCEL,
    ("mini.kpriv.retained", "literal"): Restriction("d to infinity", searchable=False),
    ("mini.mia.precision", "literal"): Restriction(
        "a probability by quadrature from 0, where the least ones lie", size=_one
    ),
    ("mini.mia.precision", "retrained"): Restriction("a = 0", follows={"weight": lambda p: 0.0}),
    ("mini.rewind.prior", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("olu.def4", "literal"): Restriction(
        "the logarithm of a sum, over the order less 1", size=lambda p: 1 / abs(p["alpha"] - 1)
    ),
    ("mini.thm1", "quadratic"): Restriction(
        "quadratic losses, eta <= 2/(L + mu); the oracle's batches share in thousandths",
        _short_step,
        {"M": lambda p: 0.0, **_thousandths("beta")},
    ),
    ("mini.thm1", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("safe.gamma", "unit"): Restriction("W = 1", follows={"W": lambda p: 1.0}),
    ("safe.phi", "literal"): _BELOW_ONE,
    ("safe.thm1.growth", "literal"): Restriction("N to infinity", searchable=False),
    ("safe.thm1.log", "normalised"): Restriction("0 < a, b <= 1", lambda p: p["a"] <= 1 >= p["b"]),
    ("safe.thm2i", "silent"): Restriction(
        "no noise, |w_t| <= W: the step leads nowhere outside the ball",
        lambda p: p["D"] + math.sqrt(p["W"] / p["T"]) / p["K"] <= 2 * p["W"],
        {"phi": lambda p: 0.0},
    ),
    ("safe.thm2ii.bias.ball", "literal"): Restriction(
        "the oracle's quadrature ends 12 deviations away",
        size=lambda p: 1e-17 * p["U"] * p["W"] * p["T"],
    ),
    ("safe.eq2", "literal"): _NEAR,
    ("safe.eq3", "literal"): _NEAR,
    ("mini.eq5", "quadratic"): Restriction("quadratic losses", follows={"M": lambda p: 0.0}),
    ("mini.eq7.norm", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("mini.thm1.drift", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("mini.eig", "small"): _SMALL,
    ("mini.thm1.use", "bound"): _SMALL,
    ("mini.setup", "chosen"): _SMALL,
    ("sglu.cor3.9", "literal"): Restriction(
        "the oracle's interval: 6 batches, 20 deviations; a sum of terms that cancel",
        lambda p: p["R"] == math.inf or (p["J"] <= 6 and _within(p, 20)),
        size=_one,
    ),
    ("sglu.thm3.11", "literal"): _LINE,
    ("sglu.cor3.12", "literal"): _LINE,
    ("sglu.cor3.12", "bound"): _LINE,
    ("sglu.claim.2s", "literal"): _LINE,
    ("sglu.alg5", "literal"): Restriction(
        "the oracle's learning converged, on the line: no start left, no projection",
        follows={"T": lambda p: math.inf, "R": lambda p: math.inf},
    ),
    ("sglu.x3.iv", "literal"): Restriction("the root of a sum of terms that cancel", size=_root),
    ("sglu.x3.iv", "one_segment"): Restriction(
        "K >= 1 and 2R >= q; the root of a sum of terms that cancel",
        lambda p: p["K"] >= 1 and p["R"] >= p["eta"] * p["M"] / p["b"],
        size=_root,
    ),
}
