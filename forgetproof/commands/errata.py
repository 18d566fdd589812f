"""`forgetproof errata`: what the authors of a paper would correct, as LaTeX, PDF and Markdown."""

from __future__ import annotations

from pathlib import Path

import click

import bounds
from forgetproof.options import emit_json, insist_on_papers, json_option
from forgetproof.progress import line_when_long


@click.command("errata", epilog="\b\nExample: forgetproof errata guo --out letters")
@click.argument("paper")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="errata",
    show_default=True,
    help="Folder for PAPER.tex, PAPER.pdf and PAPER.md.",
)
@json_option
def command(paper: str, out: Path, as_json: bool) -> None:
    """Write the errata of a paper for its authors: a summary first, then an entry each.

    PAPER is its key, title or number on arXiv. The summary has the statements that need a
    correction, the gravest first, each with what should stand and the name of the program that
    shows its counterexample. All of it is of the last recorded run, and nothing is run.
    """
    insist_on_papers()
    owner = bounds.paper(paper)
    from verify.report.errata import gravest_first
    from verify.report.errata_files import recorded_errata, write_for_authors

    errata = recorded_errata(owner)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"out must be writable, got {out}: {error.strerror}") from error
    with line_when_long(f"setting {len(errata.entries)} entries of {owner.key}"):
        paths = write_for_authors(errata, out / owner.key)
    gravest = gravest_first(errata.entries)
    if as_json:
        entries = [
            {
                "id": entry.id,
                "label": entry.label,
                "verdict": entry.word,
                "fails": entry.lead,
                "instead": entry.correction,
                "program": entry.program,
            }
            for entry in gravest
        ]
        files = [str(path) for path in paths]
        emit_json(
            {"paper": owner.key, "statements": errata.total, "errata": entries, "files": files}
        )
        return
    need = "needs" if len(gravest) == 1 else "need"
    click.echo(f"{len(gravest)} of {errata.total} statements of {owner.cited} {need} a correction")
    for entry in gravest:
        click.echo(f"  {entry.word:<12} {entry.label}")
    click.echo(f"written: {', '.join(map(str, paths))}")
