"""(26) and (27) of olu: the noise term, and the regret against one comparator."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.huber_runs import draw


def noise_term(
    u: np.ndarray, tau: np.ndarray, D: float, L: float, d: float, epsilon: float, omega: float
) -> float:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}) from the definitions."""
    i = np.arange(1, u.size + 1)
    sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon)) * L * (D / (L * np.sqrt(u)))
    return float(np.sum(d * sigma**2 / (2 * D / (L * np.sqrt(tau - 1)))))


def check_noise(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    one = {"D": 1.0, "L": 1.0, "d": 1, "epsilon": 1.0, "u": [5], "tau": [10], "omega": 1.2}
    measured = noise_term(np.array([5]), np.array([10]), 1, 1, 1, 1, 1.2)
    yield ctx.compare("literal", "printed", measured, one, "one deletion", script="eq26_one")
    yield ctx.compare("literal", "tight", measured, one, "one deletion", relation="==")
    late = {**one, "u": [10**6], "tau": [10**6 + 1]}
    measured = noise_term(np.array([10**6]), np.array([10**6 + 1]), 1, 1, 1, 1, 1.2)
    words = "attained by one late deletion"
    yield ctx.compare("literal", "corrected", measured, late, words, relation="==", tolerance=1e-6)
    for _ in range(ctx.pick(60, 2000)):
        k = int(rng.integers(1, 20))
        u = rng.choice(np.arange(1, 400), size=k, replace=False)
        tau = np.sort(u.max() + rng.integers(1, 400, size=k))
        D, L, epsilon = np.exp(rng.normal(size=3)).tolist()
        (scalars,) = rows(
            "D L d epsilon omega",
            (D, L, float(rng.integers(1, 50)), epsilon, 1 + float(np.exp(rng.normal(-1, 0.7)))),
        )
        measured = noise_term(u, tau, **scalars)
        inputs = {**scalars, "u": u, "tau": tau}
        yield ctx.compare("literal", "corrected", measured, inputs, "random deletions")
        yield ctx.compare("literal", "tight", measured, inputs, "random deletions", relation="==")


def check_constant(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        D, L = runs.diameter, runs.lipschitz
        epsilon = np.exp(rng.normal(-2, 3, size=count))
        eta = D / L / np.sqrt(np.arange(1, T + 1))[:, None]
        played = runs.play(eta, epsilon, "paper", 1.2)
        still = np.broadcast_to(runs.comparators()[0], (k + 1, count))
        for form in ("printed", "corrected"):
            bound = [
                ctx.claim(
                    form,
                    T=T,
                    D=D[c],
                    L=L[c],
                    d=1,
                    epsilon=epsilon[c],
                    u=runs.indices[:, c],
                    tau=runs.times[:, c],
                )
                for c in range(count)
            ]
            inputs, words = {"T": T, "k": k, "count": count}, f"random Huber losses, {k} deletions"
            yield ctx.compare(
                "literal", form, played.regret(still), inputs, words, bound=bound, tight=np.nan
            )
    few = np.arange(1, 14)
    lost = 1 - few**1.7 / np.sqrt(3 * np.cumsum(few**2.4))
    words = "what (26)(d) loses, in DL sqrt T, against the slack of (25)"
    yield ctx.compare(
        "literal", "printed", few / 2 * lost, {"k": few}, words, bound=1.5, tight=np.nan
    )


CHECKS = (Check("olu.eq26", evidence=check_noise), Check("olu.eq27", evidence=check_constant))
