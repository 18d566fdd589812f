"""(47) of olu: part B of the regret proof of Theorem 6, and the norm of the noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence


def measure_47(
    i: float, T: float, tau_i: float, d: float, sigma: float, mu: float, L: float, d_i: float
) -> float:
    """L |z_{i,0}* - z*| for quadratics: the losses kept by tau at 0, the rest at L/mu; no noise."""
    points = np.full(int(T), L / mu)
    points[: int(tau_i - i)] = 0.0
    return float(L * points.mean())


def measure_norm(sigma: float, d: float) -> float:
    """E|xi| by quadrature of the chi density."""
    from scipy.integrate import quad
    from scipy.special import gammaln

    constant = (1 - d / 2) * np.log(2) - gammaln(d / 2)

    def density(r: float) -> float:
        return float(np.exp(constant + d * np.log(r) - r * r / 2)) if r > 0 else 0.0

    top = np.sqrt(d) + 12
    return float(sigma * quad(density, 0, top, epsabs=0, epsrel=1e-12, points=[np.sqrt(d)])[0])


def check_47(ctx: Context) -> Iterator[Evidence]:
    for T, tau, i in ((30, 20, 1), (100, 20, 3), (1000, 900, 2)):
        (inputs,) = rows("i T tau_i d sigma mu L d_i", (i, T, tau, 1, 0.0, 1.0, 2.0, 0.0))
        for form, relation in (("printed", "<="), ("corrected", "==")):
            found, words = measure_47(**inputs), "quadratics in two groups, no noise"
            yield ctx.compare(
                "literal", form, found, inputs, words, relation=relation, script="eq47_stable"
            )
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 3000)):
        T, d = 12, int(rng.integers(1, 4))
        tau, i = int(rng.integers(4, 10)), int(rng.integers(1, 3))
        h = rng.uniform(1, 3, size=(T, 1))
        x = rng.uniform(-1, 1, size=(T, d))
        kept = np.ones(T, dtype=bool)
        kept[tau:] = False
        kept[rng.choice(tau, size=i, replace=False)] = False
        near, star = (
            (h[s] * x[s]).sum(axis=0) / h[s].sum() for s in (kept, np.ones(T, dtype=bool))
        )
        off = rng.normal(size=d) * 0.3
        sigma = float(np.exp(rng.normal() - 2))
        # Noise of +-sigma in every coordinate: the second moment is all the bound uses.
        signs = np.array(np.meshgrid(*[[-sigma, sigma]] * d)).reshape(d, -1).T
        L = float((h[:, 0] * (np.linalg.norm(x, axis=1) + np.sqrt(d))).max())
        (inputs,) = rows(
            "i T tau_i d sigma mu L d_i", (i, T, tau, d, sigma, 1.0, L, float(np.linalg.norm(off)))
        )
        left = L * np.linalg.norm(near + off + signs - star, axis=1).mean()
        yield ctx.compare("literal", "corrected", left, inputs, "random quadratics on a box")


def check_norm(ctx: Context) -> Iterator[Evidence]:
    for d in (1, 2, 3, 10, 100):
        inputs = {"sigma": 0.7, "d": d}
        left = measure_norm(**inputs)
        for form, relation in (("printed", "<="), ("corrected", "<="), ("tight", "==")):
            words = "quadrature of the chi density"
            yield ctx.compare(
                "literal", form, left, inputs, words, relation=relation, script="eq47_norm_chi"
            )


CHECKS = (
    Check("olu.eq47", evidence=check_47, oracle=measure_47),
    Check("olu.eq47.norm", evidence=check_norm, oracle=measure_norm),
)
