"""Noisy gradient descent on data of which rows are replaced: one problem, its run, what is told."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from accounting.numerics import validation
from simulators.data.adjacency import row_in_batch
from simulators.domains import Ball, WholeSpace
from simulators.losses.regularisation import choose_regularisation
from simulators.runs.data import about, held_out, load
from simulators.runs.experiment import Experiment, Run
from simulators.runs.losses import adjacent_to, make_loss, step_of
from simulators.runs.noisy_options import TargetOptions
from simulators.runs.scores import beside_majority, described, flat, mean_with_error, scores_of
from simulators.runs.trial_moments import (
    Quantity,
    TrialPieces,
    TrialStatistics,
    TrialValues,
)
from simulators.runs.trials import MOST_TRIALS, statistics_of_all

MOST_STEPS = 10**9
MOST_VALUES = 2 * 10**8  # of all trials' iterates, where they are held together
PIECE = 1 << 20
"""Numbers of models that are computed at a time: 8 MiB for each law."""
LEAST_PIECE, MOST_PIECE = 1 << 12, 1 << 16
"""Trials that are computed at a time, whatever their size: whole blocks of the engine, and of what
is published."""
LAWS = ("learned", "unlearned", "retrained")


class NoisyRun(Run):
    """One problem, data with their successive replacements, loss and domain; and the run on it.

    The experiment has the fields of `noisy_options.DescentOptions`, and a method `start`.

    Attributes:
        data: the rows to learn from (n, d), cut to whole batches.
        test: the rows held out, or None.
        updates: the data after each request, S of them: one row of the last batch more is replaced.
        batch_size: b.
        loss: of a row, with `regularisation` (lambda).
    """

    experiment: Any

    def __init__(self, experiment: Experiment) -> None:
        super().__init__(experiment)
        settings = self.experiment
        rows = load(settings, settings.loss)
        if settings.test_share is not None:
            if settings.loss == "quadratic":
                raise ValueError("test_share must be given for a loss that predicts, got quadratic")
            rows = rows.shuffled(settings.seed)
        self.data, self.test = held_out(rows, settings.test_share)
        size = getattr(settings, "batch_size", None)
        if size is not None:
            size = validation.count("batch_size", size, low=1, high=len(self.data))
            self.data = self.data.trimmed(size)
        self.batch_size = size or len(self.data)
        self.regularisation = self._regularisation()
        self.loss = make_loss(settings.loss, self.regularisation, settings.clip, rows)
        self.updates = self._updates()
        self._insist_on_an_end()

    def _regularisation(self) -> float:
        """lambda: given, or such that the guarantees say something."""
        settings = self.experiment
        if settings.regularisation is not None:
            return float(settings.regularisation)
        radius = settings.radius if math.isfinite(settings.radius) else 100.0
        return choose_regularisation(
            len(self.data), batch_size=self.batch_size, bound=1.0, curvature=0.25, radius=radius
        ).value

    def _updates(self) -> list[Any]:
        size = self.batch_size
        if self.experiment.requests > size:
            raise ValueError(
                f"requests must be at most the batch size {size}, got {self.experiment.requests}"
            )
        first = row_in_batch(len(self.data) // size - 1, size)
        versions = [self.data]
        for row in range(first, first + self.experiment.requests):
            versions.append(adjacent_to(versions[-1], row, self.experiment.loss))
        return versions[1:]

    def _insist_on_an_end(self) -> None:
        """ValueError for a number of steps, or of trials, that no machine takes."""
        settings = self.experiment
        if settings.trials > MOST_TRIALS:
            raise ValueError(f"trials must be at most {MOST_TRIALS}, got {settings.trials}")
        batches = len(self.data) // self.batch_size
        for name in settings.epochs():
            count = getattr(settings, name)
            if count * batches * settings.requests > MOST_STEPS:
                raise ValueError(f"{name} must be at most {MOST_STEPS} steps in all, got {count}")

    @property
    def data_sha256(self) -> str:
        """Of the rows to learn from."""
        return str(self.data.sha256)

    @property
    def last(self) -> Any:
        """The data after all requests."""
        return self.updates[-1]

    @cached_property
    def domain(self) -> Any:
        """The ball, or R^d."""
        radius = self.experiment.radius
        return Ball(radius) if math.isfinite(radius) else WholeSpace()

    @cached_property
    def certified(self) -> Any:
        """Constants of the loss on all the data sets (`simulators.losses.base.LossConstants`)."""
        return self.loss.constants(self.data, *self.updates, domain=self.domain)

    @cached_property
    def half_difference(self) -> float:
        """M: half the difference of gradients at a row that is replaced, at most."""
        from simulators.losses.pairs import pair_difference

        before = [self.data, *self.updates[:-1]]
        pairs = zip(before, self.updates, strict=True)
        largest = max(pair_difference(self.loss, *pair) for pair in pairs)
        # The first holds for any two rows that the loss takes, the second for these.
        return float(min(self.certified.half_gradient_difference, largest / 2))

    @cached_property
    def step_size(self) -> float:
        """eta."""
        best = self.experiment.best_step(self.certified)
        return step_of(self.experiment.step_size, self.certified, len(self.data), best)

    @cached_property
    def sigma(self) -> float:
        """The noise scale: given, or the least for the target."""
        settings = self.experiment
        if settings.sigma is not None:
            return float(settings.sigma)
        if settings.epsilon is None or settings.delta is None:
            raise ValueError("sigma must be given, or epsilon and delta, got neither")
        if settings.requests > 1:
            raise ValueError(f"requests must be 1 with epsilon, got {settings.requests}")
        least = float(settings.least_noise(self, settings.epsilon, settings.delta))
        if not least < math.inf:
            raise ValueError(
                f"epsilon must be within reach of finite noise here, got {settings.epsilon:g}"
            )
        return least

    @property
    def engine_settings(self) -> dict[str, Any]:
        """Settings of every run of the engine on this problem, but for trials (`plan`)."""
        settings = self.experiment
        return {
            "sigma": self.sigma,
            "step_size": self.step_size,
            "batch_size": self.batch_size,
            "batch_order": getattr(settings, "batch_order", "fixed"),
            "domain": self.domain,
            "seed": settings.seed,
            "device": settings.device,
            "dtype": settings.dtype,
        }

    @cached_property
    def result(self) -> Any:
        """The published iterates of all trials (`simulators.engine.result.Run`).

        Raises ValueError for trials that memory cannot hold at a time.
        """
        trials, most = self.experiment.trials, MOST_VALUES // self.data.dimension
        if trials > most:
            raise ValueError(
                f"trials must be at most {most} of {self.data.dimension} numbers where all are "
                f"looked at together, got {trials}"
            )
        return self._result_of(0, trials)

    def _result_of(self, first: int, trials: int) -> Any:
        settings = self.experiment
        try:
            with np.errstate(all="ignore"):
                return settings.start(
                    self, trials=trials, first_trial=first, **self.engine_settings
                )
        except RuntimeError as error:
            if "overflow" not in str(error):
                raise
            raise ValueError(
                f"sigma and step_size must be in the range of {settings.dtype}, got "
                f"{self.sigma:g}, {self.step_size:g}"
            ) from error

    @cached_property
    def pieces(self) -> TrialPieces:
        """How the trials are cut: PIECE numbers at a time, whole blocks of the engine."""
        numbers = math.prod(self.loss.parameter_shape(self.data))
        # The largest power of two of trials whose models are no more than PIECE numbers.
        size = 1 << max(0, (PIECE // numbers).bit_length() - 1)
        return TrialPieces(self.experiment.trials, min(max(size, LEAST_PIECE), MOST_PIECE))

    def trial_values(self, piece: int) -> TrialValues:
        """What `document` tells of the trials of one piece, and the norms of the models."""
        place = self.pieces.place(piece)
        whole = self.pieces.count == 1 or "result" in vars(self)
        result = self.result if whole else self._result_of(place.start, place.stop - place.start)
        kept = place if whole else slice(None)
        models = {name: x[kept] for name in LAWS if (x := getattr(result, name)) is not None}
        points = {("moments", "points", law): flat(each) for law, each in models.items()}
        numbers: dict[Quantity, np.ndarray] = {}
        with np.errstate(over="ignore"):
            for law in models:
                numbers["norm", "", law] = np.linalg.norm(points["moments", "points", law], axis=1)
        for section, rows in self._scored_rows.items():
            for law, each in models.items():
                name, values = scores_of(each, rows)
                numbers[section, name, law] = values
        work = {name: dict(getattr(result, name)) for name in ("gradient_evaluations", "steps")}
        return TrialValues(numbers, points, work)

    def insist_on_finite(self, statistics: TrialStatistics) -> None:
        """ValueError where moments of models are not."""
        for (section, _, _), each in statistics.moments.items():
            if section == "moments":
                described(each)

    @property
    def _scored_rows(self) -> dict[str, Any]:
        """Section of the document -> the rows that models are scored on there."""
        train = None if self.experiment.loss == "quadratic" else self.data
        rows = {"train": train, "test": self.test}
        return {section: each for section, each in rows.items() if each is not None}

    def document(self) -> dict[str, Any]:
        return self.told(statistics_of_all(self))

    def told(self, statistics: TrialStatistics) -> dict[str, Any]:
        """The document of a run of whose trials these are kept."""
        settings, certified = self.experiment, self.certified
        sections: dict[str, dict[str, Any]] = {"moments": {}, "train": {}, "test": {}}
        for (section, name, law), each in statistics.moments.items():
            if section == "moments":
                sections[section][law] = described(each)
            elif section in self._scored_rows:
                sections[section][law] = mean_with_error(name, each)
        for section, rows in self._scored_rows.items():
            sections[section] = beside_majority(sections[section], rows, self.data)
        return {
            "data": about(self.data),
            "constants": {
                "regularisation": self.regularisation,
                "smoothness": certified.smoothness,
                "strong_convexity": certified.strong_convexity,
                "lipschitz": certified.half_gradient_difference,
                "step_size": self.step_size,
                "contraction": certified.contraction(self.step_size),
            },
            "settings": {**settings.settings, "batch_size": self.batch_size},
            "least_noise": self._least_noise(),
            **sections,
            **statistics.work,
        }

    def _least_noise(self) -> dict[str, Any]:
        """The target and the noise for it; empty where a noise was given."""
        settings = self.experiment
        if not isinstance(settings, TargetOptions) or settings.sigma is not None:
            return {}
        return {"epsilon": settings.epsilon, "delta": settings.delta, "sigma": self.sigma}
