"""(26) and (27) of olu: the noise term, and the regret against one comparator."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.huber_runs import draw

NOISE = Claim(
    id="olu.eq26",
    label="(26)",
    kind="inequality",
    statement="With the paper's noise, E B = sum d sigma_i^2/(2 eta_{tau_i - 1}) is at most "
    "D L d omega k^{omega+1/2}/(4 sqrt 3 (omega-1) eps) G_2.",
    aliases=("olu.eq26d",),
    readings=(
        Reading(
            "literal",
            "sigma_i^2 = i^omega omega L^2 eta_{u_i}^2/(2 (omega-1) eps), eta_t = D/(L sqrt t)",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Cauchy-Schwarz, tau_i - 1 <= tau_i",
                "tight": "the definition of sigma_i and eta_t",
            },
        ),
    ),
    correction="sqrt(sum i^{2 omega}) <= k^{omega+1/2} in place of k^{omega+1/2}/sqrt 3.",
)
CONSTANT = Claim(
    id="olu.eq27",
    label="(27)",
    kind="inequality",
    statement="Against one comparator the expected regret is at most 3DL sqrt T plus (26)(d).",
    readings=(
        Reading(
            "literal",
            "noise before the projection, omega = 1.2",
            ("printed", "corrected"),
            proofs={
                "printed": "not by (26)(d): what that loses is at most 0.26 DL sqrt T, because a "
                "noise term is also at most D^2/(2 eta); 3DL sqrt T is twice what (25) needs",
                "corrected": "(25) with 3/2, and E B itself",
            },
        ),
    ),
)
CLAIMS = (NOISE, CONSTANT)


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
    yield ctx.compare(
        "literal", "corrected", measured, late, "attained by one late deletion", relation="==",
        tolerance=1e-6,
    )  # fmt: skip
    for _ in range(ctx.pick(60, 2000)):
        k = int(rng.integers(1, 20))
        u = rng.choice(np.arange(1, 400), size=k, replace=False)
        tau = np.sort(u.max() + rng.integers(1, 400, size=k))
        D, L, epsilon = np.exp(rng.normal(size=3)).tolist()
        scalars = {"D": D, "L": L, "d": float(rng.integers(1, 50)), "epsilon": epsilon,
                   "omega": 1 + float(np.exp(rng.normal(-1, 0.7)))}  # fmt: skip
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
                ctx.formula(
                    form, T=T, D=D[c], L=L[c], d=1, epsilon=epsilon[c], u=runs.indices[:, c],
                    tau=runs.times[:, c],
                )
                for c in range(count)
            ]  # fmt: skip
            yield ctx.compare(
                "literal", form, played.regret(still), {"T": T, "k": k, "count": count},
                f"random Huber losses, {k} deletions", bound=bound, tight=np.nan,
            )  # fmt: skip
    few = np.arange(1, 14)
    lost = 1 - few**1.7 / np.sqrt(3 * np.cumsum(few**2.4))
    yield ctx.compare(
        "literal", "printed", few / 2 * lost, {"k": few},
        "what (26)(d) loses, in DL sqrt T, against the slack of (25)", bound=1.5, tight=np.nan,
    )  # fmt: skip


CHECKERS = {"olu.eq26": check_noise, "olu.eq27": check_constant}
