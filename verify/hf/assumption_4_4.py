"""Assumption 4.4 and Definitions A.1 to A.3 of hf: empty on R^d, fine on a small enough set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

ASSUMPTION = Claim(
    id="hf.ass4.4",
    label="Assumption 4.4",
    kind="definition",
    statement="For any z and w the loss is lam-strongly convex, L-Lipschitz and M-smooth.",
    readings=(
        Reading("literal", "for all w in R^d", ("corrected",)),
        Reading("domain", "for w in a convex set W", ("corrected",), stance="repair"),
    ),
    natural=Natural("lam", tuple(np.linspace(0.1, 2, 20).tolist()), {"L": 1.0}),
    quantity="largest diameter of W",
    correction="Assume it on a convex W of diameter at most 2L/lam, keep the iterates in W, and "
    "bound the effect of noise, which leaves W, by smoothness.",
)
DEFINITIONS = Claim(
    id="hf.defa1_a3",
    label="Definitions A.1 to A.3",
    kind="definition",
    statement="(43) strong convexity, (44) Lipschitz losses, (45) Lipschitz gradients.",
    aliases=("hf.defA1-A3", "hf.defA1", "hf.defA2", "hf.defA3", "hf.eq43", "hf.eq44"),
    readings=(Reading("literal", "on a convex W; (45) with a norm on the left", ("printed",)),),
    formula=False,
)
NORM = Claim(
    id="hf.eq45",
    label="(45)",
    kind="definition",
    statement="|g(w_1) - g(w_2)| <= M ||w_1 - w_2||, an absolute value on the left.",
    readings=(
        Reading(
            "literal",
            "d >= 2",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    "a norm on the left for the absolute value",
                    "|g(w_1) - g(w_2)|",
                    "||g(w_1) - g(w_2)||",
                )
            },
        ),
    ),
    formula=False,
    correction="||g(w_1) - g(w_2)|| <= M ||w_1 - w_2||.",
)
CLAIMS = (ASSUMPTION, DEFINITIONS, NORM)


def measure(lam: float, L: float) -> float:
    """Length of the interval on which the slope of (lam/2) w^2 is at most L, by bisection."""
    low, high = 0.0, 10 * (1 + L / lam)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if lam * middle <= L else (low, middle)
    return 2 * low


def check_assumption(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    lam, L = 0.1, 1.0
    yield ctx.compare(
        "literal", "corrected", 3 * L / lam, {"lam": lam, "L": L},
        "R^d has points 3L/lam apart, at which (43) and (44) contradict each other",
        role="class", script="ass4_4_everywhere",
    )  # fmt: skip
    for _ in range(ctx.pick(20, 200)):
        inputs = {"lam": float(rng.uniform(0.01, 3)), "L": float(rng.exponential()) + 0.01}
        yield ctx.compare(
            "domain", "corrected", measure(**inputs), inputs, "(lam/2) w^2", relation="=="
        )
        # A loss |w| + (lam/2) w^2 needs a smaller set.
        yield ctx.compare(
            "domain", "corrected", 2 * max(inputs["L"] - 0.005, 0.0) / inputs["lam"], inputs,
            "0.005 |w| + (lam/2) w^2",
        )  # fmt: skip


def check_definitions(ctx: Context) -> Iterator[Evidence]:
    """log cosh(w - z) + (lam/2) w^2 on [-1, 1]: L = tanh 2 + lam, M = 1 + lam."""
    rng = ctx.rng()
    lam = 0.3
    M, L = 1 + lam, np.tanh(2.0) + lam
    x, y, z = rng.uniform(-1, 1, (3, ctx.pick(500, 5000)))

    def value(w: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(np.cosh(w - z)) + lam / 2 * w**2)

    def slope(w: np.ndarray) -> np.ndarray:
        return np.asarray(np.tanh(w - z) + lam * w)

    at = "log cosh(w - z) + .15 w^2 on [-1, 1]"
    lower = slope(y) * (x - y) + lam / 2 * (x - y) ** 2
    yield ctx.compare("literal", "printed", lower, {"lam": lam}, f"(43): {at}",
                      bound=value(x) - value(y), tight=np.nan)  # fmt: skip
    for name, left, constant in (("(44)", value, L), ("(45)", slope, M)):
        yield ctx.compare(
            "literal", "printed", np.abs(left(x) - left(y)), {"constant": constant},
            f"{name}: {at}", bound=constant * np.abs(x - y), tight=np.nan,
        )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", np.abs(slope(x) - slope(y)), {"constant": 0.8 * M},
        "(45) with 0.8 M", bound=0.8 * M * np.abs(x - y), tight=np.nan, role="control",
    )  # fmt: skip


def check_norm(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed", "the left side is a vector, which has no absolute value"
    )
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        basis = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        spectrum = rng.exponential(size=4)
        H, M = basis @ np.diag(spectrum) @ basis.T, float(spectrum.max())
        apart = np.vstack((rng.normal(size=(8, 4)), basis[:, spectrum.argmax()]))
        yield ctx.compare(
            "literal", "corrected", np.linalg.norm(apart @ H, axis=1), {"M": M},
            "quadratics, the top eigenvector among the directions",
            bound=M * np.linalg.norm(apart, axis=1), tight=np.nan,
        )  # fmt: skip


CHECKERS = {
    ASSUMPTION.id: check_assumption,
    DEFINITIONS.id: check_definitions,
    NORM.id: check_norm,
}
MEASURES = {ASSUMPTION.id: measure}
