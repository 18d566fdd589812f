"""Figures and tables of a paper as showcases: rows that are run, beside what the paper prints.

    SHOWCASE = reproduction("Table 1: error over step sizes", "error", rows, "trajectories.md")

A row names its columns with the printed numbers and says how it is run; it may be read in several
ways, of which the first is compared with the paper. Runs return `Found`: column -> interpretation
-> number and the bounds of the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any, get_args

from simulators.runs.langevin import MNIST_VARIABLE
from verify.showcases import Showcase, Shown
from verify.showcases.cells import Bound, Cause, Cell
from verify.showcases.data import Chosen
from verify.showcases.drawing import figure
from verify.showcases.text import bounds_in_lines, short, table_of, worst

Numbers = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Found:
    """What one seed of a row finds: column -> interpretation -> number, and bounds.

    why: column -> the reason where it has no number.
    """

    cells: Numbers
    bounds: Sequence[Bound] = ()
    hashes: Sequence[str] = ()
    why: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """As data."""
        return {
            "cells": {column: dict(cell) for column, cell in self.cells.items()},
            "bounds": [[b.claim, b.form, b.measured, b.value, b.rounding] for b in self.bounds],
            "hashes": list(self.hashes),
            "why": dict(self.why),
        }


@dataclass(frozen=True)
class Row:
    """A row of a table, or a point of a figure's curves.

    Attributes:
        name: as the paper has it, such as "eta = .05".
        printed: column -> number; None where the paper draws it, or says nothing.
        run: from the chosen data and a seed; None: it cannot be run here.
        causes: what a difference is put down to.
        why: it cannot be run.

    Raises ValueError for a cause that is not on the list, and without either run or why.
    """

    name: str
    printed: Mapping[str, float | None]
    run: Callable[[Chosen, int], Found] | None = None
    causes: tuple[Cause, ...] = ()
    why: str = ""

    def __post_init__(self) -> None:
        if odd := set(self.causes) - set(get_args(Cause)):
            raise ValueError(f"causes must be of {', '.join(get_args(Cause))}, got {sorted(odd)}")
        if (self.run is None) != bool(self.why):
            raise ValueError(f"row {self.name!r} must have either run or why")


def reproduction(
    title: str,
    quantity: str,
    rows: Callable[[Chosen], Sequence[Row]],
    *,
    note: str = "",
    log: bool = True,
    unread: Mapping[str, str] | None = None,
) -> Showcase:
    """A showcase of these rows.

    quantity: what the numbers are.  note: a sentence or two on what may be concluded.
    log: whether to draw it so.  rows: may depend on what was chosen.
    """

    def show(chosen: Chosen, seed: int) -> Shown:
        return _shown(title, quantity, rows(chosen), chosen, seed, note, log)

    return Showcase(show, unread or {}, MNIST_VARIABLE, title)


def out_of_reach(
    title: str, why: str, printed: Mapping[str, Mapping[str, float | None]]
) -> Showcase:
    """A showcase that cannot be run here: row -> column -> printed number, and the reason."""
    rows = [Row(name, cells, why=why) for name, cells in printed.items()]

    def show(chosen: Chosen, seed: int) -> Shown:
        return _shown(title, "", rows, chosen, seed, "", False)

    return Showcase(show, title=title, why=why)


def _shown(
    title: str, quantity: str, rows: Sequence[Row], chosen: Chosen, seed: int, note: str, log: bool
) -> Shown:
    cells, bounds, hashes, seconds = _run(rows, chosen, seed)
    interpretations = list(dict.fromkeys(r for cell in cells for r in cell.ours))
    header, table = table_of(cells, interpretations)
    ran = any(cell.ours for cell in cells)
    seeds = f"seed {seed}" if chosen.seeds == 1 else f"seeds {seed} to {seed + chosen.seeds - 1}"
    caption = [f"{quantity}; {chosen.source}; {seeds}"] if ran else []
    if ran and chosen.stand_in:
        caption.append("Stand-in data: the printed numbers are of other images.")
    worst_bounds = worst(bounds)
    below = [note] if note else []
    return Shown(
        lines=[title, *caption, *short(header, table), *bounds_in_lines(worst_bounds), *below],
        document={
            "title": title,
            "quantity": quantity,
            "data": chosen.source,
            "stand_in": bool(chosen.stand_in),
            "seeds": list(range(seed, seed + chosen.seeds)),
            "seconds": seconds,
            "cells": [cell.document() for cell in cells],
            "bounds": [
                {
                    "row": row,
                    "claim": b.claim,
                    "form": b.form,
                    "measured": b.measured,
                    "bound": b.value,
                    "attainment": b.attainment,
                }
                for row, b in bounds
            ],
            "note": note,
        },
        title=title,
        paragraphs=[*caption, *below],
        caption=quantity,
        header=header,
        rows=table,
        drawing=figure(title, quantity, cells, log) if ran else None,
        hashes=hashes,
    )


def _run(
    rows: Sequence[Row], chosen: Chosen, seed: int
) -> tuple[list[Cell], list[tuple[str, Bound]], list[str], float]:
    """Every cell, and the bounds of every row and seed."""
    work = chosen.work
    work.total = chosen.seeds * sum(row.run is not None for row in rows)
    cells: list[Cell] = []
    bounds: list[tuple[str, Bound]] = []
    hashes: dict[str, None] = {}
    seconds = 0.0
    for row in rows:
        findings, why = [], row.why
        for each in range(seed, seed + chosen.seeds) if row.run else ():
            record = work.do(f"{row.name}, seed {each}", _piece(row, chosen, each))
            # The last reason stands where no seed could be run.
            why = record.get("why", why)
            if "found" in record:
                findings.append(record["found"])
                seconds += record["seconds"]
        for one in findings:
            bounds += [(row.name, Bound(*b)) for b in one["bounds"]]
            hashes |= dict.fromkeys(one["hashes"])
        cells += _cells(row, findings, "" if findings else why, _also(chosen))
    return cells, bounds, list(hashes), seconds


def _piece(row: Row, chosen: Chosen, seed: int) -> Callable[[], dict[str, Any]]:
    assert row.run is not None
    run = row.run
    return lambda: run(chosen, seed).document()


def _also(chosen: Chosen) -> tuple[Cause, ...]:
    data: tuple[Cause, ...] = ("stand-in data",) if chosen.stand_in else ()
    return data + (("quick run",) if chosen.quick else ())


def _cells(
    row: Row, found: Sequence[Mapping[str, Any]], why: str, also: tuple[Cause, ...]
) -> Iterator[Cell]:
    """Those of one row, means over seeds."""
    columns = dict.fromkeys(c for one in found for c in one["cells"])
    # The paper's columns first, then those that only the run has.
    for column in dict.fromkeys([*row.printed, *columns]):
        values: dict[str, list[float]] = {}
        for one in found:
            for interpretation, value in one["cells"].get(column, {}).items():
                values.setdefault(interpretation, []).append(value)
        ours = {r: (fmean(v), _error(v)) for r, v in values.items()}
        missing = next(
            (one["why"][column] for one in found if column in one["why"]), "not measured"
        )
        absent = why or ("" if ours else missing)
        yield Cell(row.name, column, row.printed.get(column), ours, also + row.causes, absent)


def _error(values: Sequence[float]) -> float | None:
    """Standard error of the mean."""
    return float(stdev(values) / len(values) ** 0.5) if len(values) > 1 else None
