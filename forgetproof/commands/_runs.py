"""What a run yields, on paper: one way to print it, one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import getdoc
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from forgetproof.commands._assumptions import show_assumptions
from forgetproof.options import emit_json

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment, Run
    from verify.measurements import RunComparisons

MOST_ROWS = 40
UNTOLD = ("algorithm", "data", "settings")  # in the headline, or as they were given


def show(run: Run, as_json: bool, *, check: bool = False, scale: float = 1.0) -> int:
    """Prints the run, as text or as one document; with `check`, held to the statements about it.

    Returns 1 where data refute what is expected to hold, else 0.
    """
    # Before the form of the output is chosen: the checks decide the exit code too.
    checks = _compared(run, scale) if check else []
    rests = run.assumptions
    document = document_of(run)
    code = int(any(row["unexpected"] for row in checks))
    if as_json:
        if check:
            observables = {name: observable.document() for name, observable in run.measured.items()}
            document |= {"checks": checks, "observables": observables}
        emit_json(document | ({} if rests is None else {"assumptions": rests.document()}))
        return code
    show_document(document)
    if check:
        _show_compared(checks)
    if rests is not None:
        show_assumptions(rests)
    return code


def document_of(run: Run) -> dict[str, Any]:
    """What is told of a run unasked, under the name of its algorithm."""
    return {"algorithm": run.experiment.algorithm, **run.document()}


def show_document(document: Mapping[str, Any]) -> None:
    """Prints it in lines and tables."""
    data = document["data"]
    sizes = ", ".join(f"{name} = {x}" for name, x in data.items() if isinstance(x, int))
    click.echo(f"{document['algorithm']} on {data['name']}{': ' * bool(sizes)}{sizes}")
    for line in data.get("record", ()):
        click.echo(f"  {line}")
    for name, section in document.items():
        if name not in UNTOLD:
            for line in _lines(name.replace("_", " "), section):
                click.echo(f"  {line}")
    _warn_of_chance(document)


def _warn_of_chance(document: Mapping[str, Any]) -> None:
    """A line where models have learned nothing, by the rows held out if there are any."""
    for name, (accuracy, chance) in _accuracies(document).items():
        if accuracy <= chance:
            click.echo(f"warning: {name} is no better than always naming the larger class")


def _accuracies(document: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """What predicts -> its accuracy, and that of always naming the larger class."""
    section = document.get("test") or document.get("train")
    if isinstance(section, Mapping) and "majority_class" in section:
        laws = {name: x for name, x in section.items() if isinstance(x, Mapping)}
        laws |= {"the model": section} if "accuracy" in section else {}
        return {name: (x["accuracy"], section["majority_class"]) for name, x in laws.items()}
    table = document.get("accuracy")
    if isinstance(table, Mapping) and "larger_class" in table:
        always = table["larger_class"]
        part = "test" if "test" in always else "retained"
        models = {name: x for name, x in table.items() if name != "larger_class" and part in x}
        return {name: (x[part], always[part]) for name, x in models.items()}
    return {}


def show_observables(kind: type[Experiment], as_json: bool) -> int:
    """Prints what runs of an experiment can measure, and which papers ask for it."""
    rows = list(_observables(kind))
    if as_json:
        emit_json({"algorithm": kind.algorithm, "observables": rows})
        return 0
    width = max((len(row["observable"]) for row in rows), default=0)
    for row in rows:
        papers = f" ({', '.join(row['papers'])})" if row["papers"] else ""
        click.echo(f"{row['observable']:<{width}}  {row['words']}{papers}")
    return 0


def _observables(kind: type[Experiment]) -> Iterator[dict[str, Any]]:
    """A row for every observable: of the runs themselves, then of the views on them."""
    from bounds import papers
    from bounds.declared import views
    from simulators.runs.experiment import observables_of

    keys: dict[Any, list[str]] = {kind.measures: []}
    for paper in papers():
        for view in views(kind.algorithm, paper.key):
            keys.setdefault(view, []).append(paper.key)
    for source, papers_of_it in keys.items():
        for name in observables_of(source):
            words = (getdoc(getattr(source, name)) or "").split("\n")[0]
            yield {"observable": name, "papers": papers_of_it, "words": words}


def _compared(run: Run, scale: float) -> list[dict[str, Any]]:
    """A row for every interpretation, with the forms that were refuted and should not be."""
    from verify.companions import is_far
    from verify.expectation import load
    from verify.interpretations import is_green
    from verify.measurements import table

    if not 0 < scale < np.inf:
        raise ValueError(f"scale_bounds must be > 0 and finite, got {scale}")
    expected, rows = load(None), []
    for outcome in table(run, scale):
        words = expected.get(outcome.statement.id, {})
        wrong = [c.form for c in outcome.comparisons if c.violated]
        # A verdict that is not listed is expected to hold.
        odd = [f for f in wrong if is_green(words.get(f"{outcome.interpretation}.{f}", "holds"))]
        beside = _closest(outcome) if is_far(outcome) else None
        rows.append({**outcome.document(), "unexpected": odd, "closest_known": beside})
    return rows


def _closest(outcome: RunComparisons) -> dict[str, Any] | None:
    """The constructed instance that comes closest to the bound."""
    from verify.companions import closeness, companion

    match = companion(outcome.statement, outcome.interpretation)
    if match is None or not closeness(match):
        return None
    about = ("interpretation", "instance", "measured")
    return {**{name: getattr(match, name) for name in about}, "attainment": closeness(match)}


def _show_compared(rows: list[dict[str, Any]]) -> None:
    """The rows that say something, and how many do not."""
    measured_rows = [row for row in rows if row["measured"] is not None]
    heads = ("observable", "measured", "printed", "corrected", "tight", "attainment", "word")
    cells = {
        f"{row['claim']} ({row['interpretation']})": {h: row[h] for h in heads}
        for row in measured_rows
    }
    click.echo()
    for line in _table("bounds", cells, len(cells)):
        click.echo(f"  {line}")
    click.echo(
        f"  {len(rows) - len(measured_rows)} more say nothing of this run (--json has the reasons)"
    )
    far = [row for row in measured_rows if row["closest_known"]]
    if far:
        click.echo("  far from these bounds; the worst cases made for them come closer:")
    for row in far:
        closest = row["closest_known"]
        click.echo(
            f"    {row['claim']} ({closest['interpretation']}): {closest['attainment']:.2g} of it, "
            f"{closest['instance']}"
        )
    for row in rows:
        if row["unexpected"]:
            forms = ", ".join(row["unexpected"])
            click.echo(f"  unexpected: {row['claim']} {row['interpretation']}: {forms} should hold")


def _lines(name: str, section: Any) -> Iterator[str]:
    """A section as lines: a number, several by name, or a table; long arrays are left to JSON."""
    if isinstance(section, list):
        rows = {str(i + 1): dict(_flat(row)) for i, row in enumerate(section)}
        yield from _table(name, rows) if rows else ()
        return
    if not isinstance(section, Mapping):
        if section is not None and np.ndim(section) == 0:
            yield f"{name:<32} {_said(section)}"
        return
    # Arrays of one length, side by side, make a table; the first decides which.
    series = [np.shape(x) for x in section.values()]
    if series and len(series[0]) == 1 and all(shape == series[0] for shape in series):
        columns = {key: list(values) for key, values in section.items()}
        numbered = enumerate(zip(*columns.values(), strict=True))
        yield from _table(
            name, {str(i + 1): dict(zip(columns, row, strict=True)) for i, row in numbered}
        )
    elif len(section) > 1 and all(isinstance(x, Mapping) for x in section.values()):
        yield from _table(name, {key: dict(_flat(row)) for key, row in section.items()})
    else:
        for key, value in _flat(section):
            yield f"{f'{name}: {key}':<32} {_said(value)}"


def _flat(section: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The single values in a section, and in those within it."""
    for key, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key} ")
        elif value is not None and np.ndim(value) == 0:
            yield f"{before}{key}".replace("_", " "), value


def _table(
    name: str, rows: Mapping[str, Mapping[str, Any]], most: int = MOST_ROWS
) -> Iterator[str]:
    # In the order in which rows first name them; a row may lack some.
    heads = list(dict.fromkeys(head for row in rows.values() for head in row))
    text_rows = [[key, *(_said(row.get(head)) for head in heads)] for key, row in rows.items()]
    table = [[name, *(head.replace("_", " ") for head in heads)], *text_rows[:most]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells])
    if len(text_rows) > most:
        yield f"... and {len(text_rows) - most} more (--json lists all)"


def _said(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
