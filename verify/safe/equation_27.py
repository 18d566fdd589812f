"""Equation (27) of safe: steepest descent on a sphere of radius gamma around w_0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def _step(ctx: Context, form: str, w0: np.ndarray, g: np.ndarray, **rest: Any) -> np.ndarray:
    """w_t, coordinate by coordinate."""
    b = rest.pop("b")
    return np.array([
        ctx.claim(form, w0=w0[j], g=np.roll(g, -j), b=b[j], **rest) for j in range(len(g))
    ])  # fmt: skip


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for form in ("printed", "corrected"):
        for w0, g, gamma, b in ((0.0, -1.0, 0.1, 0.0), (1.5, 0.3, 0.25, 0.01), (-2, -7, 0.5, -0.2)):
            yield ctx.compare(
                "literal", form, w0 - b - (gamma if g > 0 else -gamma),
                {"w0": w0, "g": [g], "gamma": gamma, "b": b}, "one coordinate",
                relation="==", tolerance=1e-12,
            )  # fmt: skip
        for d in (2, 3, 10):
            for _ in range(ctx.pick(15, 300)):
                w0, b = rng.normal(size=(2, d))
                g = rng.normal(size=d) * 10.0 ** rng.uniform(-150, 150)
                g[rng.integers(d)] *= rng.integers(2)  # some coordinates are at rest
                gamma = float(np.exp(rng.normal()))
                moved = _step(ctx, form, w0, g, gamma=gamma, b=b) + b - w0
                unit = g / np.abs(g).max()
                yield from (
                    ctx.compare(
                        "literal", form, left, {"d": d, "gamma": gamma}, instance, bound=right,
                        tight=np.nan, relation="==", tolerance=1e-12,
                    )
                    for instance, left, right in (
                        ("the step has length gamma", gamma, np.linalg.norm(moved)),
                        ("and descends as much as one of that length can",
                         -gamma * np.linalg.norm(unit), unit @ moved),
                    )
                )  # fmt: skip
    still = {"w0": 1.25, "g": [0.0, 0.0], "gamma": 0.5, "b": 0.125}
    yield ctx.declare("zero", "printed", "unspecified", "0/0: the paper gives no step there")
    yield ctx.compare("zero", "corrected", 1.125, still, "no step", relation="==")


CHECKS = (Check("safe.eq27", evidence=check),)
