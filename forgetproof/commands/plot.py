"""`forgetproof plot`: a claim's forms against the experiment, and its verdict."""

from __future__ import annotations

from pathlib import Path

import click

from forgetproof.expressions import assignments
from forgetproof.options import emit_json, json_option


@click.command(
    "plot",
    epilog="\b\nExample: forgetproof plot sglu.lem3.4 --out lemma.svg c=0.99 'K=[1, 10, 100]'",
)
@click.argument("id")
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file; its suffix decides: .svg, .png or .pdf.",
)
@click.option("--form", "forms", multiple=True, help="Only this form; may be repeated.")
@click.option("--over", help="Over this symbol, or over a variable of a wider picture.")
@click.option("--expected", is_flag=True, help="Show the expected verdict: run no check.")
@json_option
def command(
    id: str,
    inputs: tuple[str, ...],
    out: Path,
    forms: tuple[str, ...],
    over: str | None,
    expected: bool,
    as_json: bool,
) -> None:
    """Draw a claim over a variable, with its verdict; NAME=VALUE replaces what is held fixed.

    Its check is run first: what contradicts the claim is marked.
    """
    import bounds
    from verify import plots
    from verify.runner import Settings, outcome_of, run_claim

    values = assignments(inputs)
    claim = bounds.get(id)
    outcome = None if expected else outcome_of(claim, *run_claim(claim.id, Settings()))
    picture = plots.asked(claim, forms, values, over, plots.told(claim, outcome))
    plots.save(picture, out)
    if as_json:
        curves = [{"name": c.name, "x": c.x, "y": c.y} for c in picture.curves]
        emit_json(
            {"id": picture.id, "file": str(out), "verdict": picture.verdict, "curves": curves}
        )
    else:
        click.echo(str(out))
