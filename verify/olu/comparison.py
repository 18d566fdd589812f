"""The learners of olu side by side on real data: regret, noise, gradients, certified epsilon.

Logistic regression with a ridge, one row a round, steps 1/(mu t), on a ball that holds every
comparator.  Each learner serves the same random deletions; what it claims and what its noise
certifies are two columns, since for the paper's own noise they differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accounting.curves.gaussian import epsilon_gdp
from accounting.deletions.noise import allocated_noise, minimal_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from bounds.olu.accountants import LearnerScenario, certified, noise
from simulators.domains import Ball
from simulators.online.deletions import deletions

OMEGA = 1.2
LEARNERS = (
    "passive, printed noise",
    "passive, printed allocation of the true shift",
    "passive, least noise",
    "active, least noise",
    "discard and restart",
    "retraining",
    "online DP, noisy descent",
    "online DP, tree",
)


@dataclass(frozen=True)
class LearnerEntry:
    """One learner on one stream.

    regret and standard_error: eq 5, over the trials.  noise: expected squared norm of all noise
    added, d sum sigma_i^2 (for the private learners over all rounds).  claimed: the budget rho of
    D_alpha <= alpha rho that is claimed at every request; certified: the budget that the noise
    really gives; epsilon: the same as (epsilon, 1/T)-indistinguishability.  0 means exact.
    gradients: evaluations by purpose.
    """

    data: str
    rounds: int
    dimension: int
    deletions: int
    learner: str
    regret: float
    standard_error: float
    noise: float
    claimed: float
    certified: float
    epsilon: float
    gradients: dict[str, int]


@dataclass(frozen=True)
class RowStream:
    """A stream of rows with its constants and the learner's set-up."""

    name: str
    losses: Any
    descent: OnlineDescent
    first: int
    sha256: str

    @classmethod
    def of(cls, data: Any, name: str, regularisation: float = 0.1, seed: int = 0) -> RowStream:
        """Logistic regression on the shuffled rows, scaled to norm at most 1.

        f(0) = log 2 bounds (mu/2)|z*|^2 for the minimiser of any subset of the losses, so the ball
        of radius sqrt(2 log 2/mu) holds them all.
        """
        from simulators.losses.logistic import Logistic
        from simulators.online.noise import descent_on
        from simulators.online.rows import Rows

        rows = data.normalised().shuffled(seed)
        domain = Ball(math.sqrt(2.0 * math.log(2.0) / regularisation))
        losses = Rows.of(Logistic(regularisation), rows, domain)
        c = losses.constants
        descent = descent_on(losses, inverse_time(c.strong_convexity))
        first = math.ceil(0.5 + c.smoothness / c.strong_convexity)
        return cls(name, losses, descent, first, rows.sha256)


def compare(
    stream: RowStream,
    k: int,
    *,
    rho: float = 1.0,
    trials: int = 32,
    unlearning_steps: int = 20,
    seed: int = 0,
    learners: Sequence[str] = LEARNERS,
) -> list[LearnerEntry]:
    """Every learner on k random deletions, calibrated to D_alpha <= alpha rho.

    unlearning_steps: gradient steps I of the active learner at every request.
    """
    from simulators.online.learners import run
    from simulators.online.noise import active_noise
    from simulators.online.private import one_pass_noise, tree_noise
    from simulators.online.requests import Descent, Restart, Retrain

    d, T = stream.losses.dimension, stream.losses.rounds
    L = stream.descent.lipschitz
    requests = deletions("random", T, k, seed=seed, first=stream.first)
    assert requests is not None
    scenario = LearnerScenario(stream.descent, requests, OMEGA)
    sigmas = noise(scenario, rho)
    steps = stream.descent.step_size
    table: dict[str, Callable[[], dict[str, Any]]] = {
        LEARNERS[0]: lambda: {"sigmas": sigmas["printed"]},
        LEARNERS[1]: lambda: {"sigmas": sigmas["corrected"]},
        LEARNERS[2]: lambda: {"sigmas": sigmas["exact"]},
        LEARNERS[3]: lambda: {
            "sigmas": active_noise(stream.losses, requests, steps, rho, second=unlearning_steps),
            "unlearner": Descent(unlearning_steps),
        },
        LEARNERS[4]: lambda: {"unlearner": Restart()},
        LEARNERS[5]: lambda: {"unlearner": Retrain()},
        LEARNERS[6]: lambda: {"step_noise": one_pass_noise(L, k, rho)},
        LEARNERS[7]: lambda: {"step_noise": tree_noise(L, k, rho, T), "sums": "mean"},
    }
    entries: list[LearnerEntry] = []
    compared: float | None = None
    for learner in learners:
        options = table[learner]()
        result = run(
            stream.losses,
            requests,
            steps=steps,
            runs=(0,),
            trials=trials,
            seed=seed,
            compare=compared is None,
            keep_losses=False,
            **options,
        )
        if compared is None:
            compared = float(np.sum(result.comparator_losses))
        regret = result.total_loss - compared
        error = regret.std(ddof=1) / math.sqrt(trials) if trials > 1 else 0.0
        claimed, budget, epsilon = _budgets(learner, scenario, options, rho, 1.0 / T)
        step = options.get("step_noise", 0.0)
        entries.append(
            LearnerEntry(
                data=stream.name,
                rounds=T,
                dimension=d,
                deletions=k,
                learner=learner,
                regret=float(regret.mean()),
                standard_error=float(error),
                noise=d * (T * step**2 if step else result.noise_variance),
                claimed=claimed,
                certified=budget,
                epsilon=epsilon,
                gradients={name: int(n) for name, n in result.gradient_evaluations.items()},
            )
        )
    return entries


def _budgets(
    learner: str, scenario: LearnerScenario, options: dict[str, Any], rho: float, delta: float
) -> tuple[float, float, float]:
    """(claimed, certified) budgets of D_alpha <= alpha rho, and the epsilon at delta."""
    if learner in (LEARNERS[4], LEARNERS[5]):
        return 0.0, 0.0, 0.0
    if learner in LEARNERS[:3]:
        sigmas = options["sigmas"]
        return rho, certified(scenario, sigmas), certified(scenario, sigmas, delta)
    return rho, rho, float(epsilon_gdp(math.sqrt(2.0 * rho), delta))


def allocation_totals(deletions: Sequence[int]) -> list[tuple[int, float, float]]:
    """(k, least total variance, the paper's) for k equal shifts a without contraction.

    In units of a^2/(2 rho): k^2 against 6 sum_{j <= k} j^1.2.
    """
    rows = []
    for k in deletions:
        shifts, factors = np.zeros(k), np.zeros(k)
        least = float(np.sum(minimal_noise(shifts, factors, 0.5) ** 2))
        printed = float(np.sum(allocated_noise(shifts, 0.5, OMEGA) ** 2))
        rows.append((k, least, printed))
    return rows
