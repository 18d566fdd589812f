"""(26) and (27) of olu: the noise term, and the regret against one comparator."""

from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings
from verify.olu.huber_runs import batches, each


def noise_term(
    u: np.ndarray, tau: np.ndarray, D: float, L: float, d: float, epsilon: float, omega: float
) -> float:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}) from the definitions."""
    i = np.arange(1, u.size + 1)
    sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon)) * L * (D / (L * np.sqrt(u)))
    return float(np.sum(d * sigma**2 / (2 * D / (L * np.sqrt(tau - 1)))))


def check_noise(ctx: Context) -> Findings:
    """E B from the definitions: one deletion, a late one that attains it, random schedules."""
    rng = ctx.rng()
    unit = {"D": 1.0, "L": 1.0, "d": 1, "epsilon": 1.0, "omega": 1.2}

    def at(u: Any, tau: Any, **scalars: Any) -> tuple[float, dict[str, Any]]:
        noise_cost = noise_term(np.asarray(u), np.asarray(tau), **scalars)
        return noise_cost, {**scalars, "u": u, "tau": tau}

    noise_cost, one = at([5], [10], **unit)
    yield ctx.compare("literal", "printed", noise_cost, one, "one deletion", script="eq26_one")
    yield ctx.compare("literal", "tight", noise_cost, one, "one deletion", relation="==")
    (noise_cost, late), words = at([10**6], [10**6 + 1], **unit), "attained by one late deletion"
    yield ctx.compare(
        "literal", "corrected", noise_cost, late, words, relation="==", tolerance=1e-6
    )
    for _ in range(ctx.pick(60, 2000)):
        k = int(rng.integers(1, 20))
        d = rng.integers(1, 50)
        omega = 1 + np.exp(rng.normal(-1, 0.7))
        u = rng.choice(np.arange(1, 400), size=k, replace=False)
        tau = np.sort(u.max() + rng.integers(1, 400, size=k))
        D, L, epsilon = np.exp(rng.normal(size=3)).tolist()
        noise_cost, inputs = at(u, tau, D=D, L=L, d=float(d), epsilon=epsilon, omega=float(omega))
        yield ctx.compare("literal", "corrected", noise_cost, inputs, "random deletions")
        yield ctx.compare("literal", "tight", noise_cost, inputs, "random deletions", relation="==")


def check_constant(ctx: Context) -> Findings:
    """Regret against one comparator on batches of Huber runs with the paper's noise.

    Then what step (26)(d) loses, against the slack of (25).
    """
    for runs, epsilon, words in batches(ctx, spread=(-2, 3)):
        D, L, T = runs.diameter, runs.lipschitz, runs.rounds
        played = runs.play(D / L / np.sqrt(np.arange(1, T + 1))[:, None], epsilon, "paper", 1.2)
        still = np.broadcast_to(runs.comparators()[0], (len(runs.indices) + 1, D.size))
        regret = played.regret(still)
        inputs = {"T": T, "k": len(runs.indices)}
        at = {"D": D, "L": L, "d": 1, "epsilon": epsilon, "u": runs.indices, "tau": runs.times}
        for form in ("printed", "corrected"):
            bound = each(ctx.claim[form], T=T, **at)
            yield ctx.compare("literal", form, regret, inputs, words, bound=bound, tight=np.nan)
    few = np.arange(1, 14)
    lost = few / 2 * (1 - few**1.7 / np.sqrt(3 * np.cumsum(few**2.4)))
    words = "what (26)(d) loses, in DL sqrt T, against the slack of (25)"
    yield ctx.compare("literal", "printed", lost, {"k": few}, words, bound=1.5, tight=np.nan)


CHECKS = (
    Check("olu.eq26", evidence=check_noise).measured_by(
        "online", "paper_noise_part", where=("steps D/(L sqrt t)",)
    ),
    Check("olu.eq27", evidence=check_constant)
    .measured_by("online", "paper_noise_fixed_regret", where=("steps D/(L sqrt t)", "passive"))
    .beside("worst signs, steps 1/sqrt(t)"),
)
