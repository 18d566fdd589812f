"""SAFE, and certified tracking, on a stream of deletions: what is published, and its regret."""

from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.problems.options import flag, natural, positive, real, whole, word
from accounting.publications.tracking import best_step, gradient_contraction
from simulators.experiments.data import OnRows, held_out, load, share
from simulators.experiments.trajectory import in_settings
from verify.safe.side_by_side import Problem
from verify.safe.stream_rounds import Rounds
from verify.safe.streamed import Streamed

MOST_VALUES = 2 * 10**7  # of all trials' models together
SAMPLE: dict[str, Any] = {
    "data": "wine",
    "rounds": 8,
    "share": 0.02,
    "regularisation": 0.05,
    "trials": 2,
}
QUIET = {**SAMPLE, "noise": False, "trials": 1}


@dataclass(frozen=True, kw_only=True, eq=False)
class Streaming(OnRows):
    """What both methods are asked for."""

    measures = Streamed
    made_rows: ClassVar[int] = 400

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
    trials: int = whole("Independent runs.", 4, high=10**6)

    @property
    def method(self) -> str:
        """Its name among those that are compared."""
        raise NotImplementedError

    def problem(self) -> Any:
        """The stream of deletions."""
        return _problem(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class Safe(Streaming):
    """SAFE on softmax regression: one step from w_0 in every round."""

    algorithm = "safe"
    measures = Rounds
    samples: ClassVar = {
        "softmax on wine": QUIET,
        "softmax on wine, without weight": {**QUIET, "weight": 0.0},
        "softmax on breast cancer": {**QUIET, "data": "breast_cancer", "weight": 0.0},
        "softmax on wine, aligned rows first": {**QUIET, "weight": 0.0, "schedule": "aligned"},
    }
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
        name = f"SAFE {'as printed' if self.variant == 'printed' else 'corrected'}"
        return name if self.noise else f"{name}, no noise"


@dataclass(frozen=True, kw_only=True, eq=False)
class Tracking(Streaming):
    """Certified tracking: J gradient steps from the last model, noise that shrinks with them."""

    algorithm = "tracking"
    samples: ClassVar = {
        "tracking on wine": {**SAMPLE, "steps": 60, "trials": 16},
        "tracking on breast cancer": {**SAMPLE, "data": "breast_cancer", "steps": 60, "trials": 16},
    }
    aliases: ClassVar[tuple[str, ...]] = ("track",)
    example = "--data digits --steps 500"

    steps: int = whole("J in every round.", 500)

    @property
    def method(self) -> str:
        return "track and publish"

    def problem(self) -> Any:
        made = super().problem()
        mu, most = made.risk.strong_convexity, made.risk.smoothness
        if not gradient_contraction(best_step(mu, most), mu, most) < 1:
            raise ValueError(
                f"regularisation must be a larger share of the smoothness {most:g}, for gradient "
                f"steps to contract, got {mu:g}"
            )
        return made


def _problem(asked: Streaming) -> Any:
    data = load(asked, "softmax").shuffled(asked.seed)
    train, test = held_out(data, asked.test_share)
    if test is None:
        raise ValueError("test_share must be > 0: accuracy is measured on rows held out, got 0")
    rounds, size = asked.rounds, data.dimension * (int(data.targets.max()) + 1)
    if asked.trials * rounds * size > MOST_VALUES:
        raise ValueError(
            f"trials must be fewer for {rounds} rounds of {size} parameters: at most "
            f"{max(1, MOST_VALUES // (rounds * size))}, got {asked.trials}"
        )
    if not rounds * asked.share < 1:
        raise ValueError(f"share must be below 1/rounds = {1 / rounds:g}, got {asked.share:g}")
    if asked.releases > rounds:
        raise ValueError(f"releases must be an integer in [1, {rounds}], got {asked.releases}")
    if not rounds * max(1, round(asked.share * len(train))) < len(train):
        raise ValueError(f"rounds must be fewer for {len(train)} rows, got {rounds}")
    norm = asked.row_norm
    own = {
        name: getattr(asked, name)
        for name in ("weight", "constant", "gamma", "steps")
        if hasattr(asked, name)
    }
    with in_settings():
        return Problem.of(
            data,
            asked.data,
            rounds=rounds,
            share=asked.share,
            schedule=asked.schedule,
            regularisation=asked.regularisation,
            epsilon=asked.epsilon,
            delta=asked.delta,
            releases=asked.releases,
            trials=asked.trials,
            seed=asked.seed,
            device=asked.device,
            row_norm=1.0 if norm is None and asked.normalise else norm,
            test_share=asked.test_share,
            **{"constant": 1.0, "steps": 1, **own},
        )
