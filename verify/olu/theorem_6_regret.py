"""Theorem 6 of olu, regret: exact expectations, and the potential of the proof at every jump."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import alternating_means
from verify.olu.active_regret import Array, BoxStream

CLAIM = Claim(
    id="olu.thm6.regret",
    label="Theorem 6 (regret)",
    kind="asymptotic",
    statement="Under Assumption 2 the regret is of order "
    "log T + k (LD^2 + Ld/(mu eps)) + G_2 + L^2 k^2/mu.",
    readings=(
        Reading("literal", "no constants", ("printed",)),
        Reading("units", "the order does not change with the unit of length", ("printed",),
                stance="part"),
        Reading(
            "explicit",
            "no phase 1; steps 2/(beta + mu) on averages; least noise, then projection; "
            "tau_{i-1} <= u_i, u_i + 1 >= (1 + beta/mu)/2",
            ("corrected", "tight"),
            proofs={
                "corrected": "potential Reg(z) + (mu m/2)|y - z|^2: at the kept losses' minimiser "
                "it pays for the jump",
                "tight": "|U(y) - z|^2 - |y - z|^2 <= 2(1 + rho^I)|y - E||E - z| in Theorem 2",
            },
            stance="repair",
        ),
    ),
    natural=Natural(
        "I2",
        tuple(float(n) for n in range(0, 11)),
        {
            "T": 200, "d": 1, "epsilon": 0.5, "L": 1.0, "mu": 1.0, "beta": 3.0, "D": 1.0,
            "tau": (50, 120), "r": (0.02, 0.02), "q": (0.01, 0.01),
        },
    ),
    quantity="expected regret",
    correction="(L^2/2mu) H_T + sum_i [mu (tau_i - 1) rho^{2I} D^2/(2(1 - rho^{2I})) + iLD] "
    "+ noise + (L^2/mu) sum_i (1 - tau_i/T), for every stream; Theorem 2's bound at I = 0.",
)  # fmt: skip


def measure(
    T: float, d: float, epsilon: float, L: float, mu: float, beta: float, D: float, I2: float,
    tau: tuple[int, ...], **_: object,
) -> float:  # fmt: skip
    """Exact expected regret on quadratics whose points alternate, u_i = tau_i - 1, on a box."""
    n, width = int(d), D / (2 * np.sqrt(d))
    away = max(L / (mu * np.sqrt(d)) - width, 0.0)
    x = np.where(np.arange(int(T)) % 2, away, -away)[:, None] * np.ones(n)
    stream = BoxStream(
        np.full((int(T), n), mu), x, width, mu, beta, [t - 1 for t in tau], list(tau), int(I2)
    )
    return stream.regret(stream.run(stream.sigmas(epsilon)))


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "unspecified", "no constants, and terms of five different units"
    )
    metres = {
        "T": 1000, "d": 10, "epsilon": 1.0, "L": 1.0, "mu": 1.0, "beta": 3.0, "D": 1.0,
        "tau": [101, 201, 301, 401, 501],
    }  # fmt: skip
    other = {**metres, "L": 0.01, "mu": 1e-4, "beta": 3e-4, "D": 100.0}
    yield ctx.compare(
        "units", "printed", float(ctx.formula("printed", **other)) * ctx.scale, metres,
        "the same run in centimetres", relation="==", tight=np.nan, script="thm6_regret_units",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 600)):
        T, d, k, steps = 40, int(rng.integers(1, 3)), int(rng.integers(1, 4)), rng.integers(0, 5)
        yield from _instance(ctx, BoxStream.draw(rng, T, d, k, int(steps)), rng)
    for _ in range(ctx.pick(40, 600)):
        stream = BoxStream.draw(rng, 30, 1, 3, int(rng.integers(1, 4)))
        yield from _potential(ctx, stream, float(rng.uniform(-1, 1)) * stream.half_width)
    T, h = ctx.pick(100_000, 1_000_000), 0.1
    quiet = {
        "T": T, "d": 1, "epsilon": 1e12, "L": 1 + h, "mu": 1.0, "beta": 1.0, "D": 2 * h, "I2": 0,
        "tau": [T], "r": [0.0], "q": [0.0],
    }  # fmt: skip
    yield from ctx.compare_forms(
        "explicit", alternating_means.regret(T, h), quiet,
        "alternating parabolas, a deletion in the last round",
    )  # fmt: skip
    for tau in ([500], [100, 1000, 5000], [20, 40, 60, 80, 100]):
        inputs = {
            "T": 10000, "d": 7, "epsilon": 0.3, "L": 2.0, "mu": 0.5, "beta": 2.0, "D": 3.0,
            "I2": 0, "tau": tau,
        }  # fmt: skip
        H = float(np.sum(1 / np.arange(1, 10001)))
        noise = sum((2 * i - 1) / (t - 1) for i, t in enumerate(tau, start=1))
        theorem_2 = 4 / 0.5 * (H / 2 + 7 / (4 * 0.3) * noise + sum(1 - t / 10000 for t in tau))
        yield ctx.compare(
            "explicit", "corrected", theorem_2 * ctx.scale, inputs,
            "Theorem 2 with valid noise, from which I = 0 must not differ", relation="==",
        )  # fmt: skip


def _instance(ctx: Context, stream: BoxStream, rng: np.random.Generator) -> Iterator[Evidence]:
    epsilon = float(np.exp(rng.uniform(-3, 2)))
    star = stream.minimiser(stream.rounds)
    r, q = [], []

    def watch(i: int, y: Array, z: Array) -> None:
        kept = stream.minimiser(stream.tau[i - 1] - 1, stream.u[:i])
        r.append(float(np.sqrt(((y - kept) ** 2).sum(axis=1).mean())))
        q.append(float(np.linalg.norm(kept - star)))

    played = stream.run(stream.sigmas(epsilon), stream.half_width, watch)
    inputs = {
        "T": stream.rounds, "d": stream.dimension, "epsilon": epsilon, "L": stream.lipschitz,
        "mu": stream.mu, "beta": stream.beta, "D": stream.diameter, "I2": stream.steps,
        "tau": stream.tau, "r": r, "q": q,
    }  # fmt: skip
    yield from ctx.compare_forms(
        "explicit", stream.regret(played), inputs, "random quadratics on a box, all noise signs",
        tight=ctx.formula("tight", **inputs),
    )  # fmt: skip


def _potential(ctx: Context, stream: BoxStream, start: float) -> Iterator[Evidence]:
    """Every jump, every comparator z: the potential grows by no more than the proof allows."""
    z = np.linspace(-stream.half_width, stream.half_width, 201)[:, None]
    jumps: list[tuple[int, Array, Array]] = []
    played = stream.run([0.0] * 3, start, lambda i, y, w: jumps.append((i, y[0], w[0])))[:, 0]
    power = stream.rho ** (2 * stream.steps)
    for i, y, moved in jumps:
        m = stream.tau[i - 1] - 1
        kept = stream.minimiser(m, stream.u[:i])
        points = np.vstack([z, kept])
        so_far = sum(
            stream.losses(played[t - 1], t) - stream.losses(points, t) for t in range(1, m + 1)
        )
        weight = stream.mu * m / 2
        highest = np.max(so_far + weight * ((y - points) ** 2).sum(axis=1))
        after = so_far + weight * ((moved - points) ** 2).sum(axis=1)
        away = np.linalg.norm(points - kept, axis=1)
        allowed = weight * power / (1 - power) * away**2 + i * stream.lipschitz * away
        floor = abs(highest) + 1.0  # a common positive offset: the potential may be negative
        yield ctx.compare(
            "explicit", "corrected", after - highest + floor,
            {"request": i, "I2": stream.steps, "z": points[:, 0]},
            "potential after a jump, over all comparators", bound=allowed + floor, tight=np.nan,
        )  # fmt: skip
