"""The privacy problem of safe: a stream of deletions, served by SAFE or by tracking."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from accounting.problems.answer import Array, Question, Target
from accounting.problems.options import natural, positive
from accounting.problems.tracking import Tracking
from accounting.publications.deletion_stream import DeletionStream
from bounds.safe.noise import certified, distances, noise


@dataclass(frozen=True, kw_only=True, eq=False)
class Safe(Tracking):
    """Streaming deletions: noise on every published model, by SAFE and by tracking."""

    algorithm = "safe"
    aliases = ()
    accountants: ClassVar = {
        "printed": "SAFE, phi_t of Theorem 2 as a variance",
        "corrected": "SAFE, classical formula at its distance from retraining",
        "exact": "SAFE, least noise at that distance",
        "tracking": "J gradient steps from the last model, least noise",
    }
    preferred = ("exact", "tracking")
    sound = preferred
    claims = preferred
    plans = None

    radius: float | None = positive("W, bounds all minimisers.", None, shown="L_h/mu")
    constant: float = positive("K of SAFE.", 1.0)
    gamma: float | None = natural("Length of SAFE's step.", None, shown="sqrt(W)/(K sqrt T)")

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        reasons = super()._unused(question, names)
        if self.gamma is not None:
            reasons["constant"] = "with gamma, the step length itself"
            if question == "privacy":
                reasons["radius"] = "with gamma and a given sigma"
        return reasons

    @cached_property
    def scenario(self) -> DeletionStream:
        """The stream as the accountants take it."""
        return DeletionStream(
            self.n,
            self.removed,
            self.lipschitz,
            self.strong_convexity,
            self.smoothness,
            self.constant,
            self.gamma,
            self.steps,
            self.initial,
            self.radius,
        )

    def _distances(self, accountant: str) -> Array:
        return distances(accountant, self.scenario)

    @property
    def facts(self) -> dict[str, Any]:
        return {"radius": self.scenario.radius, "step_length": self.scenario.gamma, **super().facts}

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        assert target.delta is not None
        return noise(accountant, self.scenario, target.epsilon, target.delta, self.releases)

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        assert delta is not None
        return certified(accountant, self.scenario, noise, delta, self.releases)

    def _truth(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        return self._claim(accountant, noise, delta)
