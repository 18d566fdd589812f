"""`forgetproof explain`: what is stored of a claim: verdict, what is wrong, what stands instead."""

from __future__ import annotations

import click

import bounds
from forgetproof.commands._explanation_text import full_text, short_text
from forgetproof.commands._where_lost import show_where_lost
from forgetproof.options import (
    claim_argument,
    claim_named,
    emit_json,
    json_option,
    paper_option,
    refuse_unused,
)
from verify.explanation import explanation, way
from verify.glosses import GLOSSES
from verify.stored import stored

WIDEST = max(map(len, GLOSSES))
VERDICTS = "\n".join(f"{word.upper():<{WIDEST}}  {each.meaning}" for word, each in GLOSSES.items())


@click.command(
    "explain",
    epilog=f'\b\nExample: forgetproof explain "olu Theorem 2"\n\n\b\nVerdicts:\n{VERDICTS}',
)
@claim_argument
@paper_option
@click.option("--full", is_flag=True, help="Cut nothing; every way to read it, and its history.")
@click.option(
    "--where-lost",
    is_flag=True,
    help="Instead: each form over the best one, and what drives it, as formulas beside numbers.",
)
@click.option("--latex", is_flag=True, help="With --where-lost: formulas in LaTeX.")
@json_option
def command(
    name: tuple[str, ...],
    paper: str | None,
    full: bool,
    where_lost: bool,
    latex: bool,
    as_json: bool,
) -> None:
    """What a claim says, whether it is true, what fails, and what stands instead, in 25 lines.

    The claim is named by its id (olu.thm2) or its label, after its paper if need be: olu thm2,
    "2505.08557 Theorem 2". All of it is stored, and nothing is run: verdicts are the expected
    ones, which `forgetproof verify ID` holds to a fresh run. What is cut ends in [...]. --json has
    all of it, with every interpretation and form.

    With --where-lost, the quotient of a form and the tight one is simplified and verified by
    substitution at random numbers inside the hypotheses. Growth and direction are told of the best
    form.
    """
    claim = claim_named(name, paper)
    if where_lost:
        refuse_unused(["full"], "with --where-lost")
        show_where_lost(claim, latex, as_json)
        return
    refuse_unused(["latex"], "without --where-lost")
    explained = explanation(claim)
    if as_json:
        known = stored(claim)
        parts = [stored(bounds.get(id)).document() for id in known.parts]
        emit_json(known.document() | explained.document() | {"parts": parts})
        return
    if full:
        click.echo(full_text(explained, map(way, stored(claim).interpretations)))
        return
    click.echo(short_text(explained))
