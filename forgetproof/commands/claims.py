"""`forgetproof claims`: the list of everything that is checked."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

from forgetproof.options import emit_json, json_option


@click.command("claims", epilog="\b\nExample: forgetproof claims --paper sglu --verdict false")
@click.option("--paper", help="Only this paper's claims.")
@click.option("--verdict", help="Only claims whose first form under the first reading has this.")
@click.option(
    "--out",
    default="forgetproof-report",
    show_default=True,
    help="Folder of the last run; without one, the expected verdicts are shown.",
)
@json_option
def command(paper: str | None, verdict: str | None, out: str, as_json: bool) -> None:
    """List claims: id, label, statement, and the verdict of the last run."""
    from verify import registry
    from verify.expectation import load
    from verify.verdict import WORDS

    if verdict is not None and not any(verdict.startswith(word) for word in WORDS):
        raise ValueError(f"verdict must be one of {', '.join(WORDS)}, got {verdict!r}")
    expected, last = load(), _last_run(Path(out) / "results.json")
    rows = []
    for claim in registry.claims(paper):
        words = last.get(claim.id) or expected.get(claim.id, {})
        source = "last run" if claim.id in last else "expected"
        word = next(iter(words.values()), "not run")
        if verdict is None or verdict in (word, word.split()[0]):
            rows.append((claim, word, words, source))
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
                        "source": source,
                    }
                    for c, word, words, source in rows
                ]
            }
        )
        return
    width = max((len(c.id) for c, *_ in rows), default=0)
    for claim, word, _, source in rows:
        mark = "" if source == "last run" else " (expected)"
        click.echo(f"{claim.id:<{width}}  {word + mark:<27}  {claim.label}")
        click.echo(textwrap.indent(textwrap.fill(claim.statement, 92), "    "))


def _last_run(file: Path) -> dict[str, dict[str, str]]:
    """Claim id -> "reading.form" -> word, as the run in that folder found; empty without one.

    Raises:
        ValueError: the file is not the document of a run.
    """
    from simulators.disk import read_json
    from verify.typed import insist

    if not file.is_file():
        return {}
    try:
        return {
            insist("id", claim["id"], str): {
                f"{v['reading']}.{v['form']}": insist("word", v["word"], str)
                for v in claim["verdicts"]
            }
            for claim in read_json(file)["claims"]
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"out must be the folder of a run, got {file}: {error}") from error
