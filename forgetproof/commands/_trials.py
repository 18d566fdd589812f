"""Where the trials of `simulate` run, and where they are kept: the options of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from forgetproof.options import refuse_unused

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

OPTIONS = ("jobs", "cluster", "out", "resume")
DOCUMENT = "simulation.json"


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


def asks_for_pieces(check: bool) -> bool:
    """Whether an option of trials was given; ValueError where the runs are checked as wholes."""
    context = click.get_current_context()
    if check:
        refuse_unused(OPTIONS, "with --check, which looks at all trials together")
    source = click.core.ParameterSource.COMMANDLINE
    return any(context.get_parameter_source(name) is source for name in OPTIONS)
