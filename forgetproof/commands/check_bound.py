"""`forgetproof check-bound`: an inequality of one's own against a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from accounting.numerics import validation
from bounds.declared import EXPERIMENTS
from bounds.library import paper as paper_of
from forgetproof.citation import of_paper, of_the_tool
from forgetproof.commands._settings import settings_from
from forgetproof.expressions import assignments
from forgetproof.inequality import BoundMeasurements, BoundVerdict, Over, OwnBound, judge, runs
from forgetproof.inequality.table import from_table
from forgetproof.options import NUMBER, emit_json, insist_on_device, json_option, refuse_unused
from forgetproof.progress import line_when_long
from forgetproof.spelling import did_you_mean
from verify.bibtex import escaped

MOST_ROWS = 50
EXPERIMENT_ONLY = ["observable", "settings", "vary"]
TABLE_ONLY = ["column", "each"]

FORMATS = """\b
A CSV file has a header with the variable (K) and one column of values, and
  standard_error   of every mean, if values are means (and trials, how many)
  several rows a K the values of trials: their mean counts, with its error
Experiments and what they measure: forgetproof simulate NAME --observables

"""
EXAMPLES = """\b
Example: forgetproof check-bound 'W*c**K + s*(1-c**K)/(1-c)' --over K=1:50 \\
           W=1 c=.9 s=.01 --against docs/distances.csv --out bound.svg
     or: forgetproof check-bound 'W0*c**(J*T)' --over T=1:8 --against langevin \\
           --observable start_distance --with data=synthetic --with loss=quadratic \\
           --with regularisation=.05 --with step-size=2 --with sigma=.01 --with radius=inf"""


@click.command("check-bound", epilog=FORMATS + EXAMPLES)
@click.argument("bound", metavar="EXPRESSION")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--over", required=True, metavar="K=1:50", help="The variable, and its range.")
@click.option(
    "--against",
    required=True,
    metavar="FILE.csv|ALGORITHM",
    help="Measurements in a file, or an algorithm that forgetproof simulate runs.",
)
@click.option("--column", help="Of a file: the column of values, where there are several.")
@click.option("--each", is_flag=True, help="Of a file: every row of a point counts, not the mean.")
@click.option("--observable", metavar="NAME", help="Of an algorithm: what is measured.")
@click.option(
    "--with",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Of an algorithm: an option of forgetproof simulate. May be repeated.",
)
@click.option(
    "--vary",
    metavar="NAME",
    help="Of an algorithm: the option that takes the variable's value, in a run for each.",
)
@click.option(
    "--relation",
    type=click.Choice(["<=", ">=", "=="]),
    default="<=",
    show_default=True,
    help="Of what is measured to the bound.",
)
@click.option(
    "--tolerance", type=NUMBER, default=1e-9, show_default=True, help="Relative, for rounding."
)
@click.option(
    "--level",
    type=NUMBER,
    default=1e-6,
    show_default=True,
    help="Of means: the probability that a true bound is called false, over all points.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A picture; its suffix decides: .svg, .pdf or .png.",
)
@click.option("--cite", is_flag=True, help="Also a sentence and BibTeX to cite.")
@click.option("--paper", help="With --cite: the paper that states the bound, for its entry.")
@json_option
def command(
    bound: str,
    inputs: tuple[str, ...],
    over: str,
    against: str,
    relation: Any,
    tolerance: float,
    level: float,
    out: Path | None,
    cite: bool,
    paper: str | None,
    as_json: bool,
    **source: Any,
) -> int:
    """Hold an inequality of your own against what a run measured.

    EXPRESSION is what the measured quantity is at most (--relation): numbers, names, + - * / **,
    sqrt, log, exp, min, max, ceil, floor. Of a run, names that are not given have the values that
    the run knows (c, eta, m, ...). Exit code 0 where no point breaks the bound, 1 where one does:
    as forgetproof.testing.assert_bound_holds, of confidence limits where values are means. No run
    proves a bound: the word is "not refuted".
    """
    validation.scalar("tolerance", tolerance, low=0, high=1, high_open=True)
    validation.scalar("level", level, low=0, high=1, low_open=True, high_open=True)
    if not cite:
        refuse_unused(["paper"], "without --cite")
    if out is not None:
        from verify.plots.figure import insist_on_suffix

        insist_on_suffix(out)
    citation = _citation(paper) if cite else []
    own, chosen = OwnBound(bound, relation, assignments(inputs)), Over.parsed(over)
    own.insist_on_names(chosen.variable)
    with line_when_long(f"check-bound: {against}"):
        measurements = _measurements(against, chosen, **source)
    verdict = judge(own, chosen, measurements, tolerance=tolerance, level=level)
    if out is not None:
        from forgetproof.inequality import picture

        picture.save(verdict, out)
    if as_json:
        files = {"picture": None if out is None else str(out)}
        emit_json(verdict.document() | files | ({"cite": citation} if cite else {}))
    else:
        _show(verdict, out)
        if cite:
            _show_citation(verdict, citation)
    return int(verdict.word == "false")


def _measurements(
    against: str,
    over: Over,
    *,
    column: str | None,
    each: bool,
    observable: str | None,
    settings: tuple[str, ...],
    vary: str | None,
) -> BoundMeasurements:
    """What the file has, or the runs of the algorithm measure."""
    kind = EXPERIMENTS.get(against)
    if kind is None:
        refuse_unused(EXPERIMENT_ONLY, "with a file")
        if not Path(against).exists() and not Path(against).suffix:
            raise ValueError(
                f"against must be a CSV file, or one of {', '.join(EXPERIMENTS.names())}, "
                f"got {against!r}{did_you_mean(against, EXPERIMENTS.names())}"
            )
        return from_table(Path(against), over, column, each)
    refuse_unused(TABLE_ONLY, f"with the algorithm {against}")
    if observable is None:
        raise ValueError(
            f"observable must be one that forgetproof simulate {against} --observables lists, "
            "got nothing"
        )
    values = settings_from([kind], settings, f"with {against}, settings are")
    insist_on_device(values.get("device", "cpu"))
    if vary is None:
        _insist_on_used(kind, values)
        return runs.along(kind, values, observable, over)
    name = vary.replace("-", "_")
    if name in values or name not in {of.name for of in kind.__dataclass_fields__.values()}:
        raise ValueError(f"vary must be an option of {against} that --with leaves, got {vary!r}")
    _insist_on_used(kind, {**values, name: int(over.wholes[0])})
    return runs.for_each(kind, values, observable, over, name)


def _insist_on_used(kind: Any, values: dict[str, Any]) -> None:
    """ValueError for a setting that the others leave without a use."""
    for name, why in kind(**values).unused().items():
        if name in values:
            raise ValueError(f"{name} must not be given {why}")


def _show(verdict: BoundVerdict, out: Path | None) -> None:
    """The verdict, the least slack, and a line for every point."""
    bound, over, run = verdict.bound, verdict.over, verdict.measurements
    click.echo(f"check-bound: measured {bound.relation} {bound.text}, over {over}: {verdict.word}")
    click.echo(f"  {verdict.sentence}")
    place = verdict.closest
    share = f"{100 * verdict.relative_slack[place]:.4g} % of the bound"
    slack = f"{verdict.slack[place]:.4g}" if verdict.attainment is None else share
    click.echo(
        f"  least slack {slack}, at {over.variable} = {run.points[place]:g}: measured "
        f"{run.values[place]:.6g}, bound {verdict.values[place]:.6g}"
    )
    click.echo(f"  against     {run.source}, {run.quantity}")
    if bound.symbols:
        click.echo(f"  with        {_pairs(bound.symbols)}")
    if constants := verdict.of_the_run:
        click.echo(f"  of the run  {_pairs(constants)}")
    if run.basis == "mean":
        click.echo(
            f"  means       of trials: a point is false where its confidence limit is, at level "
            f"{verdict.level:g} over all {len(run.points)} points"
        )
    for remark in run.remarks:
        click.echo(f"  remark      {remark}")
    _show_points(verdict)
    if out is not None:
        click.echo(f"  picture     {out}")


def _show_points(verdict: BoundVerdict) -> None:
    """A row a point; of many, those that fail first."""
    rows = verdict.document()["points"]
    limits = ("low", "high") if verdict.measurements.basis == "mean" else ()
    heads = [h for h in rows[0] if h not in ("low", "high") or h in limits]
    chosen = rows
    if len(rows) > MOST_ROWS:
        failed = [row for row in rows if row["verdict"] == "false"]
        rest = [row for row in rows if row["verdict"] != "false"]
        chosen = [*failed, *rest][:MOST_ROWS]
    cells = [heads, *([_said(row[head]) for head in heads] for row in chosen)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        line = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(f"  {line}")
    if len(rows) > MOST_ROWS:
        click.echo(f"  ... and {len(rows) - MOST_ROWS} more; --json lists all")


def _said(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _pairs(values: Any) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in values.items())


def _citation(paper: str | None) -> list[str]:
    """BibTeX of the tool, and of the paper."""
    return [of_the_tool(), *([] if paper is None else [of_paper(paper_of(paper))])]


def _show_citation(verdict: BoundVerdict, entries: list[str]) -> None:
    click.echo(f"\n{escaped(verdict.cited)} \\cite{{forgetproof}}.\n")
    for entry in entries:
        click.echo(f"{entry}\n")
