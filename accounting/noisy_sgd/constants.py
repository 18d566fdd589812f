"""The constants of noisy mini-batch SGD (sglu Algorithm 1), as a value.

Step: x <- proj(x - eta (mean gradient of the batch) + sqrt(2 eta) sigma W), J = n/b batches in a
fixed order.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.noisy_sgd.closed_forms import distance_learning
from accounting.numerics.validation import choice, count, real, scalar, shortest

Array = NDArray[np.float64]


@dataclass(frozen=True)
class NoisySGD:
    """Constants of the loss and of the algorithm; derived ones as properties.

    n points in batches of `batch_size` (a divisor of n); losses `smoothness`-smooth (L) and
    `strong_convexity`-strongly convex (m, 0 <= m <= L); `lipschitz` is M; `step_size` eta defaults
    to 1/L and must satisfy 0 < eta <= 2/(L + m); `radius` R of the domain, inf for none.
    hypothesis "gradient_difference": |grad f(x; d) - grad f(x; d')| <= 2M on the domain.
    "lipschitz": |grad f| <= M on the domain, which needs M >= m R to be possible at all.
    Raises ValueError naming the parameter outside these ranges.
    """

    n: int
    batch_size: int
    smoothness: float
    strong_convexity: float
    lipschitz: float
    step_size: float | None = None
    radius: float = math.inf
    hypothesis: str = "gradient_difference"

    def __post_init__(self) -> None:
        n = count("n", self.n, low=1)
        b = count("batch_size", self.batch_size, low=1)
        if n % b:
            raise ValueError(f"batch_size must be a divisor of n = {n}, got {b}")
        smooth = scalar("smoothness", self.smoothness, low=0, low_open=True, high_open=True)
        convex = scalar("strong_convexity", self.strong_convexity, low=0, high_open=True)
        if not convex <= smooth:
            raise ValueError(
                f"strong_convexity must be in [0, smoothness = {shortest(smooth)}], got {convex}"
            )
        scalar("lipschitz", self.lipschitz, low=0, low_open=True, high_open=True)
        radius = scalar("radius", self.radius, low=0, low_open=True)
        choice("hypothesis", self.hypothesis, ("gradient_difference", "lipschitz"))
        if self.step_size is not None:
            step = scalar("step_size", self.step_size, low=0, low_open=True, high_open=True)
            # With an ulp or two of room for a step that was computed as this quotient.
            most = 2 / (smooth + convex)
            if not step <= most * (1 + 2.0**-50):
                raise ValueError(
                    f"step_size must be in (0, 2/(L + m) = {shortest(most)}], got {step}"
                )
        if self.hypothesis == "lipschitz" and not (
            convex == 0 or self.lipschitz >= convex * radius
        ):
            raise ValueError(
                "lipschitz must be >= strong_convexity*radius under the hypothesis 'lipschitz', "
                f"got {self.lipschitz} < {convex} * {radius}"
            )

    @cached_property
    def _step(self) -> Fraction:
        if self.step_size is None:
            # Fractions, as 1 - eta m cancels where eta m is small; each property is rounded once.
            return 1 / Fraction(float(self.smoothness))
        return Fraction(float(self.step_size))

    @property
    def step(self) -> float:
        """The step size eta."""
        return float(self._step)

    @property
    def batches(self) -> int:
        """J = n/b, the batches of an epoch."""
        return self.n // self.batch_size

    @cached_property
    def gap(self) -> float:
        """1 - c = eta m, rounded down."""
        exact = min(self._step * Fraction(float(self.strong_convexity)), Fraction(1))
        value = float(exact)
        return value if Fraction(value) <= exact else math.nextafter(value, 0.0)

    @cached_property
    def contraction(self) -> float:
        """c = 1 - eta m, the Lipschitz constant of a step, rounded up."""
        exact = 1 - min(self._step * Fraction(float(self.strong_convexity)), Fraction(1))
        value = float(exact)
        return value if Fraction(value) >= exact else math.nextafter(value, 2.0)

    @property
    def sensitivity(self) -> float:
        """q = 2 eta M/b, the largest shift that one replaced point causes in one step."""
        return float(2 * self._step * Fraction(float(self.lipschitz)) / self.batch_size)

    @property
    def diameter(self) -> float:
        """2R, the diameter of the domain."""
        return 2 * float(self.radius)

    @property
    def unit_noise(self) -> float:
        """sqrt(2 eta), the noise of a step per unit of sigma."""
        return math.sqrt(float(2 * self._step))

    def noise(self, sigma: ArrayLike) -> Array:
        """s = sqrt(2 eta) sigma, the standard deviation of the noise of a step."""
        s = real("sigma", sigma, low=0, low_open=True, high_open=True)
        return (self.unit_noise * s)[()]

    def distance(self, learn_epochs: ArrayLike = math.inf, position: int | None = None) -> Array:
        """Z_T = min(q c^(J-1-j0) (1 - c^(TJ))/(1 - c^J), 2R) (sglu Lemma 3.5)."""
        return distance_learning(
            self.contraction,
            self.sensitivity,
            self.batches,
            learn_epochs,
            self.position(position),
            diameter=self.diameter,
            gap=self.gap,
        )

    def position(self, position: int | None) -> int:
        """The batch of the replaced point, the worst one (the last) for None."""
        if position is None:
            return self.batches - 1
        return count("position", position, low=0, high=self.batches - 1)
