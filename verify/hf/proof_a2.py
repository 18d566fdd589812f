"""(25)-(30) of hf: the recursion for two samples, as printed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.proofa2",
    label="Proof of Theorem 3.1, Equations (25)-(30)",
    kind="equality",
    statement="The statistic of {u_1, u_2} follows (27) and (28), ends an epoch as (29), and is "
    "the sum of the two.",
    aliases=(
        "hf.proofA2", "hf.eq25", "hf.eq26", "hf.eq27", "hf.eq28", "hf.eq29", "hf.eq30",
    ),
    readings=(
        Reading(
            "literal",
            "(28) as printed: the step of u_2's batch in front of the gradient of u_1",
            ("printed", "corrected"),
            proofs={"corrected": "(9) for a set; both samples may share a batch"},
            edits={"printed": Edit("eta_{E,b(u_1)} in the second line of (28)", "u_2's", "u_1's")},
        ),
        Reading(
            "products",
            "(29) as printed: both samples' products run on from b(u)",
            ("printed", "corrected"),
            proofs={"corrected": "(9) for a set, unrolled"},
            edits={"printed": Edit("products from b(u) + 1", "from b(u)", "from b(u) + 1")},
            stance="part",
        ),
    ),
    formula=False,
    correction="(26)-(27) hold for batches without u_1 and u_2.",
)  # fmt: skip


def as_printed(world) -> np.ndarray:  # type: ignore[no-untyped-def]
    """(27)-(28) with the printed step sizes: u_1 comes first in each epoch."""
    import torch

    batches, steps = world.training.batches, world.training.steps
    epochs = sum(world.forget[0] in rows for rows in batches)
    per_epoch = len(batches) // epochs
    found = np.zeros(world.model.parameters)
    for t, _, tangent in world.training.walk(world.model):
        if t == len(batches):
            break
        rows, first = batches[t], t - t % per_epoch
        found = found - float(steps[t]) / len(rows) * tangent.hessian().numpy() @ found
        visits = [
            next(s for s in range(first, first + per_epoch) if u in batches[s])
            for u in world.forget
        ]
        for u in world.forget:
            if u in rows:
                weights = torch.from_numpy((rows == u).astype(float))
                rate = float(steps[max(visits)]) / len(rows)
                found = found + rate * tangent.gradient(weights).numpy()
    return found


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, worlds

    names = {
        "step": ("literal", "printed", "proofa2_step"),
        "late": ("products", "printed", "proofa2_product"),
        "sum": ("literal", "corrected", None),
        "sum2": ("products", "corrected", None),
    }
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for world in worlds(ctx.rng(), ctx.pick(40, 800), forgotten=2):
        run, sets = (world.model, world.training), [world.forget, *([u] for u in world.forget)]
        whole, *single = differences(*run, sets, Recursion("batch")).vectors
        total = np.sum(single, axis=0)
        late = differences(*run, sets[:1], Recursion("batch", order="late")).vectors[0]
        for name, found in (("step", as_printed(world)), ("late", late), ("sum", whole)):
            pairs[name].append(departure(found, total))
    pairs["sum2"] = pairs["sum"]
    for name, (reading, form, script) in names.items():
        left, right = np.array(pairs[name]).T
        yield ctx.compare(
            reading, form, left, {}, "two samples in random quadratic worlds", bound=right,
            relation="==", tolerance=1e-11, script=script,
        )  # fmt: skip
