"""hf's "non-smooth settings": a kink makes the error of order one at every other step."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.nonsmooth",
    label="Non-convex non-smooth settings",
    kind="claim",
    statement="Under general non-smooth losses w_T + a^{-u} approximates retraining up to "
    "o(v - w).",
    readings=(
        Reading(
            "literal",
            "losses with kinks, Hessians wherever they exist (0 here)",
            ("printed", "tight"),
            proofs={"tight": "w_t stays, v_t alternates, a_t = -t eta/2"},
        ),
    ),
    natural=Natural("T", tuple(float(t) for t in range(41)), {"eta": 1.0, "K": 1.0}, log_y=False),
    quantity="approximation error",
    correction="Every theorem uses C^2 losses with lam I <= H <= M I: say so.",
)


def measure(eta: float, T: float, K: float = 1.0) -> float:
    """Both runs and the recursion, in rationals, from w_0 = eta/10."""
    step = Fraction(eta)
    w = v = step / 10
    a = Fraction(0)
    for _ in range(int(T)):
        slopes = [(x > 0) - (x < 0) for x in (w, v)]
        a -= step / 2
        w, v = w - step / 2 * (slopes[0] - 1), v - step / 2 * slopes[1]
    return float(abs(v - w - a))


def check(ctx: Context) -> Iterator[Evidence]:
    for T in (0, 1, 2, 5, 6, 21, 100, ctx.pick(400, 4000)):
        for eta, K in ((1.0, 1.0), (0.3, 100.0)):
            inputs = {"eta": eta, "T": float(T), "K": K}
            found, text = measure(**inputs), "|w| against -w, runs at most eta/2 apart"
            yield ctx.compare("literal", "printed", found, inputs, text, script="nonsmooth")
            yield ctx.compare("literal", "tight", found, inputs, text, relation="==")
    import numpy as np

    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training
    from verify.hf.quadratic_worlds import difference

    model = FunctionModel(
        lambda w, x, y: x[0] * w[0].abs() - x[1] * w[0], np.eye(2)[::-1].copy(), np.zeros(2), 1
    )
    T = 9
    training = Training((np.arange(2),) * T, np.full(T, 0.8), np.array([0.08]))
    for hessian in ("batch", "kept"):
        found = differences(model, training, [[0]], Recursion(hessian)).vectors[0]
        error = abs(float((difference(model, training, [0]) - found)[0]))
        inputs = {"eta": 0.8, "T": float(T), "K": 1.0}
        yield ctx.compare(
            "literal", "tight", error, inputs, f"torch, Hessians of the {hessian}", relation="=="
        )
