"""The table of unlearning steps against noise, as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from accounting.problems.answer import shown

if TYPE_CHECKING:
    from forgetproof.unlearning_table import UnlearningCell, UnlearningTable

_TITLES = ("K", "K/(N+K)", "sigma", "", "without noise", "seconds of K")


def show_table(table: UnlearningTable) -> None:
    """Prints a line a number of steps, and what the numbers mean."""
    measure = table.measure.replace("_", " ")
    click.echo(f"unlearning steps K against noise, after N = {table.training_steps} of training")
    titles = [measure if title == "" else title for title in _TITLES]
    lines = [titles, *(_line(cell, table) for cell in table.cells)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(titles))]
    for line in lines:
        cells = [f"{text:>{width}}" for text, width in zip(line, widths, strict=True)]
        mark = "  <- recommended" if line[0] == str(table.recommended) else ""
        click.echo("  " + "  ".join(cells) + mark)
    guess = "the mean" if table.larger_class is None else f"always saying {table.larger_class}"
    click.echo(
        f"  {measure} on the rows held out, {table.trials} runs: mean +- standard error; {guess} "
        f"has {table.guess:.4g}"
    )
    retraining = table.seconds_a_step * table.training_steps
    click.echo(f"  retraining takes {retraining:.2g} seconds here (processor time)")
    if any(cell.sigma is None and cell.bearable for cell in table.cells):
        click.echo(
            "  at least: no accountant certifies less; --unlearning-steps K asks what is certified"
        )
    if not all(cell.bearable for cell in table.cells):
        click.echo(
            "  more than: no accountant certifies less, and the rows bear no such noise: the model "
            "is no better than a guess"
        )
    if table.recommended is not None:
        click.echo(
            f"  recommended: the least K whose {measure} is within two standard errors of that "
            "without noise; the rows show in K and sigma, which epsilon does not count"
        )


def _line(cell: UnlearningCell, table: UnlearningTable) -> list[str]:
    if cell.sigma is not None:
        sigma = shown(cell.sigma)
    elif cell.least_sigma < math.inf:
        word = "at least" if cell.bearable else "more than"
        sigma = f"{word} {shown(cell.least_sigma, up=False)}"
    else:
        sigma = "none is enough"
    measured, without = "-", "-"
    if cell.measured is not None:
        measured = f"{cell.measured:.4g} +- {cell.standard_error or 0.0:.2g}"
        without = f"{cell.without:.4g}"
    return [
        str(cell.unlearning_steps),
        f"{cell.ratio:.1%}",
        sigma,
        measured,
        without,
        f"{table.seconds_a_step * cell.unlearning_steps:.2g}",
    ]
