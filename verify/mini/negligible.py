"""Sections 4.1 and 5.1 of mini: with the paper's settings ten steps are worth 0.05 percent."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.worlds import mean_world

_PAPER = {"eta": 0.01, "mu": 0.005, "L": 0.255}
USE = Claim(
    id="mini.thm1.use",
    label="Negligible impact (Section 4.1)",
    kind="claim",
    statement="Dw_{s-k-1}, ..., Dw_1 have negligible impacts on Dw_s for a small k: the "
    "experiments take k = 10.",
    readings=(
        Reading(
            "literal",
            "negligible: r^k <= 1/2, with the paper's eta = 0.01, L2 coefficient 0.005, k = 10",
            ("printed",),
        ),
        Reading(
            "bound",
            "as a bound on what is left, quadratic losses",
            ("printed",),
            proofs={"printed": "eq (17) for quadratics; equality on a line"},
            stance="repair",
        ),
    ),
    natural=Natural("k", (1, 3, 10, 100, 1000), _PAPER, log_x=True, log_y=False),
    quantity="share of Dw_{s-k} left in the error",
    correction="With these settings halving takes 13,863 steps.",
)
SHARE = Claim(
    id="mini.thm1.use.share",
    label="Share of the difference that the last k steps capture",
    kind="equality",
    statement="In a direction of curvature a eq (10) captures (1 - (1 - eta a)^k)/(1 - (1 - eta "
    "a)^s) of Dw_s.",
    readings=(
        Reading(
            "literal", "1-D quadratics, full batch", ("tight",),
            proofs={"tight": "Dw_s and eq (10) are geometric sums of one ratio"},
        ),
    ),
    natural=Natural("k", (1, 3, 10, 30, 100), {"eta": 0.01, "a": 0.3, "s": 200}, log_x=True),
    quantity="share of Dw_s",
)  # fmt: skip
SETUP = Claim(
    id="mini.setup",
    label="Settings (Section 5.1)",
    kind="claim",
    statement="Ridge logistic regression, L2 norm coefficient 0.005, step size 0.01, k = 10.",
    readings=(
        Reading("literal", "as printed", ("tight",)),
        Reading(
            "chosen",
            "mu = 0.005 or 0.01, epochs of J steps: the share of a distance that is removed",
            ("tight",),
            proofs={"tight": "r = 1 - eta mu a step; attained by 1-D quadratics"},
            stance="repair",
        ),
    ),
    natural=Natural("J", (1, 10, 100, 469), {**_PAPER, "k": 10}, log_x=True),
    quantity="share of a distance that is removed",
)
CLAIMS = (USE, SHARE, SETUP)


def _left(eta: float, mu: float, k: int, s: int) -> Fraction:
    """Error of eq (10) over |Dw_{s-k}|, on 1-D quadratics in rational numbers."""
    near = [Fraction(v).limit_denominator(10**6) for v in (mu, eta)]
    world = mean_world(near[0], near[1], Fraction(1), Fraction(0), s, Fraction(1, 2))
    path, other = world.learn(), world.retrain()
    error = abs(other[-1] - path[-1] - world.mini(k, path))
    return Fraction(error / abs(other[s - k] - path[s - k]))


def measure(eta: float, mu: float, k: float, L: float = 0) -> float:
    """What eq (10) leaves of |Dw_{s-k}|, five steps after the start."""
    return float(_left(eta, mu, int(k), int(k) + 5))


def measure_share(eta: float, a: float, s: float, k: float) -> float:
    """Eq (10) over Dw_s after all steps, in floating point."""
    world = mean_world(a, eta, 1.0, 0.0, int(s), Fraction(1, 2))
    path = world.learn()
    return float(world.mini(int(k), path) / (world.retrain()[-1] - path[-1]))


def measure_setup(eta: float, mu: float, k: float, J: float, L: float = 0) -> float:
    """Share of a unit distance that k J steps on (mu/2) w^2 remove."""
    world = mean_world(mu, eta, 1.0, 0.0, int(k * J), Fraction(1, 2))
    return float(1 - (world.redo(0, 1.0)[-1] - world.redo(0, 0.0)[-1]))


def check(ctx: Context) -> Iterator[Evidence]:
    for mu in (0.005, 0.01):
        inputs: dict[str, Any] = {"eta": 0.01, "mu": mu, "L": mu + 0.25, "k": 10}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs,
            "the paper's settings: what is left is not below one half",
            bound=0.5, role="class", script="thm1_use",
        )  # fmt: skip
    for eta, mu, k in ((0.01, 0.005, 10), (0.5, 0.25, 6), (1.0, 0.5, 0), (0.1, 2.0, 13)):
        inputs = {"eta": eta, "mu": mu, "L": 1 / eta, "k": k}
        yield ctx.compare(
            "bound", "printed", measure(**inputs), inputs, "1-D quadratics", relation="=="
        )


def check_share(ctx: Context) -> Iterator[Evidence]:
    for eta, a, s, k in (
        (0.01, 0.01, 40, 10), (0.01, 0.01, ctx.pick(400, 2000), 10), (0.5, 0.1, 200, 10),
        (0.3, 1.0, 12, 12), (0.3, 1.0, 12, 0), (0.9, 1.0, 30, 1),
    ):  # fmt: skip
        inputs = {"eta": eta, "a": a, "s": s, "k": k}
        yield ctx.compare(
            "literal", "tight", measure_share(**inputs), inputs, "1-D quadratics", relation="=="
        )


def check_setup(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "tight", "unspecified",
        "no batch size and no number of steps; k counts epochs in the text and single steps in "
        "eq (10); the coefficient may be that of |w|^2 or of |w|^2/2",
    )  # fmt: skip
    for mu in (0.005, 0.01):
        for J in (1, 469):
            inputs = {"eta": 0.01, "mu": mu, "L": mu + 0.25, "k": 10, "J": J}
            yield ctx.compare(
                "chosen", "tight", measure_setup(**inputs), inputs, "1-D quadratics, step by step",
                relation="==",
            )  # fmt: skip


CHECKERS = {USE.id: check, SHARE.id: check_share, SETUP.id: check_setup}
MEASURES = {USE.id: measure, SHARE.id: measure_share, SETUP.id: measure_setup}
