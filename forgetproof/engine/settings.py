"""What is fixed before the first step, and follows neither the rows nor how many of them stay."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from accounting.numerics import validation
from accounting.sampled.algorithm import MOST_STEPS
from forgetproof.engine.losses import LOSSES

ANY = "any"


@dataclass(frozen=True, kw_only=True)
class EngineSettings:
    """Constants of the noisy steps and of the guarantee; all public, none computed from rows.

        w <- proj( w - (eta/B) (sum over the batch of clipped gradients + Z) - eta lambda w )

    with Z of the deviation `noise * row_clip` in every coordinate.  A row enters a batch by a draw
    of its own, with chance `rate`.

    Attributes:
        rows: n, when the settings were fixed.
        rate, divisor: q and B; both stay when rows leave.  B is a whole number from 1 to n.
        noise: sigma, the multiplier of the row's clip.
        clip: C, of the gradient of one output; a row's gradient is then at most sqrt(outputs) C.
        step_size, decay: eta, and lambda outside the clip.
        schedule: (steps, eta) of the first runs of training, in order; the training steps after
            them and all unlearning steps have `step_size`.
        steps: N, of training.
        loss: a name of `LOSSES`, or "any" for the gradients of any model, clipped as a whole.
        outputs: predictions of one row, each with a loss of its own (one against the rest).
        row_bound: rows longer than this are scaled down to it, each by itself.
        features: the public map that made the rows, in words or as a digest; "" for none.
        radius: of the ball onto which every step projects the weights.
        epsilon, delta: the target.
        deletions: rows expected to leave, for which a plan is made before training.
        most_steps: K of a request is at most this; N by default, as retraining takes that many.

    Raises ValueError naming the field that is out of range.
    """

    rows: int
    rate: float
    divisor: int
    noise: float
    step_size: float
    decay: float
    steps: int
    epsilon: float
    delta: float
    clip: float = 1.0
    loss: str = "logistic"
    outputs: int = 1
    row_bound: float = 1.0
    radius: float = math.inf
    features: str = ""
    deletions: int = 1
    most_steps: int | None = None
    schedule: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        n = self._keep("rows", validation.count("rows", self.rows, low=2))
        ranges = {
            "divisor": (1, n),
            "steps": (1, MOST_STEPS),
            "outputs": (1, 2**31),
            "deletions": (1, n - 1),
            "most_steps": (0, MOST_STEPS),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if name != "most_steps" or value is not None:
                self._keep(name, validation.count(name, value, low=low, high=high))
        for name in ("noise", "step_size", "clip", "row_bound"):
            value = getattr(self, name)
            number = validation.scalar(name, value, low=0.0, low_open=True, high_open=True)
            self._keep(name, number)
        closed: dict[str, Any] = {"low": 0.0, "high": 1.0, "low_open": True}
        self._keep("rate", validation.scalar("rate", self.rate, **closed))
        self._keep("delta", validation.scalar("delta", self.delta, high_open=True, **closed))
        self._keep("radius", validation.scalar("radius", self.radius, low=0.0, low_open=True))
        self._keep("decay", validation.scalar("decay", self.decay, low=0.0, high_open=True))
        self._keep("epsilon", validation.scalar("epsilon", self.epsilon, low=0.0, high=1e300))
        self._keep("schedule", _runs(self.schedule, self.steps))
        if not isinstance(self.features, str):
            raise ValueError(f"features must be text, got {self.features!r}")
        validation.choice("loss", self.loss, (*LOSSES, ANY))
        if self.loss == ANY and self.outputs != 1:
            raise ValueError(
                f"outputs must be 1 with loss any, whose gradient is clipped as a whole, got "
                f"{self.outputs}"
            )

    def _keep(self, name: str, value: Any) -> Any:
        """A plain number in place of one of numpy, as JSON has it."""
        object.__setattr__(self, name, value)
        return value

    @property
    def contracts(self) -> bool:
        """Whether steps in common bring two runs closer, so that unlearning steps help."""
        return self.loss != ANY

    @property
    def row_clip(self) -> float:
        """The largest norm of a row's gradient: sqrt(outputs) C, rounded up."""
        return self.clip * math.nextafter(math.sqrt(self.outputs), math.inf)

    @property
    def deviation(self) -> float:
        """Of the noise on the sum of a batch, in every coordinate."""
        return self.noise * self.row_clip

    @property
    def smoothness(self) -> float:
        """L_0 of a row's loss: curvature times the square of its bound; inf for any loss."""
        if self.loss == ANY:
            return math.inf
        return LOSSES[self.loss].curvature * self.row_bound**2 * (1 + 2.0**-50)

    def training_runs(self, steps: int) -> list[tuple[int, float]]:
        """(steps, eta) of so many steps of training, one run after the other."""
        runs, left = [], steps
        for count, eta in (*self.schedule, (steps, self.step_size)):
            if left:
                runs.append((min(count, left), eta))
            left -= min(count, left)
        return runs

    @property
    def first_step_size(self) -> float:
        """eta of the first step of training."""
        return self.training_runs(1)[0][1]

    @property
    def most(self) -> int:
        """Steps of a request, at most."""
        return self.steps if self.most_steps is None else self.most_steps

    def document(self) -> dict[str, Any]:
        """The fields by name, as JSON has them: what says nothing is left out."""
        fields = {**asdict(self), "schedule": [list(run) for run in self.schedule]}
        return {name: x for name, x in fields.items() if x not in (None, math.inf, "", [])}


def _runs(given: object, steps: int) -> tuple[tuple[int, float], ...]:
    """The runs of a schedule. Raises ValueError for what is none, or has more than all steps."""
    if not isinstance(given, tuple | list):
        raise ValueError(f"schedule must be pairs of steps and a step size, got {given!r:.60}")
    runs = []
    for run in given:
        if not isinstance(run, tuple | list) or len(run) != 2:
            raise ValueError(f"schedule must be pairs of steps and a step size, got {run!r:.60}")
        count = validation.count("schedule", run[0], low=1, high=steps)
        eta = validation.scalar("schedule", run[1], low=0.0, low_open=True, high_open=True)
        runs.append((count, eta))
    if not sum(count for count, _ in runs) <= steps:
        raise ValueError(f"schedule must have at most the {steps} steps of training, got more")
    return tuple(runs)
