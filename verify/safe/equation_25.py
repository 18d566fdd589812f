"""Equation (25) of safe: a divergence needs a law as its second argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.softmax import divergence

CLAIM = Claim(
    id="safe.eq25",
    label="Equation (25)",
    kind="definition",
    statement="The approximate regulariser is (lambda/M_t) sum over forgotten samples of "
    "d_KL(f(x; w), q_t^(y)(x) f(x; w_0)).",
    readings=(
        Reading(
            "literal", "lambda times a Kullback-Leibler divergence between two laws; q has a "
            "component for every class", ("printed", "corrected"),
            edits={"printed": Edit(
                "normalise the second argument",
                r"q_t^{(y)}(\mathbf{x})\cdot f(\mathbf{x};w_0)",
                r"\frac{q_t^{(\cdot)}(\mathbf{x})f(\mathbf{x};w_0)}"
                r"{\sum_c q_t^{(c)}(\mathbf{x})f_c(\mathbf{x};w_0)}",
            )},
        ),
        Reading(
            "difference", "differences of the term between two models w, the term normalised",
            ("printed",),
            stance="repair",
        ),
    ),
    correction="Normalise q^(c) f_c(x; w_0) over the classes, one factor for each: a change by a "
    "constant in w, without which Theorem 1's R~ may be negative.",
)  # fmt: skip


def _draw(rng: np.random.Generator) -> dict[str, Any]:
    classes = int(rng.integers(2, 7))
    return {
        "lam": float(np.exp(rng.uniform(-3, 7))),
        "logits": rng.normal(size=classes), "logits0": rng.normal(size=classes),
        "log_factors": rng.normal(size=classes),
    }  # fmt: skip


def _target(inputs: dict[str, Any]) -> np.ndarray:
    """Logits of the normalised target."""
    return np.asarray(inputs["logits0"] + inputs["log_factors"])


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(200, 1000)):
        inputs = _draw(rng)
        exact = inputs["lam"] * divergence(inputs["logits"], _target(inputs))
        for form, script in (("printed", "eq25"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, exact, inputs, "random softmax models", relation="==",
                script=script,
            )  # fmt: skip
    at_target = {"lam": 1.0, "logits": [0.2, 0.0], "logits0": [0.0, 0.0], "log_factors": [0.4, 0.2]}
    for form, script in (("printed", "eq25"), ("corrected", None)):
        yield ctx.compare(
            "literal", form, 1.0, at_target, "1 + the term where the model is the target",
            bound=1 + ctx.formula(form, **at_target), tight=np.nan, relation="==", script=script,
        )  # fmt: skip
    for _ in range(ctx.pick(100, 500)):
        inputs = _draw(rng)
        other = rng.normal(size=len(inputs["logits"]))
        here, there = (
            ctx.formula("printed", **{**inputs, "lam": 1.0, "logits": logits})
            for logits in (inputs["logits"], other)
        )
        base = 1 + divergence(other, _target(inputs))
        yield ctx.compare(
            "difference", "printed", 1 + divergence(inputs["logits"], _target(inputs)),
            inputs, "two models, the same factors", bound=base + here - there, tight=np.nan,
            relation="==", tolerance=1e-10,
        )  # fmt: skip
