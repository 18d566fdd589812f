"""Membership inference in mini: the precision of an attack on a forgotten point's weight."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.symbols import Symbol

formula = Formula(
    id="mini.mia.precision",
    label="Precision of membership inference (Section 5.1)",
    left=r"P(\text{forgotten}\mid\text{accused})",
    symbols=(
        Symbol("weight", "weight of a forgotten point in the model", "a"),
        Symbol("spread", "root of the other points' squared weights", r"\tau", low=0,
               low_open=True),
        Symbol("d", "dimension", "d", low=1, kind="integer"),
        Symbol("prevalence", "share of forgotten points among those tested", r"\pi", low=0, high=1,
               low_open=True),
    ),
)  # fmt: skip


@formula.form(
    "corrected",
    tex=r"\pi",
    note="the target: retraining without the points (a = 0), whatever the attack",
)
def corrected(prevalence: Array) -> Array:
    """Every attack's precision after exact retraining, D_U drawn at random: the prevalence."""
    return prevalence


@corrected.expression
def _(sp: Any, prevalence: Any) -> Any:
    return prevalence


@formula.form(
    "tight",
    tex=r"\frac{\pi\,t}{\pi\,t+(1-\pi)/2},\quad t=F_d(a\sqrt d/\tau)",
    note="below the target for a < 0: the attack is inverted, not defeated; F_d Student's law",
)
def tight(weight: Array, spread: Array, d: Array, prevalence: Array) -> Array:
    """Precision of accusing <x, w> > 0, w = sum a_i x_i with independent rows N(0, I_d).

    A forgotten x of weight a is accused with probability P(N < a chi_d/tau), a fresh one with 1/2.
    """
    from scipy.special import stdtr

    hit = stdtr(d, weight * np.sqrt(d) / spread)
    return np.asarray(prevalence * hit / (prevalence * hit + (1 - prevalence) / 2))


@tight.expression
def _(sp: Any, weight: Any, spread: Any, d: Any, prevalence: Any) -> Any:
    half, y = sp.Rational(1, 2), weight / spread
    front = y * sp.gamma((d + 1) / 2) / (sp.sqrt(sp.pi) * sp.gamma(d / 2))
    hit = half + front * sp.hyper([half, (d + 1) / 2], [3 * half], -(y**2))
    return prevalence * hit / (prevalence * hit + (1 - prevalence) / 2)
