"""`forgetproof privacy`: the epsilon that a given noise certifies."""

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
from forgetproof.progress import said_of

if TYPE_CHECKING:
    from accounting.problems import Answers, Problem


def _make(kind: type[Problem]) -> click.Command:
    options = [noise_option(kind, required=True, help="Noise scale."), delta_option(kind)]
    return subcommand(kind, "privacy", "--sigma 1 --delta 1e-5", [*options], _ask)


def _ask(problem: Problem, given: Mapping[str, Any], names: tuple[str, ...]) -> Answers:
    with said_of("accounting.problems"):
        return problem.privacy(sigma(given["sigma"]), given["delta"], names)


@click.group("privacy", cls=ProblemCommands, declared=PROBLEMS, make=_make)
def command() -> None:
    """Epsilon of a given noise, by each accountant."""
