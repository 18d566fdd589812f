"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.two_classes import TOY, gradients, simulated, worlds

ALG1 = Claim(
    id="safe.alg1",
    label="Algorithm 1",
    kind="algorithm",
    statement="Each round updates the retention gradient by (15) and the class moments by (22) and "
    "(23), and steps from w_0 against the gradient of R_t^ret + R~_t^fg.",
    readings=(
        Reading(
            "literal", "g_t is the gradient of (14) plus that of (25) at w_0, with the moments of "
            "D_t; unbiased covariances, q for every class", ("printed", "corrected"),
            proofs={"corrected": "eqs (15), (22), (23) corrected and (26)"},
        ),
    ),
    correction="Line 7 with the corrected (23), line 8 for all forgotten samples. All F_i and w_0 "
    "are kept for ever, so the state is not free of the deleted data.",
)  # fmt: skip
LINE_8 = Claim(
    id="safe.alg1.line8",
    label="Algorithm 1, line 8",
    kind="algorithm",
    statement="q_t is estimated for the samples of F_t only.",
    readings=(
        Reading(
            "literal", "the forgetting gradient is that of eq (25), over F_1, ..., F_t with q_t",
            ("printed", "corrected"),
            proofs={"corrected": "eq (26) sums over all of F_1, ..., F_t"},
            edits={"printed": Edit(
                "F_t becomes the union of F_1, ..., F_t",
                "F_t",
                r"\textstyle\bigcup_{i\le t}F_i",
            )},
        ),
    ),
    correction="Estimate q_t again for every forgotten sample, in every round.",
)  # fmt: skip
CLAIMS = (ALG1, LINE_8)

_HEAD = """from math import exp, log
from statistics import fmean, variance
A, B, w0, lam = [1, 2, 3, 0.5], [-1, -2, 0, -0.5], 1.2, 0.7
def f(x):
    return 1 / (1 + exp(-w0 * x))
def logn(x, data):
    return -log(data[2]) / 2 - (x - data[1]) ** 2 / (2 * data[2])
def moments(data):
    return len(data), fmean(data), variance(data)
def forgetting(samples):                    # (x, moments of both classes now and at first)
    rows = []
    for x, now, start in samples:
        q = [log(n[0] / s[0]) + logn(x, n) - logn(x, s) for n, s in zip(now, start)]
        rows.append(-lam * x * f(x) * (1 - f(x)) * (q[0] - q[1]))
    return fmean(rows)
start = moments(A), moments(B)
"""
SCRIPT = (
    '"""Algorithm 1 of safe, round 1 (3 leaves A, -2 leaves B): eq (23) turns the step round."""\n'
    + _HEAD
    + """exact = moments([1, 2, 0.5]), moments([-1, 0, -0.5])
printed = []
for (n, mean, var), (_, kept_mean, _), gone in zip(start, exact, (3, -2)):
    delta2 = (mean - gone) ** 2             # one sample leaves: its covariance is 0
    printed.append((n - 1, kept_mean, (n - 2) / (n - 1) * var + n / (n - 1) ** 2 * delta2))
retention = fmean([(f(x) - 1) * x for x in (1, 2, 0.5)] + [f(x) * x for x in (-1, 0, -0.5)])
steps = []
for now in (exact, printed):
    g = retention + forgetting([(3, now, start), (-2, now, start)])
    steps.append(g)
    print(f"variances {now[0][2]:.9f} {now[1][2]:.9f}, g_1 = {g:.9f}, w_1 = {w0 - g / abs(g):.1f}")
assert steps[0] < -0.47 and steps[1] > 0.09
"""
)
SCRIPT_8 = (
    '"""Algorithm 1 of safe, round 2 (0.5 leaves A): factors of round 1 kept or renewed."""\n'
    + _HEAD
    + """first = moments([1, 2, 0.5]), moments([-1, 0, -0.5])
second = moments([1, 2]), moments([-1, 0, -0.5])
renewed = forgetting([(x, second, start) for x in (3, -2, 0.5)])
kept = forgetting([(3, first, start), (-2, first, start), (0.5, second, start)])
print(f"gradient of eq (25): {renewed:.9f}, with q for F_2 only: {kept:.9f}")
assert abs(renewed + 0.3483222853) < 1e-9 < 1e-2 < abs(renewed - kept)
"""
)


def check(ctx: Context) -> Iterator[Evidence]:
    for t in (1, 2):
        world = TOY | {"t": t}
        exact = sum(gradients(**world))
        for form, script in (("printed", SCRIPT), ("corrected", None)):
            yield ctx.compare(
                "literal", form, exact, world, "eight samples, three leave", relation="==",
                tolerance=1e-10, script=script,
            )  # fmt: skip
    for t in (1, 2):
        world = TOY | {"t": t}
        again = simulated(**world, update="printed")
        yield ctx.transcribed(
            "literal", "printed", ctx.formula("printed", **world), again, world,
            "SAFE as simulated, with the printed updates", 1e-8,
        )  # fmt: skip
    for number, world in enumerate(worlds(ctx.rng(), ctx.pick(60, 300))):
        exact = sum(gradients(**world))
        yield ctx.compare(
            "literal", "corrected", exact, world, "random classes, samples leave in three rounds",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
        if number < ctx.pick(10, 60):
            yield ctx.compare(
                "literal", "corrected", simulated(**world), world, "SAFE as simulated",
                bound=exact, tight=np.nan, relation="==", tolerance=1e-8,
            )  # fmt: skip


def check_line_8(ctx: Context) -> Iterator[Evidence]:
    for t, script in ((1, None), (2, SCRIPT_8)):
        world = TOY | {"t": t}
        exact = gradients(**world)[1]
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, exact, world, "eight samples, three leave", relation="==",
                tolerance=1e-10, script=script if form == "printed" else None,
            )  # fmt: skip
    for world in worlds(ctx.rng(), ctx.pick(60, 300)):
        yield ctx.transcribed(
            "literal", "printed", ctx.formula("printed", **world),
            gradients(**world, fresh=False)[1], world, "q of the round in which a sample left",
            1e-8,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", gradients(**world)[1], world,
            "random classes, samples leave in three rounds", relation="==", tolerance=1e-8,
        )  # fmt: skip


CHECKERS = {ALG1.id: check, LINE_8.id: check_line_8}
