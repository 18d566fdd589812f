"""`forgetproof demo`: what a paper comes to on real data, and whether its claims survive."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import bounds
from bounds.library import DEMO, how_to_install
from forgetproof.commands._verdicts import claims as claims_in_words
from forgetproof.options import INTERRUPTED, NUMBER, WHOLE, emit_json, json_option, refuse_unused
from forgetproof.progress import progress
from simulators.device.reporting import reporting

if TYPE_CHECKING:
    from collections.abc import Callable

    from verify.showcases import Shown

PAPERS = [paper.key for paper in bounds.papers() if DEMO in paper.showcases]


@click.command(
    "demo", epilog="\b\nExample: forgetproof demo --mnist path/to/mnist --out demo-report"
)
@click.option(
    "--paper",
    type=click.Choice(PAPERS) if PAPERS else str,
    default=next(iter(PAPERS), None),
    show_default=True,
    help="Whose claims to show on data.",
)
@click.option("--out", default="demo-report", show_default=True, help="Folder for the report.")
@click.option("--mnist", help="Folder of MNIST files in IDX form: adds MNIST to the digits.")
@click.option(
    "--rows", type=WHOLE, help="Of each data set at most.  [default: as many as the paper shows]"
)
@click.option("--test-share", type=NUMBER, help="Share of rows held out.  [default: 0.2]")
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True)
@json_option
def command(
    paper: str | None,
    out: str,
    mnist: str | None,
    rows: int | None,
    test_share: float | None,
    seed: int,
    jobs: int,
    as_json: bool,
) -> int:
    """How much noise the guarantee needs, what the paper asks, and whether its claims survive."""
    if paper is None:
        raise ValueError(f"a paper with something to show must be installed{how_to_install()}")
    import torch

    from accounting.numerics.validation import count
    from verify.executors import kept
    from verify.origin import counts
    from verify.showcases import showcase
    from verify.showcases.data import Chosen
    from verify.showcases.work import made

    # One thread: results are the same on any number of cores, and jobs do not compete.
    torch.set_num_threads(1)
    count("seed", seed, low=0, high=2**32 - 1)
    what = showcase(f"{paper}.{DEMO}")
    for name, why in what.unread.items():
        refuse_unused([name], why)
    if mnist is not None and not Path(mnist).is_dir():
        raise ValueError(f"mnist must be a folder of IDX files, got {mnist}")
    if mnist is not None and what.mnist is not None:
        os.environ[what.mnist] = mnist  # inherited by worker processes
    chosen = Chosen(mnist, rows, 0.2 if test_share is None else test_share)
    made(Path(out))  # noticed now, not minutes later
    with progress(0, what=f"{paper} on data", quiet=as_json) as move, reporting(move):
        demonstration = what.show(chosen, seed)
    for line in [] if as_json else demonstration.lines:
        click.echo(line)
    # The report is drawn by the processes that checked: a start costs seconds.
    finished: list[str] = []
    try:
        with kept(), progress(len(bounds.ids(paper)), quiet=as_json) as move:

            def note(done: int, total: int, id: str) -> None:
                finished.append(id)
                move(done, total, id)

            outcomes, odd, path = _verified(paper, Path(out), seed, jobs, demonstration, note)
    except KeyboardInterrupt:
        click.echo(
            f"forgetproof: interrupted; {claims_in_words(len(finished))} finished, kept in "
            f"{Path(out) / 'results.sqlite'}: forgetproof verify --paper {paper} --seed {seed} "
            f"--out {out} --resume continues",
            err=True,
        )
        return INTERRUPTED
    if as_json:
        claims = {o.claim.id: {"headline": o.headline, "origin": o.claim.origin} for o in outcomes}
        unexpected = [asdict(s) for s in odd]
        emit_json(
            {
                **demonstration.document,
                "headlines": counts((o.claim, o.headline) for o in outcomes),
                "claims": claims,
                "unexpected": unexpected,
                "report": str(path),
            }
        )
    else:
        _summary(outcomes, odd, path)
    if any(o.error for o in outcomes):
        return 3
    return 1 if odd else 0


def _verified(
    paper: str,
    out: Path,
    seed: int,
    jobs: int,
    shown: Shown,
    advance: Callable[[int, int, str], None],
) -> tuple[list[Any], list[Any], Path]:
    """Checks the paper's claims and writes the report with the showcase as its first page.

    Returns the outcomes, the unexpected verdicts, and the path of the report.
    """
    from verify import expectation, report, runner
    from verify.manifest import manifest
    from verify.plots.figure import embed

    preface = {
        "title": shown.title,
        "paragraphs": list(shown.paragraphs),
        "svg": embed(shown.drawing, "headline"),
        "caption": shown.caption,
        "header": list(shown.header),
        "rows": shown.rows,
    }
    claims = list(bounds.ids(paper))
    outcomes = runner.run(claims, runner.Settings(seed=seed), jobs=jobs, out=out, progress=advance)
    odd = expectation.surprises(outcomes, expectation.load())
    shown.save(out / "headline.svg")
    run = manifest(seed=seed, profile="quick", scale=1.0, jobs=jobs, outcomes=outcomes)
    # The showcase's data, beside those that checks read.
    run["data"] = sorted({*run["data"], *shown.hashes})
    report.write(outcomes, odd, run, out, preface=preface, jobs=jobs)
    return outcomes, odd, out / "report.html"


def _summary(outcomes: list[Any], odd: list[Any], path: Path) -> None:
    """Verdicts by word, what is unexpected, and where the report is."""
    from verify.origin import summary

    click.echo(f"{len(outcomes)} claims")
    for line in summary((o.claim, o.headline) for o in outcomes):
        click.echo(f"  {line}")
    for surprise in odd:
        click.echo(
            f"  unexpected: {surprise.claim} {surprise.key}: {surprise.found}, "
            f"expected {surprise.expected}"
        )
    click.echo(f"report: {path}")
