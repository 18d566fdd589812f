"""An engine with a ledger: what is reserved is run, and what was run is recorded as executed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from forgetproof.certificates import CheckerProcess, Ledger
from forgetproof.certificates.certificate import rounded_up
from forgetproof.engine.loop import DrawnBatch, RecordedLoader, RecordedOptimizer, rows_of
from forgetproof.engine.planning import Interval, UnlearningPlan
from forgetproof.engine.record import executed_mechanism, mechanism_template
from forgetproof.engine.refusals import EngineRefusal, insist_on_optimizer
from forgetproof.engine.release import Release, write_release
from forgetproof.engine.resumption import resume
from forgetproof.engine.rules import Gradients
from forgetproof.engine.run import RecordedTraining, insist_on_cheaper
from forgetproof.engine.settings import EngineSettings
from forgetproof.engine.states import StateFolder


class UnlearningEngine:
    """Training and deletions of one model, in a folder with its ledger.

        engine = UnlearningEngine.open(folder, settings)
        engine.load(model, rows, targets, ids)      # or make_private(...), for a loop of your own
        engine.train()
        engine.forget([...])
        engine.release()

    The folder holds the ledger, the key of the ids' digests, and the weights after the last event:
    the last two are the operator's alone.  Rows are never written.

    Attributes:
        settings: fixed when the folder was opened first.
        ledger: the events.
        outlook: the plan for the deletions that the settings foresee, made before training.
    """

    def __init__(self, settings: EngineSettings, ledger: Ledger, seed: int | None) -> None:
        self.settings, self.ledger = settings, ledger
        self.outlook: UnlearningPlan | None = None
        self._seed = seed
        self._states = StateFolder(ledger.path.parent)
        self._run: RecordedTraining | None = None
        self._batch: DrawnBatch | None = None
        self._plans: dict[tuple[Any, ...], UnlearningPlan] = {}

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], settings: EngineSettings, *, seed: int | None = None
    ) -> UnlearningEngine:
        """The engine of a folder, a new one or one to go on with.

        seed: for tests; whoever knows it can subtract the noise, so that it is recorded, and no
        certificate is written.  Raises ValueError where the folder was opened with other settings.
        """
        if not isinstance(settings, EngineSettings):
            raise ValueError(f"settings must be EngineSettings, got {settings!r}")
        document = {
            "engine": settings.document(),
            "mechanism": mechanism_template(settings, seed is None),
            "budget": {"request_steps": settings.most},
        }
        return cls(settings, Ledger.open(folder, document, code=code_digest()), seed)

    def load(
        self,
        model: Any,
        rows: Any,
        targets: Any,
        ids: Sequence[Hashable] | None = None,
        *,
        criterion: Callable[[Any, Any], Any] | None = None,
        rule: Gradients | None = None,
    ) -> None:
        """Takes model, rows, targets and ids, all rows of the training, also those that left.

        A new training begins with the model's own weights, which must not come from the rows.  In a
        folder with a past the weights become those of the ledger's last line, and a request that
        was reserved and not run is run now, with fresh noise.

        ids: text or whole numbers; 0, 1, ... by default.
        criterion, rule: as for `RecordedTraining`.
        Raises EngineRefusal for what is not covered, for rows that are not those of the ledger, and
        before training where no plan for the deletions foreseen is cheaper than retraining.
        """
        if self._run is not None:
            raise EngineRefusal("load must come once: open the folder again to go on from it")
        names = range(len(rows)) if ids is None else names_of(ids)
        run = RecordedTraining(
            self.settings,
            model,
            rows,
            targets,
            list(names),
            criterion=criterion,
            rule=rule,
            seed=self._seed,
        )
        if self.ledger.history.segments:
            resume(run, self.ledger, self._states)
        else:
            self.outlook = self._plan(run, self.settings.deletions)
            insist_on_cheaper(self.outlook, self.settings.deletions)
        self._run = run
        if self.ledger.history.pending is not None:
            self._run_pending()

    def _run_pending(self) -> None:
        """The steps of a request that a process reserved and did not finish."""
        pending = self.ledger.history.pending
        assert pending is not None
        self._execute([], len(pending.rows), pending.sequence, pending.steps)

    @property
    def run(self) -> RecordedTraining:
        """What was executed. Raises EngineRefusal before `load`."""
        if self._run is None:
            raise EngineRefusal("load must come first: the engine has no model and no rows yet")
        return self._run

    def make_private(
        self,
        *,
        module: Any,
        optimizer: Any,
        data_loader: Any,
        ids: Sequence[Hashable] | None = None,
        criterion: Callable[[Any, Any], Any] | None = None,
    ) -> tuple[Any, RecordedOptimizer, RecordedLoader]:
        """Module, optimizer and loader for a loop in the habits of Opacus.

        The loader draws batches by the engine's draws, and `optimizer.step()` is the engine's step
        on the batch drawn last, with gradients of its own: those of `backward` are not used.  After
        the loop come `forget` and `release`.  criterion: with loss "any".
        Raises EngineRefusal as `load`, and for an optimizer that is not plain SGD with step size
        and decay of the settings.
        """
        insist_on_optimizer(optimizer, self.settings.first_step_size, self.settings.decay)
        rows, targets = rows_of(data_loader)
        self.load(module, rows, targets, ids, criterion=criterion)
        self._batch = batch = DrawnBatch(self.run)
        return module, RecordedOptimizer(batch, optimizer), RecordedLoader(batch)

    def train(self, steps: int | None = None) -> int:
        """Makes and records training steps, by default those of the settings; returns how many."""
        if self.run.steps.executed:
            raise EngineRefusal("train must come once, got steps that were made before")
        self.run.insist_on_training()
        self.run.steps.run(self.run.training_steps(steps), self.run.table.present)
        return self.end_training()

    def end_training(self) -> int:
        """Records the steps that were executed as the training, which ends; returns how many.

        `forget` and `release` do it after a loop of the caller's.
        """
        run = self.run
        if self._batch is not None:
            self._batch.insist_on_step()
        run.steps.insist_on_untouched()
        run.steps.insist_on_finite()
        steps = run.record_training(run.steps.executed)
        state = self._states.save(run.steps.state())
        sizes = {}
        if self.settings.schedule:
            sizes["step_sizes"] = [list(each) for each in self.settings.training_runs(steps)]
        self.ledger.append(
            "train",
            steps=steps,
            state=state,
            rows_digest=self.ledger.digest(run.table.digest()),
            **sizes,
        )
        self._states.forget_all_but(state)
        return steps

    def plan(self, ids: Sequence[Hashable]) -> UnlearningPlan:
        """The steps that a request would take, without running it; errors as `forget`."""
        if not self.run.intervals and self.run.steps.executed:
            self.end_training()
        positions = self.run.insist_on_request(names_of(ids))
        return self._plan(self.run, len(positions))

    @property
    def _certifying(self) -> bool:
        """Whether a certificate can come of it: the checker covers the steps, with secret noise."""
        return self.settings.contracts and self._seed is None

    def _plan(self, run: RecordedTraining, rows: int) -> UnlearningPlan:
        """The fewest steps that the accountant and, for a certificate, the checker accept.

        A plan for the same past and as many rows is remembered.
        """
        key = (*run.past, rows)
        if key not in self._plans:
            self._plans[key] = self._new_plan(run, rows)
        return self._plans[key]

    def _new_plan(self, run: RecordedTraining, rows: int) -> UnlearningPlan:
        if not self._certifying:
            return run.plan(rows)
        template = self.ledger.events()[0]["settings"]["mechanism"]
        with CheckerProcess() as checker:

            def accepted(intervals: Sequence[Interval]) -> bool:
                runs = self.settings.training_runs(intervals[0].steps)
                document = executed_mechanism(template, intervals, runs=runs)
                epsilon = checker.epsilon(document, self.settings.delta)
                return rounded_up(epsilon) <= self.settings.epsilon

            return run.plan(rows, accepted)

    def forget(self, ids: Sequence[Hashable]) -> int:
        """Plans, reserves in the ledger, runs and records the removal of rows; returns the steps.

        Which rows leave must depend on no model and no noise.  Raises EngineRefusal where plan or
        ids do not allow it, LedgerConflict where another process came first; nothing changes.
        """
        names = names_of(ids)
        plan = self.plan(names)
        self.run.steps.insist_on_untouched()
        positions = self.run.insist_on_request(names)
        digests = sorted(self.ledger.digest(name) for name in names)
        request = self.ledger.append("request", rows=digests, steps=plan.steps)
        return self._execute(positions, len(positions), request, plan.steps)

    def _execute(self, positions: list[int], rows: int, request: int, steps: int) -> int:
        """Runs a request that is in the ledger."""
        done = self.run.execute(positions, steps, rows)
        state = self._states.save(self.run.steps.state())
        self.ledger.append("unlearned", request=request, steps=done, state=state)
        # An earlier state would still have the rows that left.
        self._states.forget_all_but(state)
        return done

    def release(self, name: str = "model.pt", *, certificate: bool = True) -> Release:
        """Writes the model, its certificate and a sheet for people; all may be seen from now on.

        name: of the file; the module's `state_dict` by torch.save, or its arrays where it ends in
        .npz.  The digest is in the ledger before the file is there.  Before a row has left there is
        no certificate.  Raises EngineRefusal for one of steps whose seed somebody has chosen.
        """
        run = self.run
        if not run.intervals and run.steps.executed:
            self.end_training()
        run.steps.insist_on_untouched()
        return write_release(run, self.ledger, name, certificate)

    def spent(self) -> dict[str, float]:
        """The odometer: epsilon of the last model alone, and of all released ones together."""
        return self.run.spent()

    def mechanism(self) -> dict[str, Any]:
        """What was executed, as a document; errors as `RecordedTraining.mechanism`."""
        return self.run.mechanism()


def code_digest() -> str:
    """SHA-256 of the modules of the engine."""
    text = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        text.update(path.name.encode() + b"\0" + path.read_bytes())
    return text.hexdigest()


def names_of(ids: Sequence[Hashable]) -> list[str | int]:
    """Ids as the ledger takes them: numpy's whole numbers are those of Python."""
    if isinstance(ids, str | bytes):
        raise EngineRefusal(f"ids must be a list of them, got {ids!r}")
    names = [int(each) if isinstance(each, np.integer) else each for each in ids]
    for each in names:
        if isinstance(each, bool) or not isinstance(each, str | int):
            raise EngineRefusal(f"ids must be text or whole numbers, got {each!r}")
    return [each for each in names if isinstance(each, str | int)]
