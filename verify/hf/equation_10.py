"""(10), (23), (35) of hf and Stage II: the recollection matrix as printed, four times over."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds.hf.equation_10 import FORMS, INPUTS
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

AS_PRINTED = {"hf.eq10": "literal", "hf.proofa1": "late", "hf.alg1_stage2": "skipped"}

SCRIPTS = {"hf.eq10": "eq10", "hf.proofa1": "proofa1", "hf.alg1_stage2": "alg1_stage2"}


def measure(
    eta: float, h: float, n: float, T: float, cbar: float, c_u: float, w0: float
) -> float:  # fmt: skip
    """The recursion (8)-(9) along n quadratics on a line, full batches, in exact arithmetic."""
    w, vector, move = Fraction(w0), Fraction(0), Fraction(eta) * Fraction(h)
    for _ in range(int(T)):
        vector += move * ((w - Fraction(c_u)) / int(n) - vector)
        w -= move * (w - Fraction(cbar))
    return float(vector)


def _check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, worlds
    from verify.hf.recollection_matrix import recollected

    rng, script = ctx.rng(), SCRIPTS[ctx.claim.id]
    cases = [{**INPUTS, "T": 200.0}, {**INPUTS, "T": 1.0, "eta": 0.4}]
    for _ in range(ctx.pick(30, 300)):
        cases.append({
            "eta": float(rng.uniform(0.05, 1)), "h": float(rng.normal()),
            "n": float(rng.integers(2, 9)), "T": float(rng.integers(1, 30)),
            "cbar": float(rng.normal()), "c_u": float(rng.normal()), "w0": float(rng.normal()),
        })  # fmt: skip
    for inputs in cases:
        for form in FORMS:
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs, "full batches on a line",
                relation="==", tolerance=1e-8, script=script if form == "printed" else None,
            )  # fmt: skip
    texts = {"printed": AS_PRINTED[ctx.claim.id], "corrected": "corrected"}
    pairs: dict[str, list[tuple[float, float]]] = {form: [] for form in FORMS}
    for world in worlds(rng, ctx.pick(40, 600)):
        run, sample = (world.model, world.training), int(world.forget[0])
        per_epoch = sum(sample in r for r in world.training.batches)
        per_epoch = len(world.training.batches) // per_epoch
        found = differences(*run, [[sample]], Recursion("batch")).vectors[0]
        for form, reading in texts.items():
            product = recollected(*run, sample, per_epoch, reading)
            pairs[form].append(departure(found, product))
    for form, values in pairs.items():
        left, right = np.array(values).T
        yield ctx.compare(
            "literal", form, left, {}, "matrices multiplied out, random batches and Hessians",
            bound=right, relation="==", tolerance=1e-11, tight=np.nan,
            script=script if form == "printed" else None,
        )  # fmt: skip


CHECKS = (
    Check("hf.eq10", evidence=_check, oracle=measure),
    Check("hf.proofa1", evidence=_check, oracle=measure),
    Check("hf.alg1_stage2", evidence=_check, oracle=measure),
)
