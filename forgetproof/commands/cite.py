"""`forgetproof cite`: a claim with its verdict as one sentence, or the entries of BibTeX."""

from __future__ import annotations

import click

import bounds
from forgetproof.citation import of_paper, of_the_tool
from forgetproof.options import claim_argument, claim_named, emit_json, json_option, paper_option
from verify.explanation import cite
from verify.stored import stored


@click.command("cite", epilog="\b\nExample: forgetproof cite sglu.alg5 --bibtex")
@claim_argument
@paper_option
@click.option("--bibtex", is_flag=True, help="Instead: entries of the paper and of forgetproof.")
@json_option
def command(name: tuple[str, ...], paper: str | None, bibtex: bool, as_json: bool) -> None:
    """One sentence to cite a claim by: its label, its paper, its verdict, and the run behind it.

    The version of the paper is the one that was read; where that is not certain, it says so. With
    --bibtex the entries of the paper and of forgetproof in place of the sentence.
    """
    claim = claim_named(name, paper)
    owner = bounds.paper(claim.paper)
    sentence = cite(stored(claim))
    entries = [of_paper(owner), of_the_tool()]
    if as_json:
        emit_json({"id": claim.id, "sentence": sentence, "bibtex": entries})
        return
    click.echo("\n\n".join(entries) if bibtex else sentence)
