"""What `forgetproof verify` prints: a table of verdicts, and what is not as expected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from verify.expectation import Surprise
    from verify.outcome import Outcome


def show(
    outcomes: list[Outcome], odd: list[Surprise], out: Path, *, sensitivity: bool, resumed: int
) -> None:
    """Prints the verdicts, or with `sensitivity` what each check could have noticed, and the
    surprises.

    Of the claims, `resumed` were kept from an earlier run.
    """
    print_table(_powers_table(outcomes) if sensitivity else _verdicts_table(outcomes))
    _conclude(outcomes, odd, out, resumed)


def _verdicts_table(outcomes: list[Outcome]) -> list[tuple[str, ...]]:
    """One row per form that is judged, below the headline where interpretations differ."""
    from verify.origin import whose
    from verify.words import span, weakness

    rows: list[tuple[str, ...]] = [
        ("claim", "interpretation.form", "verdict", "basis", "slack", "attainment")
    ]
    for outcome in outcomes:
        name = outcome.claim.id
        if outcome.error:
            rows.append((name, "", "error", "", "", ""))
            continue
        summary = ", ".join(filter(None, (outcome.headline, whose(outcome.claim))))
        # A line of its own where the headline is not the one verdict of all forms.
        if summary != outcome.verdicts[0].word or len({v.word for v in outcome.verdicts}) > 1:
            rows.append((name, "", summary, "", "", ""))
            name = ""
        for v in outcome.verdicts:
            attainment = "" if v.attainment is None else f"{v.attainment:.4g}"
            weak = weakness(v.word, v.attainment)
            word = f"{v.word}, {weak}" if weak else v.word
            rows.append((name, v.key, word, v.basis, span(v.slack), attainment))
            name = ""
    return rows


def _powers_table(outcomes: list[Outcome]) -> list[tuple[str, ...]]:
    """One row per green verdict, the weakest check first."""
    from verify.power import powers
    from verify.words import span

    rows: list[tuple[str, ...]] = [
        (
            "claim",
            "interpretation.form",
            "verdict",
            "basis",
            "slack",
            "attainment",
            "breaks below",
            "breaks above",
        )
    ]
    for p in powers(outcomes):
        attainment = "" if p.attainment is None else f"{p.attainment:.4g}"
        low = f"{p.lowest:.6g}" if p.lowest > 0 else "never"
        high = f"{p.highest:.6g}" if p.highest < float("inf") else "never"
        rows.append((p.claim, p.key, p.word, p.basis, span(p.slack), attainment, low, high))
    return rows


def print_table(rows: list[tuple[str, ...]]) -> None:
    """Columns as wide as their longest cell, and an empty line."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
    click.echo()


def _conclude(outcomes: list[Outcome], odd: list[Surprise], out: Path, resumed: int) -> None:
    from verify.origin import summary

    broken = {o.claim.id: o.error for o in outcomes if o.error}
    for id, error in broken.items():
        click.echo(f"broken: {id}: {error.strip().splitlines()[-1]}")
    # A check that broke has no verdicts: it is told once, not as a surprise for each form.
    odd = [surprise for surprise in odd if surprise.claim not in broken]
    for surprise in odd:
        _explain(surprise, outcomes, out)
    for line in summary((o.claim, o.headline) for o in outcomes):
        click.echo(line)
    resumption = f" ({resumed} kept from an earlier run)" if resumed else ""
    state = f"{len(odd)} unexpected" if odd else "as expected"
    if broken:
        state = f"incomplete: {len(broken)} broken, all others {state}"
    click.echo(f"{claims(len(outcomes))}{resumption}, {state}; report: {out / 'report.html'}")


def _explain(surprise: Surprise, outcomes: list[Outcome], out: Path) -> None:
    """Expected and found, the instance that decided, and how to see it again."""
    from verify.words import given, judged, replay_command

    click.echo(
        f"unexpected: {surprise.claim} {surprise.key}: "
        f"expected {surprise.expected}, found {surprise.found}"
    )
    outcome = next(o for o in outcomes if o.claim.id == surprise.claim)
    verdict = next((v for v in outcome.verdicts if v.key == surprise.key), None)
    if verdict is None:
        return
    if worst := verdict.worst:
        click.echo(f"    {worst.instance}: {judged(worst)}")
        click.echo(f"    at {given(worst.inputs)}")
        click.echo(f"    {replay_command(surprise.claim, str(out))}")
    else:
        click.echo(f"    {verdict.reason}")


def claims(count: int) -> str:
    """How many, in words."""
    return f"{count} claim" if count == 1 else f"{count} claims"
