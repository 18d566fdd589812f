"""(35)-(39) of hf: each step of the proof of Theorem 4.3 in a world of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

TAYLOR = Claim(
    id="hf.proofa4",
    label="(36)-(37), the Taylor remainder",
    kind="inequality",
    statement="The remainder eta o(Delta) of a step is at most eta |Delta|.",
    aliases=("hf.proofA4", "hf.eq36", "hf.eq37"),
    readings=(
        Reading(
            "literal", "any lam <= M and Lam", ("printed", "corrected"),
            proofs={"corrected": "the Hessian moves by Lam times the way, and by M - lam at most"},
        ),
        Reading(
            "unit", "M - lam <= 1, in the unit at hand", ("printed", "corrected"),
            proofs={"printed": "the corrected form is at most (M - lam)|Delta|",
                    "corrected": "the Hessian moves by Lam times the way, by M - lam at most"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "distance", tuple(0.1 * k for k in range(1, 31)), {"lam": 0.0, "M": 2.0, "Lam": 1.5},
        log_y=False,
    ),
    quantity="|g(v) - g(w) - H(w)(v - w)|",
    correction="min(Lam |Delta|^2/2, (M - lam)|Delta|), which carries the unit.",
)  # fmt: skip
FIRST = Claim(
    id="hf.eq35",
    label="(35)",
    kind="equality",
    statement="a = sum_{e=1}^{E} M_e g_u(w_e).",
    readings=(
        Reading(
            "literal",
            "a is the derivative of w_T with respect to leaving u out, as in (11)",
            ("printed", "corrected"),
            proofs={"corrected": "differentiate the recursion of training"},
            edits={"printed": Edit("e = 0 for e = 1", "e=1", "e=0")},
        ),
    ),
    natural=Natural("E", tuple(float(e) for e in range(15)), {"eta": 0.2}, log_y=False),
    quantity="derivative of w_T",
)
PRODUCT = Claim(
    id="hf.eq38",
    label="(38)",
    kind="equality",
    statement="The remainders of an epoch enter the error through products of later factors.",
    readings=(
        Reading(
            "literal",
            "all factors rho, unit remainders",
            ("printed", "corrected"),
            proofs={"corrected": "x <- rho x + 1 from 0"},
            edits={
                "printed": Edit(
                    "b = 1 for b = 0 in the last product", r"\prod_{b=0}", r"\prod_{b=1}"
                )
            },
        ),
    ),
    natural=Natural("B", tuple(float(b) for b in range(1, 21)), {"rho": 0.8}, log_y=False),
    quantity="x_B of x <- rho x + 1",
)
EPOCH = Claim(
    id="hf.eq39",
    label="(39)",
    kind="equality",
    statement="The remainders of the last epoch are sum_k rho^{k-T-1}(q^k - q^{2k}).",
    readings=(
        Reading(
            "literal",
            "k from T - B to T - 1",
            ("printed", "corrected"),
            proofs={"corrected": "k = T - j in the line above"},
            edits={"printed": Edit("T - 1 - k for k - T - 1", "k-T-1", "T-1-k")},
        ),
    ),
    natural=Natural("E", tuple(float(e) for e in range(15)), {"rho": 0.8, "q": 0.9, "B": 4}),
    quantity="the line above, term by term",
)
CLAIMS = (TAYLOR, FIRST, PRODUCT, EPOCH)


def remainder(distance: float, lam: float, M: float, Lam: float) -> float:
    """|g(v) - g(0) - H(0) v| for the Hessian min(lam + Lam w, M), in exact pieces."""
    bend = (M - lam) / Lam if Lam > 0 else np.inf
    straight, flat = min(distance, bend), max(distance - bend, 0.0)
    slope = lam * straight + Lam * straight**2 / 2 + M * flat
    return abs(slope - lam * distance)


def derivative(eta: float, E: float) -> float:
    """Derivative of w_T with respect to leaving u out: batches {u}, {r}; l_u = w, l_r = w^2/2."""
    step, found = Fraction(eta), Fraction(0)
    for _ in range(int(E) + 1):
        found += step
        found -= step * found
    return float(found)


def accumulated(rho: float, B: float) -> float:
    """x_B of x <- rho x + 1 from 0."""
    factor, x = Fraction(rho), Fraction(0)
    for _ in range(int(B)):
        x = factor * x + 1
    return float(x)


def line_above(rho: float, q: float, E: float, B: float) -> float:
    """sum_j (q^{T-j} - q^{2(T-j)}) rho^{j-1}, j = 1..B."""
    T, x, r = int((E + 1) * B), Fraction(q), Fraction(rho)
    total = sum((x ** (T - j) - x ** (2 * (T - j))) * r ** (j - 1) for j in range(1, int(B) + 1))
    return float(total)


def check_taylor(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        spread = float(rng.exponential())
        lam = -float(rng.uniform(0, 1)) * spread * 0.9
        inputs = {"distance": float(rng.exponential()), "lam": lam, "M": lam + spread + 1e-3,
                  "Lam": float(rng.exponential() * 3)}  # fmt: skip
        about = "a Hessian that grows from lam to M"
        yield ctx.compare("literal", "corrected", remainder(**inputs), inputs, about, relation="==")
        if inputs["M"] - lam <= 1:
            yield from ctx.compare_forms("unit", remainder(**inputs), inputs, about)
    inputs = {"distance": 0.5, "lam": 0.0, "M": 10.0, "Lam": 1e9}
    yield ctx.compare(
        "literal", "printed", remainder(**inputs), inputs, "Hessian 0 below 0 and 10 above",
        script="proofa4_unit",
    )  # fmt: skip
    inputs = {"distance": 2.0, "lam": 0.0, "M": 1.0, "Lam": 1e9}
    yield ctx.compare(
        "unit", "printed", remainder(**inputs), inputs, "M - lam = 1: nearly attained"
    )


def check_first(ctx: Context) -> Iterator[Evidence]:
    for eta in (0.1, 0.5, 0.9):
        for E in range(ctx.pick(6, 12)):
            inputs = {"eta": eta, "E": E}
            yield ctx.compare(
                "literal", "corrected", derivative(**inputs), inputs,
                "batches {u}, {r}; l_u linear", relation="==",
            )  # fmt: skip
    for E in (0, 3):
        inputs = {"eta": 0.5, "E": E}
        yield ctx.compare(
            "literal", "printed", derivative(**inputs), inputs, f"E = {E}", relation="==",
            script="eq35_from_one",
        )  # fmt: skip


def check_product(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for B in range(1, ctx.pick(12, 30)):
        inputs = {"rho": float(rng.uniform(0.1, 1.5)), "B": B}
        yield ctx.compare(
            "literal", "corrected", accumulated(**inputs), inputs, "x <- rho x + 1", relation="=="
        )
    inputs = {"rho": 0.5, "B": 2}
    yield ctx.compare(
        "literal", "printed", accumulated(**inputs), inputs, "B = 2, rho = 1/2", relation="==",
        script="eq38_last",
    )  # fmt: skip


def check_epoch(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        inputs = {"rho": float(rng.uniform(0.1, 1.5)), "q": float(rng.uniform(0.2, 1)),
                  "E": int(rng.integers(0, 6)), "B": int(rng.integers(1, 6))}  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", line_above(**inputs), inputs, "term by term", relation="=="
        )
    inputs = {"rho": 0.5, "q": 0.5, "E": 0, "B": 2}
    yield ctx.compare(
        "literal", "printed", line_above(**inputs), inputs, "one epoch of two steps",
        relation="==", script="eq39_exponent",
    )  # fmt: skip


CHECKERS = {
    TAYLOR.id: check_taylor, FIRST.id: check_first, PRODUCT.id: check_product,
    EPOCH.id: check_epoch,
}  # fmt: skip
MEASURES = {
    TAYLOR.id: remainder, FIRST.id: derivative, PRODUCT.id: accumulated, EPOCH.id: line_above,
}  # fmt: skip
