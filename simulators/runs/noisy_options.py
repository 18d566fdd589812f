"""What experiments of noisy gradient descent are asked for: fields that several of them share.

Each class below is a part of an experiment: it has fields, and no base.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accounting.problems.options import Rule, natural, positive, real, whole, word
from simulators.runs.data import share
from simulators.runs.losses import LOSSES, step_rule

if TYPE_CHECKING:
    from simulators.losses.base import LossConstants


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentOptions:
    """Of Langevin unlearning, retraining and Descent to Delete alike."""

    test_share: float | None = share()
    loss: str = word("Of a row.", *LOSSES)
    regularisation: float | None = real("lambda; chosen non-vacuous if not given.", None)
    clip: float | None = positive("Clip per-sample gradients (regulariser outside).", None)
    sigma: float | None = natural("Noise scale.")
    step_size: Rule | float | None = step_rule("1/L")
    radius: float = real("R; inf for none.", 4.0, low=0.0, low_open=True)
    trials: int = whole("Independent runs.", 256)
    requests: int = whole("S, in sequence.", 1)
    dtype: str = word("Of the computation.", "float64", "float32")
    learn_epochs: int = whole("T.", 10, low=0)

    def epochs(self) -> tuple[str, ...]:
        """The fields that are numbers of epochs."""
        names = ("learn_epochs", "unlearn_epochs")
        return tuple(name for name in names if hasattr(self, name))

    def best_step(self, constants: LossConstants) -> float:
        """The step size if none is given: 1/L."""
        return float(1 / constants.smoothness)

    def start(self, run: Any, **settings: Any) -> Any:
        """Runs all trials on the data of a `NoisyRun`: a `simulators.engine.result.Run`."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class BatchOptions:
    """Of an algorithm that goes through the rows in batches."""

    batch_size: int | None = whole("b; the last n mod b rows are dropped.", None)
    batch_order: str = word("Of the rows.", "fixed", "random")


@dataclass(frozen=True, kw_only=True, eq=False)
class TargetOptions:
    """Of an algorithm whose noise may be the least for a target."""

    sigma: float | None = natural("Noise scale.", None)
    epsilon: float | None = positive("In place of sigma: the least one for this target.", None)
    delta: float | None = real(
        "Of the target.", None, low=0.0, low_open=True, high=1.0, high_open=True
    )

    def least_noise(self, run: Any, epsilon: float, delta: float) -> float:
        """The least sigma for the target, with the constants of a `NoisyRun`."""
        raise NotImplementedError


def unused_target_options(experiment: TargetOptions) -> dict[str, str]:
    """Fields that go unused where a noise is given, or a target -> why."""
    if experiment.epsilon is None:
        return {"delta": "without epsilon"}
    return {"sigma": "with epsilon"}
