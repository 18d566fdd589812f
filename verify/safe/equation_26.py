"""Equation (26) of safe: the gradient in closed form, and its vanishing for one factor q."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.softmax import probabilities, slope


def check(ctx: Context) -> Findings:
    """Slopes by a complex step along random directions, far logits and rare classes included.

    Under one factor for all classes they are 0.
    """
    for rng in ctx.draws(200, 4000):
        logits, factors, direction = rng.normal(size=(3, int(rng.integers(2, 7))))
        lam = float(np.exp(rng.uniform(-3, 7)))
        inputs = {"lam": lam, "logits0": logits, "log_factors": factors, "slopes": direction}
        joined = {"lam": lam, "logits0": [*logits, logits.max() - 900]}
        joined |= {"log_factors": [*factors, 0.0], "slopes": [*direction, 1.0]}
        lhs = slope(lam, logits, factors, direction)
        far = "the same number added to all logits"
        for at, case_inputs in (
            ("a complex step along a random direction, no normaliser", inputs),
            (far, inputs | {"logits0": logits + 800}),
            (far, inputs | {"logits0": logits - 800}),
            ("one more class, of probability e^-900", joined),
        ):
            yield ctx.compare("classes", "printed", lhs, case_inputs, at)
        lhs = slope(lam, logits, factors, direction, probabilities(logits + factors))
        shifted = inputs | {"log_factors": factors + rng.normal()}
        at = "the target normalised; a constant added to all log q"
        yield ctx.compare("classes", "printed", lhs, shifted, at)
    yield from _linear_model(ctx, rng)
    scalar = [
        slope(1.0, rng.normal(size=4), np.full(4, rng.normal()), rng.normal(size=4))
        for _ in range(ctx.pick(100, 1000))
    ]
    at = "under one factor q for all classes the forgetting gradient is 0 for every model"
    options = {"bound": 1e-9, "relation": ">=", "role": "class", "script": "eq26"}
    yield ctx.compare("literal", "printed", np.abs(scalar), {"lam": 1.0}, at, **options)


def _linear_model(ctx: Context, rng: np.random.Generator) -> Findings:
    """Logits Wx: every entry of the gradient, averaged over several forgotten samples."""
    at = "logits Wx, four samples, entry by entry"
    for _ in range(ctx.pick(5, 50)):
        x = rng.normal(size=(4, 2))
        log_q = rng.normal(size=(4, 3))
        W, lam = rng.normal(size=(3, 2)), 1.5
        for j, k in np.ndindex(W.shape):
            entries = [(W @ p, q, np.eye(3)[j] * p[k]) for p, q in zip(x, log_q, strict=True)]
            exact = np.mean([slope(lam, *entry) for entry in entries])
            slopes = [
                ctx.claim("printed", lam=lam, logits0=logits, log_factors=q, slopes=along)
                for logits, q, along in entries
            ]
            inputs = {"row": j, "column": k}
            bound = np.mean(slopes)
            yield ctx.compare("classes", "printed", exact, inputs, at, bound=bound, tight=np.nan)


CHECKS = (Check("safe.eq26", check),)
