"""An online learner, its deletions, and its regret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.problems.options import (
    SCHEDULE,
    Rule,
    built,
    flag,
    natural,
    positive,
    real,
    rule,
    table,
    whole,
    word,
)
from simulators.runs.data import DATA, OnData, share
from simulators.runs.online_extremes import ADAPTIVE, EXTREMES, FLAT, ROOT
from simulators.runs.online_run import OnlineRun
from simulators.runs.streams import MOST_ROUNDS, STREAMS, WITH_DELETIONS

LOSSES = ("logistic", "ridge", "huber", "hinge", "logcosh", "quadratic")
DELETIONS = ("none", "early", "late", "random", "bursts", "simultaneous", "adversarial", "stream")
# Fields that only some learners, only streams of data, or only some streams use.
OF_LEARNERS = {
    "inner_steps": ("active",),
    "first_steps": ("active", "newton"),
    "epsilon": ("passive", "active", "newton", "dp", "tree"),
}
OF_DATA = (
    "data_folder",
    "target_column",
    "header",
    "drop",
    "keep",
    "missing",
    "range",
    "ranges",
    "scale",
    "intercept",
    "classes",
    "dimension",
    "normalise",
    "test_share",
    "loss",
    "shuffle",
)
OF_STREAMS = {
    "regularisation": ("quadratic", "worst-signs", "huber-well"),
    "radius": ("quadratic", "worst-signs", "one-slope"),
}

SCHEDULED = {"index": [30, 90, 170], "time": [80, 150, 240]}
EARLY = {"index": [20, 40, 60], "time": [80, 150, 240]}
ADVERSE = {"index": [60, 27, 17], "time": [241, 243, 245]}  # i^1.2/sqrt(tau_i) falls like u_i
LONGEST = Rule("2/(beta + mu)", lambda at: 2 / (at["beta"] + at["mu"]))


def _samples() -> dict[str, dict[str, Any]]:
    shared = {"schedule": SCHEDULED, "rounds": 300, "epsilon": 1.0, "trials": 64}
    logistic = {**shared, "regularisation": 0.05, "radius": 4.0}
    mean = {**logistic, "loss": "quadratic", "radius": 1.0}
    convex = {**shared, "regularisation": 0.0, "data": "breast_cancer", "radius": 2.0}
    hinge = {**convex, "data": "digits", "loss": "hinge", "radius": 2.0}
    first = {**logistic, "learner": "active", "data": "breast_cancer"}
    exact = {k: v for k, v in logistic.items() if k != "epsilon"}
    return {
        "logistic loss on digits": logistic,
        "logistic loss on breast cancer": {**logistic, "data": "breast_cancer"},
        "mean of digits": mean,
        "mean of digits, noise after all deletions": {**mean, "schedule": EARLY},
        "mean of digits, one step size": {**mean, "schedule": EARLY, "step_size": 0.5},
        "logistic loss on digits, long steps": {**logistic, "step_size": LONGEST},
        "regularised logistic loss on digits, 1/sqrt(t)": {**logistic, "step_size": ROOT},
        "logistic loss on breast cancer, 1/sqrt(t)": convex,
        "logistic loss on breast cancer, adverse deletions": {**convex, "schedule": ADVERSE},
        "smoothed hinge loss on digits, 1/sqrt(t)": hinge,
        "smoothed hinge loss on digits, one step size": {**hinge, "step_size": FLAT},
        "logistic loss on breast cancer, adaptive": {**convex, "step_size": ADAPTIVE},
        "smoothed hinge loss on digits, adaptive": {**hinge, "step_size": ADAPTIVE},
        "logistic loss on digits, restarts": {**exact, "learner": "restart"},
        "logistic loss on digits, retraining": {**exact, "learner": "retrain"},
        "smoothed hinge loss on digits, restarts": {**hinge, "epsilon": None, "learner": "restart"},
        "smoothed hinge loss on digits, retraining": {
            **hinge,
            "epsilon": None,
            "learner": "retrain",
        },
        "logistic loss on digits, active": {**logistic, "learner": "active"},
        "logistic loss on breast cancer, active in two phases": {**first, "first_steps": 5},
        "logistic loss on digits, active as printed": {
            **logistic,
            "learner": "active",
            "inner_steps": 40,
            "printed": True,
        },
        "logistic loss on digits, newton": {**logistic, "learner": "newton", "first_steps": 3},
        "logistic loss on digits, private": {**logistic, "learner": "dp"},
        "smoothed hinge loss on digits, private": {**hinge, "learner": "dp"},
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class OnlineLearning(OnData):
    """Online learning with deletions: regret, and what is published at each request."""

    algorithm = "online"
    example = "--data digits --learner passive --deletions random --k 5 --epsilon 1"
    measures = OnlineRun
    samples: ClassVar = _samples()
    extremes: ClassVar = EXTREMES
    made_rows: ClassVar[int] = 1000

    data: Any = built(
        f"{', '.join(DATA)}, a file, or a stream: {', '.join(STREAMS)}.",
        "simulators.runs.tables:rows",
        "digits",
    )
    test_share: float | None = share()
    rounds: int | None = whole("T.", None, high=MOST_ROUNDS, shown="every row of the data, or 1000")
    loss: str = word("Of a round.", *LOSSES)
    regularisation: float = natural("lambda.", 0.1)
    radius: float = real("R; inf for none.", 1.0, low=0.0, low_open=True)
    learner: str = word(
        "dp, tree: noise on every gradient, on a tree of gradient sums.",
        "passive",
        "active",
        "newton",
        "restart",
        "retrain",
        "dp",
        "tree",
    )
    step_size: Rule | float | None = rule(
        "In mu, beta, L, D, T, t; or adaptive.", shown="1/(mu*t), or D/(L*sqrt(t)) where mu = 0"
    )
    deletions: str | None = word(
        "Which and when; stream: those of a made stream.",
        *DELETIONS,
        default=None,
        shown="random, or stream where there are some",
    )
    k: int = whole("Number of deletions.", 1, low=0)
    first: int = whole("Least deleted round.", 1)
    schedule: Any = table(
        "File of deletions instead: CSV index,time or JSON pairs.", SCHEDULE, None
    )
    sigma: float | None = natural("Noise of each request (dp, tree: of each step, node).", None)
    epsilon: float | None = positive("Least noise for D_alpha <= alpha epsilon instead.", None)
    inner_steps: int = whole("active: I_2.", 5, low=0)
    first_steps: int = whole("active, newton: I_1, steps on all losses before.", 0, low=0)
    printed: bool = flag("As the paper prints the algorithm.", "printed")
    trials: int = whole("Independent runs.", 256)
    shuffle: bool = flag("Rows in random order.", "shuffle")

    @property
    def kind(self) -> str:
        """Which deletions, where no schedule says so."""
        usual = "stream" if self.data in WITH_DELETIONS else "random"
        return self.deletions or usual

    def unused(self) -> dict[str, str]:
        synthetic = self.data in STREAMS
        reasons = {} if synthetic else super().unused()
        for name, learners in OF_LEARNERS.items():
            if self.learner not in learners:
                reasons[name] = f"with learner {self.learner}"
        if synthetic:
            names = [name for name in OF_DATA if (self.data, name) != ("quadratic", "dimension")]
            names += [name for name, streams in OF_STREAMS.items() if self.data not in streams]
            reasons |= dict.fromkeys(names, f"with the stream {self.data}")
        return reasons | self._unused_of_deletions()

    def _unused_of_deletions(self) -> dict[str, str]:
        """Fields that say which deletions, where a schedule or a stream says so."""
        # Streams that bring deletions with them are built for so many.
        count = [] if self.data in WITH_DELETIONS else ["k"]
        if self.schedule is not None:
            return dict.fromkeys(["deletions", "first", *count], "with a schedule")
        if self.kind == "stream":
            return {"first": f"with the deletions of the stream {self.data}"}
        if self.kind == "none":
            return dict.fromkeys(["first", *count], "with deletions none")
        return {}

    def run(self) -> OnlineRun:
        if self.sigma is not None and self.epsilon is not None:
            raise ValueError("sigma and epsilon must not both be given")
        return OnlineRun(self)
