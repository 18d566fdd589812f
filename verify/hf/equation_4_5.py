"""(4)-(5) of hf: retraining in the same slots, held against training on what is left."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.eq4_5",
    label="Equations (4)-(5)",
    kind="definition",
    statement="Retraining repeats the run's batches without U, each step scaled by the share of "
    "the batch that is kept.",
    aliases=("hf.eq4-5", "hf.eq4", "hf.eq5", "hf.eq19", "hf.eq20"),
    readings=(
        Reading("literal", "one sample is forgotten, U = {u}", ("printed", "corrected")),
        Reading(
            "sets",
            "several are, some of them in one batch",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    "leave out B and U, not {u_j}", r"\setminus \{u_{j}\}", r"\setminus U"
                )
            },
        ),
    ),
    natural=Natural(
        "m", tuple(float(m) for m in range(1, 9)), {"eta": 0.5, "b": 8.0, "g": 1.0}, log_y=False
    ),
    quantity="move of the retrained iterate",
    correction="Sum over the batch without U. It is a choice: training on what is left, with "
    "steps of its own, ends elsewhere.",
)


def measure(eta: float, b: float, m: float, g: float) -> float:
    """One step of retraining on b linear losses g w of which m are forgotten."""
    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.training import Training

    n = int(b)
    model = FunctionModel(lambda w, x, y: w[0] * x[0], np.full((n, 1), g), np.zeros(n), 1)
    training = Training((np.arange(n),), np.array([eta]), np.zeros(1))
    return -float(training.run(model, range(int(m))).last[0])


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.training import Training
    from verify.hf.quadratic_worlds import Quadratics, departure, worlds

    for b, m in ((1, 1), (4, 1), (64, 1), (4, 2), (40, 7), (3, 3)):
        inputs = {"eta": 0.3, "b": float(b), "m": float(m), "g": -1.5}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal" if m == 1 else "sets", form, measure(**inputs), inputs,
                "one step on linear losses", relation="==",
                script="eq4_5" if form == "printed" and m > 1 else None,
            )  # fmt: skip
    rng = ctx.rng()
    for reading, least, most in (("literal", 1, 1), ("sets", 2, 4)):
        pairs = []
        for world in worlds(rng, ctx.pick(40, 400), forgotten=least, most=most):
            kept = np.setdiff1d(np.arange(world.model.size), world.forget)
            smaller = Quadratics(world.model.H[kept].numpy(), world.model.c[kept].numpy())
            slots = [rows[np.isin(rows, kept)] for rows in world.training.batches]
            share = np.array(
                [len(s) / len(r) for s, r in zip(slots, world.training.batches, strict=True)]
            )
            used = share > 0
            alone = Training(
                tuple(np.searchsorted(kept, s) for s in slots if len(s)),
                (world.training.steps * share)[used], world.training.start,
            )  # fmt: skip
            retrained = world.training.run(world.model, world.forget).last
            pairs.append(departure(alone.run(smaller).last, retrained))
        found, exact = np.array(pairs).T
        yield ctx.compare(
            reading, "corrected", found, {}, "training on the kept samples, steps scaled",
            bound=exact, relation="==", tight=np.nan, tolerance=1e-12,
        )  # fmt: skip
