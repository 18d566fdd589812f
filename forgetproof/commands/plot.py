"""`forgetproof plot`: a claim's forms against the experiment, and its verdict."""

from __future__ import annotations

import shlex
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.commands._problems import click_option, field_values
from forgetproof.commands._settings import settings_from
from forgetproof.expressions import assignments
from forgetproof.options import (
    WHOLE,
    claim_and_inputs,
    claim_named,
    emit_json,
    json_option,
    name_and_inputs,
    paper_option,
    refuse_unused,
)
from forgetproof.progress import line_when_long
from simulators.device.reporting import reporting
from simulators.runs.data import OnData

if TYPE_CHECKING:
    from bounds import Statement


def _of_data() -> list[Field[Any]]:
    """How a table is read, as wherever --data stands."""
    apart = ("data", "seed", "device", "dimension")
    return [of for of in fields(OnData) if of.name not in apart]


@click.command(
    "plot",
    epilog="\b\nExample: forgetproof plot sglu.lem3.4 --out lemma.svg c=0.99 'K=[1, 10, 100]'",
)
@claim_and_inputs
@paper_option
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file; its suffix decides: .svg, .png or .pdf.",
)
@click.option(
    "--also",
    multiple=True,
    type=click.Choice(["svg", "pdf", "png"]),
    help="The same picture also under this suffix; may be repeated.",
)
@click.option(
    "--caption", is_flag=True, help="Also a caption for a paper, as text beside the picture."
)
@click.option("--form", "forms", multiple=True, help="Only this form; may be repeated.")
@click.option("--over", help="Over this symbol, or over a variable of a wider picture.")
@click.option("--data", help="Runs on these data beside the forms: as simulate takes them.")
@click.option("--experiment", help="With --data: which one, where the check measures several.")
@click.option("--repeats", type=WHOLE, default=5, show_default=True, help="With --data: runs.")
@click.option("--check", is_flag=True, help="Run the whole check for the verdict, as verify does.")
@click.option(
    "--run",
    type=click.Path(path_type=Path, file_okay=False),
    default="forgetproof-report",
    show_default=True,
    help="Folder of the run whose verdict is said, where it has the claim by this code.",
)
@json_option
def command(
    words: tuple[str, ...],
    paper: str | None,
    out: Path,
    also: tuple[str, ...],
    caption: bool,
    forms: tuple[str, ...],
    over: str | None,
    data: str | None,
    experiment: str | None,
    repeats: int,
    check: bool,
    run: Path,
    as_json: bool,
    **interpretation: Any,
) -> None:
    """Draw a claim over a variable, with its verdict.

    NAME=VALUE replaces what is held fixed, or with --data a setting of the experiment. The title
    says the verdict of the last run (`--run`, or `--check`), or else of the recorded one, and what
    the drawn points show; a verdict that is only expected is called so. What contradicts the claim
    is looked up in its check.
    """
    from verify import plots
    from verify.runner import Settings, fresh_outcome, last_outcome

    if data is None:
        refuse_unused(["experiment", "repeats", *interpretation], "without --data")
    elif forms:
        raise ValueError(f"form must be left out with --data, got {', '.join(forms)}")
    name, inputs = name_and_inputs(words)
    claim = claim_named(name, paper)
    values = assignments(inputs) if data is None else {}
    settings = {} if data is None else _settings(claim, experiment, inputs) | _read(interpretation)
    # One setting may be a list: over it the picture is drawn.
    points = settings.pop(over, None) if over in settings else None
    with line_when_long(f"{claim.id}: what the plot shows") as move, reporting(move):
        if check:
            refuse_unused(["run"], "with --check, which runs it now")
            told = plots.told(claim, fresh_outcome(claim, Settings()))
        elif outcome := last_outcome(claim, run):
            told = plots.told(claim, outcome)
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
    files = plots.save(picture, out, also)
    if caption:
        options = _options(inputs, forms, over, data)
        again = shlex.join(["forgetproof", "plot", picture.id, *options, "--out", out.name])
        files.append(plots.save_caption(picture, out.with_suffix(".txt"), again))
    if as_json:
        curves = [{"name": c.name, "x": c.x, "y": c.y} for c in picture.curves]
        verdict = {"verdict": picture.verdict, "run": told.run, "violated": picture.side}
        said = {"title": plots.title(picture), "alternative": plots.alternative(picture)}
        axes = {"x_label": plots.plain(picture.x_label), "y_label": plots.plain(picture.y_label)}
        marks = {"marks": picture.marks, "note": picture.note}
        named = {"id": picture.id, "origin": claim.origin, "file": str(out)}
        files_written = {"files": list(map(str, files))}
        emit_json({**named, **files_written, **verdict, **said, **axes, **marks, "curves": curves})
    else:
        click.echo("\n".join(map(str, files)))


def _options(
    inputs: tuple[str, ...], forms: tuple[str, ...], over: str | None, data: str | None
) -> list[str]:
    """What of the command decides what is drawn."""
    options = [*inputs, *(word for form in forms for word in ("--form", form))]
    for name, value in (("--over", over), ("--data", data)):
        options += [name, value] if value is not None else []
    return options


# --json stays the last one.
command.params[-1:-1] = map(click_option, _of_data())


def _read(interpretation: dict[str, Any]) -> dict[str, Any]:
    """What of the options of a table was given."""
    source = click.get_current_context().get_parameter_source
    written = click.core.ParameterSource.COMMANDLINE
    given = {name: value for name, value in interpretation.items() if source(name) is written}
    return field_values([of for of in _of_data() if of.name in given], given)


def _settings(claim: Statement, experiment: str | None, inputs: tuple[str, ...]) -> dict[str, Any]:
    """The settings of an experiment, from NAME=VALUE; a list is left for what varies."""
    from verify.measurements import experiments

    kinds = [kind for name, kind in experiments(claim).items() if experiment in (None, name)]
    return settings_from(kinds, inputs, "with --data, settings are", without="data")
