"""Algorithm 2 of hf: statistics along a repair, exact when the recursion simply goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.alg2",
    label="Algorithm 2",
    kind="algorithm",
    statement="Repair on what is left and add the repair's statistics to M times the stored ones: "
    "what results serves the next deletion.",
    readings=(
        Reading(
            "literal",
            "quadratic losses; target: repair from w + a without u_j minus repair from w with it",
            ("printed", "corrected"),
            proofs={"corrected": "(5) minus (3) along the repair, started from D_0 = a"},
        ),
    ),
    natural=Natural(
        "T", tuple(float(t) for t in range(1, 31)),
        {"eta": 0.3, "h": 1.0, "n": 5.0, "cbar": 0.0, "c_u": 1.0, "w0": 0.5, "a0": -0.2},
        log_y=False,
    ),
    quantity="statistic after the repair",
    correction="Continue the recursion from the stored statistic over every step of the repair, "
    "with the gradients at the repaired iterates, e from 0 and no factor eta/b.",
)  # fmt: skip


def measure(
    eta: float, h: float, n: float, T: float, cbar: float, c_u: float, w0: float, a0: float
) -> float:  # fmt: skip
    """Both repairs run: from w0 + a0 without the sample, and from w0 with it."""
    from verify.hf.quadratic_worlds import full_batch, line

    size = int(n)
    minima = line(size, 1, cbar, c_u)
    model, training = full_batch(np.full(size, h), minima, w0, eta, int(T))
    shifted = replace(training, start=np.array([w0 + a0]))
    return float(shifted.run(model, [0]).last[0] - training.run(model).last[0])


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, worlds

    rng = ctx.rng()
    for index in range(ctx.pick(30, 300)):
        inputs = {
            "eta": float(rng.uniform(0.05, 1)), "h": float(rng.normal() + 0.3),
            "n": float(rng.integers(2, 9)), "T": float(1 if index == 0 else rng.integers(1, 25)),
            "cbar": float(rng.normal()), "c_u": float(rng.normal()), "w0": float(rng.normal()),
            "a0": float(rng.normal()),
        }  # fmt: skip
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs, "full batches on a line",
                relation="==", tolerance=1e-7, script="alg2" if form == "printed" else None,
            )  # fmt: skip
    pairs: dict[str, list[tuple[float, float]]] = {"kept": [], "batch": [], "scaled": []}
    for world in worlds(rng, ctx.pick(30, 600)):
        model, learned, u = world.model, world.training, world.forget
        stored = differences(model, learned, [u]).vectors
        w = learned.run(model).last + rng.normal(size=model.parameters)  # a release, with noise
        order = rng.permutation(len(learned.batches))
        repair = replace(
            learned, batches=tuple(learned.batches[i] for i in order), start=w
        )  # fmt: skip
        shifted = replace(repair, start=w + stored[0])
        exact = shifted.run(model, u).last - repair.run(model).last
        for name, hessian, factor in (
            ("kept", "kept", 1.0), ("batch", "batch", 1.0),
            ("scaled", "kept", float(repair.steps[0]) / len(repair.batches[0])),
        ):  # fmt: skip
            found = differences(
                model, repair, [u], Recursion(hessian), initial=factor * stored
            ).vectors[0]
            pairs[name].append(departure(found, exact))
    texts = {
        "kept": "random repairs from noisy releases",
        "batch": "with the whole batch's Hessian",
        "scaled": "with the printed factor eta/b on the stored statistic",
    }
    for name, text in texts.items():
        left, right = np.array(pairs[name]).T
        yield ctx.compare(
            "literal", "corrected", left, {}, text, bound=right, relation="==", tolerance=1e-11,
            tight=np.nan, role="bound" if name == "kept" else "control",
        )  # fmt: skip
