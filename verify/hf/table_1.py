"""Table 1 of hf and Section 4.4: operations counted, against the orders that are stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_COUNT = "every sample's statistic goes through every batch: 4 sum_t b_t d = 4 (E + 1) n d"
_NATURAL = Natural(
    "n", (8.0, 16.0, 32.0, 64.0, 128.0), {"d": 10, "E": 1, "B": 2, "K": 10.0}, log_x=True
)
TIME = Claim(
    id="hf.table1",
    label="Table 1, pre-computation",
    kind="claim",
    statement="The statistics of all n samples take O(nd).",
    readings=(
        Reading("literal", "linear scores; any constant K", ("printed", "corrected"),
                proofs={"corrected": _COUNT}),
        Reading("budget", "against n training runs", ("corrected",), proofs={"corrected": _COUNT},
                stance="repair"),
    ),
    natural=_NATURAL,
    quantity="operations",
    correction="O((E + 1) n^2 d): n training runs, so that in operations the statistics never pay "
    "for themselves; they buy latency, and deletion without data.",
)  # fmt: skip
STEPS = Claim(
    id="hf.table1.steps",
    label="Section 4.4, pre-computation",
    kind="claim",
    statement="The statistics of all n samples take O(nTd).",
    readings=(
        Reading("literal", "linear scores, batches of n/B; any constant K",
                ("printed", "corrected"), proofs={"corrected": _COUNT}),
    ),
    natural=_NATURAL,
    quantity="operations",
    correction="O(nTbd) = O((E + 1) n^2 d).",
)  # fmt: skip
STORAGE = Claim(
    id="hf.table1.storage",
    label="Table 1, storage",
    kind="claim",
    statement="The statistics take O(nd) numbers.",
    readings=(
        Reading("literal", "what is kept for Stage III", ("printed",),
                proofs={"printed": "n vectors of d numbers"}),
        Reading("computing", "what Stage II holds, run after training as Algorithm 1 has it",
                ("printed", "corrected"), proofs={"corrected": "the iterates w_0..w_T besides"}),
    ),
    natural=Natural("E", tuple(float(e) for e in range(10)), {"n": 6, "d": 4, "B": 3}),
    quantity="numbers held",
    correction="Fuse Stage II with training, or hold T d more.",
)  # fmt: skip
UNLEARNING = Claim(
    id="hf.table1.unlearning",
    label="Table 1, unlearning",
    kind="claim",
    statement="A request of m samples takes O(md).",
    readings=(
        Reading("literal", "additions, without the noise", ("printed",),
                proofs={"printed": "m vectors are added to w_T"}),
    ),
    natural=Natural("m", (1.0, 2.0, 5.0, 10.0), {"d": 5}),
    quantity="additions",
)  # fmt: skip
JACKKNIFE = Claim(
    id="hf.table1.jackknife",
    label="Section 4.4, unlearning by IJ",
    kind="claim",
    statement="A request of m samples takes O(md^2 + md) with a stored inverse Hessian.",
    readings=(
        Reading("literal", "gradients at hand, products count two operations",
                ("printed", "corrected"),
                proofs={"printed": "a product for each sample",
                        "corrected": "the product of the sum"}),
    ),
    natural=Natural("m", (1.0, 2.0, 5.0, 10.0), {"d": 5}),
    quantity="operations",
    correction="O(md + d^2); by conjugate gradients no Hessian is stored.",
)  # fmt: skip
CLAIMS = (TIME, STEPS, STORAGE, UNLEARNING, JACKKNIFE)


def problem(n: float, d: float, E: float, B: float) -> tuple[Any, Any]:
    """Ridge regression and E + 1 epochs of B batches."""
    from simulators.data.dataset import Dataset
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
    held = differences(model, training, "each").vectors.size
    return float(held + training.run(model).points.size)


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


def check_time(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.operations import Counter

    cases = ((40, 3, 4, 1, 100.0), (12, 5, 0, 3, 10.0), (30, 4, 9, 5, 1000.0))
    for n, d, E, B, K in cases:
        inputs = {"n": n, "d": d, "E": E, "B": B, "K": K}
        found = measure(**inputs)
        yield ctx.compare(
            "literal", "corrected", found, inputs, "ridge, operations counted", relation="=="
        )
        yield ctx.compare(
            "literal", "printed", found, inputs, "ridge, operations counted", script="table1_time"
        )
        model, training = problem(n, d, E, B)
        with Counter() as counter:
            training.run(model)
        yield ctx.compare(
            "budget", "corrected", n * counter.flops, inputs, "n training runs, counted",
            relation="==",
        )  # fmt: skip
    for n, d, E, B, _ in cases[:1]:
        inputs = {"n": 2 * n, "d": d, "E": E, "B": B}
        yield ctx.compare(
            "literal", "corrected", measure(**inputs, K=1), inputs, "twice the samples, not twice",
            bound=2 * measure(n=n, d=d, E=E, B=B), role="control",
        )  # fmt: skip


def check_steps(ctx: Context) -> Iterator[Evidence]:
    for n, d, E, B, K in ((40, 3, 4, 1, 20.0), (60, 5, 1, 3, 50.0), (500, 4, 1, 2, 900.0)):
        inputs = {"n": n, "d": d, "E": E, "B": B, "K": K}
        found = measure(**inputs)
        yield ctx.compare(
            "literal", "corrected", found, inputs, "ridge, operations counted", relation="=="
        )
        yield ctx.compare(
            "literal", "printed", found, inputs, "ridge, operations counted", script="table1_time"
        )


def check_storage(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import differences

    for n, d, E, B in ((6, 4, 9, 3), (10, 2, 0, 1)):
        inputs = {"n": n, "d": d, "E": E, "B": B}
        kept = differences(*problem(n, d, E, B), "each").vectors.size
        at = "statistics and iterates counted"
        yield ctx.compare("literal", "printed", kept, inputs, "statistics counted", relation="==",
                          tight=np.nan)  # fmt: skip
        found = measure_storage(**inputs)
        yield ctx.compare("computing", "printed", found, inputs, at, script="table1_storage")
        yield ctx.compare("computing", "corrected", found, inputs, at, relation="==")


def check_unlearning(ctx: Context) -> Iterator[Evidence]:
    for m, d in ((1, 5), (7, 3), (20, 11)):
        inputs = {"m": m, "d": d}
        yield ctx.compare(
            "literal", "printed", measure_additions(**inputs), inputs, "counted", relation="=="
        )


def check_jackknife(ctx: Context) -> Iterator[Evidence]:
    for m, d in ((1, 5), (7, 3), (20, 11)):
        inputs = {"m": m, "d": d}
        found = measure_jackknife(**inputs)
        yield ctx.compare("literal", "printed", found, inputs, "gradients added first")
        yield ctx.compare("literal", "corrected", found, inputs, "counted", relation="==")
        yield ctx.compare(
            "literal", "printed", measure_one_by_one(**inputs), inputs,
            "a product for each sample, counted", relation="==",
        )  # fmt: skip


CHECKERS = {
    TIME.id: check_time,
    STEPS.id: check_steps,
    STORAGE.id: check_storage,
    UNLEARNING.id: check_unlearning,
    JACKKNIFE.id: check_jackknife,
}
MEASURES = {
    TIME.id: measure,
    STEPS.id: measure,
    STORAGE.id: measure_storage,
    UNLEARNING.id: measure_additions,
    JACKKNIFE.id: measure_jackknife,
}
