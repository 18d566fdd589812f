"""The table of an experiment: the fields that say how it is read, and its rows as numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from accounting.numerics import validation
from accounting.numerics.validation import refuses
from accounting.problems.options import built, flag, text, texts, word
from simulators.data._contents import ColumnError, FileError, TableError
from simulators.data.dataset import Dataset
from simulators.data.disk import read_text
from simulators.data.raw_table import Range, RawTable, is_frame
from simulators.data.row_data import RowData
from simulators.data.rows_of import is_table_file, raw_table
from simulators.runs.targets import WANTS

if TYPE_CHECKING:
    from simulators.data.pieced import PiecedDataset
    from simulators.data.prepared import PreparedTable

_OPTIONS = ("drop", "header", "range", "classes", "target_column")
ARRAYS = ".npy"
"""How the names of files end that hold one array, whose rows are read in pieces."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TableOptions:
    """The fields that say how a table is read."""

    data: Any = built("A table.", "simulators.runs.tables:rows", None)
    target_column: str | None = text(
        "Table: where the targets are, by name or from 1; or none.", shown="last", also=("-t",)
    )
    header: bool | None = flag(
        "CSV: is the first row names? If not said: if it has no number.",
        "header",
        "no-header",
        None,
    )
    drop: tuple[str, ...] = texts("Table: leave this column out, by name or from 1.", "COLUMN")
    keep: tuple[str, ...] = texts(
        "Table: this column is a measurement, although it looks like an index.", "COLUMN"
    )
    missing: str | None = word(
        "Table: empty cells are 0, beside a column that says so; or their rows are left out.",
        "mark",
        "drop",
        default=None,
        shown="refused",
    )
    range: tuple[str, ...] = texts(
        "Public range of a column, mapped to -1..1 and clipped.", "COLUMN=LOW:HIGH"
    )
    ranges: str | None = text("File of such ranges, one a line.")
    scale: str | None = word(
        "Other columns: as they are, or from the 1 % and 99 % points of the file to -1..1.",
        "none",
        "file",
        default=None,
        shown="none; of a table refused where spreads differ by more than 100",
    )
    classes: str | None = text(
        "Two of them, A,B: the first as -1 and the second as +1; or all (softmax)."
    )


