"""Appendix E of sglu: an index of the induction step, told by requests of unequal lengths."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.theorem_3_11 import sequence

CLAIM = Claim(
    id="sglu.appe",
    label="(26)-(30)",
    kind="recursion",
    aliases=("sglu.appE", "sglu.eq26-30"),
    statement="The distance before request s + 1 is at most c^{K_{s-1}n/b} Z^{(s)} + Z.",
    readings=(
        Reading(
            "literal",
            "the first law is stationary; request s runs K_s epochs on its data set",
            ("printed", "corrected"),
            proofs={"corrected": "triangle inequality and Lemma 3.6; equality for quadratics"},
            edits={
                "printed": Edit("K_{s-1} should read K_s, as in the theorem", "K_{s-1}", "K_{s}")
            },
        ),
    ),
    quantity="distance to the next stationary law",
    correction="K_s for K_{s-1} in (29) and (30).",
)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases: list[tuple[float, int, float, list[int]]] = [(0.5, 1, 1.0, [3, 1, 2])]
    for _ in range(ctx.pick(8, 60)):
        epochs = [int(k) for k in rng.integers(0, 5, size=6)]
        cases.append(
            (
                float(rng.uniform(0.5, 0.98)),
                int(rng.integers(1, 6)),
                float(rng.exponential()),
                epochs,
            )
        )
    for case, (c, J, kick, epochs) in enumerate(cases):
        distances = sequence(c, J, kick, epochs)
        for s in range(1, len(epochs)):
            inputs = {
                "c": c, "J": J, "K_before": epochs[s - 1], "K_s": epochs[s], "Z_s": distances[s],
                "Z": kick / (1 - c**J),
            }  # fmt: skip
            instance = f"quadratics, request {s + 1} of epochs {epochs}"
            if case == 0:
                yield ctx.compare(
                    "literal", "printed", distances[s + 1], inputs, instance, tolerance=1e-7,
                    script="appe",
                )  # fmt: skip
            yield ctx.compare(
                "literal", "corrected", distances[s + 1], inputs, instance, relation="==",
                tolerance=1e-7,
            )  # fmt: skip
    first = distances[0]
    yield ctx.compare(
        "literal", "corrected", first, {"c": c, "J": J, "Z": kick / (1 - c**J)},
        "(26): before the first request", bound=np.array(kick / (1 - c**J)), relation="==",
        tolerance=1e-7,
    )  # fmt: skip
