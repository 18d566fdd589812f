"""Algorithm 1 of hf, Stage III: the noise, read in both ways, and what the paper's runs need."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf import noise
from bounds.hf.equation_41 import formula as eq41
from bounds.hf.equation_41 import inside
from bounds.hf.symbols import B, C, E, b, b_u, delta, epsilon, error, eta, q, rho
from bounds.hf.theorem_4_3 import in_floats
from bounds.symbols import Symbol

releases = Symbol("k", "models released from one trajectory", "k", low=1, kind="integer")

formula = Formula(
    id="hf.alg1.noise",
    label="Algorithm 1, Stage III",
    left=r"\text{standard deviation of the noise}",
    symbols=(error, epsilon, delta),
)


@formula.form(
    "printed",
    tex=r"\sigma\sim\mathcal N(0,c\mathbf I),\ c\leftarrow\frac{2\eta^2 C\sqrt{2\ln(1.25/\delta)}}"
    r"{1-q}\zeta_T^{-U}",
    note="c as the variance; the product with zeta is the error bound; no epsilon",
)
def printed(error: Array, delta: Array) -> Array:
    """Noise of this standard deviation makes the released model (epsilon, delta)-unlearned.

    Source: hf, Algorithm 1, Stage III. False: it does not depend on epsilon, and a variance with
    the unit of a length is right in one unit at most.
    """
    return noise.noise("printed", error, 1.0, delta)


@printed.expression
def _(sp: Any, error: Any, delta: Any) -> Any:
    return sp.sqrt(error * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)))


@formula.form(
    "corrected",
    tex=r"\frac{\bar\Delta\sqrt{2\ln(1.25/\delta)}}{\epsilon}",
    note="the classical formula, as (60) uses it; for epsilon < 1",
)
def corrected(error: Array, epsilon: Array, delta: Array) -> Array:
    """Noise of this standard deviation is enough for epsilon < 1."""
    return noise.noise("corrected", error, epsilon, delta)


@corrected.expression
def _(sp: Any, error: Any, epsilon: Any, delta: Any) -> Any:
    return error * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)) / epsilon


@formula.form(
    "tight",
    tex=r"\bar\Delta/\mu^*,\quad \Phi\Big(\frac{\mu^*}2-\frac\epsilon{\mu^*}\Big)-e^\epsilon\Phi"
    r"\Big(-\frac{\mu^*}2-\frac\epsilon{\mu^*}\Big)=\delta",
    note="the analytic Gaussian mechanism: least for every epsilon and delta",
)
def tight(error: Array, epsilon: Array, delta: Array) -> Array:
    """Noise of this standard deviation is enough, and no less is where the error is attained."""
    return noise.noise("exact", error, epsilon, delta)


deviation = Formula(
    id="hf.alg1.noise.std",
    label="Algorithm 1, Stage III, c as the standard deviation",
    left=r"\text{standard deviation of the noise}",
    symbols=(error, epsilon, delta),
)


@deviation.form(
    "printed",
    tex=r"c\leftarrow\frac{2\eta^2 C\sqrt{2\ln(1.25/\delta)}}{1-q}\zeta_T^{-U}",
    note="as (59) uses c; 1/epsilon is missing",
)
def as_deviation(error: Array, delta: Array) -> Array:
    """Noise of this standard deviation is enough. Source: hf, Algorithm 1 and (59). False."""
    return error * noise.classical_factor(delta)


@as_deviation.expression
def _(sp: Any, error: Any, delta: Any) -> Any:
    return error * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta))


@deviation.form(
    "corrected", tex=r"\frac{\bar\Delta\sqrt{2\ln(1.25/\delta)}}{\epsilon}", note="divides by it"
)
def divided(error: Array, epsilon: Array, delta: Array) -> Array:
    """Noise of this standard deviation is enough for epsilon < 1."""
    return noise.noise("corrected", error, epsilon, delta)


@divided.expression
def _(sp: Any, error: Any, epsilon: Any, delta: Any) -> Any:
    return error * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)) / epsilon


several = Formula(
    id="hf.alg1.noise.releases",
    label="Algorithm 1, Stage III, online",
    left=r"\text{standard deviation of the noise of each of }k\text{ releases}",
    symbols=(error, epsilon, delta, releases),
)


@several.form("printed", tex=r"\bar\Delta/\mu^*", note="as if each release were the only one")
def alone(error: Array, epsilon: Array, delta: Array) -> Array:
    """k releases with this noise are together (epsilon, delta)-unlearned. False for k > 1."""
    return noise.noise("exact", error, epsilon, delta)


@several.form("tight", tex=r"\sqrt k\,\bar\Delta/\mu^*", note="Gaussian-DP adds squares")
def together(error: Array, epsilon: Array, delta: Array, k: Array) -> Array:
    """k releases with fresh noise of this size are together (epsilon, delta)-unlearned."""
    return noise.noise("exact", error * np.sqrt(k), epsilon, delta)


needed = Formula(
    id="hf.table.noise",
    label="Noise scale of the experiments",
    left=r"\text{standard deviation that (41) asks for}",
    symbols=(eta, C, q, rho, E, B, b, b_u, epsilon, delta),
    requires=(inside, in_floats),
)


@needed.form(
    "printed",
    tex=r"\frac{\sqrt{2\ln(1.25/\delta)}}{\epsilon}\cdot(41)",
    note="by the classical formula, as in (60)",
)
def classical(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array,
    epsilon: Array, delta: Array,
) -> Array:  # fmt: skip
    """The noise that the paper's own theory asks for. Source: hf, (41), (60), Algorithm 1."""
    bound = eq41["printed"].value(eta, C, q, rho, E, B, b, b_u)
    return noise.noise("corrected", bound, epsilon, delta)


@needed.form("tight", tex=r"(41)/\mu^*", note="the least noise for that error bound")
def least(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array,
    epsilon: Array, delta: Array,
) -> Array:  # fmt: skip
    """The least noise that the error bound (41) allows."""
    bound = eq41["printed"].value(eta, C, q, rho, E, B, b, b_u)
    return noise.noise("exact", bound, epsilon, delta)
