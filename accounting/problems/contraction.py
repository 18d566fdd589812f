"""Any noisy contraction: x_t = psi_t(x_{t-1}) + s_t N(0, I), psi'_t on the adjacent data."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.contraction.noisy_contraction import NoisyContraction
from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.problems.answer import Array, Target
from accounting.problems.options import Column, natural, real, table
from accounting.problems.problem import Problem
from accounting.problems.process import Process

_ROOM = 2.0**-40
_COLUMNS = dict.fromkeys(("contraction", "displacement", "noise"), Column(low=0.0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Contraction(Problem):
    """Any noisy contraction: the factor on a column of noise scales, from a file of its steps."""

    algorithm = "contraction"
    accountants: ClassVar = {"exact": "convex minorant of the displacements over the noise"}
    example = "--process process.csv --initial-distance 2"

    process: Any = table(
        "CSV with the header contraction,displacement,noise, or a JSON list of triples, one a "
        "step: c_t, delta_t, and s_t up to the factor sigma, with "
        "|psi_t(x) - psi'_t(x')| <= c_t |x - x'| + delta_t.",
        _COLUMNS,
    )
    initial_distance: float = natural("|x_0 - x'_0|.", 0.0)
    diameter: float = real(
        "Of the domain, onto which every step projects.", math.inf, low=0.0, low_open=True
    )

    def _check(self) -> None:
        _ = self.chain  # for its refusals

    @cached_property
    def chain(self) -> NoisyContraction:
        """The process as its file has it."""
        c, delta, s = (self.process[name] for name in _COLUMNS)
        return NoisyContraction(c, delta, s, self.initial_distance, self.diameter)

    @property
    def _assumptions(self) -> words.Assumptions:
        return words.Assumptions(
            adjacency=words.Adjacency.MAPS,
            reference=words.Reference.OTHER,
            released=words.Released.LAST,
            secret_state=words.Secret.ITERATES,
            noise_on=words.NoiseOn.MAP,
            conditions=("what the columns say holds for every pair of adjacent data",),
        )

    @property
    def facts(self) -> dict[str, Any]:
        return {"steps": self.chain.size, "mu_of_the_file": self.chain.mu}

    @property
    def places(self) -> dict[str, Array]:
        return {"step": np.arange(1, self.chain.size + 1), **self.process}

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        mu, most = self.chain.mu, float(mu_gdp(target.epsilon, target.delta))
        # No noise is needed, or none suffices: the same 0 or inf is the factor.
        if mu in (0.0, math.inf):
            return mu
        factor, more = mu / most, _ROOM
        # mu is proportional to 1/factor but for rounding: up until it certifies when asked
        # forwards.
        while factor < math.inf:
            if self._mu(factor) <= most:
                return factor
            factor, more = math.nextafter(factor * (1 + more), math.inf), 2 * more
        raise ValueError("process must keep the noise inside the floats, got one that does not")

    def _mu(self, factor: float) -> float:
        if factor == 0:
            return 0.0 if self.chain.mu == 0 else math.inf
        return self.chain.scaled_noise(factor).mu

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        mu = self._mu(float(noise))
        return math.inf if mu == math.inf else epsilon_gdp(mu, delta)

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        if noise > 0:
            return Process(self.chain.scaled_noise(float(noise)))
        chain, none = self.chain, np.zeros(self.chain.size)
        arrays = (chain.contraction, chain.shift, none)
        return Process(NoisyContraction(*arrays, chain.initial_distance, chain.diameter))

    @property
    def _magnitude(self) -> float:
        """Of the differences of the two runs, which are all that is known of them."""
        return max(self.initial_distance, float(self.chain.shift.max()))

    def _deviation(self, noise: Array) -> Array:
        with np.errstate(invalid="ignore"):
            # Infinite noise on a step that has none is no number.
            deviation: Array = np.where(self.chain.noise > 0, noise * self.chain.noise, 0.0)
        return deviation
