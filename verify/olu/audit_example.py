"""Algorithm 1 of olu with the noise of its line 5: D_alpha <= alpha epsilon is claimed, and false.

Online gradient descent with eta_t = 1/(mu t) on losses (z - x_t)^2/2 over [-1/2, 1/2]; the loss of
round 4 is removed at time 8.  The printed noise assumes that every step contracts by
gamma = (beta - mu)/(beta + mu) = 1/2 (olu Corollary 1), where the steps taken contract by 1 - 1/t.
The projection comes before the noise, as printed.  Batched, by the torch simulator.
"""

import numpy as np
from numpy.typing import NDArray

from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from bounds.olu.accountants import LearnerScenario, noise
from simulators.domains import Box
from verify.audit.problem import AuditedProblem

Array = NDArray[np.float64]
MU, BETA, LIPSCHITZ, REMOVED, TIME, EPSILON = 1.0, 3.0, 1.0, 4, 8, 1.0


def _published(data: Array, skipped: int, rng: np.random.Generator, trials: int) -> Array:
    """w_tau of a run that serves the request (skipped 0), or that never had the loss (1)."""
    from simulators.online.learners import run
    from simulators.online.quadratics import Quadratics

    requests = DeletionSchedule(np.array([REMOVED]), np.array([TIME]))
    descent = OnlineDescent(MU, BETA, LIPSCHITZ, inverse_time(MU), 1.0)
    sigma = noise(LearnerScenario(descent, requests), EPSILON, accountants=("printed",))["printed"]
    record = run(
        Quadratics(data, domain=Box(-0.5, 0.5)),
        requests,
        steps=inverse_time(MU),
        sigmas=sigma,
        runs=(skipped,),
        projection="before",
        trials=trials,
        seed=int(rng.integers(2**31)),
        compare=False,
        keep_losses=False,
        device="cpu",
    )
    return record.run_without(skipped)[:, 0]


def learn(data: Array, rng: np.random.Generator, trials: int) -> int:
    """The simulator learns and unlearns in one loop: only the number of trials is passed on."""
    return trials


def unlearn(trials: int, data: Array, request: int, rng: np.random.Generator) -> Array:
    """The run that had the loss, and forgot it by noise."""
    return _published(data, 0, rng, trials)


def retrain(data: Array, request: int, rng: np.random.Generator, trials: int) -> Array:
    """The run that never had it, with the same noise."""
    return _published(data, 1, rng, trials)


DATA = np.full(8, -0.5)
DATA[REMOVED - 1] = 0.5
EXAMPLE = AuditedProblem(
    learn, unlearn, retrain, DATA, REMOVED, batched=True, claim={"renyi": EPSILON}
)
