"""Appendix C.2 of hf: one statistic for each user's samples."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.hf.hvp import logistic_model


def measure(k: float, T: float, b: float, d: float, K: float = 1.0) -> float:
    """Operations of following k users' lines, less those of training, counted."""
    from simulators.trajectory.operations import Counter
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training

    size, users = int(b), int(k)
    if T == 0:
        return 0.0
    model = logistic_model(max(size, users), int(d))
    training = Training((np.arange(size),) * int(T), np.full(int(T), 0.1), np.zeros(int(d)))
    sets = [range(u, model.size, users) for u in range(users)]
    with Counter() as alone:
        training.run(model)
    with Counter() as together:
        differences(model, training, sets, Recursion("batch"))
    return float(together.flops - alone.flops)


def check_vectors(ctx: Context) -> Findings:
    """Statistics of random users against sums over their samples and against both runs."""
    from simulators.trajectory.operations import products
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, difference, equal, problems

    rng = ctx.rng()
    pairs: list[tuple[float, float]] = []
    kept_pairs: list[tuple[float, float]] = []
    storage = []
    for problem in problems(rng, ctx.pick(20, 300), forgotten=2, most=4):
        run = (problem.model, problem.training)
        n = problem.model.size
        users = np.array_split(rng.permutation(n), int(rng.integers(2, 4)))
        single = differences(*run, "each", Recursion("batch")).vectors
        statistics = differences(*run, users, Recursion("batch")).vectors
        exact = differences(*run, users).vectors
        for samples, vector, line in zip(users, statistics, exact, strict=True):
            pairs.append(departure(vector, single[samples].sum(axis=0)))
            kept_pairs.append(departure(line, difference(*run, samples)))
        state_bytes = products(*run, len(users)).state_bytes
        storage.append(state_bytes / (8 * len(users) * problem.model.parameters))
    at = "random users in random quadratic problems"
    yield equal(ctx, "literal", "printed", pairs, at)
    yield equal(ctx, "kept", "corrected", kept_pairs, "users' sets against both runs")
    yield ctx.compare("literal", "printed", storage, {}, "numbers held over kd", bound=1.0)


COUNTED = Instances(
    "operations counted",
    case_table("k T b d K", (1, 1, 1, 3, 10), (2, 3, 100, 4, 100), (5, 4, 60, 7, 10)),
    relations={"corrected": "=="},
    script="kusers_time",
)
CHECKS = (
    Check("hf.kusers", check_vectors),
    Check("hf.kusers.time", exact_side=measure, at=(COUNTED,)),
)
