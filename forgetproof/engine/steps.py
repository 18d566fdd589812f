"""Noisy steps, executed and counted.

    w <- proj( w - (eta/B) (sum over the batch of clipped gradients + Z) - eta lambda w )

The batch is drawn row by row, Z anew in every step, on the sum; B is the divisor of the
settings, whatever the batch is.
"""

import math
from bisect import bisect_right
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from forgetproof.engine.randomness import SecretSource
from forgetproof.engine.refusals import EngineRefusal, insist_on_no_autocast
from forgetproof.engine.rules import StepRule
from forgetproof.engine.settings import EngineSettings


class NoisySteps:
    """Executes steps on the weights of a rule.

    Attributes:
        executed: steps that were made, counted as each ends.
        unlearning: whether training has ended, and its schedule with it.
    """

    def __init__(self, settings: EngineSettings, rule: StepRule, source: SecretSource) -> None:
        self.settings, self.rule, self.source = settings, rule, source
        self.executed, self.unlearning = 0, False
        self._ends = list(accumulate(count for count, _ in settings.schedule))
        self._left = [each.detach().clone() for each in rule.weights]

    @property
    def step_size(self) -> float:
        """eta of the next step."""
        if self.unlearning:
            return self.settings.step_size
        run = bisect_right(self._ends, self.executed)
        ended = run == len(self._ends)
        return self.settings.step_size if ended else self.settings.schedule[run][1]

    def run(self, count: int, present: NDArray[np.bool_]) -> None:
        """Makes `count` steps on the rows that are present."""
        for _ in range(count):
            self.step(self.draw(present))
        self.insist_on_finite()

    def draw(self, present: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The rows of a new batch: a draw for every row, whether it is present or not."""
        inclusions = self.source.inclusions(len(present), self.settings.rate)
        return np.flatnonzero(inclusions & present)

    def step(self, batch: NDArray[np.int64]) -> None:
        """One step on a batch of `draw`. Raises EngineRefusal before anything changes."""
        insist_on_no_autocast()
        self.insist_on_untouched()
        s, eta, weights = self.settings, self.step_size, self.rule.weights
        with torch.no_grad():
            sums = self.rule.clipped_sum(torch.from_numpy(batch).to(self.rule.device))
            moved = []
            for sum_, each in zip(sums, weights, strict=True):
                noisy = sum_ + s.deviation * self.source.normals(each)
                moved.append(each - eta / s.divisor * noisy - eta * s.decay * each)
            for new, each, left in zip(self._projected(moved), weights, self._left, strict=True):
                each.copy_(new)
                left.copy_(new)
        self.executed += 1

    def _projected(self, weights: list[Any]) -> list[Any]:
        """The nearest point of the ball, for all weights as one vector."""
        if math.isinf(self.settings.radius):
            return weights
        norms = torch.stack([torch.linalg.vector_norm(each) for each in weights])
        factor = (self.settings.radius / torch.linalg.vector_norm(norms)).clamp(max=1.0)
        return [factor * each for each in weights]

    def insist_on_untouched(self) -> None:
        """Raises EngineRefusal where something else has changed the weights since the last step."""
        for each, left in zip(self.rule.weights, self._left, strict=True):
            if not torch.equal(each.detach(), left):
                self.insist_on_finite()  # NaN is unequal to itself
                raise EngineRefusal(
                    "weights must be as the last step left them, got others: an average, another "
                    "optimizer or a loaded state is no step of the engine"
                )

    def insist_on_finite(self) -> None:
        """Raises ValueError where the steps left the floats."""
        if not all(bool(torch.isfinite(each).all()) for each in self._left):
            raise ValueError(
                f"step_size must keep the weights finite, got {self.settings.step_size:g}"
            )

    def state(self) -> list[NDArray[Any]]:
        """Copies of the weights, on the host."""
        return [each.detach().cpu().numpy().copy() for each in self.rule.weights]

    def restore(self, state: list[NDArray[Any]]) -> None:
        """Puts weights back that `state` gave. Raises EngineRefusal for other shapes."""
        shapes = [tuple(each.shape) for each in self.rule.weights]
        if [each.shape for each in state] != shapes:
            raise EngineRefusal(f"model must have weights of the shapes of the state, got {shapes}")
        with torch.no_grad():
            for array, each, left in zip(state, self.rule.weights, self._left, strict=True):
                each.copy_(torch.from_numpy(array).to(each))
                left.copy_(each)
