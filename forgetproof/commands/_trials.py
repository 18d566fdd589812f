"""Trials of `simulate` in several processes or on a cluster, kept in a folder as they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.commands._problems import field_values
from forgetproof.commands._runs import show_document
from forgetproof.options import INTERRUPTED, emit_json, refuse_unused
from forgetproof.progress import line_when_long

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

OPTIONS = ("jobs", "cluster", "out", "resume")
DOCUMENT = "simulation.json"
INCOMPLETE = 3


def comes_in_pieces(kind: type[Experiment]) -> bool:
    """Whether the trials of its runs are told of in pieces."""
    return hasattr(kind.measures, "pieces")


def trial_options() -> list[click.Option]:
    """Where trials run, and where they are kept."""
    return [
        click.Option(
            ["--jobs"],
            type=click.IntRange(1, 1024),
            default=1,
            show_default=True,
            help="Processes that trials run in, some thousands at a time.",
        ),
        click.Option(
            ["--dask", "cluster"],
            metavar="ADDRESS",
            help="Run them on the cluster of this scheduler, such as tcp://host:8786.",
        ),
        click.Option(
            ["--out"],
            type=click.Path(path_type=Path, file_okay=False),
            help=f"Folder for {DOCUMENT}, and for what --resume needs.",
        ),
        click.Option(
            ["--resume"], is_flag=True, help="Keep the trials that an earlier run ended in --out."
        ),
    ]


@dataclass(frozen=True)
class MadeAgain:
    """Makes the experiment of a command in another process, of the options as click has them."""

    algorithm: str
    values: Mapping[str, Any]

    def __call__(self) -> Experiment:
        from bounds.declared import EXPERIMENTS

        kind = EXPERIMENTS.get(self.algorithm)
        own = list(fields(kind))
        experiment: Experiment = kind(**field_values(own, self.values))
        return experiment


def asks_for_pieces(check: bool) -> bool:
    """Whether an option of trials was given; ValueError where the runs are checked as wholes."""
    context = click.get_current_context()
    if check:
        refuse_unused(OPTIONS, "with --check, which looks at all trials together")
    source = click.core.ParameterSource.COMMANDLINE
    return any(context.get_parameter_source(name) is source for name in OPTIONS)


def show_trials(
    make: MadeAgain,
    as_json: bool,
    *,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    resume: bool,
) -> int:
    """Prints the document of the run, and writes it into `out`."""
    from simulators.data.disk import write
    from simulators.device.reporting import reporting
    from verify.executors import IncompleteRun
    from verify.jsonio import SCHEMA, dumps
    from verify.showcases.work import made
    from verify.trials import run_trials

    if resume and out is None:
        raise ValueError("resume needs out, the folder of the earlier run")
    place = None if out is None else made(out)
    try:
        with line_when_long(f"{make.algorithm}: running") as move, reporting(move):
            told = run_trials(
                make, jobs=jobs, cluster=cluster, out=place, resume=resume, progress=move
            )
    except KeyboardInterrupt:
        return _stopped("interrupted", place, INTERRUPTED)
    except IncompleteRun as lost:
        return _stopped(f"incomplete: {lost}", place, INCOMPLETE)
    document = {"algorithm": make.algorithm, **told}
    if place is not None:
        text = dumps({"schema": SCHEMA, **document}, indent=2)
        write(place / DOCUMENT, text.encode())
    if as_json:
        emit_json(document)
        return 0
    show_document(document)
    if place is not None:
        click.echo(f"  written: {place / DOCUMENT}")
    return 0


def _stopped(why: str, place: Path | None, code: int) -> int:
    """What is left after Ctrl-C, or where workers died."""
    state = "nothing is kept without --out"
    if place is not None:
        state = f"trials that ended are kept in {place}: the same command with --resume continues"
    click.echo(f"forgetproof: {why}; {state}", err=True)
    return code
