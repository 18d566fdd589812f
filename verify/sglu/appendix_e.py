"""Appendix E of sglu: K_{s-1} for K_s makes the induction step false; exact chains tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.theorem_3_11 import sequence

CLAIM = Claim(
    id="sglu.appe",
    label="Appendix E (26)-(30)",
    kind="recursion",
    statement="W-infinity before request s + 1 is at most c^{K_{s-1} n/b} Z^{(s)} + Z.",
    aliases=("sglu.appE",),
    readings=(
        Reading(
            "literal",
            "K_1, ..., K_S may differ",
            ("printed", "corrected"),
            proofs={"corrected": "Lemma 3.6 over the K_s epochs on D_s; equality on quadratics"},
            edits={"printed": "K_{s-1} should read K_s, as in Theorem 3.11"},
        ),
    ),
    natural=Natural(
        "K_s",
        tuple(float(k) for k in range(0, 8)),
        {"c": 0.9, "J": 4.0, "K_before": 3.0, "Z_s": 2.0, "Z": 0.5},
        log_y=False,
    ),
    quantity="distance to the next stationary law",
)


def measure(c: float, J: float, K_s: float, Z_s: float, Z: float, K_before: float = 0) -> float:
    """Exact distance: Z_s from stationary, K_s epochs of x -> c x + noise, then one more point."""
    from verify.sglu.theorem_3_11 import measure as step

    return step(c=c, J=J, K_s=K_s, Z_s=Z_s, Z=Z, R=float("inf"))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(6, 60)):
        c, J = float(rng.uniform(0.5, 0.98)), int(rng.integers(1, 7))
        epochs = [int(k) for k in rng.integers(0, 5, size=5)]
        kick = float(rng.exponential())
        distances = sequence(c, J, kick, epochs)
        for s in range(1, len(epochs)):
            inputs = {
                "c": c, "J": J, "K_s": epochs[s], "K_before": epochs[s - 1], "Z_s": distances[s],
                "Z": kick / (1 - c**J),
            }  # fmt: skip
            exact = distances[s + 1]
            instance = f"quadratics, request {s + 1} of epochs {epochs}"
            yield ctx.compare("literal", "printed", exact, inputs, instance, tolerance=1e-7)
            yield ctx.compare(
                "literal", "corrected", exact, inputs, instance, relation="==", tolerance=1e-7
            )
    unequal = {"c": 0.9, "J": 4, "K_s": 1, "K_before": 3, "Z_s": 2.0, "Z": 0.5}
    yield ctx.compare(
        "literal", "printed", measure(**unequal), unequal, "K_{s-1} = 3 > K_s = 1",
        tight=np.nan,
    )  # fmt: skip
