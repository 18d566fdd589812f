"""The settings every noisy-SGD run shares, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NotRequired, TypedDict

import numpy as np

from accounting.numerics import validation
from simulators import domains
from simulators.data.adjacency import differing_rows
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData
from simulators.device.reporting import Progress
from simulators.engine.batches import Batches, ConsecutiveBatches, partition, positions
from simulators.engine.initial import Initial, checked_initial
from simulators.engine.noisy_descent import Machine, Observer, Phase, Trace, run_coupled
from simulators.losses.base import Loss, checked_data
from simulators.random.seeds import Purpose

MOST_TRIALS = 1 << 32
"""Trials of one seed: their number is a word of the counter that noise comes from."""
_MACHINE = ("device", "dtype", "block", "memory", "threads")


class RunSettings(TypedDict):
    """Keyword arguments of the run functions.

    sigma >= 0: the noise has s.d. sqrt(2 step_size) sigma per coordinate and step.
    step_size > 0; batch_size b divides n.
    trials >= 1; seed >= 0 and claim >= 0: what the random numbers depend on.
    first_trial: number of the first one, 0 by default: those before it are computed elsewhere, and
    are whole blocks.
    domain: WholeSpace, Ball or Box; None (default) is R^d.
    batch_order: "fixed" (default), "random" or a permutation of the rows (`batches.partition`).
    initial: "zero" (default), an array or a law (`initial.checked_initial`); projected onto the
    domain.
    device: "cpu", "cuda", or "auto" (default: CUDA where there is one and it pays, see `device`).
    dtype: "float64" (default), "float32".
    block: trials per block; None (default) is a size fixed by the problem, on a device one near the
    number of trials.  It may change the last digits of a path.
    memory: bytes the blocks that run at a time may take.
    threads: how many blocks run at a time, 1 by default; the numbers are the same.
    progress: called with (steps done, steps in all).
    """

    sigma: float
    step_size: float
    batch_size: int
    trials: int
    seed: int
    claim: NotRequired[int]
    first_trial: NotRequired[int]
    domain: NotRequired[domains.Domain | None]
    batch_order: NotRequired[object]
    initial: NotRequired[object]
    device: NotRequired[str]
    dtype: NotRequired[str]
    block: NotRequired[int | None]
    memory: NotRequired[float]
    threads: NotRequired[int]
    progress: NotRequired[Progress | None]


@dataclass(frozen=True, eq=False)
class Plan:
    """Checked settings for a chain of data sets that differ in some rows only."""

    loss: Loss
    data: tuple[RowData, ...]
    batches: Batches
    sigma: float
    step_size: float
    domain: domains.Domain
    initial: Initial
    trials: int
    seed: int
    claim: int
    first_trial: int
    machine: Machine
    progress: Progress | None
    given: dict[str, Any]

    @classmethod
    def of(
        cls,
        loss: Loss,
        data: Sequence[RowData],
        *,
        sigma: object,
        step_size: object,
        batch_size: object,
        trials: object,
        seed: object,
        claim: object = 0,
        first_trial: object = 0,
        domain: object = None,
        batch_order: object = "fixed",
        initial: object = "zero",
        progress: Progress | None = None,
        **machine: object,
    ) -> Plan:
        """Check everything; ValueError naming the first bad parameter."""
        if not isinstance(loss, Loss):
            raise ValueError(f"loss must be a Loss, got {type(loss).__name__}")
        checked = checked_data(tuple(data))
        for item in checked[1:]:
            # For its errors: another size, or targets in one of two alone.
            differing_rows(checked[0], item)
        unknown = sorted(set(machine) - set(_MACHINE))
        if unknown:
            raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
        if progress is not None and not callable(progress):
            raise ValueError(f"progress must be a function or None, got {progress!r}")
        number = validation.count("trials", trials, low=1, high=MOST_TRIALS)
        shape = loss.parameter_shape(checked[0])
        return cls(
            loss=loss,
            data=checked,
            batches=_batches(checked, batch_size, batch_order, seed, claim),
            sigma=validation.scalar("sigma", sigma, low=0.0, high_open=True),
            step_size=validation.scalar(
                "step_size", step_size, low=0.0, low_open=True, high_open=True
            ),
            domain=domains.check(domain),
            initial=checked_initial(initial, shape, number),
            trials=number,
            seed=validation.count("seed", seed, low=0),
            claim=validation.count("claim", claim, low=0),
            first_trial=validation.count(
                "first_trial", first_trial, low=0, high=MOST_TRIALS - number
            ),
            machine=Machine(**machine),
            progress=progress,
            given={
                "batch_order": batch_order if isinstance(batch_order, str) else "given",
                "initial": initial if isinstance(initial, str) else "given",
                **machine,
            },
        )

    @property
    def noise(self) -> float:
        """s = sqrt(2 eta) sigma, the noise's s.d. per coordinate and step."""
        return math.sqrt(2.0 * self.step_size) * self.sigma

    def phase(self, data: RowData, epochs: int) -> Phase:
        """So many epochs on one of the data sets."""
        return Phase(data, epochs * len(self.batches))

    def run(
        self,
        *runs: Sequence[Phase],
        purposes: tuple[Purpose, Purpose] = (Purpose.NOISE, Purpose.INITIAL),
        initials: Sequence[Initial] | None = None,
        observer: Observer | None = None,
    ) -> list[Trace]:
        """Make the runs, coupled with one another."""
        return run_coupled(
            self.loss,
            runs,
            batches=self.batches,
            step_size=self.step_size,
            noise=self.noise,
            domain=self.domain,
            initials=[self.initial] * len(runs) if initials is None else initials,
            trials=self.trials,
            seed=self.seed,
            claim=self.claim,
            first_trial=self.first_trial,
            purposes=purposes,
            machine=self.machine,
            observer=observer,
            progress=self.progress,
        )

    def deterministic(self, data: RowData, steps: int, start: np.ndarray) -> Trace:
        """Noiseless steps from one point (*shape), computed once, or from one per trial."""
        # Without noise every trial from one point takes the same path.
        single = start.shape == self.loss.parameter_shape(data)
        return run_coupled(
            self.loss,
            [[Phase(data, steps)]],
            batches=self.batches,
            step_size=self.step_size,
            noise=0.0,
            domain=self.domain,
            initials=[start],
            trials=1 if single else self.trials,
            seed=self.seed,
            claim=self.claim,
            first_trial=0 if single else self.first_trial,
            machine=replace(self.machine, block=1) if single else self.machine,
            progress=self.progress,
        )[0]

    def positions(self, before: RowData, after: RowData) -> np.ndarray:
        """Batch index of every row in which the two data sets differ."""
        return positions(self.batches, differing_rows(before, after))

    def settings(self, **more: Any) -> dict[str, Any]:
        """Everything a manifest needs: parameters, hashes and records of the data, positions j0."""
        replaced = [
            self.positions(before, after).tolist()
            for before, after in zip(self.data, self.data[1:], strict=False)
        ]
        return {
            **more,
            "loss": repr(self.loss),
            "sigma": self.sigma,
            "step_size": self.step_size,
            "batch_size": int(self.batches.shape[1]),
            "batches_per_epoch": len(self.batches),
            "domain": repr(self.domain),
            "trials": self.trials,
            "seed": self.seed,
            "claim": self.claim,
            **({"first_trial": self.first_trial} if self.first_trial else {}),
            **self.given,
            "data": [item.name for item in self.data],
            "data_sha256": [item.sha256 for item in self.data],
            "data_record": [list(item.record) for item in self.data],
            "batch_positions": replaced,
        }


def _batches(
    data: Sequence[RowData], batch_size: object, batch_order: object, seed: object, claim: object
) -> Batches:
    """The partition. Raises ValueError for an order that rows in pieces cannot have."""
    n = len(data[0])
    in_memory = [isinstance(item, Dataset) for item in data]
    if all(in_memory):
        return partition(n, batch_size, batch_order, seed=seed, claim=claim)
    if any(in_memory):
        raise ValueError("data must all be in memory, or all in pieces, got both")
    if not isinstance(batch_order, str) or batch_order != "fixed":
        raise ValueError(
            "batch_order must be fixed for rows in pieces, whose order is not uniformly random, "
            f"got {batch_order!r}"
        )
    return ConsecutiveBatches(n, validation.count("batch_size", batch_size, low=1, high=n))


def epochs(name: str, value: object) -> int:
    """A number of epochs >= 0."""
    return validation.count(name, value, low=0)


def retraining_epochs(target: object, learn: int, unlearn: int) -> int:
    """Epochs of retraining for the target "T" or "T+K"."""
    word = validation.choice("retrain", target, ("T", "T+K"))
    return learn if word == "T" else learn + unlearn
