"""The noisy contraction: one accountant for every process that contracts, shifts and adds noise.

Two chains X_k = psi_k(X_{k-1}) + s_k W_k and X'_k = psi'_k(X'_{k-1}) + s_k W'_k, k = 1..N, with
|psi_k(x) - psi'_k(x')| <= c_k |x - x'| + delta_k for all x, x' and W_inf(X_0, X'_0) <= z_0.  No map
need be Lipschitz, or continuous; a c_k-Lipschitz psi_k with sup |psi_k - psi'_k| <= delta_k is the
usual way to it.  For every a_k >= 0 (0 where s_k = 0) with z_k = c_k z_{k-1} + delta_k - a_k >= 0
and z_N = 0 the last iterates are mu-Gaussian-DP in both directions, mu^2 = sum (a_k/s_k)^2
(shifted interpolation: Bok, Su and Altschuler 2024; Feldman et al. 2018 in Renyi form).  With
S_k = prod_{j>k} c_j the best a is the greatest convex minorant of y_k = z_0 S_0 + sum_{l<=k}
delta_l S_l over the clock x_k = sum_{l<=k} s_l^2 S_l^2.  When it is one segment, mu = y_N/sqrt(x_N)
is attained by linear maps, so it is the least possible for the class.

On a domain of diameter D (a projection after every step) z_k may be replaced by min(z_k, D).
What was spent before the last such time is wasted, so mu is the least over the times t at which
the chain may be restarted with z_t = D and nothing spent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from accounting.contraction._chain import Chain
from accounting.numerics.scaled import Array, Scaled
from accounting.numerics.validation import real, scalar


@dataclass(frozen=True)
class Allocation:
    """The best way to pay the shift: from `start` on, step k pays amounts[k] out of noise[k]."""

    mu: float
    start: int
    amounts: Array


def _chain(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float,
    diameter: float,
) -> tuple[Chain, int]:
    arrays = {
        "contraction": real("contraction", contraction, low=0.0, high_open=True),
        "shift": real("shift", shift, low=0.0, high_open=True),
        "noise": real("noise", noise, low=0.0, high_open=True),
    }
    size = max(array.size for array in arrays.values())
    if any(a.ndim > 1 or (a.ndim == 1 and a.size != size) for a in arrays.values()):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"arrays must be numbers or 1-D of one length, got {shapes}")
    c, d, s = (np.broadcast_to(array, size) for array in arrays.values())
    z = scalar("initial_distance", initial_distance, low=0.0)
    return Chain(c, d, s, z, scalar("diameter", diameter, low=0.0)), size


def pabi_mu(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float = 0.0,
    diameter: float = math.inf,
) -> float:
    """Return mu such that the last iterates of the two chains are mu-Gaussian-DP both ways.

    The least value that shifted interpolation gives (module docstring); exact for the class when
    the minorant has one segment.  contraction, shift and noise are numbers or 1-D arrays of one
    length N, each >= 0 and finite (contraction may exceed 1); initial_distance and diameter lie
    in [0, inf].  The result is rounded up, by less than 1e-12 relative up to N = 10^6; inf when
    some of the shift meets no noise.  Cost O(N) and one isotonic regression; with a finite
    diameter a few of them.  Raises ValueError on any other input.
    """
    chain, _ = _chain(contraction, shift, noise, initial_distance, diameter)
    return chain.mu


def pabi_allocation(
    contraction: ArrayLike,
    shift: ArrayLike,
    noise: ArrayLike,
    initial_distance: float = 0.0,
    diameter: float = math.inf,
) -> Allocation:
    """Return the allocation a_k that attains `pabi_mu`, and the restart it uses.

    From time `start` (0: no restart; t: z_t = diameter) z_k = c_k z_{k-1} + delta_k - a_k stays
    >= 0 and ends at 0, and mu^2 = sum (a_k/s_k)^2, up to rounding.  Arguments as for `pabi_mu`.
    Raises ValueError on the same input, and where no allocation exists (mu = inf).
    """
    chain, size = _chain(contraction, shift, noise, initial_distance, diameter)
    start, run = chain.best
    if math.isinf(run.mu) and math.isinf(chain.distance):
        raise ValueError("initial_distance must be finite without a diameter, got inf")
    if math.isinf(run.mu):
        raise ValueError("noise must be > 0 at or after the last shift, got mu = inf")
    amounts = np.zeros(size)
    if run.minorant is not None:
        first = run.minorant.first
        used = run.noisy
        # The segment to which each step with noise belongs.
        owner = np.searchsorted(first, np.arange(used.size), side="right") - 1
        # a_k = slope s_k^2 S_k: the payment in the clock of the end is slope s_k^2 S_k^2.
        weight = Scaled.of(chain.noise[used]) * chain.root[used]
        amounts[chain.offset + used] = (run.minorant.slope[owner] * weight).over(0)
    return Allocation(chain.mu, chain.offset + start if start else 0, amounts)


@dataclass(frozen=True, eq=False)
class NoisyContraction:
    """A noisy contraction as a value: three arrays, an initial distance and a diameter.

    `mu` is its privacy (see `pabi_mu`), computed once.  Arguments and errors as for `pabi_mu`;
    numbers are broadcast to the common length.
    """

    contraction: Array
    shift: Array
    noise: Array
    initial_distance: float = 0.0
    diameter: float = math.inf
    _built: Chain = field(init=False, repr=False)

    def __post_init__(self) -> None:
        chain, size = _chain(
            self.contraction, self.shift, self.noise, self.initial_distance, self.diameter
        )
        for name in ("contraction", "shift", "noise"):
            array = np.array(np.broadcast_to(np.asarray(getattr(self, name), dtype=float), size))
            # A copy of one's own, so that `mu`, computed once, cannot come to belie the arrays.
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "initial_distance", float(self.initial_distance))
        object.__setattr__(self, "diameter", float(self.diameter))
        object.__setattr__(self, "_built", chain)

    @property
    def mu(self) -> float:
        """The Gaussian-DP parameter of the last iterate, both directions."""
        return self._built.mu

    @property
    def restart(self) -> int:
        """The step after which the chain is best restarted at its diameter (0: from the start)."""
        start, _ = self._built.best
        return self._built.offset + start if start else 0

    @property
    def size(self) -> int:
        """The number of steps."""
        return int(self.contraction.size)

    def scaled_noise(self, factor: float) -> NoisyContraction:
        """The same process with its noise multiplied by `factor` > 0 (mu is divided by it)."""
        f = scalar("factor", factor, low=0.0, low_open=True, high_open=True)
        return NoisyContraction(
            self.contraction, self.shift, self.noise * f, self.initial_distance, self.diameter
        )
