"""Equation (27) of safe: steepest descent on a sphere of radius gamma around w_0."""

from itertools import product

import numpy as np

from verify.checks import Check, Context, Findings


def check(ctx: Context) -> Findings:
    """One coordinate by hand; length and descent of random steps in several dimensions."""
    rng = ctx.rng()
    at = "one coordinate"
    for w0, g, gamma, b in ((0.0, -1.0, 0.1, 0.0), (1.5, 0.3, 0.25, 0.01), (-2, -7, 0.5, -0.2)):
        lhs = w0 - b - gamma * np.sign(g)
        inputs = {"w0": w0, "g": [g], "gamma": gamma, "b": b}
        yield from ctx.compare_forms("literal", lhs, inputs, at, tolerance=1e-12)
    for form, d, _ in product(("printed", "corrected"), (2, 3, 10), range(ctx.pick(15, 300))):
        w0, b = rng.normal(size=(2, d))
        # Only the direction of g counts, however short or long it is.
        g = rng.normal(size=d) * 10.0 ** rng.uniform(-150, 150)
        g[rng.integers(d)] *= rng.integers(2)  # some coordinates are at rest
        gamma = float(np.exp(rng.normal()))
        # A form gives the coordinate that is listed first.
        turned = ({"w0": w0[j], "g": np.roll(g, -j), "b": b[j]} for j in range(d))
        model = np.array([ctx.claim(form, gamma=gamma, **x) for x in turned])
        displacement = model + b - w0
        unit = g / np.abs(g).max()
        descent = -gamma * np.linalg.norm(unit), unit @ displacement
        for at, lhs, rhs in (
            ("the step has length gamma", gamma, np.linalg.norm(displacement)),
            ("and descends as much as one of that length can", *descent),
        ):
            options = {"bound": rhs, "tight": np.nan, "tolerance": 1e-12}
            yield ctx.compare("literal", form, lhs, {"d": d, "gamma": gamma}, at, **options)
    still = {"w0": 1.25, "g": [0.0, 0.0], "gamma": 0.5, "b": 0.125}
    yield ctx.declare("zero", "printed", "unspecified", "0/0: the paper gives no step there")
    yield ctx.compare("zero", "corrected", 1.125, still, "no step")


CHECKS = (Check("safe.eq27", check),)
