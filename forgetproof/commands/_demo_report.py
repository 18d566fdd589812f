"""What every demo ends with: the paper's claims checked, a report, a summary, and an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


def verified(
    paper: str,
    out: Path,
    seed: int,
    jobs: int,
    preface: dict[str, Any],
    drawing: Any,
    hashes: list[str],
    *,
    quiet: bool,
) -> tuple[list[Any], list[Any], Path]:
    """Checks the paper's claims and writes the report with its preface and headline figure.

    Returns the outcomes, the unexpected verdicts, and the path of the report.
    """
    import bounds
    from forgetproof.progress import progress
    from verify import expectation, report, runner
    from verify.manifest import manifest
    from verify.sglu import headline

    claims = list(bounds.ids(paper))
    with progress(len(claims), quiet=quiet) as advance:
        outcomes = runner.run(
            claims, runner.Settings(seed=seed), jobs=jobs, out=out, progress=advance
        )
    odd = expectation.surprises(outcomes, expectation.load())
    headline.save_figure(drawing, out / "headline.svg")
    run = manifest(seed=seed, profile="quick", scale=1.0, jobs=jobs, outcomes=outcomes)
    run["data"] = sorted({*run["data"], *hashes})
    report.write(outcomes, odd, run, out, preface=preface, jobs=jobs)
    return outcomes, odd, out / "report.html"


def summary(outcomes: list[Any], odd: list[Any], path: Path) -> None:
    """Verdicts by word, what is unexpected, and where the report is."""
    from collections import Counter

    from verify.report.words import kind_of

    words = Counter(kind_of(o.headline) for o in outcomes)
    click.echo(f"{len(outcomes)} claims: " + ", ".join(f"{n} {w}" for w, n in words.most_common()))
    for surprise in odd:
        click.echo(
            f"  unexpected: {surprise.claim} {surprise.key}: {surprise.found}, "
            f"expected {surprise.expected}"
        )
    click.echo(f"report: {path}")


def exit_code(outcomes: list[Any], odd: list[Any]) -> int:
    """3 where a check broke, 1 for an unexpected verdict, 0 otherwise."""
    if any(o.error for o in outcomes):
        return 3
    return 1 if odd else 0
