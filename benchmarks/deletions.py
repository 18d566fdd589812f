"""Least deletion noise and its privacy against the number of deletions.

    python benchmarks/deletions.py [--rounds 1000000] [--repeat 3]

Random interleaved schedules under eta_t = 1/(mu t).  Beside the closed forms stand what one would
write without them: one isotonic regression per request (`scipy.optimize.isotonic_regression` on
the points of that request), and a quadratic program for the last request (SLSQP), up to the
sizes where they take seconds.  `printed` is the paper's noise, which no short cut certifies: only
its worst request is sought.
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import isotonic_regression, minimize

from accounting import DeletionSchedule, OnlineDescent, deletion_mus, inverse_time
from accounting.deletions.privacy import Events
from bounds.olu.accountants import LearnerScenario, certified, noise


def problem(k: int, rounds: int, seed: int = 0) -> LearnerScenario:
    """k deletions at random times of random earlier rounds."""
    rng = np.random.default_rng(seed)
    tau = np.sort(rng.integers(2, rounds, k))
    descent = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))
    return LearnerScenario(descent, DeletionSchedule(rng.integers(1, tau), tau))


def points(scenario: LearnerScenario, sigma: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Rises of the obstacle and of the clock between the noises of request i (eta = 1/(mu t))."""
    u, tau = scenario.schedule.indices[: i + 1], scenario.schedule.times[: i + 1]
    fresh = np.unique(u)  # every removed loss shifts the transported iterate by L/mu
    rise = np.bincount(np.searchsorted(tau - 1, fresh), minlength=i + 1).astype(float)
    return rise, np.square(sigma[: i + 1] * (tau - 1))


def by_isotonic(scenario: LearnerScenario, sigma: np.ndarray) -> float:
    """The worst mu, by one isotonic regression per request."""
    worst = 0.0
    for i in range(len(sigma)):
        rise, run = points(scenario, sigma, i)
        rise, run = rise[run > 0], run[run > 0]
        slopes = isotonic_regression(rise / run, weights=run).x
        worst = max(worst, float((slopes**2 * run).sum()))
    return math.sqrt(worst)


def by_programming(scenario: LearnerScenario, sigma: np.ndarray) -> float:
    """mu of the last request, by SLSQP."""
    rise, run = points(scenario, sigma, len(sigma) - 1)
    rise, root = rise[run > 0], np.sqrt(run[run > 0])
    total, lower = rise.sum(), np.tril(np.ones((rise.size, rise.size)))
    found = minimize(
        lambda x: x @ x,
        total * root / (root @ root),
        jac=lambda x: 2 * x,
        method="SLSQP",
        constraints=[
            {
                "type": "ineq",
                "fun": lambda x: (lower @ (rise - root * x))[:-1] / total,
                "jac": lambda x: -(lower * root)[:-1] / total,
            },
            {
                "type": "eq",
                "fun": lambda x: (rise.sum() - root @ x) / total,
                "jac": lambda x: -root / total,
            },
        ],
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return math.sqrt(found.fun)


def timed(run: Callable[[], object], repeat: int) -> float:
    """Median seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10**6)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(
        f"{'deletions':>10}{'transport s':>12}{'noise s':>10}{'mus s':>10}{'printed s':>11}"
        f"{'isotonic s':>12}{'SLSQP s':>10}{'difference':>12}"
    )
    for k in (10, 100, 1000, 10_000):
        scenario = problem(k, options.rounds)
        sigmas = noise(scenario, 0.1)
        sigma = sigmas["exact"]
        row = [
            timed(lambda s=scenario: Events(s.descent, s.schedule), options.repeat),
            timed(lambda s=scenario: noise(s, 0.1)["exact"], options.repeat),
            timed(lambda s=scenario, x=sigma: s.events.mus(x), options.repeat),
            timed(lambda s=scenario, x=sigmas["printed"]: certified(s, x), 1),
        ]
        line = f"{k:>10}{row[0]:>12.3f}{row[1]:>10.4f}{row[2]:>10.4f}{row[3]:>11.3f}"
        difference = 0.0
        ours = float(deletion_mus(scenario.descent, scenario.schedule, sigma).max())
        if k <= 1000:
            line += f"{timed(lambda s=scenario, x=sigma: by_isotonic(s, x), 1):>12.3f}"
            difference = abs(by_isotonic(scenario, sigma) / ours - 1)
        else:
            line += f"{'':>12}"
        if k <= 100:
            line += f"{timed(lambda s=scenario, x=sigma: by_programming(s, x), 1):>10.3f}"
            difference = max(difference, abs(by_programming(scenario, sigma) / ours - 1))
        else:
            line += f"{'':>10}"
        print(line + (f"{difference:>12.1e}" if difference else ""))


if __name__ == "__main__":
    main()
