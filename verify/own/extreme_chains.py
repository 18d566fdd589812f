"""Noisy contractions at the ends of the float range, with their least mu in exact enough numbers.

Ordinary instances leave an accountant's scaling, its restarts and its special cases unused: here
are chains whose products leave the floats, that outlive a block of 512 steps, that forget, stay
quiet, are hemmed in by a diameter, or end without noise.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import mpmath as mp
import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from verify.checks import Context, Findings
from verify.evidence import Relation

DIGITS = 1500  # clocks of one chain differ by up to 10^1000


@dataclass(frozen=True)
class ExtremeChain:
    """Contractions, shifts, noises; distance at the start and diameter of the domain."""

    contraction: list[float]
    shift: list[float]
    noise: list[float]
    initial_distance: float = 0.0
    diameter: float = math.inf

    def mu(self) -> float:
        """The least mu over all restarts at the diameter, each by all tangents; O(N^4)."""
        with mp.workdps(DIGITS):
            found = self._from(0, min(self.initial_distance, self.diameter))
            if math.isfinite(self.diameter):
                for t in range(1, len(self.shift)):
                    found = min(found, self._from(t, self.diameter))
            return float(found)

    def _from(self, start: int, distance: float) -> Any:
        c = self.contraction[start:]
        shift = self.shift[start:]
        noise = self.noise[start:]
        left = [mp.fprod(map(mp.mpf, c[k:])) for k in range(len(c) + 1)]
        points = [(mp.mpf(0), mp.mpf(0))]
        height = mp.mpf(distance) * left[0]
        clock = mp.mpf(0)
        for k, s in enumerate(noise):
            height += mp.mpf(shift[k]) * left[k + 1]
            if s > 0 and left[k + 1] > 0:
                clock += (mp.mpf(s) * left[k + 1]) ** 2
                points.append((clock, height))
        if height == 0:
            return mp.mpf(0)
        if points[-1][1] != height:
            return mp.inf
        cost, (x, y) = mp.mpf(0), points.pop(0)
        while points:
            slopes = [(v - y) / (u - x) for u, v in points]
            best = len(slopes) - 1 - slopes[::-1].index(min(slopes))
            (u, v), points = points[best], points[best + 1 :]
            cost, x, y = cost + (v - y) ** 2 / (u - x), u, v
        return mp.sqrt(cost)


@dataclass(frozen=True)
class Uniform(ExtremeChain):
    """A long chain that begins apart and meets no shift: one segment, so mu = S_0 z/sqrt(V)."""

    def mu(self) -> float:
        with mp.workdps(DIGITS):
            tail_product, clock = mp.mpf(1), mp.mpf(0)
            for c, s in zip(self.contraction[::-1], self.noise[::-1], strict=True):
                clock = clock + (mp.mpf(s) * tail_product) ** 2
                tail_product = tail_product * mp.mpf(c)
            return float(mp.mpf(self.initial_distance) * tail_product / mp.sqrt(clock))


def chains(rng: np.random.Generator) -> Iterator[tuple[str, ExtremeChain]]:
    """Named instances, the smallest first."""
    yield "no shift at all", ExtremeChain([0.5, 0.9], [0.0, 0.0], [1.0, 0.3])
    yield "the last shift meets no noise", ExtremeChain([0.5, 0.9], [0.3, 0.2], [1.0, 0.0])
    yield "no noise at all", ExtremeChain([0.5], [0.3], [0.0], 1.0)
    yield (
        "forgotten, then quiet",
        ExtremeChain([0.5, 0.0, 0.7], [1.0, 0.0, 0.0], [1.0, 0.4, 0.3], 2.0),
    )
    yield "everything is forgotten", ExtremeChain([0.5, 0.0], [1.0, 0.4], [1.0, 0.3], 2.0, 5.0)
    yield "one point", ExtremeChain([0.9, 0.9], [0.0, 0.0], [0.4, 0.5], 3.0, 0.0)
    for trial in range(14):
        n = int(rng.integers(2, 9))
        noise = 10 ** rng.uniform(-1, 1, n) * (rng.uniform(size=n) < 0.8)
        noise[-1] = 0.3
        wide = 10.0 ** (60 * (trial % 3 - 1) * rng.uniform(size=n))
        hemmed = math.inf if trial % 2 else float(rng.uniform(0.2, 1.2))
        yield (
            f"random, diameter {hemmed:.2g}, noises up to {wide.max():.0e}",
            ExtremeChain(
                rng.uniform(0.3, 1.3, n).tolist(),
                (rng.exponential(size=n) * (rng.uniform(size=n) < 0.7)).tolist(),
                (noise * wide).tolist(),
                float(rng.uniform(0, 2)) * (trial % 4 > 1),
                hemmed,
            ),
        )
    for size in (1e-70, 1e90):
        yield (
            f"contractions of {size:g}",
            ExtremeChain(
                [size, 2 * size, 0.5, 3 * size], [1.0, 0.0, 1 / size, 0.7], [1.0, 0.3, 2.0, 1e-3],
                0.4,
            ),
        )  # fmt: skip
    yield (
        "noises from 1e-250 to 1",
        ExtremeChain([0.9, 0.8, 0.7, 0.9], [1e-249, 1.0, 0.3, 0.1], [1e-250, 0.5, 1e-200, 0.2]),
    )
    yield (
        "noises from 1 to 1e-250",
        ExtremeChain(
            [0.9, 0.8, 0.7, 0.9], [0.5, 1e-200, 0.0, 1e-250], [0.5, 1e-200, 1e-240, 1e-250]
        ),
    )
    for n, c in ((1100, 0.999), (1500, 0.7)):
        steps = rng.uniform(0.9, 1.0, n) * c
        yield f"{n} steps", Uniform(steps.tolist(), [0.0] * n, rng.uniform(0.5, 2, n).tolist(), 1.5)


def accounted(ctx: Context, interpretation: str, form: str) -> Findings:
    """The accountant of the noisy contraction on every chain: right, and never below the truth."""
    for name, chain in chains(ctx.rng(1)):
        arguments, exact = asdict(chain), chain.mu()
        sides: tuple[tuple[Relation, float], ...] = (("==", 1e-11), ("<=", 0.0))
        for relation, tolerance in sides:
            yield ctx.compare(
                interpretation,
                form,
                exact,
                arguments if len(chain.shift) < 20 else {"N": len(chain.shift)},
                f"{name}: all tangents in {DIGITS} digits",
                bound=pabi_mu(**arguments),
                relation=relation,
                tolerance=tolerance,
                tight=math.nan,
            )
