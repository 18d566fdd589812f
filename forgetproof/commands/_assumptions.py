"""What a number rests on, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from accounting.problems import Assumptions


def show_assumptions(assumptions: Assumptions) -> None:
    """One line per assumption, beside every number that rests on them."""
    click.echo("assumptions")
    for name, word in assumptions.words.items():
        click.echo(f"  {name:<14} {word.value}: {word.means}")
    if assumptions.from_data:
        click.echo(f"  {'from_data':<14} {', '.join(assumptions.from_data)}")
    for condition in assumptions.conditions:
        click.echo(f"  {'condition':<14} {condition}")
