"""Lemma 8 of olu: quadratics attain it; losses that are smooth on K only do not obey it."""

import numpy as np

from verify.checks import Check, Context, Findings


def measure(beta: float, gap: float) -> float:
    """Squared derivative of (beta/2) x^2 where its value is `gap`."""
    x = np.sqrt(2 * gap / beta)
    return float((beta * x) ** 2)


def check(ctx: Context) -> Findings:
    """Squared gradients of quadratics, Huber and logistic losses against their gap."""
    rng = ctx.rng()
    count = ctx.pick(500, 20_000)
    beta = np.exp(rng.normal(size=count))
    x = rng.normal(0, 3, size=count)
    at = {"beta": beta, "gap": beta * x**2 / 2}
    square = (beta * x) ** 2
    yield ctx.compare("literal", "printed", square, at, "quadratics", relation="==")
    huber = beta * np.where(np.abs(x) < 1, x**2 / 2, np.abs(x) - 0.5)
    at = {"beta": beta, "gap": huber}
    square = (beta * np.clip(x, -1, 1)) ** 2
    yield ctx.compare("literal", "printed", square, at, "Huber losses")
    softplus = np.logaddexp(0, x)
    square = (beta / (1 + np.exp(-x))) ** 2
    at = {"beta": beta / 4, "gap": beta * softplus}
    words = "logistic losses, beta/4-smooth"
    yield ctx.compare("literal", "printed", square, at, words)
    words = "f(z) = z at 0.2 on K = [0, 1], gap over K only: the hypothesis is on R^d"
    yield ctx.compare("literal", "printed", 1.0, {"beta": 0.1, "gap": 0.2}, words, role="control")


CHECKS = (
    Check("olu.lem8", evidence=check, exact_side=measure).measured_by(
        "online", "squared_gradients", where=("losses at least 0",)
    ),
)
