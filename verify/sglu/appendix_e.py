"""Appendix E of sglu: an index of the induction step, told by requests of unequal lengths."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.sglu.theorem_3_11 import sequence


def check(ctx: Context) -> Findings:
    """Distances before every request on quadratics, requests of unequal lengths."""
    rng = ctx.rng()
    options = {"relation": "==", "tolerance": 1e-7}
    cases: list[tuple[float, int, float, list[int]]] = [(0.5, 1, 1.0, [3, 1, 2])]
    for _ in range(ctx.pick(8, 60)):
        epochs = [int(k) for k in rng.integers(0, 5, size=6)]
        c = float(rng.uniform(0.5, 0.98))
        J = int(rng.integers(1, 6))
        cases.append((c, J, float(rng.exponential()), epochs))
    for case, (c, J, shift, epochs) in enumerate(cases):
        distances = sequence(c, J, shift, epochs)
        Z = shift / (1 - c**J)
        first = distances[0]
        inputs = {"c": c, "J": J, "Z": Z}
        for s in range(1, len(epochs)):
            at = {**inputs, "K_before": epochs[s - 1], "K_s": epochs[s], "Z_s": distances[s]}
            distance = distances[s + 1]
            instance = f"quadratics, request {s + 1} of epochs {epochs}"
            if case == 0:
                script = {"script": "appe", "tolerance": 1e-7}
                yield ctx.compare("literal", "printed", distance, at, instance, **script)
            yield ctx.compare("literal", "corrected", distance, at, instance, **options)
    bound = np.array(Z)
    instance = "(26): before the first request"
    yield ctx.compare("literal", "corrected", first, inputs, instance, bound=bound, **options)


CHECKS = (
    Check("sglu.appe", evidence=check).measured_by(
        "langevin", "request_distance", where=("short steps",)
    ),
)
