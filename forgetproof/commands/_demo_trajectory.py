"""`forgetproof demo --paper hf` and `mini`: approximators beside the retraining they stand for."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from forgetproof.commands._demo_data import Chosen
from forgetproof.commands._demo_report import exit_code, summary, verified
from forgetproof.options import emit_json

ROWS = 1000
FOLLOWED = (1, 2, 5, 10, 20, 50, 100, 200, 400)


def show_hf(out: Path, chosen: Chosen, seed: int, jobs: int, as_json: bool) -> int:
    """Every approximator at deletion ratios of 1 to 30 %, on digits and MNIST."""
    from verify.hf.comparison import Problem, compare
    from verify.hf.figure import figure

    problems = [Problem.of(rows, name) for name, rows in _data(chosen, seed)]
    entries = [e for problem in problems for e in compare(problem)]
    worst = max(e.share for e in entries if e.method == "hf, stored statistics")
    biased = max(e.share for e in entries if (e.retraining, e.method[:2]) == ("mean", "hf"))
    sentences = [
        f"The stored statistics of hf, added up, miss retraining on the same slots by at most "
        f"{worst:.1%} of what it moves; taken for retraining by the mean of what is kept, as in "
        f"the authors' released code, by up to {biased:.1f} times what doing nothing would. The "
        "leave-one-out recursion needs one pass for every set, and is exact on quadratics.",
    ]
    header = ["data", "deleted", "method", "retraining", "moved", "error", "share", "bound", "s"]
    rows = [
        [e.data, f"{e.ratio:.0%}", e.method, e.retraining, f"{e.moved:.4f}", f"{e.error:.5f}",
         f"{e.share:.4f}", "" if e.bound is None else f"{e.bound:.3g}", f"{e.seconds:.4f}"]
        for e in entries
    ]  # fmt: skip
    hashes = [p.model.data.sha256 for p in problems]
    document = {"approximators": [{**asdict(e), "share": e.share} for e in entries]}
    return _finish(
        "hf", "How close unlearning comes to retraining", header, rows, sentences,
        figure(entries), hashes, document, out, seed, jobs, as_json,
    )  # fmt: skip


def show_mini(out: Path, seed: int, jobs: int, as_json: bool) -> int:
    """Mini-Unlearning beside DeltaGrad and Rewind, on synthetic data in the paper's regime."""
    from verify.mini.comparison import over_k, problem, table
    from verify.mini.figure import figure

    runs = table()
    curves = over_k(FOLLOWED)
    low, high = min(r.times_closer for r in runs), max(r.times_closer for r in runs)
    least = min(r.mini / r.moved for r in runs if r.steps >= 1000)
    sentences = [
        f"Following the last {runs[0].k} steps leaves at least {least:.0%} of the distance to "
        f"retraining after 2,000 steps. DeltaGrad comes {low:.0f} to {high:.0f} times closer.",
    ]
    header = ["step", "T", "deleted", "moved", "Mini", "Rewind", "DeltaGrad", "times closer"]
    rows = [
        [f"{r.eta:g}", r.steps, f"{r.ratio:.0%}", f"{r.moved:.5f}", f"{r.mini:.5f}",
         f"{r.rewind:.5f}", f"{r.deltagrad:.6f}", f"{r.times_closer:.1f}"]
        for r in runs
    ]  # fmt: skip
    document = {
        "runs": [{**asdict(r), "times_closer": r.times_closer} for r in runs],
        "over_k": [asdict(r) for r in curves],
    }
    return _finish(
        "mini", "What the last k steps know of the rest", header, rows, sentences,
        figure(curves), [problem().data.sha256], document, out, seed, jobs, as_json,
    )  # fmt: skip


def _data(chosen: Chosen, seed: int) -> list[tuple[str, Any]]:
    from simulators.data import sklearn_sets

    digits = sklearn_sets.digits(None).normalised().shuffled(seed)
    images = chosen.images(ROWS, seed=seed)
    found = [("digits", chosen.cut(digits, ROWS))]
    return found if images is None else [*found, ("MNIST", images)]


def _finish(
    paper: str,
    title: str,
    header: list[str],
    rows: list[list[Any]],
    sentences: list[str],
    drawing: Any,
    hashes: list[str],
    document: dict[str, Any],
    out: Path,
    seed: int,
    jobs: int,
    as_json: bool,
) -> int:
    from verify.plots.figure import embed

    if not as_json:
        _print(title, header, rows, sentences)
    preface = {
        "title": title,
        "paragraphs": sentences,
        "svg": embed(drawing, "headline"),
        "caption": "Distances to retraining.",
        "header": header,
        "rows": rows,
    }
    outcomes, odd, path = verified(paper, out, seed, jobs, preface, drawing, hashes, quiet=as_json)
    if as_json:
        claims = {o.claim.id: o.headline for o in outcomes}
        unexpected = [asdict(s) for s in odd]
        emit_json({**document, "claims": claims, "unexpected": unexpected, "report": str(path)})
    else:
        summary(outcomes, odd, path)
    return exit_code(outcomes, odd)


def _print(title: str, header: list[str], rows: list[list[Any]], sentences: list[str]) -> None:
    widths = [max(len(str(x)) for x in column) for column in zip(header, *rows, strict=True)]
    click.echo(title)
    for row in (header, *rows):
        cells = (str(x).ljust(w) for x, w in zip(row, widths, strict=True))
        click.echo("  " + "  ".join(cells).rstrip())
    for sentence in sentences:
        click.echo(sentence)
