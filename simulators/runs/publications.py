"""SAFE, and certified tracking, on a stream of deletions: what is published, and its regret."""

from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.problems.options import flag, natural, positive, real, whole, word
from accounting.publications.tracking import best_step, gradient_contraction
from simulators.runs.data import OnRows, held_out, load, share
from simulators.runs.extreme_rows import later_half, turned_labels
from simulators.runs.publication_run import PublicationRun
from simulators.runs.stream_methods import (
    Publications,
    safe_publications,
    tracking_publications,
)
from simulators.runs.stream_problem import StreamProblem
from simulators.runs.trajectory import in_settings
from simulators.runs.trials import MOST_TRIALS

SAMPLE: dict[str, Any] = {
    "data": "wine",
    "rounds": 8,
    "share": 0.02,
    "regularisation": 0.05,
    "trials": 2,
}
QUIET = {**SAMPLE, "noise": False, "trials": 1}
LABELS = {"data": turned_labels("both labels", later_half(40)), "schedule": "aligned"}
FEW = {**QUIET, **LABELS, "weight": 0.0, "constant": 1.0}
EXTREMES: dict[str, dict[str, Any]] = {
    "softmax on one row with both labels, weak regularisation": {
        **FEW,
        "share": 0.0815,
        "regularisation": 1e-4,
        "test_share": 0.1,
    },
    "softmax on one row with both labels, strong regularisation": {
        **FEW,
        "share": 0.005,
        "regularisation": 5.0,
        "test_share": 0.1,
    },
    "softmax on one row with both labels, long steps": {
        **FEW,
        "share": 0.02,
        "regularisation": 1.0,
        "test_share": 0.1,
        "constant": 0.3,
    },
}


@dataclass(frozen=True, kw_only=True, eq=False)
class StreamSettings:
    """What both methods are asked for."""

    test_share: float = share(0.2)
    row_norm: float | None = positive("Public bound on norms; 1 if normalised.", None)
    regularisation: float = positive("mu.", 0.01)
    rounds: int = whole("T.", 20, high=10**6)
    share: float = real("Leaves a round.", 0.01, low=0.0, low_open=True, high=1.0)
    schedule: str = word(
        "Random rows, one class after the other, or aligned: those first whose gradients at 0 pull "
        "farthest one way.",
        "random",
        "class",
        "aligned",
    )
    epsilon: float = positive("Target epsilon.", 1.0)
    delta: float = real("Target delta.", 1e-5, low=0.0, low_open=True, high=1.0, high_open=True)
    releases: int = whole("Seen together.", 1)
    trials: int = whole("Independent runs.", 4, high=MOST_TRIALS)


@dataclass(frozen=True, kw_only=True, eq=False)
class SafePublications(StreamSettings, OnRows):
    """SAFE on softmax regression: one step from w_0 in every round."""

    algorithm = "safe"
    measures = PublicationRun
    made_rows: ClassVar[int] = 400
    samples: ClassVar = {
        "softmax on wine": QUIET,
        "softmax on wine, without weight": {**QUIET, "weight": 0.0},
        "softmax on breast cancer": {**QUIET, "data": "breast_cancer", "weight": 0.0},
        "softmax on wine, aligned rows first": {**QUIET, "weight": 0.0, "schedule": "aligned"},
    }
    extremes: ClassVar = EXTREMES
    example = "--data digits --rounds 10 --variant corrected"

    variant: str = word(
        "Eq (23) and the noise of Theorem 2 as printed, or as they should be.",
        "corrected",
        "printed",
    )
    noise: bool = flag("Whether it is added.", "noise", "no-noise", True)
    weight: float = natural("lambda of forgetting.", 1.0)
    constant: float = positive("K of the step.", 2.5)
    gamma: float | None = positive("Step length.", None, shown="sqrt(W)/(K sqrt T)")

    def unused(self) -> dict[str, str]:
        fixed = {} if self.gamma is None else {"constant": "with gamma, the step length itself"}
        return super().unused() | fixed

    @property
    def method(self) -> str:
        """Its name among those that are compared."""
        name = f"SAFE {'as printed' if self.variant == 'printed' else 'corrected'}"
        return name if self.noise else f"{name}, no noise"

    @property
    def step_as_printed(self) -> bool:
        """Whether gamma = sqrt(W)/(K sqrt T)."""
        return self.gamma is None

    def problem(self) -> StreamProblem:
        """The stream of deletions."""
        return _problem(self, steps=1, weight=self.weight, constant=self.constant, gamma=self.gamma)

    def publications(self, problem: StreamProblem) -> Publications:
        """What SAFE publishes on it."""
        return safe_publications(problem, self.variant, self.noise, self.seed)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrackingPublications(StreamSettings, OnRows):
    """Certified tracking: J gradient steps from the last model, noise that shrinks with them."""

    algorithm = "tracking"
    measures = PublicationRun
    made_rows: ClassVar[int] = 400
    samples: ClassVar = {
        "tracking on wine": {**SAMPLE, "steps": 60, "trials": 16},
        "tracking on breast cancer": {**SAMPLE, "data": "breast_cancer", "steps": 60, "trials": 16},
    }
    aliases: ClassVar[tuple[str, ...]] = ("track",)
    example = "--data digits --steps 500"
    method: ClassVar[str] = "track and publish"
    step_as_printed: ClassVar[bool] = True

    steps: int = whole("J in every round.", 500)

    def problem(self) -> StreamProblem:
        """The stream of deletions; there is no forgetting term and no step from w_0.

        Raises ValueError where gradient steps on it do not contract in floats.
        """
        stream = _problem(self, steps=self.steps, weight=0.0, constant=1.0)
        mu, most = stream.risk.strong_convexity, stream.risk.smoothness
        if not gradient_contraction(best_step(mu, most), mu, most) < 1:
            raise ValueError(
                f"regularisation must be a larger share of the smoothness {most:g}, for gradient "
                f"steps to contract, got {mu:g}"
            )
        return stream

    def publications(self, problem: StreamProblem) -> Publications:
        """What tracking publishes on it."""
        return tracking_publications(problem, self.seed)


def _problem(settings: SafePublications | TrackingPublications, **method: Any) -> StreamProblem:
    """The stream that these settings describe.  Raises ValueError where they do not fit."""
    data = load(settings, "softmax").shuffled(settings.seed)
    train, test = held_out(data, settings.test_share)
    if test is None:
        raise ValueError("test_share must be > 0: accuracy is measured on rows held out, got 0")
    rounds = settings.rounds
    if not rounds * settings.share < 1:
        raise ValueError(f"share must be below 1/rounds = {1 / rounds:g}, got {settings.share:g}")
    if settings.releases > rounds:
        raise ValueError(f"releases must be an integer in [1, {rounds}], got {settings.releases}")
    if not rounds * max(1, round(settings.share * len(train))) < len(train):
        raise ValueError(f"rounds must be fewer for {len(train)} rows, got {rounds}")
    norm = settings.row_norm
    with in_settings():
        return StreamProblem.of(
            data,
            settings.data,
            rounds=rounds,
            share=settings.share,
            schedule=settings.schedule,
            regularisation=settings.regularisation,
            epsilon=settings.epsilon,
            delta=settings.delta,
            releases=settings.releases,
            trials=settings.trials,
            seed=settings.seed,
            device=settings.device,
            # Rows that were scaled to norm 1 have that public bound.
            row_norm=1.0 if norm is None and settings.normalise else norm,
            test_share=settings.test_share,
            **method,
        )
