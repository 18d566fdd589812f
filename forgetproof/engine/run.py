"""One training and the deletions from it, as executed: what was run, and what it certifies.

`RecordedTraining` keeps its record in memory; `UnlearningEngine` writes it to a ledger as well.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from accounting.numerics import validation
from accounting.sampled.algorithm import MOST_STEPS
from forgetproof.engine.planning import Interval, UnlearningPlan, certified, plan, spent
from forgetproof.engine.randomness import SecretSource
from forgetproof.engine.record import executed_mechanism, mechanism_template
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.rows import RowTable
from forgetproof.engine.rules import Gradients, rule_for
from forgetproof.engine.settings import EngineSettings
from forgetproof.engine.steps import NoisySteps

Accepted = Callable[[Sequence[Interval]], bool]


class RecordedTraining:
    """Noisy training of a model on rows, and noisy steps without those that leave.

    settings: fixed from now on.  model: a torch module; its weights become those of the run.
    rows, targets, ids: one for every row.  criterion, rule: with loss "any", the loss of a row's
    prediction, or its gradients in closed form.  seed: for tests; whoever knows it knows the noise.

    Attributes:
        intervals: steps as executed, and how many rows had left before each.
        releases: after how many steps a model was released.

    Raises EngineRefusal for what the account does not cover; ValueError for fields out of range.
    """

    def __init__(
        self,
        settings: EngineSettings,
        model: Any,
        rows: Any,
        targets: Any,
        ids: Sequence[Hashable] | None = None,
        *,
        criterion: Callable[[Any, Any], Any] | None = None,
        rule: Gradients | None = None,
        seed: int | None = None,
    ) -> None:
        names = list(range(len(rows))) if ids is None else list(ids)
        self.settings, self.model = settings, model
        self.table = RowTable(rows, targets, names)
        if len(self.table) != settings.rows:
            raise EngineRefusal(f"rows must be {settings.rows} as in the settings, got {len(rows)}")
        self.rule = rule_for(settings, model, self.table, criterion=criterion, gradients=rule)
        self.source = SecretSource(seed)
        self.steps = NoisySteps(settings, self.rule, self.source)
        self.intervals: list[Interval] = []
        self.releases: list[int] = []

    def train(self, steps: int | None = None) -> int:
        """Makes steps on all rows, by default as many as the settings say; returns how many."""
        self.insist_on_training()
        before = self.steps.executed
        self.steps.run(self.training_steps(steps), self.table.present)
        return self.record_training(self.steps.executed - before)

    def training_steps(self, steps: int | None) -> int:
        """How many training takes; ValueError for none or too many."""
        if steps is None:
            return self.settings.steps
        return validation.count("steps", steps, low=1, high=MOST_STEPS)

    def insist_on_training(self) -> None:
        """Raises EngineRefusal after training."""
        if self.intervals:
            raise EngineRefusal(
                "train must come once, before the first request: training has ended"
            )

    def record_training(self, steps: int) -> int:
        """Takes steps that were executed as the training, which ends with them."""
        self.insist_on_training()
        if steps < 1:
            raise EngineRefusal("steps must be one or more of training, got none")
        self.intervals.append(Interval(steps))
        return steps

    def plan(self, rows: int, accepted: Accepted | None = None) -> UnlearningPlan:
        """The fewest steps after which the target holds for `rows` more rows that leave.

        Before training, of the steps that the settings foresee.  accepted: a further test of the
        intervals that would then be run.  Raises EngineRefusal where `most_steps` are not enough.
        """
        past = self.past
        rows = validation.count("rows", rows, low=1)

        def passes(steps: int) -> bool:
            assert accepted is not None
            return accepted([*past, Interval(steps, rows)])

        return plan(self.settings, past, rows, passes if accepted is not None else None)

    @property
    def past(self) -> list[Interval]:
        """What was executed; before training, what the settings say of it."""
        return self.intervals or [Interval(self.settings.steps)]

    def forget(self, ids: Sequence[Hashable]) -> int:
        """Removes rows and makes the steps that their removal needs; returns how many."""
        positions = self.insist_on_request(ids)
        steps = self.plan(len(positions)).steps
        return self.execute(positions, steps, len(positions))

    def insist_on_request(self, ids: Sequence[Hashable]) -> list[int]:
        """Where rows stand. Raises EngineRefusal before training, and for ids that cannot leave."""
        if not self.intervals:
            raise EngineRefusal("ids must leave after training, got a request before it")
        return self.table.positions(ids)

    def execute(self, positions: Sequence[int], steps: int, rows: int) -> int:
        """Removes rows, and makes and records so many steps without them; returns how many.

        rows: how many leave with these steps, those among them that are removed already.
        """
        self.table.remove(positions)
        self.steps.unlearning = True
        before = self.steps.executed
        self.steps.run(steps, self.table.present)
        done = self.steps.executed - before
        self.intervals.append(Interval(done, rows))
        return done

    @property
    def executed(self) -> int:
        """Steps of all intervals."""
        return sum(each.steps for each in self.intervals)

    @property
    def left(self) -> int:
        """Rows that have left."""
        return sum(each.left for each in self.intervals)

    def epsilon(self) -> float:
        """What is certified of the last model, at the settings' delta; 0 before a request."""
        return certified(self.settings, self.intervals)

    def spent(self) -> dict[str, float]:
        """epsilon of the last model alone, and of it with all that were released before.

        The second averages over the batches of all models together: seconds, at 1,000 steps.
        """
        return spent(self.settings, self.intervals, self.releases)

    def mechanism(self) -> dict[str, Any]:
        """The document of what was executed (`forgetproof/mechanism/1`), with the target as claim.

        Raises EngineRefusal before a request: then no two runs are compared.
        """
        template = mechanism_template(self.settings, self.source.secret)
        runs = self.settings.training_runs(self.intervals[0].steps) if self.intervals else []
        return executed_mechanism(template, self.intervals, self.releases, runs)


def insist_on_cheaper(outlook: UnlearningPlan, rows: int) -> None:
    """Raises EngineRefusal where the plan for so many rows is no cheaper than retraining."""
    if not outlook.cheaper:
        raise EngineRefusal(
            f"no plan for {rows} deletions is cheaper than retraining: {outlook.steps} unlearning "
            f"steps against {outlook.retraining}"
        )
