"""`forgetproof lint`: claims of mechanism documents compared with what they say is executed."""

import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from accounting.numerics import validation
from forgetproof.linting.checking import lint_source
from forgetproof.linting.codes import chosen, code
from forgetproof.linting.findings import LintReport
from forgetproof.linting.sarif import sarif as sarif_log
from forgetproof.linting.targets import LintTarget, sources
from forgetproof.linting.templates import Template
from forgetproof.linting.text import CLASS, lines, of_the_class, summary
from forgetproof.options import INTERRUPTED, WHOLE, emit_json, json_option, refuse_unused
from forgetproof.progress import line_when_long
from simulators.data.disk import write

FILE = click.Path(path_type=Path, dir_okay=False)
MOST_JOBS = 256


@click.command(
    "lint",
    epilog="\b\nExample: forgetproof lint train.mechanism.json runs/ --sarif lint.sarif",
)
@click.argument("targets", nargs=-1, metavar="TARGET...")
@click.option("--template", type=FILE, help="How configuration files become documents.")
@click.option("--sarif", type=FILE, help="Write the findings as SARIF 2.1.0 here.")
@click.option("--strict", is_flag=True, help="Exit code 1 for warnings and open claims too.")
@click.option("--select", help="Only findings of these codes, or beginnings: FP2,FP100.")
@click.option("--ignore", help="No findings of these codes, or beginnings.")
@click.option("--jobs", type=WHOLE, default=1, show_default=True, help="Processes.")
@click.option("--explain", metavar="CODE", help="What a code compares, and how to mend it.")
@json_option
def command(
    targets: tuple[str, ...],
    template: Path | None,
    sarif: Path | None,
    strict: bool,
    select: str | None,
    ignore: str | None,
    jobs: int,
    explain: str | None,
    as_json: bool,
) -> int:
    """Is the number that is claimed a number of what runs?

    A TARGET is a mechanism document, a folder (all *.mechanism.json below it), with --template a
    YAML or JSON configuration or a folder of them, or MODULE:OBJECT: a Mechanism, an engine, an
    event of dp-accounting, or a function that returns one. No training code is read or run.

    Exit code 1 where a claim is false, that is where the class of mechanisms that the document
    declares needs more than is claimed; unknown values are conditions and accuse nobody.
    """
    if explain is not None:
        if targets:
            raise ValueError(f"explain must stand alone, got the target {targets[0]!r}")
        names = ["template", "sarif", "strict", "select", "ignore", "jobs", "as_json"]
        refuse_unused(names, "with --explain")
        click.echo(code(explain).explained())
        return 0
    if not targets:
        raise ValueError("targets must name at least one document, folder or MODULE:OBJECT, got 0")
    jobs = validation.count("jobs", jobs, low=1, high=MOST_JOBS)
    if sarif is not None and not sarif.parent.is_dir():
        raise ValueError(f"sarif must lie in a folder that exists, got {str(sarif)!r}")
    codes = chosen(select, ignore)
    reports: list[LintReport] = []
    finished = True
    # What a user's module prints must not mix with the answer.
    with (
        contextlib.redirect_stdout(sys.stderr),
        line_when_long(f"{targets[0]}: checking") as move,
    ):
        chosen_targets = targets_of(targets, template)
        try:
            for report in reports_of(chosen_targets, jobs):
                reports.append(report.of(codes))
                move(len(reports), len(chosen_targets))
        except KeyboardInterrupt:
            finished = False
    # A log that lacks documents would say that they are clean.
    if sarif is not None and finished:
        _write_sarif(reports, sarif)
    if as_json:
        emit_json(_document(reports))
    else:
        _show(reports)
    if not finished:
        counts = f"{len(reports)} of {len(chosen_targets)} mechanisms were checked"
        click.echo(f"forgetproof: interrupted; {counts}", err=True)
        return INTERRUPTED
    return int(any(_failed(report, strict) for report in reports))


def targets_of(targets: Sequence[str], template: Path | None) -> list[LintTarget]:
    """The mechanisms of all targets; a file that two targets name is read once."""
    mapping = None if template is None else Template.of(template)
    distinct: dict[Any, LintTarget] = {}
    for target in targets:
        for source in sources(target, mapping):
            distinct.setdefault((source.file, source.line, source.mechanism), source)
    return list(distinct.values())


def reports_of(sources: list[LintTarget], jobs: int) -> Iterator[LintReport]:
    """One report a source, in their order, as each is ready; equal mechanisms are computed once."""
    # Many runs share a setting: what differs is where they were read.
    distinct: dict[Any, LintTarget] = {}
    for source in sources:
        distinct.setdefault(source.mechanism, source)
    if jobs == 1 or len(distinct) == 1:
        yield from _as_computed(sources, map(lint_source, distinct.values()))
    else:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        workers = min(jobs, len(distinct))
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield from _as_computed(sources, pool.map(lint_source, distinct.values()))


def _as_computed(sources: list[LintTarget], computed: Iterator[LintReport]) -> Iterator[LintReport]:
    """The report of every source; `computed` has those of distinct mechanisms, as they come up."""
    by_mechanism: dict[Any, LintReport] = {}
    for source in sources:
        if source.mechanism not in by_mechanism:
            by_mechanism[source.mechanism] = next(computed)
        yield _moved(by_mechanism[source.mechanism], source)


def _moved(report: LintReport, source: LintTarget) -> LintReport:
    """The report on an equal mechanism, with the places of this one."""
    findings = tuple(
        replace(finding, place=source.place(finding.place.key)) for finding in report.findings
    )
    return replace(report, file=source.file, findings=findings)


def _failed(report: LintReport, strict: bool) -> bool:
    """Whether a claim is false, whatever --ignore says; strict: or open; or a finding fails."""
    words = {"false", "open"} if strict else {"false"}
    return report.failed(strict) or any(verdict.word in words for verdict in report.verdicts)


def _write_sarif(reports: list[LintReport], path: Path) -> None:
    write(path, (json.dumps(sarif_log(reports), indent=2, allow_nan=False) + "\n").encode())


def _document(reports: list[LintReport]) -> dict[str, Any]:
    documents = [report.document() for report in reports]
    findings = [finding for each in documents for finding in each.pop("findings")]
    return {"summary": summary(reports), "documents": documents, "findings": findings}


def _show(reports: list[LintReport]) -> None:
    for report in reports:
        for line in lines(report):
            click.echo(line)
    click.echo(summary(reports))
    if of_the_class(reports):
        click.echo(CLASS)
