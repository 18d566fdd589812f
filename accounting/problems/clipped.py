"""Clipped noisy gradient descent of any model, with weight decay and a projection.

x_k = Pi(x_{k-1} - (eta/b) sum_{i in batch_k} clip_C(g_i(x_{k-1})) - eta lambda x_{k-1}
         + (eta sigma C/b) N(0, I))

In units of eta C/b a step has noise sigma.  What is known of two steps of any gradients is
|psi(x) - psi'(y)| <= |1 - eta lambda| |x - y| + 2b; where x = y they differ by `kappa`, 1 for a row
deleted and 2 for one replaced, at the steps that see it, and by nothing at the others.  With
L-smooth losses the factor |1 - eta lambda| + eta L needs no 2b, as clipping is 1-Lipschitz; for
convex losses of a scalar prediction it is max(|1 - eta lambda|, |1 - eta (lambda + L)|), as their
clipped gradients are gradients of convex L-smooth functions.  Clipped gradients of softmax are not
monotone: they are losses of any kind here.

A bound G < C on the gradients of the rows in question, along the path of the run that has them and
whatever the noise, scales `kappa` by G/C: they are only ever taken there (`SampledSGD`).

The row is taken to be in the last batch of every epoch: in an earlier one the same process is
followed by more steps in common, which undo nothing.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

import accounting.problems.assumptions as words
from accounting.contraction.common_steps import MOST_STEPS, least_certified, log_delta_after
from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import epsilon_gdp, log_delta_gdp, mu_gdp
from accounting.problems.answer import Answer, Array, Question, Target
from accounting.problems.options import natural, positive, real, whole, word
from accounting.problems.problem import Problem
from accounting.problems.row_gradient import HELP, condition, share_of_clip

_ROOM = 2.0**-40
_MOST = 10**6
_EVERY = 64  # stops that are all tried; later ones are tried at powers of two


@dataclass(frozen=True, kw_only=True, eq=False)
class Clipped(Problem):
    """Clipped gradients of any model, convex or not: noise multiplier sigma on every step."""

    algorithm = "clipped"
    accountants: ClassVar = {
        "training": "the steps that see the row, composed; unlearning is not counted",
        "contraction": "convex minorant, stopped where it is best",
        "least": "the less of both, and what the steps in common leave of it on the domain",
    }
    preferred = ("least",)
    sound = ("training", "contraction", "least")
    example = (
        "--n 1000 --clip 1 --step-size 0.1 --weight-decay 1 --radius 1 --learn-epochs 50 "
        "--unlearn-epochs 20"
    )

    n: int = whole("Number of data points.", high=2**52)
    batch_size: int | None = whole("Batch size b, a divisor of n.", None, shown="n")
    clip: float = positive("C, the largest norm of a point's gradient.")
    step_size: float = positive("eta.")
    weight_decay: float = natural("lambda, outside the clip.", 0.0)
    radius: float = real(
        "R: every step projects onto a ball of this radius.", math.inf, low=0.0, low_open=True
    )
    smoothness: float | None = positive("L of every loss, if it is known.", None)
    losses: str = word(
        "scalar: convex losses of one linear prediction (not softmax); they need smoothness.",
        "any",
        "scalar",
    )
    adjacency: str = word(
        "A row is deleted, its place left empty, or replaced.", "delete", "replace"
    )
    row_gradient: float | None = positive(HELP, None)
    learn_epochs: int | None = whole(
        "T, of noisy training.", None, low=0, shown="training of any kind, then a projection"
    )
    unlearn_epochs: int = whole("K.", 1, low=0)

    def _unused(self, question: Any, names: Any = None) -> dict[str, str]:
        return {"row_gradient": "without learn_epochs"} if self.learn_epochs is None else {}

    def _check(self) -> None:
        # Computed for its refusal of a row_gradient out of range, which an assert would lose
        # where Python drops them.
        _ = self.kappa
        if self.n % self.batch:
            raise ValueError(f"batch_size must be a divisor of n = {self.n}, got {self.batch}")
        if self.losses == "scalar" and self.smoothness is None:
            raise ValueError("smoothness must be given with losses scalar, got none")
        if self.learn_epochs is None and math.isinf(self.radius):
            raise ValueError("radius must be finite without learn_epochs, got inf")
        if self.learned + self.unlearned > _MOST:
            raise ValueError(
                f"learn_epochs and unlearn_epochs must give at most {_MOST} steps, got "
                f"{self.learned + self.unlearned}"
            )
        # Without a ball common_mu is inf by definition, and is not looked at.
        ends = (self.factor, self.smooth_factor or 0.0, self.common_mu)
        if not all(map(math.isfinite, ends[: 2 if math.isinf(self.radius) else 3])):
            raise ValueError(
                f"clip, step_size, weight_decay, smoothness and radius must keep steps in the "
                f"floats, got {self.clip:g}, {self.step_size:g}, {self.weight_decay:g}, "
                f"{self.smoothness}, {self.radius:g}"
            )

    @property
    def batch(self) -> int:
        """b."""
        return self.n if self.batch_size is None else self.batch_size

    @property
    def learned(self) -> int:
        """Noisy steps of training."""
        return (self.learn_epochs or 0) * (self.n // self.batch)

    @property
    def unlearned(self) -> int:
        """Steps in common, after the last one that may see the row."""
        return self.unlearn_epochs * (self.n // self.batch)

    @property
    def factor(self) -> float:
        """|1 - eta lambda|."""
        return abs(1 - self.step_size * self.weight_decay) * (1 + 2.0**-52)

    @property
    def smooth_factor(self) -> float | None:
        """The Lipschitz constant of a step, where the losses have one."""
        if self.smoothness is None:
            return None
        if self.losses == "any":
            return (self.factor + self.step_size * self.smoothness) * (1 + 2.0**-51)
        steep = abs(1 - self.step_size * (self.weight_decay + self.smoothness))
        return max(self.factor, steep * (1 + 2.0**-51))

    @property
    def diameter(self) -> float:
        """Of the domain, in units of eta C/b, rounded up."""
        return 2 * self.radius / self.step_size / self.clip * self.batch * (1 + 2.0**-50)

    @property
    def kappa(self) -> float:
        """By how much the row moves a step, in units of eta C/b."""
        number = 1.0 if self.adjacency == "delete" else 2.0
        if self.row_gradient is None:
            return number
        return number * float(share_of_clip("row_gradient", self.row_gradient, self.clip))

    @property
    def common_mu(self) -> float:
        """The largest distance of two steps in common, in units of eta C/b."""
        if math.isinf(self.radius):
            return math.inf
        # |psi(x) - psi(y)| for two points of the ball, by either of the two Lipschitz bounds.
        shift = self.factor * self.diameter + 2 * self.batch
        if self.smooth_factor is not None:
            shift = min(shift, self.smooth_factor * self.diameter)
        return shift * (1 + 2.0**-51)

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """How many of the steps in common are made before the minorants that are tried end."""
        most = self.unlearned
        every = np.arange(min(most, _EVERY) + 1)
        # From _EVERY on to more than _MOST steps.
        doubled = 2 ** np.arange(6, 21)
        return np.unique([*every.tolist(), *doubled[doubled < most].tolist(), most])

    @cached_property
    def mus(self) -> Array:
        """mu at sigma = 1 of the minorant that ends at each of the stops."""
        return np.array([self._minorant(int(stop)) for stop in self.stops])

    def _minorant(self, stop: int) -> float:
        """The least of the minorants over training and `stop` steps in common."""
        size = self.learned + stop
        if size == 0:
            return math.inf
        # Training of any kind ends somewhere in the ball: all of its diameter is due.
        start = 0.0 if self.learn_epochs is not None else self.diameter
        same = np.ones(size)
        # Gradients of any kind: every step may part the runs by 2b, whether it sees the row or not.
        mu = pabi_mu(self.factor * same, 2.0 * self.batch, 1.0, start, self.diameter)
        if self.smooth_factor is None:
            return mu
        shift = np.zeros(size)
        # Smooth losses: only the last step of every training epoch, which sees the row.
        shift[: self.learned][self.n // self.batch - 1 :: self.n // self.batch] = self.kappa
        return min(mu, pabi_mu(self.smooth_factor * same, shift, 1.0, start, self.diameter))

    @cached_property
    def composed(self) -> float:
        """mu at sigma = 1 of the training alone."""
        if self.learn_epochs is None:
            return math.inf
        return self.kappa * math.sqrt(self.learn_epochs) * (1 + 2.0**-51)

    def _unit(self, accountant: str) -> float:
        """mu at sigma = 1 without what steps in common leave on the domain."""
        contraction = float(self.mus.min())
        by = {"training": self.composed, "contraction": contraction}
        return by.get(accountant, min(self.composed, contraction))

    def _log_delta(self, sigma: ArrayLike, epsilon: ArrayLike) -> Array:
        """log delta of `least` for arrays of noises and epsilons."""
        s, e = np.broadcast_arrays(np.asarray(sigma), np.asarray(epsilon))
        most = min(self.unlearned, MOST_STEPS) if math.isfinite(self.common_mu) else 0
        # Steps in common are counted from the last ones on: earlier they only wait for a stop.
        log_deltas = np.zeros((most + 1, *s.shape))
        waiting = self.unlearned - most
        for stop, mu in zip(self.stops, self.mus, strict=True):
            # A minorant that ends before the counted steps is known at the first of them.
            k = max(int(stop) - waiting, 0)
            log_deltas[k] = np.minimum(log_deltas[k], log_delta_gdp(mu / s * (1 + 2.0**-51), e))
        if math.isfinite(self.composed):
            log_deltas[0] = np.minimum(
                log_deltas[0], log_delta_gdp(self.composed / s * (1 + 2.0**-51), e)
            )
        return (
            log_delta_after(log_deltas, self.common_mu / s * (1 + 2.0**-51), e)
            if most
            else log_deltas[0]
        )

    @property
    def _assumptions(self) -> words.Assumptions:
        conditions = ["clipped rows are summed, and divided by b, however many there are"]
        if self.smoothness is not None:
            conditions.append("every loss is smoothness-smooth before the clip")
        if self.losses == "scalar":
            conditions.append("losses are convex functions of one linear prediction")
        if self.learn_epochs is None:
            conditions.append("what training made is projected onto the ball before unlearning")
        if self.row_gradient is not None:
            conditions.append(condition("row_gradient"))
        deleted = self.adjacency == "delete"
        return words.Assumptions(
            adjacency=words.Adjacency.DELETE if deleted else words.Adjacency.REPLACE,
            reference=words.Reference.OTHER
            if self.learn_epochs is not None
            else words.Reference.KEPT,
            released=words.Released.LAST,
            secret_state=words.Secret.ITERATES,
            noise_on=words.NoiseOn.STEP,
            batches=words.Batches.ALL if self.batch == self.n else words.Batches.FIXED,
            from_data=() if self.row_gradient is None else ("row_gradient",),
            conditions=tuple(conditions),
        )

    @property
    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "contraction": self.factor,
            "training_steps": self.learned,
            "steps_in_common": self.unlearned,
        }
        if self.smooth_factor is not None:
            facts["smooth_contraction"] = self.smooth_factor
        return facts

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        unit, most = self._unit(accountant), float(mu_gdp(target.epsilon, target.delta))
        if unit == 0:
            return 0.0
        if accountant == "least" and math.isfinite(self.common_mu) and self.unlearned:
            log_delta = math.log(target.delta)
            # One step in common is enough for the first, none for the second.
            high = min(self.common_mu, unit) / most * (1 + _ROOM)
            # From below no noise to speak of, from above what one of the two bounds alone asks for.
            factor = least_certified(
                lambda s: self._log_delta(s, target.epsilon) <= log_delta, high * 1e-12, high
            )
        elif math.isinf(unit):
            return unit
        else:
            factor = unit / most
        more = _ROOM
        # Up by steps that double, until the claim certifies it when asked forwards.
        while factor < math.inf:
            if self._claim(accountant, np.asarray(factor), target.delta) <= target.epsilon:
                return factor
            factor, more = math.nextafter(factor * (1 + more), math.inf), 2 * more
        raise ValueError("clip and step_size must keep the noise inside the floats")

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> float:
        assert delta is not None
        unit, sigma = self._unit(accountant), float(noise)
        if sigma == 0:
            return 0.0 if unit == 0 else math.inf
        if accountant != "least":
            return float(epsilon_gdp(unit / sigma * (1 + 2.0**-51), delta))
        # One step in common alone is a Gaussian step of at most common_mu.
        common = self.common_mu if self.unlearned else math.inf
        high = float(epsilon_gdp(min(unit, common) / sigma * (1 + 2.0**-50), delta))
        if not math.isfinite(high):
            return high
        log_delta = math.log(delta)
        return least_certified(lambda e: self._log_delta(sigma, e) <= log_delta, 0.0, high)

    @property
    def _magnitude(self) -> float:
        if self.learn_epochs is None:
            # Training of any kind ends anywhere in the ball.
            return self.radius
        steps = self.learned + self.unlearned
        lengths = [self.radius, self.step_size * self.clip * steps]
        if self.weight_decay > 0:
            lengths.append(self.clip / self.weight_decay)
        return min(lengths)

    def _deviation(self, noise: Array) -> Array:
        return noise * (self.step_size * self.clip / self.batch)

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        if answer.accountant != "least" or answer.epsilon is None or not answer.noise > 0:
            return {}
        delta = target.delta
        best = min(
            ("training", "contraction"), key=lambda name: self._claim(name, answer.noise, delta)
        )
        plain = np.asarray(self._claim(best, answer.noise, delta))
        return {"attained_by": best if plain <= answer.epsilon * (1 + 1e-9) else "steps in common"}
