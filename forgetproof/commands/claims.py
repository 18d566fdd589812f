"""`forgetproof claims`: the list of everything that is checked."""

import textwrap
from pathlib import Path
from typing import Any

import click

from forgetproof.options import emit_json, json_option


@click.command("claims", epilog="\b\nExample: forgetproof claims --paper sglu --verdict false")
@click.argument("name", nargs=-1, metavar="[ID|LABEL]")
@click.option("--paper", help="Only this paper's claims.")
@click.option("--verdict", help="Only claims with this headline.")
@click.option(
    "--origin",
    type=click.Choice(["paper", "ours"]),
    help="Only claims that a paper states, or only those that are ours beside it.",
)
@click.option(
    "--out",
    default="forgetproof-report",
    show_default=True,
    help="Folder of the last run; without one, the expected verdicts are shown.",
)
@json_option
def command(
    name: tuple[str, ...],
    paper: str | None,
    verdict: str | None,
    origin: str | None,
    out: str,
    as_json: bool,
) -> None:
    """List claims by paper: id, headline, label, and statement, by the last run.

    An id (olu.thm2) or the beginning of a label ("Theorem 3.2", olu Theorem 2) lists only what it
    names.

    A claim marked "ours" has no form that the paper prints; such claims are counted apart.

    Beside "holds" stands what sort of proof it rests on: proved (a checker accepts every line of
    it), checked by machine from a sharper form, whose own proof stands in brackets, written, or
    named. The headline is the verdict of what is printed: "mixed", with the interpretations named,
    where interpretations that the paper's reader could mean or parts of it fare differently.
    """
    import bounds
    from bounds.certificates import proof as proof_of
    from bounds.library import how_to_install
    from verify.expectation import load
    from verify.interpretations import counted, disagreement, headline
    from verify.origin import counts, described, notes, summary
    from verify.verdict import WORDS

    if verdict is not None and not any(verdict.startswith(word) for word in WORDS):
        raise ValueError(f"verdict must be one of {', '.join(WORDS)}, got {verdict!r}")
    expected = load()
    last, attainments = _last_run(Path(out) / "results.json")
    rows = []
    matches = bounds.lookup(" ".join(name), paper) if name else bounds.statements(paper)
    for claim in matches:
        words = last.get(claim.id) or expected.get(claim.id, {})
        source = "last run" if claim.id in last else "expected"
        word = headline(claim, words)
        if origin not in (None, claim.origin):
            continue
        if verdict is None or verdict in (word, word.split()[0]):
            # Of the interpretations that the headline counts, the first.
            interpretation = next(iter(counted(claim, words)))
            attainment = attainments.get(claim.id, {}).get(f"{interpretation}.{claim.own_form}")
            proof = proof_of(claim, interpretation, claim.own_form) if word == "holds" else None
            rows.append((claim, word, words, source, attainment, proof))
    papers = [p for p in bounds.papers() if any(p.key == c.paper for c, *_ in rows)]
    if as_json:
        emit_json(
            {
                "papers": [described(p) for p in papers],
                "headlines": counts((c, word) for c, word, *_ in rows),
                "claims": [
                    {
                        "id": c.id,
                        "paper": c.paper,
                        "label": c.label,
                        "kind": c.kind,
                        "statement": c.words,
                        "aliases": list(c.aliases),
                        "origin": c.origin,
                        "verdict": word,
                        "disagreement": disagreement(c, words) if word == "mixed" else "",
                        "proof": proof and proof.told,
                        "attainment": attainment,
                        "verdicts": words,
                        "source": source,
                    }
                    for c, word, words, source, attainment, proof in rows
                ],
            }
        )
        return
    width = max((len(c.id) for c, *_ in rows), default=0)
    for owner in papers:
        by = f" (from {owner.distribution})" if owner.foreign else ""
        click.echo(f"{owner.key}: {owner.cited}{by}\n")
        for claim, word, words, source, attainment, proof in rows:
            if claim.paper != owner.key:
                continue
            note = notes(claim, word, attainment, proof)
            mark = (f", {note}" if note else "") + ("" if source == "last run" else " (expected)")
            click.echo(f"{claim.id:<{width}}  {word + mark:<30}  {claim.label}")
            if word == "mixed":
                click.echo(textwrap.indent(textwrap.fill(disagreement(claim, words), 92), "    "))
            click.echo(textwrap.indent(textwrap.fill(claim.words, 92), "    "))
        click.echo()
    if not bounds.papers():
        click.echo(f"no paper is installed{how_to_install()}")
    for line in summary((c, word) for c, word, *_ in rows):
        click.echo(line)


def _last_run(file: Path) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, Any]]]:
    """Claim id -> "interpretation.form" -> word, and likewise the attainment; empty without a run
    there.

    Raises:
        ValueError: the file is not the document of a run.
    """
    from verify.jsonio import load
    from verify.typed import insist

    if not file.is_file():
        return {}, {}
    try:
        tables: dict[str, dict[str, dict[str, Any]]] = {"word": {}, "attainment": {}}
        for claim in load(file)["claims"]:
            id = insist("id", claim["id"], str)
            for key, hint in (("word", str), ("attainment", float | None)):
                tables[key][id] = {
                    f"{v['interpretation']}.{v['form']}": insist(key, v[key], hint)
                    for v in claim["verdicts"]
                }
        return tables["word"], tables["attainment"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"out must be the folder of a run, got {file}: {error}") from error