def rows(name: str, value: object) -> Any:
    """What holds rows: the name of data or of a file, a Dataset, or a table in memory.

    A DataFrame is a table, and so are features and targets of which one is a frame, a Series or
    words; plain numbers become a Dataset.  Raises ValueError for anything else.
    """
    if isinstance(value, str | RowData | RawTable):
        return value
    if is_frame(value):
        return raw_table(value)
    if isinstance(value, tuple | list) and len(value) == 2:
        try:
            return Dataset(*value) if _plain(*value) else raw_table(value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    return validation._fail(
        name, "a Dataset, a DataFrame, features and targets, or the name of a file", value
    )


def _plain(features: Any, targets: Any) -> bool:
    """Whether they are numbers without names."""
    if is_frame(features) or hasattr(targets, "iloc"):
        return False
    return targets is None or np.asarray(targets).dtype.kind in "iuf"


def is_table(data: object) -> bool:
    """Whether the data are cells of a table, in a file or in memory."""
    return isinstance(data, RawTable) or (isinstance(data, str) and is_table_file(data))


def prepared_of(options: TableOptions, loss: str) -> PreparedTable:
    """The table that the options name, its columns as they say.

    Raises ValueError naming the option for what `prepared` refuses, FileNotFoundError for a file
    that is missing.
    """
    from simulators.data.choices import Choices  # with the first table
    from simulators.data.prepared import prepared

    target = options.target_column
    ranges = public_ranges(options)
    classes = None
    if options.classes is not None and options.classes != "all":
        classes = [each.strip() for each in options.classes.split(",")]
    choices = Choices(
        target=-1 if target is None else _column("target_column", target),
        drop=[_column("drop", each) for each in options.drop],
        keep=[_column("keep", each) for each in options.keep],
        missing=options.missing,
        ranges={_column("range", name): bounds for name, bounds in public_ranges(options).items()},
        scale=options.scale,
        classes=classes,
        pair=WANTS.get(loss) == "pair" and options.classes is None,
    )
    written = {
        _column("range", name): f"{name}={low:g}:{high:g}" for name, (low, high) in ranges.items()
    }
    with naming("data", written):
        return prepared(raw_table(options.data, header=options.header), choices)


def pieced_of(options: TableOptions) -> PiecedDataset:
    """The rows of a .npy file, or of a table of numbers alone, that are read in pieces.

    Raises ValueError naming the option for what `npy_rows` and `arrow_rows` refuse,
    FileNotFoundError for a file that is missing.
    """
    from simulators.data.pieced import arrow_rows, npy_rows

    chosen = options.target_column
    target = -1 if chosen is None else _column("target_column", chosen)
    if not options.data.endswith(ARRAYS):
        with naming("data"):
            return arrow_rows(options.data, target=target)
    if isinstance(target, str):
        raise ValueError(f"target_column must be a number from 1 for {options.data}, got {target}")
    with naming("data"):
        return npy_rows(options.data, target=target)


def public_ranges(options: TableOptions) -> dict[str, Range]:
    """Column -> low and high, of the options `range` and of the file `ranges`.

    Raises ValueError for a range that is none, and for a file that cannot be read.
    """
    ranges = dict(_range("range", each, "") for each in options.range)
    if options.ranges is None:
        return ranges
    try:
        lines = read_text(options.ranges).splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(
            f"ranges must be a file that can be read, got {options.ranges!r}: {reason}"
        ) from None
    numbered = [(i, line.strip()) for i, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise ValueError(f"ranges must be a file of ranges, got {options.ranges!r} without any")
    listed = [_range("ranges", line, f" in {options.ranges} line {i}") for i, line in numbered]
    # What stands on the command line comes before what stands in a file.
    return dict(listed) | ranges


def _range(option: str, text: str, where: str) -> tuple[str, Range]:
    """A column and its range."""
    # From the right: a column's name may hold "=" as well.
    name, equal, ends = text.rpartition("=")
    low, colon, high = ends.partition(":")
    shown = f"{text[:60]!r}{where}"
    try:
        if not (equal and colon):
            raise ValueError("no range")
        bounds = float(low), float(high)
    except ValueError:
        raise ValueError(
            f"{option} must be COLUMN=LOW:HIGH with two numbers, got {shown}"
        ) from None
    if not -math.inf < bounds[0] < bounds[1] < math.inf:
        raise ValueError(f"{option} must have finite LOW < HIGH, got {shown}")
    return name, bounds


@contextmanager
def naming(option: str, ranges: Mapping[str | int, str] | None = None) -> Iterator[None]:
    """What is wrong with a file begins with the option that names it, and so does its column.

    ranges: column -> its range as it was written.
    """
    try:
        yield
    except ColumnError as error:
        names = "".join(f"{name}, " for name in error.columns[:20])
        number = f"a number from 1 to {error.width}"
        allowed = f"one of {names}or {number}" if names else number
        # Columns are counted from 1 where a person names them.
        value = error.given + 1 if isinstance(error.given, int) else repr(error.given)
        argument = "target_column" if error.argument == "target" else error.argument
        if argument == "range" and ranges is not None and isinstance(error.given, str | int):
            value = repr(ranges[error.given])
        raise ValueError(f"{argument} must be {allowed}, got {value}") from error
    except TableError as error:
        raise TableError(f"{option} {error}") from error
    except (FileError, FileNotFoundError) as error:
        if isinstance(error, FileError) and refuses(error, _OPTIONS):
            raise
        raise type(error)(f"{option}: {error}") from error


def _column(option: str, text: str) -> Any:
    """A column's name, its index from a number from 1, or None."""
    if text == "none" and option == "target_column":
        return None
    if not text.isdecimal():
        return text
    if int(text) < 1:
        raise ValueError(f"{option} must be counted from 1, got {text}")
    return int(text) - 1
