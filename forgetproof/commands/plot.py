"""`forgetproof plot`: a claim's forms against the experiment, and its verdict."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.commands._problems import click_option, field_values
from forgetproof.expressions import assignments, parse
from forgetproof.options import WHOLE, emit_json, json_option, refuse_unused

if TYPE_CHECKING:
    from bounds import Statement


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
@click.option("--data", help="Runs on these data beside the forms: as simulate takes them.")
@click.option("--experiment", help="With --data: which one, where the check observes several.")
@click.option("--repeats", type=WHOLE, default=5, show_default=True, help="With --data: runs.")
@click.option("--check", is_flag=True, help="Run the whole check for the verdict, as verify does.")
@json_option
def command(
    id: str,
    inputs: tuple[str, ...],
    out: Path,
    forms: tuple[str, ...],
    over: str | None,
    data: str | None,
    experiment: str | None,
    repeats: int,
    check: bool,
    as_json: bool,
) -> None:
    """Draw a claim over a variable, with its verdict.

    NAME=VALUE replaces what is held fixed, or with --data a setting of the experiment. The verdict
    is the expected one; what contradicts the claim is looked up in its check, and marked.
    """
    import bounds
    from verify import plots
    from verify.runner import Settings, outcome_of, run_claim

    if data is None:
        refuse_unused(["experiment", "repeats"], "without --data")
    elif forms:
        raise ValueError(f"form must be left out with --data, got {', '.join(forms)}")
    claim = bounds.get(id)
    values = assignments(inputs) if data is None else {}
    settings = {} if data is None else _settings(claim, experiment, inputs)
    points = settings.pop(over, None) if over in settings else None
    if check:
        told = plots.told(claim, outcome_of(claim, *run_claim(claim.id, Settings())))
    else:
        told = plots.told(claim) if values or data or over else plots.gathered(claim)
    if data is None:
        picture = plots.asked(claim, forms, values, over, told)
    else:
        from verify.plots import measured

        picture = measured.picture(
            claim,
            {**settings, "data": data},
            told,
            experiment=experiment,
            over=over,
            points=points,
            repeats=repeats,
        )
    plots.save(picture, out)
    if as_json:
        curves = [{"name": c.name, "x": c.x, "y": c.y} for c in picture.curves]
        verdict = {"verdict": picture.verdict, "violated": picture.side, "marks": picture.marks}
        emit_json({"id": picture.id, "file": str(out), **verdict, "curves": curves})
    else:
        click.echo(str(out))


def _settings(claim: Statement, experiment: str | None, inputs: tuple[str, ...]) -> dict[str, Any]:
    """The settings of an experiment, from NAME=VALUE; a list is left for what varies."""
    from verify.observed import experiments

    kinds = [k for n, k in experiments(claim).items() if experiment in (None, n)]
    options = {of.name: (of, click_option(of)) for kind in kinds for of in fields(kind)}
    found: dict[str, Any] = {}
    for text in inputs:
        name, equal, value = text.partition("=")
        if not equal or name not in options or name == "data":
            known = ", ".join(n for n in options if n != "data")
            raise ValueError(f"with --data, settings are NAME=VALUE of {known}; got {text!r}")
        of, option = options[name]
        if value.startswith("["):
            found[name] = parse(value)
        else:
            typed = option.type.convert(value, option, None)
            found |= field_values([of], {name: typed})
    return found
