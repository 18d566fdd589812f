"""Lemma 3 of olu: linear chains attain it; expanding maps and skips are allowed."""

import math
from typing import Any

import numpy as np

from simulators.exact import linear_chain
from verify.checks import Check, Context, Findings
from verify.olu import projected_runs, theorem_1


def measure(alpha: float, c: Any, s: Any, a: Any, sigma: Any) -> float:
    """D_alpha^(e_T) of x -> c x + s against x -> c x: Gaussians of one variance, S_T apart.

    The shifted divergence of those is alpha (S_T - e_T)_+^2/(2 V_T) (Definition 5).
    """
    gap, variance = linear_chain.recursion(c, s, np.square(sigma), 0.0, 0.0)
    remainder = 0.0
    for factor, arrived, paid in zip(c, s, a, strict=True):
        remainder = factor * remainder + arrived - paid
    over = max(float(gap) - remainder, 0.0)
    if over == 0.0:
        return 0.0
    return float(alpha * over**2 / (2 * variance)) if variance else math.inf


def random_payments(
    rng: np.random.Generator, c: np.ndarray, s: np.ndarray, sigma: np.ndarray, whole: bool
) -> np.ndarray:
    """a_t >= 0 with e_t >= 0, nothing where sigma_t = 0; all of it by the end if `whole`."""
    e, paid = 0.0, np.zeros(c.size)
    for t in range(c.size):
        e = c[t] * e + s[t]
        if sigma[t] > 0:
            last = t + 1 == c.size
            paid[t] = e if whole and last else e * rng.uniform()
            e -= paid[t]
    return paid


def skipping(rng: np.random.Generator) -> tuple[float, dict[str, Any]]:
    """(D_alpha, inputs) of projected descent on [-1, 1]: noise everywhere, skips, c_t up to 1.5.

    Losses mu (z - x)^2/2 + (beta - mu) log cosh(z - x), the same ones skipped by the other run;
    the projection comes after the noise only, so all maps are smooth.
    """
    T = int(rng.integers(2, 5))
    alpha = 1 + float(rng.exponential(2))
    radius = 1.0
    mu = float(rng.uniform(0.2, 1))
    beta = mu * float(rng.uniform(1, 3))
    eta = rng.uniform(0.3, 2.5, T) / beta
    points = rng.uniform(-radius, radius, T)
    skipped = rng.uniform(size=T) < 0.5
    skipped[0] = True
    sigma = rng.uniform(0.2, 1, T)
    c = np.maximum(np.abs(1 - eta * mu), np.abs(1 - eta * beta))
    fine = np.linspace(-radius, radius, 2001)

    def step(t: int) -> projected_runs.Map:
        x = float(points[t])
        return lambda z: z - eta[t] * (mu * (z - x) + (beta - mu) * np.tanh(z - x))

    s = np.array([np.abs(step(t)(fine) - fine).max() if skipped[t] else 0.0 for t in range(T)])
    # The largest value over a fine grid, raised by what the slope allows between two points.
    s = np.where(skipped, s + (1 + c) * (fine[1] - fine[0]), 0.0)
    run, retrained = (
        [projected_runs.composed([] if skip and skipped[t] else [step(t)]) for t in range(T)]
        for skip in (False, True)
    )
    divergence = projected_runs.divergence(run, retrained, sigma.tolist(), 0.0, radius, alpha)
    a = random_payments(rng, c, s, sigma, whole=True)
    lists = {"c": c.tolist(), "s": s.tolist(), "a": a.tolist(), "sigma": sigma.tolist()}
    return divergence, {"alpha": alpha, **lists}


def check(ctx: Context) -> Findings:
    """Shifted divergence of random linear chains, at random payments and at the best.

    Also projected descent against skips, where one map is the identity.
    """
    rng = ctx.rng()
    for n in range(ctx.pick(80, 2000)):
        T = int(rng.integers(1, 7))
        general = n % 2 == 1
        c = rng.uniform(0, 2, T) if general else np.full(T, rng.uniform())
        s = rng.exponential(size=T)
        sigma = rng.exponential(size=T) + 0.05
        s[rng.uniform(size=T) < 0.4] = 0.0
        s[0], quiet = 1.0, rng.uniform(size=T) < 0.3
        quiet[-1] = False
        sigma[quiet] = 0.0
        a = random_payments(rng, c, s, sigma, whole=n % 4 < 2)
        lists = {"c": c.tolist(), "s": s.tolist(), "a": a.tolist(), "sigma": sigma.tolist()}
        inputs = {"alpha": 1 + float(rng.exponential(3)), **lists}
        interpretation = "general" if general else "literal"
        yield ctx.compare(interpretation, "printed", measure(**inputs), inputs, "linear chains")
        # One shift at the start, paid in proportion to sigma_t^2 prod_{r > t} c_r.
        after = np.array([np.prod(c[t + 1 :]) for t in range(T)])
        s = np.where(np.arange(T) == 0, 1.0, 0.0)
        if after[0] < 1e-3:
            continue
        share = sigma**2 * after / (sigma**2 * after**2).sum() * after[0]
        best = {**inputs, "s": s.tolist(), "a": share.tolist()}
        words = "linear chains, the best payments"
        yield ctx.compare(interpretation, "printed", measure(**best), best, words, relation="==")
    words = "projected descent against skips (psi' = identity), steps up to 2.5/beta"
    for _ in range(ctx.pick(10, 300)):
        yield ctx.compare("general", "printed", *skipping(rng), words)
    case = {"alpha": 2.0, "c": [1.0, 0.5], "s": [1.0, 0.5], "a": [1.0, 0.5]}
    case["sigma"] = [math.sqrt(300.0), math.sqrt(300 * 2**1.2) / 2]
    words = "s_t over K only, though noise leaves K (the counterexample to Theorem 1)"
    divergence = theorem_1.after_projection(0.01, 2.0)
    yield ctx.compare("general", "printed", divergence, case, words, role="control")


CHECKS = (
    Check("olu.lem3", evidence=check, exact_side=measure)
    .measured_by("online", "law_by_rounds", interpretations=("general",))
    .beside("worst signs, steps 1/sqrt(t)"),
)
