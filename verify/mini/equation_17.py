"""(17) of mini: refuted in closed form, its correction on thousands of logistic runs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds.mini.series import rate, with_taylor
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini import deterministic
from verify.mini.equation_5 import LOG_COSH
from verify.mini.logistic_runs import Runs
from verify.mini.worlds import mean_world, plane_quadratics, two_steps

CLAIM = Claim(
    id="mini.eq17",
    label="Equation (17)",
    kind="inequality",
    statement="The error of eq (10) is at most |H(s)..H(s-k+1) Dw_{s-k}| <= r^k |Dw_{s-k}|.",
    readings=(
        Reading(
            "literal",
            "mu-strongly convex L-smooth C^2 losses (every sample), 0 < eta < 2/L",
            ("printed", "corrected"),
            proofs={"corrected": "e_l = H_l e_{l-1} + (Htilde_l - H_l) Dw_{l-1}, unrolled"},
        ),
        Reading(
            "quadratic",
            "quadratic losses",
            ("printed", "corrected"),
            proofs={
                "printed": "eq (9) is exact; equality on a line",
                "corrected": "M = 0: the printed bound",
            },
            stance="repair",
        ),
    ),
    correction="Add (eta M/2) sum_{i <= k} r^{i-1} |Dw_{s-i}|^2; or rewind, which needs no more.",
)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for eta, b in ((0.5, 4.0), (0.5, 1.0), (0.1, 10.0)):
        world = two_steps(eta, b)
        path, other = world.learn(), world.retrain()
        error = abs(other[-1] - path[-1] - world.mini(2, path))
        inputs = {
            "eta": eta, "mu": 0.1, "L": 1.1, "M": LOG_COSH,
            "distances": [abs(other[1] - path[1]), abs(other[0] - path[0])],
        }  # fmt: skip
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, error, inputs, "log cosh, both steps followed", script="eq17"
            )
    yield from _logistic(ctx, rng)
    yield from _product(ctx)
    for mu, step, share, s in ((1, Fraction(1, 2), 4, 6), (Fraction(3, 2), Fraction(1), 3, 9)):
        exact = mean_world(Fraction(mu), step, Fraction(2), Fraction(-1), s, Fraction(1, share))
        path, other = exact.learn(), exact.retrain()
        for k in (1, s // 2, s - 1):
            error = float(abs(other[-1] - path[-1] - exact.mini(k, path)))
            inputs = {
                "eta": float(step), "mu": float(mu), "L": float(mu), "M": 0.0,
                "distances": [float(abs(other[s - i] - path[s - i])) for i in range(1, k + 1)],
            }  # fmt: skip
            yield from ctx.compare_forms(
                "quadratic", error, inputs, "one curvature, rational numbers", relation="=="
            )
    for _ in range(ctx.pick(20, 200)):
        plane, _ = plane_quadratics(rng, 6)
        path, other = plane.learn(), plane.retrain()
        for k in (2, 5):
            error = float(np.linalg.norm(other[-1] - path[-1] - plane.mini(k, path)))
            apart = [float(np.linalg.norm(other[6 - i] - path[6 - i])) for i in range(1, k + 1)]
            inputs = {"eta": plane.eta, "mu": 0.5, "L": 2.0, "M": 0.0, "distances": apart}
            if apart[-1] > 0:
                yield from ctx.compare_forms(
                    "quadratic", error, inputs, "quadratics in three dimensions"
                )


def _logistic(ctx: Context, rng: np.random.Generator) -> Iterator[Evidence]:
    """Random ridge-logistic runs, the corrected bound from the measured distances."""
    for s in (2, 5, 20, 60):
        for p in (1, 3):
            runs = Runs.random(rng, ctx.pick(250, 3000), s, p)
            c = runs.constants
            r = rate(c["eta"], c["mu"], c["L"])
            for k in sorted({1, s // 2, s}):
                back = runs.distances[:, ::-1][:, 1 : k + 1]
                bound = with_taylor(r, c["eta"], c["M"], back)
                yield ctx.compare(
                    "literal", "corrected", runs.error(k), {"s": s, "k": k, "p": p},
                    f"random ridge-logistic runs, s = {s}, k = {k}, p = {p}",
                    bound=bound + 1e-12 * (1 + runs.distances.max(axis=1)), tight=np.nan,
                )  # fmt: skip
                if k == s:
                    yield ctx.compare(
                        "literal", "printed", runs.error(k), {"s": s, "k": k, "p": p},
                        f"without the Taylor sum, s = k = {s}, p = {p}",
                        bound=r**k * back[:, -1], role="control",
                    )  # fmt: skip


def _product(ctx: Context) -> Iterator[Evidence]:
    """The product's own recursion on the deterministic run."""
    from simulators.trajectory.recursion import Recursion, differences

    model, training = deterministic.model(), deterministic.training()
    learned = training.run(model).points
    apart = training.run(model, deterministic.FORGOTTEN, "mean").points - learned
    for k in (1, 5, 10, 20):
        choice = Recursion(hessian="kept", scaling="mean", last=k)
        found = differences(model, training, [deterministic.FORGOTTEN], choice).vectors[0]
        back = np.linalg.norm(apart, axis=1)[::-1][1 : k + 1].tolist()
        yield ctx.compare(
            "literal", "corrected", float(np.linalg.norm(apart[-1] - found)),
            {**deterministic.constants(), "distances": back}, f"the product's recursion, k = {k}",
        )  # fmt: skip
