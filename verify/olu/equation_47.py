"""(47) of olu: part B of the regret proof of Theorem 6, and the norm of the noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ47 = Claim(
    id="olu.eq47",
    label="(47)",
    kind="inequality",
    statement="E L |z_{tau_i} - z*| <= sigma_i + d_i + L (T - i - tau_i)/(T mu) for each request.",
    readings=(
        Reading(
            "literal",
            "z_{tau_i} = z_{i,0}* + a vector of norm d_i + noise",
            ("printed", "corrected"),
            proofs={"corrected": "triangle inequality, Jensen, Lemma 5 without its factor 2"},
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(30, 200, 10)),
        {"i": 1, "tau_i": 20, "d": 1, "sigma": 0.0, "mu": 1.0, "L": 2.0, "d_i": 0.0},
        log_y=False,
    ),
    quantity="L |z_{i,0}* - z*| on quadratics",
    correction="L (sigma_i sqrt(d) + d_i + L (T - tau_i + i)/(T mu)).",
)
NORM = Claim(
    id="olu.eq47.norm",
    label="Below (47)",
    kind="inequality",
    statement="E|xi_i| <= sigma_i for xi_i ~ N(0, sigma_i^2 I_d).",
    readings=(
        Reading(
            "literal",
            "any dimension",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Jensen's inequality for the square",
                "tight": "the mean of the chi distribution: equality",
            },
        ),
    ),
    natural=Natural("d", tuple(float(n) for n in range(1, 21)), {"sigma": 1.0}, log_y=False),
    quantity="E|xi|",
)


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
        inputs = {
            "i": i, "T": T, "tau_i": tau, "d": 1, "sigma": 0.0, "mu": 1.0, "L": 2.0, "d_i": 0.0,
        }  # fmt: skip
        for form, relation in (("printed", "<="), ("corrected", "==")):
            yield ctx.compare(
                "literal", form, measure_47(**inputs), inputs,
                "quadratics in two groups, no noise", relation=relation,
                script="eq47_stable" if form == "printed" else None,
            )  # fmt: skip
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
        inputs = {
            "i": i, "T": T, "tau_i": tau, "d": d, "sigma": sigma, "mu": 1.0, "L": L,
            "d_i": float(np.linalg.norm(off)),
        }  # fmt: skip
        left = L * np.linalg.norm(near + off + signs - star, axis=1).mean()
        yield ctx.compare("literal", "corrected", left, inputs, "random quadratics on a box")


def check_norm(ctx: Context) -> Iterator[Evidence]:
    for d in (1, 2, 3, 10, 100):
        inputs = {"sigma": 0.7, "d": d}
        left = measure_norm(**inputs)
        for form, relation in (("printed", "<="), ("corrected", "<="), ("tight", "==")):
            yield ctx.compare(
                "literal", form, left, inputs, "quadrature of the chi density",
                relation=relation, script="eq47_norm_chi" if form == "printed" else None,
            )  # fmt: skip


CLAIMS = (EQ47, NORM)
CHECKERS = {EQ47.id: check_47, NORM.id: check_norm}
MEASURES = {EQ47.id: measure_47, NORM.id: measure_norm}
