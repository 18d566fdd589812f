"""`forgetproof replay`: see a counterexample again."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import bounds
from forgetproof.options import (
    claim_named,
    emit_json,
    json_option,
    paper_option,
    refuse_unused,
)
from forgetproof.progress import progress

if TYPE_CHECKING:
    from verify.replay import Replayed


@click.command(
    "replay", epilog="\b\nExample: forgetproof replay sglu.alg6 --as-script > counterexample.py"
)
@click.argument("words", nargs=-1, required=True, metavar="ID|LABEL|FILE")
@paper_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default="forgetproof-report",
    show_default=True,
    help="Folder of the run whose numbers an ID is compared with.",
)
@click.option("--as-script", is_flag=True, help="Print a program that needs nothing of ours.")
@json_option
def command(
    words: tuple[str, ...], paper: str | None, out: Path, as_script: bool, as_json: bool
) -> int:
    """Run a claim's check again and show the comparisons that decide, counterexamples first.

    FILE is a results.json or a counterexample's file. Exit code 0 when stored numbers come back
    (to 1e-9), 1 when they do not.
    """
    from verify.replay import BrokenCheck

    if as_script:
        refuse_unused(["as_json"], "with --as-script, which prints a program")
    target = " ".join(words)
    if _is_file(target):
        refuse_unused(["out", "paper"], "with a file, which holds its numbers")
    else:
        target = claim_named(words, paper).id
    try:
        with progress(0, what=f"{target}: checking again"):
            replays = _found(target, out)
    except BrokenCheck as broken:
        click.echo(f"forgetproof: {broken}", err=True)
        return 3
    # A check may need a package that is missing; its program needs nothing of ours.
    except ModuleNotFoundError as absent:
        if not as_script:
            raise
        click.echo(_only_program(target, absent), nl=False)
        return 0
    if as_script:
        click.echo(_script(target, replays), nl=False)
        return 0
    if as_json:
        emit_json({"replays": [_plain(r) for r in replays], "reproduced": _all(replays)})
    else:
        last_id = ""
        for replayed in replays:
            if replayed.claim.id != last_id:
                last_id = replayed.claim.id
                click.echo(f"{last_id}  {replayed.claim.label}")
                click.echo(textwrap.indent(textwrap.fill(replayed.claim.words, 92), "  "))
            _show(replayed)
    return 1 if _all(replays) is False else 0


def _found(target: str, out: Path) -> list[Replayed]:
    """The verdicts of a file; or of a claim, against the run in `out` if it holds the claim."""
    from verify.replay import read, replay, rerun
    from verify.runner import Settings

    if _is_file(target):
        return replay(read(Path(target)))
    claim = bounds.get(target)
    results = out / "results.json"
    stored = [s for s in read(results) if s.claim == claim.id] if results.is_file() else []
    return replay(stored) if stored else rerun(claim.id, Settings())


def _is_file(target: str) -> bool:
    path = Path(target)
    return path.suffix == ".json" or path.is_file()


def _script(target: str, found: list[Replayed]) -> str:
    # Reversed: of several programs of a claim the first one stays.
    scripts = {r.claim.id: r.script for r in reversed(found) if r.script}
    if not scripts:
        raise ValueError(f"{target} has no counterexample with a stand-alone program")
    if len(scripts) > 1:
        raise ValueError(f"{target} has several programs; name one of {', '.join(sorted(scripts))}")
    return next(iter(scripts.values()))


def _all(found: list[Replayed]) -> bool | None:
    """Whether all that was stored came back; None where nothing was stored."""
    # Nothing was stored where the claim was not in a run: that is no failure.
    outcomes = [r.reproduced for r in found if r.reproduced is not None]
    return all(outcomes) if outcomes else None


def _tex(replayed: Replayed) -> str | None:
    form = replayed.claim.forms.get(replayed.verdict.form)
    return form.tex if form else None


def _show(replayed: Replayed) -> None:
    from verify.words import given, judged, pair

    verdict, worst, stored = replayed.verdict, replayed.verdict.worst, replayed.stored
    role = " by counterexample" if replayed.refutes else ""
    click.echo(f"  {verdict.key}: {verdict.word}{role}")
    if tex := _tex(replayed):
        click.echo(f"    formula   {tex}")
    if worst is None:
        click.echo(f"    reason    {verdict.reason}")
    else:
        click.echo(f"    instance  {worst.instance}")
        click.echo(f"    inputs    {given(worst.inputs)}")
        click.echo(f"    found     {judged(worst)}")
    if stored is None:
        click.echo("    stored    nothing: run `forgetproof verify` first to compare")
        return
    answer = "reproduced" if replayed.reproduced else "NOT reproduced"
    if worst and stored.comparison and not replayed.reproduced:
        measurement = pair(stored.comparison.measured, worst.measured)[0]
        bound = pair(stored.comparison.bound, worst.bound)[0]
        answer += f": was {stored.word}, measured {measurement} against {bound}"
    elif not replayed.reproduced:
        answer += f": was {stored.word}"
    click.echo(f"    stored    {answer}")


def _only_program(target: str, absent: ModuleNotFoundError) -> str:
    """The program that the claim's check names, where the check itself cannot be run.

    Raises the error where a file holds no one claim or none is named; ValueError where several are.
    """
    from verify import programs
    from verify.replay import read

    ids = {s.claim for s in read(Path(target))} if _is_file(target) else {target}
    if len(ids) != 1:
        raise absent
    files = programs.named(bounds.get(ids.pop()))
    if not files:
        raise absent
    if len(files) > 1:
        raise ValueError(
            f"{target} is checked together with others, and without {absent.name} its program is "
            f"not told from theirs; name a file, as in python {files[0]} (the others: "
            f"{', '.join(file.stem for file in files[1:])})"
        )
    return files[0].read_text("utf-8")


def _plain(replayed: Replayed) -> dict[str, Any]:
    from verify.evidence import to_dict
    from verify.report.document import with_program

    worst, stored = replayed.verdict.worst, replayed.stored
    return {
        "claim": replayed.claim.id,
        "origin": replayed.claim.origin,
        "interpretation": replayed.verdict.interpretation,
        "form": replayed.verdict.form,
        "word": replayed.verdict.word,
        "refutes": replayed.refutes,
        "latex": _tex(replayed),
        "comparison": worst and with_program(replayed.claim, worst),
        "stored": stored
        and {"word": stored.word, "comparison": stored.comparison and to_dict(stored.comparison)},
        "reproduced": replayed.reproduced,
    }
