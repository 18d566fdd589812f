"""Definition 2.1 of hf: what noise on a + w_T buys, and what unequal noise scales cost."""

from typing import Any

import numpy as np
from scipy.special import gammainc, gammaincc

from accounting.gaussian import delta_gdp
from bounds.forms import Array
from bounds.hf.symbols import d, delta, epsilon, error, sigma
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

noise = Statement(
    "hf.def2.1.noise",
    "Definition 2.1, Gaussian noise of a fixed scale",
    "inequality",
    words="w_T + a + N(0, sigma^2 I) against v_T + N(0, sigma^2 I), sigma fixed before the "
    "data and |v_T - w_T - a| <= error: the Gaussian profile at mu = error/sigma.",
    left=r"\sup_W\,P(W)-e^{\epsilon}Q(W)",
    symbols=(epsilon, error, sigma),
    readings=(
        Reading(
            "literal",
            "one sigma for both outputs, same slots",
            {"corrected": "<="},
            proofs={"corrected": "turn the means onto a line; the profile increases with mu"},
        ),
    ),
    plot=Plot(
        "sigma",
        tuple(np.geomspace(0.2, 20, 40).tolist()),
        {"epsilon": 1.0, "error": 1.0},
        log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Retrain where a certificate of the error exceeds sigma mu: (6) is a statement for "
    "each (S, U), and the reference never looks at the certificate.",
)
scale = Statement(
    "hf.def2.1.scale",
    "Definition 2.1, noise scale that depends on U",
    "claim",
    words="Noise of scale c(zeta^{-U}) (Algorithm 1) satisfies (6) with the delta that c was "
    "computed for.",
    left=r"\sup_W\,P(W)-e^{\epsilon}Q(W)",
    symbols=(
        epsilon,
        delta,
        d,
        Symbol("ratio", "scale of the unlearned output's noise over the reference's", r"s", low=0),
    ),
    readings=(
        Reading(
            "literal",
            "unlearned and reference outputs with equal means, scales in the given ratio",
            {"printed": "<=", "tight": "<="},
            proofs={"tight": "Neyman-Pearson: the likelihood ratio is monotone in the radius"},
        ),
    ),
    plot=Plot(
        "d",
        tuple(float(round(d)) for d in np.geomspace(1, 1e5, 30)),
        {"epsilon": 1.0, "delta": 1e-5, "ratio": 1.01},
        log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Fix sigma for all U before the data are seen.",
)


@noise.form(
    "corrected",
    tex=r"\Phi\left(\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right)-e^{\epsilon}"
    r"\Phi\left(-\tfrac{\mu}{2}-\tfrac{\epsilon}{\mu}\right),\quad \mu=\bar\Delta/\sigma",
    note="both directions of (6); equality where the error is as large as its bound",
)
def corrected(epsilon: Array, error: Array, sigma: Array) -> Array:
    """w_T + a + N(0, sigma^2 I) and v_T + N(0, sigma^2 I) satisfy (6) with this delta.

    Source: hf, Definition 2.1, with one sigma fixed before the data and the reference v_T of the
    same slots. error bounds |v_T - w_T - a|. Also for certify-or-retrain, which is exact beyond.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        mu = np.where(error == 0, 0.0, error / sigma)
    return delta_gdp(mu, epsilon)


@corrected.expression
def _(sp: Any, epsilon: Any, error: Any, sigma: Any) -> Any:
    if error == 0 or sigma == 0:
        return sp.Integer(0 if error == 0 else 1)
    mu, root = error / sigma, sp.sqrt(2)
    first = sp.erfc((epsilon / mu - mu / 2) / root) / 2
    return first - sp.exp(epsilon) * sp.erfc((epsilon / mu + mu / 2) / root) / 2


@scale.form(
    "printed",
    tex=r"\text{Sample: } \sigma \sim \mathcal{N}(0, c\mathbf{I}),\quad c \leftarrow "
    r"\frac{2\eta^2 C \sqrt{2\ln(1.25/\delta)}}{1-q} \zeta_T^{-U}",
    note="the delta that the scale c was computed for",
)
def printed(delta: Array) -> Array:
    """Algorithm 1 promises this delta. Source: hf, Algorithm 1, Stage III.

    False: c depends on U through zeta, so that the reference has another scale (0 for no request).
    """
    return np.asarray(delta)


@printed.expression
def _(sp: Any, delta: Any) -> Any:
    return delta


@scale.form(
    "tight",
    tex=r"\max_{s,1/s}\ P[\chi^2_d>k/s^2]-e^{\epsilon}P[\chi^2_d>k],\quad "
    r"k=\frac{2(\epsilon+d\ln s)}{1-1/s^2}",
    note="exact for equal means; 1 where one scale is 0",
)
def tight(epsilon: Array, d: Array, ratio: Array) -> Array:
    """N(m, s^2 c^2 I) and N(m, c^2 I) satisfy (6) with this delta and no smaller one."""
    with np.errstate(divide="ignore"):
        return np.maximum(_one_way(epsilon, d, ratio), _one_way(epsilon, d, 1 / ratio))


def _one_way(epsilon: Array, d: Array, s: Array) -> Array:
    """sup_W of N(0, s^2 I)(W) - e^epsilon N(0, I)(W): the best W is a ball, or its outside."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rise = np.log(s)
        excess = -np.expm1(-2 * rise)
        k = 2 * (epsilon + d * rise) / excess
        beyond, within = gammaincc(d / 2, k / 2), gammainc(d / 2, k / 2)
        outer = gammaincc(d / 2, k / s**2 / 2) - np.where(beyond > 0, np.exp(epsilon) * beyond, 0)
        inner = gammainc(d / 2, k / s**2 / 2) - np.where(within > 0, np.exp(epsilon) * within, 0)
    found = np.where(s > 1, outer, np.where((s < 1) & (k > 0), inner, 0.0))
    found = np.where((s == 0) | np.isinf(s), 1.0, found)
    return np.asarray(np.maximum(found, 0.0))


@tight.expression
def _(sp: Any, epsilon: Any, d: Any, ratio: Any) -> Any:
    import mpmath  # type: ignore[import-untyped, unused-ignore]

    if ratio == 0:
        return sp.Integer(1)
    with mpmath.workdps(400):
        e, half = (mpmath.mpf(v.p) / v.q for v in (sp.Rational(epsilon), sp.Rational(d) / 2))

        def one_way(s: Any) -> Any:
            if s == 1:
                return mpmath.mpf(0)
            k = 2 * (e + 2 * half * mpmath.log(s)) / (1 - 1 / s**2)
            ends = (k / 2, mpmath.inf) if s > 1 else (0, max(k, 0) / 2)
            far = tuple(x / s**2 for x in ends)
            return mpmath.gammainc(half, *far, regularized=True) - mpmath.exp(e) * mpmath.gammainc(
                half, *ends, regularized=True
            )

        s = mpmath.mpf(ratio.p) / ratio.q
        return sp.Float(max(one_way(s), one_way(1 / s), 0), 60)


definition = Statement(
    "hf.def2.1",
    "Definition 2.1",
    "definition",
    words="(epsilon, delta)-unlearning: the laws of the unlearned and of the retrained output "
    "are within e^epsilon and delta of each other, both ways, on every set W.",
    readings=(
        Reading("literal", "(6) as printed", {"printed": "==", "corrected": "=="}),
        Reading(
            "reference",
            "which run Omega(S minus U) is, and which noise it gets",
            {"printed": "=="},
            stance="part",
        ),
    ),
    aliases=("hf.eq6",),
    correction="Same noise on both sides; Omega(S minus U) runs through the same slots.",
)
