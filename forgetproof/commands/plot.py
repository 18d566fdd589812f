"""`forgetproof plot`: a claim's forms against the experiment."""

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
@click.option("--over", help="A wider picture, with every baseline, over this variable.")
@json_option
def command(
    id: str,
    inputs: tuple[str, ...],
    out: Path,
    forms: tuple[str, ...],
    over: str | None,
    as_json: bool,
) -> None:
    """Draw a claim over its natural variable; NAME=VALUE replaces what is held fixed."""
    import bounds
    from verify import plots

    values = assignments(inputs)
    claim = bounds.get(id)
    if over is None:
        picture = plots.picture(claim, forms, values)
    elif forms:
        raise ValueError(f"form must be left out with --over, got {', '.join(forms)}")
    else:
        picture = plots.scene(claim, over, values)
    plots.save(picture, out)
    if as_json:
        curves = [{"name": c.name, "x": c.x, "y": c.y} for c in picture.curves]
        emit_json({"id": picture.id, "file": str(out), "curves": curves})
    else:
        click.echo(str(out))
