"""Equation (25) of safe: a divergence needs a law as its second argument."""

from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.softmax import divergence


def _draw(rng: np.random.Generator) -> dict[str, Any]:
    lists = rng.normal(size=(3, int(rng.integers(2, 7))))
    inputs = dict(zip(("logits", "logits0", "log_factors"), lists, strict=True))
    return {**inputs, "lam": float(np.exp(rng.uniform(-3, 7)))}


def _target(inputs: dict[str, Any]) -> np.ndarray:
    """Logits of the normalised target."""
    return np.asarray(inputs["logits0"] + inputs["log_factors"])


def check(ctx: Context) -> Findings:
    """Divergences of random softmax models from the target, normalised and as printed."""
    rng = ctx.rng()
    at = "random softmax models"
    for _ in range(ctx.pick(200, 1000)):
        inputs = _draw(rng)
        exact = inputs["lam"] * divergence(inputs["logits"], _target(inputs))
        yield from ctx.compare_forms("literal", exact, inputs, at, script="eq25")
    target = {"lam": 1.0, "logits": [0.2, 0.0], "logits0": [0.0, 0.0], "log_factors": [0.4, 0.2]}
    at = "1 + the term where the model is the target"
    for form in ("printed", "corrected"):
        options = {"bound": 1 + ctx.claim(form, **target), "tight": np.nan, "script": "eq25"}
        yield ctx.compare("literal", form, 1.0, target, at, **options)
    at = "two models, the same factors"
    for _ in range(ctx.pick(100, 500)):
        inputs = {**_draw(rng), "lam": 1.0}
        models = inputs["logits"], rng.normal(size=len(inputs["logits"]))
        here, there = (ctx.claim("printed", **inputs | {"logits": w}) for w in models)
        lhs, base = (1 + divergence(w, _target(inputs)) for w in models)
        options = {"bound": base + here - there, "tight": np.nan, "tolerance": 1e-10}
        yield ctx.compare("difference", "printed", lhs, inputs, at, **options)


CHECKS = (Check("safe.eq25", check),)
