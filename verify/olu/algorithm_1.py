"""Algorithm 1 of olu, line 5: too little noise at eta_t = 1/(mu t); repaired, and the least."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

import bounds
from simulators.exact import gaussian_divergence
from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, case_table
from verify.olu import projected_runs


def instance(mu: float, L: float, u: Any, tau: Any) -> QuadraticStream:
    """Losses (mu/2)(z - x_t)^2 with x = L/mu at the rounds u, 0 elsewhere; eta_t = 1/(mu t)."""
    rounds = int(np.max(tau))
    points = np.zeros(rounds)
    points[np.asarray(u, dtype=int) - 1] = L / mu
    return QuadraticStream(points, mu, 1 / (mu * np.arange(1, rounds + 1)))


def reached(
    stream: QuadraticStream, u: Any, tau: Any, sigma: Any, alpha: float, request: int
) -> float:
    """D_alpha at one request, the larger of both directions."""
    (m, v), (n, w) = stream.pair(np.asarray(u, dtype=int), np.asarray(tau), sigma, request)
    there = gaussian_divergence.renyi_gauss(m[0], v, n[0], w, alpha)
    back = gaussian_divergence.renyi_gauss(n[0], w, m[0], v, alpha)
    return max(float(there), float(back))


def measure(
    mu: float, beta: float, L: float, u: Any, tau: Any, epsilon: float, omega: float = 1.2
) -> float:
    """The least noise of the last request on `instance`, when the earlier ones had the least.

    Every request has its own worst losses: those that later requests remove are 0 until then.
    """
    from scipy.optimize import brentq

    sigma: list[float] = []
    guess = math.log(L / mu / math.sqrt(epsilon))
    for i in range(1, np.size(tau) + 1):
        stream = instance(mu, L, np.asarray(u)[:i], tau)

        def excess(log_sigma: float, i: int = i, stream: QuadraticStream = stream) -> float:
            candidate = [*sigma, math.exp(log_sigma), *[0.0] * (np.size(tau) - i)]
            return math.log(reached(stream, u, tau, candidate, 2.0, i) / (2 * epsilon))

        sigma.append(math.exp(brentq(excess, guess - 20, guess + 5, xtol=1e-14)))
    return sigma[-1]


def interleaved(rng: np.random.Generator, ctx: Context) -> tuple[float, float, dict[str, Any]]:
    """(D_alpha, alpha eps, inputs) of the least noise, requests and losses interleaved.

    Losses (mu/2)(z - x)^2 + (beta - mu) log cosh(z - x), x in K = [-1/2, 1/2]. From tau_1 on
    eta_t <= 1/beta, so that steps stay in K without the projection.
    """
    mu, radius = float(np.exp(rng.normal())), 0.5
    beta = mu * float(rng.uniform(1, 4))
    k = int(rng.integers(1, 4))
    tau = np.sort(rng.choice(np.arange(math.ceil(beta / mu) + 1, 12), size=k, replace=False))
    u: list[int] = []
    for at in tau:
        u.append(int(rng.choice([t for t in range(1, at) if t not in u])))
    points = rng.uniform(-radius, radius, int(tau[-1]) + 1)

    def gradient(t: int, z: np.ndarray) -> np.ndarray:
        return np.asarray(mu * (z - points[t]) + (beta - mu) * np.tanh(z - points[t]))

    def step(t: int) -> projected_runs.Map:
        return lambda z: np.clip(z - gradient(t, z) / (mu * t), -radius, radius)

    ends = np.array([-radius, radius])
    L = max(float(np.abs(gradient(t, ends)).max()) for t in range(1, int(tau[-1])))
    constants = {"mu": mu, "beta": beta, "L": L}
    unit = by_request(ctx, "tight", u, tau, **constants, epsilon=1.0)
    epsilon = float(rng.uniform(0.1, 1)) * (min(unit) / (0.1 * radius)) ** 2
    steps = {t: step(t) for t in range(1, int(tau[-1]))}
    run, retrained = (projected_runs.segments(steps, skip, (tau - 1).tolist()) for skip in ((), u))
    alpha = 1 + float(rng.exponential(2))
    noises = [s / math.sqrt(epsilon) for s in unit]
    divergence = projected_runs.divergence(run, retrained, noises, 0.0, radius, alpha)
    inputs = {**constants, "alpha": alpha, "epsilon": epsilon, "u": u, "tau": tau.tolist()}
    return divergence, alpha * epsilon, inputs


def by_request(ctx: Context, form: str, u: Any, tau: Any, **constants: Any) -> list[float]:
    """The noise that a form gives to each request."""
    last = range(1, len(u) + 1)
    return [float(ctx.claim(form, **constants, u=u[:i], tau=tau[:i])) for i in last]


def check(ctx: Context) -> Findings:
    """Exact D_alpha at every request on quadratics with the noise of each form, against alpha eps.

    Then interleaved requests on losses that are no quadratics, and the index that line 5's own
    comment implies.
    """
    rng = ctx.rng()
    cases = [(1.0, 3.0, 1.0, [4], [6], 1.0), (1.0, 3.0, 1.0, [4], [14], 1.0)]
    cases.append((1.0, 3.0, 1.0, [3, 4], [6, 14], 0.1))
    for _ in range(ctx.pick(25, 500)):
        k, mu = int(rng.integers(1, 6)), float(np.exp(rng.normal()))
        u = np.sort(rng.choice(np.arange(5, 13), size=k, replace=False)).tolist()
        tau = np.sort(rng.choice(np.arange(13, 41), size=k, replace=False)).tolist()
        beta, L = mu * float(rng.uniform(1, 5)), float(rng.exponential()) + 0.1
        cases.append((mu, beta, L, u, tau, float(rng.exponential())))
    for inputs in case_table("mu beta L u tau epsilon", *cases):
        u = inputs["u"]
        tau = inputs["tau"]
        budget = 2 * inputs["epsilon"]
        stream = instance(inputs["mu"], inputs["L"], u, tau)
        case = {**inputs, "alpha": 2.0}
        for form in ("printed", "corrected", "tight"):
            sigma = by_request(ctx, form, **inputs)
            divergences = [reached(stream, u, tau, sigma, 2.0, i + 1) for i in range(len(u))]
            words = f"exact D_alpha at each request on quadratics with the {form} noise"
            more = {"bound": budget, "tight": math.nan, "script": "alg1_too_little"}
            more["relation"] = "==" if form == "tight" else "<="
            yield ctx.compare("literal", form, divergences, case, words, **more)
        least = measure(**inputs)
        words = "least noise of the last request on quadratics"
        yield ctx.compare("literal", "tight", least, inputs, words, relation="==")
    words = "interleaved requests, no quadratics, projection after the noise; transfer operator"
    for _ in range(ctx.pick(6, 200)):
        leak, budget, inputs = interleaved(rng, ctx)
        yield ctx.compare("literal", "tight", leak, inputs, words, bound=budget, tight=math.nan)
    (free,) = case_table("mu beta L epsilon u tau", (1.0, 1.0, 1.0, 1.0, [1, 4], [3, 5]))
    sigma = by_request(ctx, "tight", **free)
    stream = QuadraticStream(np.array([0.5, 0, 0, 0.5, 0]), 1.0, 1 / np.arange(1.0, 6))
    spread = reached(stream, [1, 4], [3, 5], sigma, 5.0, 2)
    case = {**free, "alpha": 5.0}
    words = "without the projection a step skipped after the first noise leaves more variance"
    yield ctx.compare("literal", "tight", spread, case, words, bound=5.0, role="control")
    words = "f_u takes one contraction fewer than line 5 counts"
    for mu, beta, u, tau in ((1.0, 2.0, 4, 9), (1.0, 3.0, 2, 5)):
        eta, gamma = 2 / (beta + mu), (beta - mu) / (beta + mu)
        points = np.where(np.arange(1, tau) == u, 1.0, 0.0)
        sigma = [math.sqrt(3.0) * gamma ** (tau - u) * eta * mu]
        leak = reached(QuadraticStream(points, mu, eta), [u], [tau], sigma, 2.0, 1)
        # gamma^-2 (omega - 1)/omega = 1.5 at beta = 2 mu; below 1 from beta = 3 mu on.
        case = {"mu": mu, "beta": beta, "u": [u], "tau": [tau]}
        more = {"bound": 2.0, "tight": math.nan, "script": "alg1_one_late"}
        yield ctx.compare("comment", "printed", leak, case, words, **more)


def hidden(form: str, known: Mapping[str, Any]) -> float:
    """The distance that the first request's noise hides: D_alpha = alpha eps there."""
    settings = {n: known[n] for n in ("mu", "beta", "L", "epsilon")}
    noise = bounds.get("olu.alg1")(form, u=[known["u_1"]], tau=[known["tau_1"]], **settings)
    return float(noise) * math.sqrt(2 * known["epsilon"])


CHECKS = (
    Check("olu.alg1", evidence=check, exact_side=measure)
    .measured_by(
        "online",
        "first_request_gap",
        interpretations=("literal",),
        where=("steps 1/(mu t)", "least noise"),
        sides={form: partial(hidden, form) for form in ("printed", "corrected", "tight")},
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
