"""Theorem 6 of olu, regret: exact expectations, and the potential of the proof at every jump."""

from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, case_table
from verify.olu import alternating_means
from verify.olu.active_regret import Array, BoxStream


def measure(
    T: float,
    d: float,
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    D: float,
    I2: float,
    tau: tuple[int, ...],
    **_: object,
) -> float:
    """Exact expected regret on quadratics whose points alternate, u_i = tau_i - 1, on a box."""
    n, width = int(d), D / (2 * np.sqrt(d))
    away = max(L / (mu * np.sqrt(d)) - width, 0.0)
    x = np.where(np.arange(int(T)) % 2, away, -away)[:, None] * np.ones(n)
    stream = BoxStream(
        np.full((int(T), n), mu), x, width, mu, beta, [t - 1 for t in tau], list(tau), int(I2)
    )
    return stream.regret(stream.run(stream.sigmas(epsilon)))


def check(ctx: Context) -> Findings:
    """Exact expected regret of random box streams, and the potential at every jump.

    The printed order in centimetres; alternating parabolas; Theorem 2 as the case I = 0.
    """
    reason = "no constants, and terms of five different units"
    yield ctx.declare("literal", "printed", "unspecified", reason)
    tau = [101, 201, 301, 401, 501]
    words = "the same run in centimetres"
    metres, other = case_table(
        "T d epsilon L mu beta D tau",
        (1000, 10, 1.0, 1.0, 1.0, 3.0, 1.0, tau),
        (1000, 10, 1.0, 0.01, 1e-4, 3e-4, 100.0, tau),
    )
    regret_bound = float(ctx.claim("printed", **other)) * ctx.scale
    more = {"relation": "==", "tight": np.nan, "script": "thm6_regret_units"}
    yield ctx.compare("units", "printed", regret_bound, metres, words, **more)
    for rng in ctx.draws(40, 600):
        T = 40
        d = int(rng.integers(1, 3))
        k = int(rng.integers(1, 4))
        steps = rng.integers(0, 5)
        yield from _instance(ctx, BoxStream.draw(rng, T, d, k, int(steps)), rng)
    for _ in range(ctx.pick(40, 600)):
        stream = BoxStream.draw(rng, 30, 1, 3, int(rng.integers(1, 4)))
        yield from _potential(ctx, stream, float(rng.uniform(-1, 1)) * stream.half_width)
    T, h = ctx.pick(100_000, 1_000_000), 0.1
    (quiet,) = case_table(
        "T d epsilon L mu beta D I2 tau r q",
        (T, 1, 1e12, 1 + h, 1.0, 1.0, 2 * h, 0, [T], [0.0], [0.0]),
    )
    words = "alternating parabolas, a deletion in the last round"
    yield from ctx.compare_forms("explicit", alternating_means.regret(T, h), quiet, words)
    words = "Theorem 2 with valid noise, from which I = 0 must not differ"
    for tau in ([500], [100, 1000, 5000], [20, 40, 60, 80, 100]):
        (inputs,) = case_table(
            "T d epsilon L mu beta D I2 tau", (10000, 7, 0.3, 2.0, 0.5, 2.0, 3.0, 0, tau)
        )
        H = float(np.sum(1 / np.arange(1, 10001)))
        noise = sum((2 * i - 1) / (t - 1) for i, t in enumerate(tau, start=1))
        theorem_2 = 4 / 0.5 * (H / 2 + 7 / (4 * 0.3) * noise + sum(1 - t / 10000 for t in tau))
        regret_bound = theorem_2 * ctx.scale
        yield ctx.compare("explicit", "corrected", regret_bound, inputs, words, relation="==")


def _instance(ctx: Context, stream: BoxStream, rng: np.random.Generator) -> Findings:
    """Regret of one box stream over all noise signs, with the distances at its requests."""
    epsilon, star = float(np.exp(rng.uniform(-3, 2))), stream.minimiser(stream.rounds)
    r, q = [], []

    def watch(i: int, y: Array, z: Array) -> None:
        minimiser = stream.minimiser(stream.tau[i - 1] - 1, stream.u[:i])
        r.append(float(np.sqrt(((y - minimiser) ** 2).sum(axis=1).mean())))
        q.append(float(np.linalg.norm(minimiser - star)))

    played = stream.run(stream.sigmas(epsilon), stream.half_width, watch)
    inputs: dict[str, Any] = {
        "T": stream.rounds,
        "d": stream.dimension,
        "D": stream.diameter,
        "I2": stream.steps,
    }
    inputs |= {"L": stream.lipschitz, "mu": stream.mu, "beta": stream.beta, "epsilon": epsilon}
    inputs |= {"tau": stream.tau, "r": r, "q": q}
    words = "random quadratics on a box, all noise signs"
    tight = ctx.claim("tight", **inputs)
    yield from ctx.compare_forms("explicit", stream.regret(played), inputs, words, tight=tight)


def _potential(ctx: Context, stream: BoxStream, start: float) -> Findings:
    """Every jump, every comparator z: the potential grows by no more than the proof allows."""
    z = np.linspace(-stream.half_width, stream.half_width, 201)[:, None]
    jumps: list[tuple[int, Array, Array]] = []
    played = stream.run([0.0] * 3, start, lambda i, y, w: jumps.append((i, y[0], w[0])))[:, 0]
    power = stream.rho ** (2 * stream.steps)
    for i, y, jump_end in jumps:
        m = stream.tau[i - 1] - 1
        minimiser = stream.minimiser(m, stream.u[:i])
        points = np.vstack([z, minimiser])
        so_far = sum(
            stream.losses(played[t - 1], t) - stream.losses(points, t) for t in range(1, m + 1)
        )
        weight = stream.mu * m / 2
        highest = np.max(so_far + weight * ((y - points) ** 2).sum(axis=1))
        after = so_far + weight * ((jump_end - points) ** 2).sum(axis=1)
        away = np.linalg.norm(points - minimiser, axis=1)
        growth_bound = weight * power / (1 - power) * away**2 + i * stream.lipschitz * away
        floor = abs(highest) + 1.0  # a common positive offset: the potential may be negative
        growth = after - highest + floor
        inputs = {"request": i, "I2": stream.steps, "z": points[:, 0]}
        words = "potential after a jump, over all comparators"
        yield ctx.compare(
            "explicit", "corrected", growth, inputs, words, bound=growth_bound + floor, tight=np.nan
        )


CHECKS = (
    Check("olu.thm6.regret", evidence=check, exact_side=measure)
    .measured_by(
        "online",
        "active_regret",
        interpretations=("explicit",),
        where=("steps 1/(mu t)", "active", "no first phase", "losses are asked for in turn"),
    )
    .beside("a first row that pulls the other way"),
)
