"""(6) and (13) of mini: the wrong sign, on exact quadratics and with averaged Hessians."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.worlds import batch_lists, line_quadratics, log_cosh, touched

CLAIM = Claim(
    id="mini.eq6",
    label="Equations (6) and (13)",
    kind="recursion",
    statement="Dw_s = (eta/B)(gamma/(1 + gamma)) sum over kept - (eta/B) sum over forgotten "
    "+ H(s) Dw_{s-1}.",
    aliases=("mini.eq13",),
    readings=(
        Reading(
            "literal",
            "strongly convex C^2 losses; the corrected form averages the Hessian along Dw",
            ("printed", "corrected"),
            proofs={"corrected": "eq (4) and the integral form of the mean-value theorem"},
        ),
        Reading(
            "quadratic",
            "quadratic losses, where H(s) itself is exact",
            ("printed", "corrected"),
            proofs={"corrected": "eq (4), the Hessian is constant"},
            edits={
                "printed": Edit(
                    "+ in place of - before the sum over the forgotten samples",
                    "- (eta/B) sum over forgotten",
                    "+ (eta/B) sum over forgotten",
                )
            },
            stance="repair",
        ),
    ),
    correction="Dw_s = G(s) + Htilde_s Dw_{s-1} with G of eq (7), whose forgotten gradients have "
    "the right sign, and the averaged Hessian in Htilde_s.",
)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        world = line_quadratics(rng, 5)
        path, other = world.learn(), world.retrain()
        for t in touched(world)[-1:]:
            w, Dw = path[t - 1], other[t - 1] - path[t - 1]
            if other[t] == path[t]:  # rounding of the forms has no relative size there
                continue
            inputs = {
                "Dw": float(Dw), "eta": float(world.eta), **batch_lists(world, t, w),
                "H": float(world.factor(t, w, 1)),
            }  # fmt: skip
            yield from ctx.compare_forms(
                "quadratic", float(other[t] - path[t]), inputs, "quadratics in rational numbers",
                relation="==", script="eq6",
            )  # fmt: skip
    for _ in range(ctx.pick(20, 200)):
        world = log_cosh(rng, 5)
        path, other = world.learn(), world.retrain()
        for t in touched(world)[-1:]:
            w, there = path[t - 1], other[t - 1]
            slopes = [world.gradient(j, there) - world.gradient(j, w) for j in world.kept(t)]
            average = np.mean(slopes) / (there - w) if there != w else 0.0
            inputs = {
                "Dw": float(there - w), "eta": world.eta, **batch_lists(world, t, w),
                "H": float(1 - world.eta * average),
            }  # fmt: skip
            yield from ctx.compare_forms(
                "literal", float(other[t] - path[t]), inputs,
                "log cosh losses, averaged Hessian", relation="==", script="eq6_log_cosh",
            )  # fmt: skip
