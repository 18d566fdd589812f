"""Runs of Algorithm 1 of sglu whose every law is known, shared by the checks.

`LinearRun`: quadratics without projection; all laws are Gaussian. `ProjectedRun`: any losses on an
interval, by the transfer operator. Neither uses a formula of the accountants or the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bounds import Hypothesis
from simulators.exact import gaussian_divergence, line_divergence, transfer
from simulators.exact.gaussian import AffineKernel, Gaussian, step
from simulators.exact.line import LineLaw
from simulators.exact.maps import Map, batch_map, quadratic
from verify.checks import Limit

# Ranges in which runs of quadratics on the line are quick, and told from rounding; no projection.
LINE = dict(zip(["alpha", "eta", "m", "M", "sigma", "R", "b", "J", "T", "K", "W"], (
    (1.05, 8), (0.05, 1), (0.01, 0.9), (0.2, 4), (0.05, 1), (math.inf, math.inf),
    (1, 8), (1, 4), (1, 8), (1, 2), (0, 9),
), strict=True))  # fmt: skip

# What the exact sides cannot do.
UNCAPPED = Limit(
    "the exact side is a chain on the line without projection: finite radii only cap it",
    (Hypothesis("R = inf", sets={"R": lambda: math.inf}),),
)

MOST_NODES = 2000  # of a grid: its transfer matrices are dense


@dataclass(frozen=True)
class LinearRun:
    """Losses (m/2)x^2 - d x on the line, no projection: x -> c x + offset + s N(0, 1).

    `shifts` maps a batch position to q_j, the offset that D has there and D' has not: data moved
    from M to -M, seen from the optimum of D' (so that differences of means do not cancel).
    """

    c: float
    s: float
    J: int
    shifts: Mapping[int, float]

    @classmethod
    def of(
        cls,
        *,
        eta: float,
        m: float,
        M: float,
        b: float,
        J: float,
        sigma: float = 1.0,
        j0: float | None = None,
        hits: Mapping[int, int] | None = None,
        **_: object,
    ) -> LinearRun:
        """One point (batch j0, the last by default) or `hits[j]` points moved from M to -M."""
        position = int(J) - 1 if j0 is None else int(j0)
        points = {position: 1} if hits is None else hits
        shift = 2 * eta * M / b
        shifts = {int(j): shift * count for j, count in points.items()}
        return cls(1 - eta * m, math.sqrt(2 * eta) * sigma, int(J), shifts)

    def epoch(self, side: int) -> AffineKernel:
        """One epoch on D (side = 1) or on D' (side = -1)."""
        plain = step(self.c, 0.0, self.s)
        kernel, position = plain.power(0), 0
        for j, shift in sorted(self.shifts.items()) if side == 1 else ():
            kernel = kernel.then(plain.power(j - position)).then(step(self.c, shift, self.s))
            position = j + 1
        return kernel.then(plain.power(self.J - position))

    def stationary(self, side: int) -> Gaussian:
        """The invariant law of the epochs on D or D'; needs c < 1."""
        return self.epoch(side).stationary()

    def learned(self, side: int, epochs: float, start: Gaussian | None = None) -> Gaussian:
        """The law after learning; `epochs` = inf is the stationary law; start 0 by default."""
        if epochs == math.inf:
            return self.stationary(side)
        return self.epoch(side).power(int(epochs)).apply(start or Gaussian.point(0.0))

    def unlearned(self, learning: float, epochs: float, start: Gaussian | None = None) -> Gaussian:
        """The law after learning on D and then `epochs` epochs on D'."""
        return self.learned(-1, epochs, self.learned(1, learning, start))


@dataclass(frozen=True)
class ProjectedRun:
    """Algorithm 1 on [-R, R]: exact laws after projection, by the transfer operator.

    `old` and `new` hold the gradients of D and D', one list for each batch; `breaks` their kinks.
    """

    R: float
    eta: float
    sigma: float
    old: Sequence[Sequence[Map]]
    new: Sequence[Sequence[Map]]
    nodes: int = 0
    breaks: Sequence[float] = ()

    @classmethod
    def linear(
        cls,
        *,
        R: float,
        eta: float,
        m: float,
        sigma: float,
        b: int,
        J: int,
        old: float,
        new: float,
        j0: int | None = None,
        rest: float = 0.0,
        nodes: int = 0,
        **_: object,
    ) -> ProjectedRun:
        """Losses (m/2)x^2 - d x: d = `old` in D and `new` in D' at batch j0, `rest` elsewhere."""
        position = int(J) - 1 if j0 is None else int(j0)
        others = [quadratic(m, rest)] * int(b)  # one list for all batches: they share a step

        def batches(moved: float) -> list[list[Map]]:
            hit = [quadratic(m, moved), *others[1:]]
            return [hit if j == position else others for j in range(int(J))]

        return cls(R, eta, sigma, batches(old), batches(new), nodes)

    @cached_property
    def _steps(self) -> dict[int, list[transfer.Step]]:
        noise = math.sqrt(2 * self.eta) * self.sigma
        count = self.nodes or max(80, math.ceil(14 * self.R / noise))
        if not count <= MOST_NODES:
            raise ValueError(
                f"R must be at most {MOST_NODES / 14:g} times sqrt(2 eta) sigma (a grid of "
                f"{MOST_NODES} nodes), got {self.R / noise:g} times"
            )
        grid = transfer.Grid.make(self.R, count, self.breaks)
        batch_by_id = {id(g): g for g in (*self.old, *self.new)}
        step_by_id = {
            key: transfer.Step.make(grid, batch_map(list(g), self.eta), noise)
            for key, g in batch_by_id.items()
        }
        return {
            side: [step_by_id[id(g)] for g in batches]
            for side, batches in ((1, self.old), (-1, self.new))
        }

    def stationary(self, side: int) -> LineLaw:
        """The invariant law of the epochs on D (side = 1) or D' (side = -1)."""
        return transfer.invariant(self._steps[side])

    def learned(
        self, side: int, epochs: float, start: LineLaw | transfer.Atoms | None = None
    ) -> LineLaw:
        """The law after learning; inf epochs is the stationary law; start at 0 by default."""
        if epochs == math.inf:
            return self.stationary(side)
        return transfer.evolve(start or transfer.Atoms.at(0.0), self._steps[side], int(epochs))

    def unlearned(
        self, learning: float, epochs: int, start: LineLaw | transfer.Atoms | None = None
    ) -> LineLaw:
        """The law after learning on D and then `epochs` epochs on D'."""
        law = self.learned(1, learning, start)
        return transfer.evolve(law, self._steps[-1], int(epochs)) if epochs else law


def renyi_difference(p: Gaussian | LineLaw, q: Gaussian | LineLaw, alpha: float) -> float:
    """d_alpha of Definition 2.1: the larger of both directions."""
    if isinstance(p, Gaussian) and isinstance(q, Gaussian):
        one = gaussian_divergence.renyi
        return max(one(p, q, alpha), one(q, p, alpha))
    assert isinstance(p, LineLaw)
    assert isinstance(q, LineLaw)
    return max(line_divergence.renyi(p, q, alpha), line_divergence.renyi(q, p, alpha))
