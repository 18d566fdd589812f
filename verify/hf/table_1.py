"""Table 1 of hf and Section 4.4: operations counted, against the orders that are stated."""

from dataclasses import replace
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from verify.checks import Check, Context, Findings, Instances, case_table


def problem(n: float, d: float, E: float, B: float) -> tuple[Any, Any]:
    """Ridge regression and E + 1 epochs of B batches."""
    from simulators.losses.ridge import Ridge
    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.training import Training, batches_of

    rng = np.random.default_rng(int(1000 * n + d))
    data = Dataset(rng.normal(size=(int(n), int(d))), rng.normal(size=int(n)))
    batches = batches_of(int(n), int(np.ceil(n / B)), int(E + 1))
    training = Training(batches, np.full(len(batches), 0.01), np.zeros(int(d)))
    return LinearScore(Ridge(0.1), data), training


def measure(n: float, d: float, E: float, B: float, K: float = 1) -> float:
    """Operations for all statistics by the recursion, less those of the training run itself."""
    from simulators.trajectory.operations import Counter, training_run
    from simulators.trajectory.recursion import Recursion, differences

    model, training = problem(n, d, E, B)
    with Counter() as counter:
        differences(model, training, "each", Recursion(hessian="batch"))
    return float(counter.flops - training_run(model, training).flops)


def measure_storage(n: float, d: float, E: float, B: float) -> float:
    """Numbers in the statistics and in the iterates that Stage II reads."""
    from simulators.trajectory.recursion import differences

    model, training = problem(n, d, E, B)
    vector_size = differences(model, training, "each").vectors.size
    return float(vector_size + training.run(model).points.size)


def measure_additions(m: float, d: float) -> float:
    """Additions, counted, until the model and the statistics of m samples are one vector."""
    model, count = [0.0] * int(d), 0
    for _ in range(int(m)):
        for j in range(int(d)):
            model[j] += 1.0
            count += 1
    return float(count)


def measure_jackknife(m: float, d: float) -> float:
    """Operations for the product of a d x d matrix with a sum of m vectors."""
    import torch

    from simulators.trajectory.operations import Counter

    with Counter() as counter:
        torch.mv(torch.ones((int(d), int(d))), torch.full((int(d),), float(m)))
    return float(measure_additions(m, d) + counter.flops)


def measure_one_by_one(m: float, d: float) -> float:
    """Operations for a product with each of m vectors and the sum of the results."""
    import torch

    from simulators.trajectory.operations import Counter

    with Counter() as counter:
        for _ in range(int(m)):
            torch.mv(torch.ones((int(d), int(d))), torch.ones(int(d)))
    return float(measure_additions(m, d) + counter.flops)


def check_time(ctx: Context) -> Findings:
    """Operations of n training runs counted, and of twice the samples."""
    from simulators.trajectory.operations import Counter

    for inputs in TIMES:
        n, d, E, B = (inputs[name] for name in "ndEB")
        model, training = problem(n, d, E, B)
        with Counter() as counter:
            training.run(model)
        operations = n * counter.flops
        at = "n training runs, counted"
        yield ctx.compare("budget", "corrected", operations, inputs, at, relation="==")
    twice, once = measure(80, 3, 4, 1), measure(40, 3, 4, 1)
    at = "twice the samples, not twice"
    yield ctx.compare("literal", "corrected", twice, {}, at, bound=2 * once, role="control")


def check_storage(ctx: Context) -> Findings:
    from simulators.trajectory.recursion import differences

    for inputs in HELD:
        storage = differences(*problem(**inputs), "each").vectors.size
        yield ctx.compare(
            "literal", "printed", storage, inputs, "statistics counted", relation="==", tight=np.nan
        )


def check_jackknife(ctx: Context) -> Findings:
    at = "a product for each sample, counted"
    for inputs in REQUESTS:
        lhs = measure_one_by_one(**inputs)
        yield ctx.compare("literal", "printed", lhs, inputs, at, relation="==")


TIMES = case_table("n d E B K", (40, 3, 4, 1, 100), (12, 5, 0, 3, 10), (30, 4, 9, 5, 1000))
HELD = case_table("n d E B", (6, 4, 9, 3), (10, 2, 0, 1))
REQUESTS = case_table("m d", (1, 5), (7, 3), (20, 11))
TIME = Instances(
    "ridge, operations counted",
    TIMES,
    interpretations=("literal",),
    relations={"corrected": "=="},
    script="table1_time",
)
STEPS = replace(
    TIME, cases=case_table("n d E B K", (40, 3, 4, 1, 20), (60, 5, 1, 3, 50), (500, 4, 1, 2, 900))
)
STORAGE = replace(
    TIME,
    words="statistics and iterates counted",
    cases=HELD,
    interpretations=("computing",),
    script="table1_storage",
)
ADDITIONS = Instances("counted", REQUESTS, relations={"printed": "=="})
PRODUCTS = Instances("gradients added first", REQUESTS, relations={"corrected": "=="})
CHECKS = (
    Check("hf.table1", check_time, measure, (TIME,)),
    Check("hf.table1.steps", exact_side=measure, at=(STEPS,)),
    Check("hf.table1.storage", check_storage, measure_storage, (STORAGE,)),
    Check("hf.table1.unlearning", exact_side=measure_additions, at=(ADDITIONS,)),
    Check("hf.table1.jackknife", check_jackknife, measure_jackknife, (PRODUCTS,)),
)
