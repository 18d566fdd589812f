"""Appendix C.2 of hf: one statistic for each user's samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

VECTORS = Claim(
    id="hf.kusers",
    label="k users (Appendix C.2)",
    kind="equality",
    statement="k vectors, one a user, replace n vectors: storage O(kd).",
    readings=(
        Reading(
            "literal",
            "statistics (11): a user's vector against the sum over the user's samples",
            ("printed",),
            proofs={"printed": "Theorem 3.1; injections are summed for each user"},
        ),
        Reading(
            "kept",
            "the statistics that are exact on quadratics, one for each user's set",
            ("corrected",),
            proofs={"corrected": "the kept samples' Hessians of that set"},
            stance="repair",
        ),
    ),
    formula=False,
)
TIME = Claim(
    id="hf.kusers.time",
    label="k users (Appendix C.2), time",
    kind="claim",
    statement="The statistics of k users take O(kTd).",
    readings=(
        Reading(
            "literal",
            "one constant, whatever the batch",
            ("printed", "corrected"),
            proofs={"corrected": "two products with the batch for each line and step"},
        ),
    ),
    natural=Natural(
        "b", tuple(float(b) for b in (1, 2, 5, 10, 20, 50, 100, 200)),
        {"k": 5.0, "T": 10.0, "d": 20.0, "K": 100.0}, log_x=True,
    ),
    quantity="operations",
    correction="O(kTbd): k runs of training.",
)  # fmt: skip
CLAIMS = (VECTORS, TIME)


def measure(k: float, T: float, b: float, d: float, K: float = 1.0) -> float:
    """Operations of following k users' lines, less those of training, counted."""
    from simulators.trajectory.operations import Counter
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training
    from verify.hf.hvp import logistic_model

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


def check_vectors(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.operations import products
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, difference, worlds

    rng = ctx.rng()
    pairs: list[tuple[float, float]] = []
    kept: list[tuple[float, float]] = []
    storage = []
    for world in worlds(rng, ctx.pick(20, 300), forgotten=2, most=4):
        run, n = (world.model, world.training), world.model.size
        users = np.array_split(rng.permutation(n), int(rng.integers(2, 4)))
        single = differences(*run, "each", Recursion("batch")).vectors
        found = differences(*run, users, Recursion("batch")).vectors
        exact = differences(*run, users).vectors
        for samples, vector, line in zip(users, found, exact, strict=True):
            pairs.append(departure(vector, single[samples].sum(axis=0)))
            kept.append(departure(line, difference(*run, samples)))
        held = products(*run, len(users)).state_bytes
        storage.append(held / (8 * len(users) * world.model.parameters))
    for reading, form, text, values in (
        ("literal", "printed", "random users in random quadratic worlds", pairs),
        ("kept", "corrected", "users' sets against both runs", kept),
    ):
        left, right = np.array(values).T
        yield ctx.compare(
            reading, form, left, {}, text, bound=right, relation="==", tolerance=1e-11
        )
    yield ctx.compare(
        "literal", "printed", storage, {}, "numbers held over kd", bound=1.0, relation="=="
    )


def check_time(ctx: Context) -> Iterator[Evidence]:
    for k, T, b, d, K in ((1, 1, 1, 3, 10), (2, 3, 100, 4, 100), (5, 4, 60, 7, 10)):
        inputs = {
            "k": float(k), "T": float(T), "b": float(b), "d": float(d), "K": float(K),
        }  # fmt: skip
        found = measure(**inputs)
        yield ctx.compare(
            "literal", "printed", found, inputs, "operations counted", script="kusers_time"
        )
        yield ctx.compare(
            "literal", "corrected", found, inputs, "operations counted", relation="=="
        )


CHECKERS = {VECTORS.id: check_vectors, TIME.id: check_time}
MEASURES = {TIME.id: measure}
