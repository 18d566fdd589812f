"""`forgetproof noise`: the least noise that gives a target guarantee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from bounds.declared import PROBLEMS
from forgetproof.commands._problems import (
    ProblemCommands,
    delta_option,
    noise_option,
    sigma,
    subcommand,
)
from forgetproof.options import NUMBER
from forgetproof.progress import said_of

if TYPE_CHECKING:
    from accounting.problems import Answers, Problem


def _make(kind: type[Problem]) -> click.Command:
    epsilon = click.Option(["--epsilon"], type=NUMBER, required=True, help="Target epsilon.")
    options: list[click.Parameter] = [epsilon, delta_option(kind)]
    if kind.plans is not None:
        options.append(noise_option(kind, required=False, help=kind.plans))
    return subcommand(kind, "noise", "--epsilon 1 --delta 1e-5", options, _ask)


def _ask(problem: Problem, given: Mapping[str, Any], names: tuple[str, ...]) -> Answers:
    from accounting.problems import Target

    target = Target(given["epsilon"], given["delta"])
    with said_of("accounting.problems"):
        if given.get("sigma") is not None:
            return problem.plan(sigma(given["sigma"]), target, names)
        return problem.least_noise(target, names)


@click.group("noise", cls=ProblemCommands, declared=PROBLEMS, make=_make)
def command() -> None:
    """Least noise for a target epsilon, by each accountant."""
