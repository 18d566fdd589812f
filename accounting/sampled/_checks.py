"""Which fields of `SampledSGD` go together; a ValueError names the one that does not."""

from __future__ import annotations

import numpy as np

from accounting.numerics.validation import integer, scalar
from accounting.sampled.changed_data import shortened
from accounting.sampled.schedules import RESIZING, Schedules, batches


def check(setting: Schedules) -> None:
    """Raises ValueError naming the field that does not go with the adjacency."""
    _check_rows(setting)
    resized, poisson = setting.adjacency in RESIZING, setting.sampling == "poisson"
    if setting.rate is not None and not poisson:
        raise ValueError(f"rate must not be given for {setting.sampling!r}, got {setting.rate!r}")
    if setting.rate_without is not None and (setting.rate is None or not resized):
        raise ValueError(
            "rate_without must be given with rate and adjacency delete or add alone, got "
            f"{setting.rate_without!r}"
        )
    if setting.unlearning_rate is not None:
        scalar("unlearning_rate", setting.unlearning_rate, low=0.0, high=1.0, low_open=True)
        if setting.rate is not None or not poisson or setting.adjacency != "delete":
            raise ValueError(
                "unlearning_rate must be given with sampling poisson, adjacency delete and no "
                f"rate alone, got {setting.unlearning_rate!r}"
            )
    most = setting.n - int(setting.present.max())
    if resized and setting.rate is None and setting.batch_size > most:
        raise ValueError(
            f"batch_size must be at most {most} with adjacency {setting.adjacency}, the rows of "
            f"the run that has fewer, got {setting.batch_size}"
        )
    if shortened(setting):
        _check_shortened(setting)


def _check_shortened(setting: Schedules) -> None:
    rows, size = int(setting.present.max()), setting.batch_size
    there = np.flatnonzero(setting.present)
    fewer, more = (batches(n, size) for n in (setting.n - rows, setting.n))
    retraining = more if setting.adjacency == "add" else fewer
    why = f"{setting.n} rows are {more} batches an epoch and {setting.n - rows} rows are {fewer}"
    if setting.reference != "T+K" or len(setting.published) or (there[-1] >= setting.steps):
        raise ValueError(
            f"adjacency must be zero-out with several requests or publications, or a reference "
            f"other than T+K, where {why}, got {setting.adjacency}"
        )
    if setting.steps % retraining:
        raise ValueError(
            f"steps must be whole epochs of {retraining}, those of retraining, with adjacency "
            f"{setting.adjacency}, as {why}: otherwise no step of unlearning is one of "
            f"retraining and no bound is known, got {setting.steps}"
        )


def _check_rows(setting: Schedules) -> None:
    sampled = f"sampling {setting.sampling}" if setting.sampling in ("fixed", "shuffled") else ""
    other = "" if setting.adjacency in ("zero-out", "delete") else f"adjacency {setting.adjacency}"
    if not setting.one_row and (other or sampled):
        row_text = setting.rows if np.ndim(setting.rows) == 0 else "numbers that change"
        raise ValueError(f"rows must be 1 with {sampled or other}, got {row_text}")


def check_publications(setting: Schedules) -> None:
    """Raises ValueError where models cannot be published as told."""
    if isinstance(setting.published, tuple | list) and not setting.published:
        return
    times = integer("published", setting.published)
    if times.ndim != 1 or times.size == 0 or (np.diff(times, prepend=0) <= 0).any():
        raise ValueError(f"published must be ascending steps, got {setting.published!r}")
    if times[-1] >= setting.length:
        range_text = f"below steps + unlearning_steps = {setting.length}"
        raise ValueError(f"published must be {range_text}, got {setting.published!r}")
    if setting.reference != "T+K":
        raise ValueError(
            f"published must be empty with reference {setting.reference!r}, "
            f"got {setting.published!r}"
        )
    cyclic_shift = setting.sampling == "cyclic" and setting.adjacency in RESIZING
    early = times[(times < setting.steps) | cyclic_shift]
    if (
        setting.sampling in ("shuffled", "cyclic")[: 1 + cyclic_shift]
        and (early % setting.epoch).any()
    ):
        raise ValueError(
            f"published must be after whole epochs of {setting.epoch} steps, "
            f"got {setting.published!r}"
        )
