"""Trials of `simulate` in several processes or on a cluster, kept in a folder as they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.commands._assumptions import show_assumptions
from forgetproof.commands._problems import field_values
from forgetproof.commands._runs import show_document
from forgetproof.commands._trials import DOCUMENT
from forgetproof.options import INTERRUPTED, emit_json
from forgetproof.progress import line_when_long
from simulators.data.disk import write
from simulators.device.reporting import reporting
from verify.executors import IncompleteRun
from verify.jsonio import SCHEMA, dumps
from verify.showcases.work import made
from verify.trials import run_trials

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

INCOMPLETE = 3


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


def show_trials(
    make: MadeAgain,
    as_json: bool,
    *,
    jobs: int,
    cluster: str | None,
    out: Path | None,
    resume: bool,
    quantiles: tuple[float, ...],
) -> int:
    """Prints the document of the run, and writes it into `out`."""
    if resume and out is None:
        raise ValueError("resume needs out, the folder of the earlier run")
    place = None if out is None else made(out)
    try:
        with line_when_long(f"{make.algorithm}: running") as move, reporting(move):
            run = make().run()
            sections = run_trials(
                make,
                jobs=jobs,
                cluster=cluster,
                out=place,
                resume=resume,
                quantiles=quantiles,
                progress=move,
                run=run,
            )
    except KeyboardInterrupt:
        return _stopped("interrupted", place, INTERRUPTED)
    except IncompleteRun as lost:
        return _stopped(f"incomplete: {lost}", place, INCOMPLETE)
    document = {"algorithm": make.algorithm, **sections}
    rests = run.assumptions
    shown = dict(document)
    if rests is not None:
        document["assumptions"] = rests.document()
    if place is not None:
        text = dumps({"schema": SCHEMA, **document}, indent=2)
        write(place / DOCUMENT, text.encode())
    if as_json:
        emit_json(document)
        return 0
    show_document(shown)
    if rests is not None:
        show_assumptions(rests)
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
