"""(10), (23), (35) of hf and Stage II: the recollection matrix as printed, four times over."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

INPUTS = {"eta": 0.1, "h": 1.0, "n": 10.0, "cbar": 0.1, "c_u": 1.0, "w0": 0.0}
PLOT = Natural("T", tuple(float(t) for t in range(1, 61)), INPUTS, log_y=False)
FORMS = ("printed", "corrected")
PROOFS = {"corrected": "unrolling (8)-(9) from D_0 = 0"}

MATRIX = Claim(
    id="hf.eq10",
    label="Equation (10)",
    kind="equality",
    statement="M_{e,b(u)} is eta/b times the product over k = e..E and b = b(u)+1..B-1 of "
    "I - (eta/b) H; (11) with it is where (8)-(9) end.",
    aliases=("hf.eq24",),
    readings=(
        Reading(
            "literal",
            "the indices as printed; u may sit elsewhere in every epoch",
            FORMS,
            proofs=PROOFS,
            edits={
                "printed": Edit(
                    "for k > e the inner product starts at b = 0",
                    "b=b(u)+1",
                    r"b=\mathbf{1}_{k=e}(b(u)+1)",
                )
            },
        ),
    ),
    natural=PLOT,
    quantity="statistic of one sample",
    correction="All steps after the visit, later ones on the left; b(u) depends on the epoch.",
)
ORDER = Claim(
    id="hf.proofa1",
    label="Proof of (11), Equation (23)",
    kind="equality",
    statement="An epoch's injection of u is multiplied by the matrices of b = b(u)..B-1.",
    aliases=("hf.proofA1", "hf.eq23"),
    readings=(
        Reading(
            "literal",
            "as printed, with whole products over the later epochs",
            FORMS,
            proofs=PROOFS,
            edits={
                "printed": Edit(
                    "the product starts at b(u) + 1, as (9) and (10) say", "b=b(u)", "b=b(u)+1"
                )
            },
        ),
    ),
    natural=PLOT,
    quantity="statistic of one sample",
    correction="Multiply first, then inject.",
)
STAGE = Claim(
    id="hf.alg1_stage2",
    label="Algorithm 1, Stage II",
    kind="algorithm",
    statement="The statistic of u is the sum over e = 1..E of M_{e,b(u)} g_u.",
    aliases=("hf.alg1-stage2",),
    readings=(
        Reading(
            "literal",
            "as printed, with the matrices of (10) corrected",
            FORMS,
            proofs=PROOFS,
            edits={"printed": Edit("e runs from 0", "e=1", "e=0")},
        ),
    ),
    natural=PLOT,
    quantity="statistic of one sample",
    correction="The first epoch has the largest step; with one epoch alone the sum is empty.",
)
CLAIMS = (MATRIX, ORDER, STAGE)
AS_PRINTED = {MATRIX.id: "literal", ORDER.id: "late", STAGE.id: "skipped"}

SCRIPTS = {MATRIX.id: "eq10", ORDER.id: "proofa1", STAGE.id: "alg1_stage2"}


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


CHECKERS = {claim.id: _check for claim in CLAIMS}
MEASURES = {claim.id: measure for claim in CLAIMS}
