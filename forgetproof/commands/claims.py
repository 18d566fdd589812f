"""`forgetproof claims`: the list of everything that is checked."""

from __future__ import annotations

import textwrap

import click

from forgetproof.options import emit_json, json_option


@click.command("claims", epilog="Example: forgetproof claims --paper sglu --verdict false")
@click.option("--paper", help="Only this paper's claims.")
@click.option("--verdict", help="Only claims with this expected verdict (of the literal reading).")
@json_option
def command(paper: str | None, verdict: str | None, as_json: bool) -> None:
    """List claims: id, label, statement, verdict."""
    from verify import registry
    from verify.expectation import load

    expected = load()
    rows = []
    for claim in registry.claims(paper):
        words = expected.get(claim.id, {})
        word = next(iter(words.values()), "not run")
        if verdict is None or word.split()[0] == verdict or word == verdict:
            rows.append((claim, word, words))
    if as_json:
        emit_json(
            {
                "claims": [
                    {
                        "id": c.id,
                        "paper": c.paper,
                        "label": c.label,
                        "kind": c.kind,
                        "statement": c.statement,
                        "aliases": list(c.aliases),
                        "verdict": word,
                        "verdicts": words,
                    }
                    for c, word, words in rows
                ]
            }
        )
        return
    width = max((len(c.id) for c, _, _ in rows), default=0)
    for claim, word, _ in rows:
        click.echo(f"{claim.id:<{width}}  {word:<16}  {claim.label}")
        click.echo(textwrap.indent(textwrap.fill(claim.statement, 92), "    "))
