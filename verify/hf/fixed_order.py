"""Problems on a line whose batches come in the same order every epoch, as (41) of hf assumes."""

from typing import Any

import numpy as np

from verify.hf.line_problems import LineProblems

Inputs = dict[str, Any]


def fixed_order(
    rng: np.random.Generator, count: int, sets: bool = False
) -> tuple[LineProblems, Inputs]:
    """Random problems with B batches of b samples, E + 1 epochs, and m forgotten in batch b_u.

    With the arguments of (41): eta, q and rho = max_t rho_t are arrays; C is left to the run.
    """
    B = int(rng.integers(1, 4))
    b = int(rng.integers(1, 4))
    E = int(rng.integers(0, 6))
    b_u = int(rng.integers(B))
    m = int(rng.integers(1, b + 1)) if sets else 1
    n = B * b
    T = (E + 1) * B
    # Half of the problems have slopes above their waves, and so are convex.
    wave = rng.exponential(size=(count, n)) * rng.integers(0, 2, (count, n))
    slope = rng.normal(size=(count, n)) + np.where(rng.random((count, 1)) < 0.5, wave + 1, 0)
    top = (np.abs(slope) + np.abs(wave)).max(axis=1)
    # From far below the largest step that contracts, 2/top, to beyond it.
    eta = rng.uniform(0.05, 2.2, count) / top
    q = rng.uniform(0.3, 0.99, count)
    member = np.zeros((count, T, n), dtype=bool)
    for t in range(T):
        member[:, t, (t % B) * b : (t % B + 1) * b] = True
    deletions = np.zeros((count, n), dtype=bool)
    deletions[:, b_u * b : b_u * b + m] = True
    centre = rng.normal(size=(count, n)) * 2
    phase = rng.uniform(0, 6, (count, n))
    steps = eta[:, None] * q[:, None] ** np.arange(T)
    start = rng.normal(size=count)
    problems = LineProblems(slope, centre, wave, phase, member, steps, deletions, start)
    # rho_t is convex in the step size, so that the largest is at the first or the last step.
    ends = problems.steps[:, [0, -1]]
    slow = np.abs(1 - ends * problems.lam[:, None])
    fast = np.abs(1 - ends * problems.M[:, None])
    rho = np.maximum(slow, fast)
    chosen = {"E": E, "B": B, "b": b, "b_u": b_u, "m": m}
    return problems, {"eta": eta, "q": q, "rho": rho.max(axis=1), **chosen}
