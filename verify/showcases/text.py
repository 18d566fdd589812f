"""Cells and bounds of a showcase as tables: lines for a person, entries for a file."""

from __future__ import annotations

from collections.abc import Sequence

from verify.showcases import columns
from verify.showcases.cells import Bound, Cell


def table_of(
    cells: Sequence[Cell], interpretations: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """A line a cell, error and ratio of its first interpretation; a dash for what it lacks."""
    header = [
        "row",
        "column",
        "printed",
        *interpretations[:1],
        "s.e.",
        "ratio",
        *interpretations[1:],
        "cause",
    ]
    if not interpretations:
        header = ["row", "column", "printed", "cause"]
    rows = []
    for cell in cells:
        line = [cell.row, cell.column, _number(cell.printed)]
        if interpretations:
            means = [f"{cell.ours[r][0]:.4g}" if r in cell.ours else "-" for r in interpretations]
            error = next(iter(cell.ours.values()), (0.0, None))[1]
            ratio = "-"
            if cell.difference is not None and cell.printed:
                ratio = f"{cell.difference / cell.printed + 1:.3g}"
            line += [means[0], "-" if error is None else f"{error:.2g}", ratio, *means[1:]]
        rows.append([*line, cell.words or "-"])
    return header, rows


def _number(printed: float | None) -> str:
    return "not printed" if printed is None else f"{printed:g}"


def short(header: Sequence[str], table: Sequence[Sequence[str]]) -> list[str]:
    """The table as lines: what was not run a line a row, and causes as marks, explained below."""
    marks: dict[str, str] = {"-": "", "agrees": "agrees"}
    rows: list[list[str]] = []
    for line in table:
        *front, cause = line
        mark = marks.setdefault(cause, f"[{len(marks) - 1}]")
        idle = all(x == "-" for x in front[3:])
        # Consecutive cells of one row that lack the same share a line.
        if idle and rows and [rows[-1][0], *rows[-1][3:]] == [front[0], *front[3:], mark]:
            rows[-1][1] += f" | {front[1]}"
            rows[-1][2] += f" | {front[2]}"
        else:
            rows.append([*front, mark])
    notes = [f"  {mark} {cause}" for cause, mark in marks.items() if mark.startswith("[")]
    return [*columns([*header[:-1], "why"], rows), *notes]


def worst(bounds: Sequence[tuple[str, Bound]]) -> list[tuple[str, Bound]]:
    """Of every form of every claim, where the run came closest to it or past it."""
    worst_bounds: dict[tuple[str, str], tuple[str, Bound]] = {}
    for row, bound in bounds:
        key = (bound.claim, bound.form)
        # Compared by attainment, as bounds of one form differ in size from row to row.
        if key not in worst_bounds or worst_bounds[key][1].attainment < bound.attainment:
            worst_bounds[key] = (row, bound)
    return list(worst_bounds.values())


def bounds_in_lines(held: Sequence[tuple[str, Bound]]) -> list[str]:
    """Their table; nothing without any."""
    if not held:
        return []
    rows = [
        [
            b.claim,
            b.form,
            row,
            f"{b.measured:.4g}",
            f"{b.value:.4g}",
            f"{b.attainment:.3g}",
            "refuted" if b.attainment > 1 + 1e-9 else "not refuted",
        ]
        for row, b in held
    ]
    header = ["claim", "form", "closest at", "measured", "bound", "attainment", "word"]
    return ["bounds of the same runs", *columns(header, rows)]
