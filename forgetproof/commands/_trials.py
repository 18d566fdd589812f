"""Where the trials of `simulate` run, where they are kept, and their quantiles: the options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.options import refuse_unused

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

OPTIONS = ("jobs", "cluster", "out", "resume", "quantiles")
DOCUMENT = "simulation.json"


class Levels(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """Levels of quantiles, such as .05,.5,.95."""

    name = "levels"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        from simulators.runs.trial_quantiles import levels_of

        if isinstance(value, tuple):
            return value
        try:
            return levels_of([float(word) for word in str(value).split(",")])
        except ValueError:
            self.fail(f"must be levels in [0, 1] such as .05,.5,.95, got {value!r}", param, ctx)


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
        click.Option(
            ["--quantiles"],
            type=Levels(),
            default=(),
            metavar="LEVELS",
            help="Exact quantiles of each number, such as .05,.5,.95: runs trials twice or more.",
        ),
    ]


def asks_for_pieces(check: bool) -> bool:
    """Whether an option of trials was given; ValueError where the runs are checked as wholes."""
    context = click.get_current_context()
    if check:
        refuse_unused(OPTIONS, "with --check, which looks at all trials together")
    source = click.core.ParameterSource.COMMANDLINE
    return any(context.get_parameter_source(name) is source for name in OPTIONS)
