"""`forgetproof simulate`: run an experiment that a paper declares, and say what it measured."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from bounds.declared import EXPERIMENTS
from forgetproof.commands._problems import ProblemCommands, click_option, field_values, help_of
from forgetproof.commands._runs import show, show_observables
from forgetproof.commands._target import column_of_target, with_target
from forgetproof.commands._trials import OPTIONS, asks_for_pieces, comes_in_pieces, trial_options
from forgetproof.options import (
    NUMBER,
    insist_on_device,
    insist_on_papers,
    json_flag,
    refuse_unused,
)
from forgetproof.progress import line_when_long
from simulators.device.reporting import reporting

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment

FORMATS = """\b
Own data:
  FILE.npz  array features or X (n, d); array targets, labels or y (n,)
  FILE.csv, .parquet, .feather, .arrow  a row a sample, numbers or words;
            the last column holds the targets, or --target NAME
Targets are numbers, or words for classes. Where a loss takes two classes,
--classes no,yes says which is -1 and which is +1; softmax takes all.

"""


def _make(kind: type[Experiment]) -> click.Command:
    own = sorted(fields(kind), key=lambda of: of.name == "device")  # which all have, at the end

    in_pieces = comes_in_pieces(kind)

    def run(
        as_json: bool, check: bool, scale_bounds: float, observables: bool, **values: Any
    ) -> int:
        if observables:
            return show_observables(kind, as_json)
        where = {name: values.pop(name) for name in OPTIONS if in_pieces}
        if check:
            insist_on_papers()
        else:
            refuse_unused(["scale_bounds"], "without --check")
        insist_on_device(values["device"])  # else some layer far below would say what is wrong
        column = column_of_target(values)
        experiment = kind(**field_values(own, values | column))
        for name, why in experiment.unused().items():
            refuse_unused([name], why)
        if in_pieces and asks_for_pieces(check):
            # Processes, clusters and files: a run without them loads none of that.
            from forgetproof.commands._kept_trials import MadeAgain, show_trials

            return show_trials(MadeAgain(kind.algorithm, values | column), as_json, **where)
        with line_when_long(f"{kind.algorithm}: running") as move, reporting(move):
            return show(experiment.run(), as_json, check=check, scale=scale_bounds)

    example = f"\b\nExample: forgetproof simulate {kind.algorithm} {kind.example}"
    takes_data = any(of.name == "data" for of in own)
    return click.Command(
        kind.algorithm,
        callback=run,
        params=[
            *with_target([click_option(of) for of in own]),
            *(trial_options() if in_pieces else []),
            *_checking(),
            json_flag(),
        ],
        help=help_of(kind, EXPERIMENTS),
        short_help=(kind.__doc__ or "").splitlines()[0],
        epilog=(FORMATS if takes_data else "") + example,
    )


def _checking() -> list[click.Option]:
    return [
        click.Option(["--observables"], is_flag=True, help="List what can be measured, and stop."),
        click.Option(["--check"], is_flag=True, help="Hold every statement about such runs to it."),
        click.Option(
            ["--scale-bounds"],
            type=NUMBER,
            default=1.0,
            show_default=True,
            help="With --check: multiply every bound, which must then fail.",
        ),
    ]


@click.group("simulate", cls=ProblemCommands, declared=EXPERIMENTS, make=_make)
def command() -> None:
    """Run an algorithm, and say what it does and what it measures."""
