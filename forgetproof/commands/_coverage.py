"""`forgetproof verify --coverage`: how many statements meet data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from forgetproof.commands._verdicts import print_table
from forgetproof.options import emit_json
from forgetproof.progress import Move, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bounds import Statement


def show_coverage(chosen: list[Statement], seed: int, as_json: bool) -> int:
    """Prints how many statements meet data."""
    from verify.coverage import coverage

    with progress(len(chosen), what="coverage") as move:
        coverages = coverage(counted(chosen, move), seed)
    if as_json:
        emit_json({"coverage": {paper: vars(count) for paper, count in coverages.items()}})
        return 0
    heads = ["bounds", "ours", "measured", "met", "bounds_met", "refuted", "drawn", "plotted"]
    heads += ["exact_only", "far", "companions", "by_run", "by_law", "by_rows"]
    counts = {paper: count.document() for paper, count in coverages.items()}
    counts["all"] = {head: sum(c[head] for c in counts.values()) for head in heads}
    rows = [(paper, *(str(c[head]) for head in heads)) for paper, c in counts.items()]
    print_table([("paper", *(head.replace("_", " ") for head in heads)), *rows])
    gaps = [row for count in coverages.values() for row in count.exact_only.items()]
    gaps += [(id, "missing") for count in coverages.values() for id in count.missing]
    if gaps:
        click.echo()
        print_table([("bounds that meet no data", "why"), *gaps])
    return 0


def counted(statements: list[Statement], move: Move) -> Iterator[Statement]:
    """The statements, each told when the next one is asked for."""
    for done, statement in enumerate(statements, start=1):
        yield statement
        move(done, len(statements), statement.id)
