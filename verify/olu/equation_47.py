"""(47) of olu: part B of the regret proof of Theorem 6, and the norm of the noise."""

import numpy as np
from scipy.special import gammaln

from verify.checks import Check, Context, Findings, Instances, case_table


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

    constant = (1 - d / 2) * np.log(2) - gammaln(d / 2)

    def density(r: float) -> float:
        return float(np.exp(constant + d * np.log(r) - r * r / 2)) if r > 0 else 0.0

    top = np.sqrt(d) + 12
    return float(sigma * quad(density, 0, top, epsabs=0, epsrel=1e-12, points=[np.sqrt(d)])[0])


def check_47(ctx: Context) -> Findings:
    """Expected difference that one request's noise makes, over all signs, on random boxes."""
    rng = ctx.rng()
    words = "random quadratics on a box"
    for _ in range(ctx.pick(100, 3000)):
        T, d = 12, int(rng.integers(1, 4))
        tau, i = int(rng.integers(4, 10)), int(rng.integers(1, 3))
        h = rng.uniform(1, 3, size=(T, 1))
        x = rng.uniform(-1, 1, size=(T, d))
        kept_mask = np.arange(T) < tau
        kept_mask[rng.choice(tau, size=i, replace=False)] = False
        near, star = ((h[s] * x[s]).sum(axis=0) / h[s].sum() for s in (kept_mask, slice(None)))
        off = rng.normal(size=d) * 0.3
        sigma = float(np.exp(rng.normal() - 2))
        # Noise of +-sigma in every coordinate: the second moment is all the bound uses.
        signs = np.array(np.meshgrid(*[[-sigma, sigma]] * d)).reshape(d, -1).T
        L = float((h[:, 0] * (np.linalg.norm(x, axis=1) + np.sqrt(d))).max())
        inputs = {"i": i, "T": T, "tau_i": tau, "d": d, "sigma": sigma, "mu": 1.0, "L": L}
        inputs["d_i"] = float(np.linalg.norm(off))
        lhs = L * np.linalg.norm(near + off + signs - star, axis=1).mean()
        yield ctx.compare("literal", "corrected", lhs, inputs, words)


GROUPS = Instances(
    "quadratics in two groups, no noise",
    case_table(
        "i T tau_i d sigma mu L d_i",
        (1, 30, 20, 1, 0.0, 1.0, 2.0, 0.0),
        (3, 100, 20, 1, 0.0, 1.0, 2.0, 0.0),
        (2, 1000, 900, 1, 0.0, 1.0, 2.0, 0.0),
    ),
    relations={"corrected": "=="},
    script="eq47_stable",
)
CHI = Instances(
    "quadrature of the chi density",
    case_table("sigma d", *((0.7, d) for d in (1, 2, 3, 10, 100))),
    relations={"tight": "=="},
    script="eq47_norm_chi",
)
CHECKS = (
    Check("olu.eq47", check_47, measure_47, (GROUPS,))
    .measured_by("online", "published_slope", where=("strong convexity", "active"))
    .beside("ridge regression on breast cancer, a late request"),
    Check("olu.eq47.norm", exact_side=measure_norm, at=(CHI,)).measured_by(
        "online", "noise_length", where=("strong convexity", "active")
    ),
)
