"""`forgetproof demo`: from a target epsilon to a verified report on real handwritten digits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forgetproof.commands._demo_report import exit_code, summary, verified
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option, refuse_unused

if TYPE_CHECKING:
    from forgetproof.commands._demo_data import Chosen


@click.command(
    "demo", epilog="\b\nExample: forgetproof demo --mnist path/to/mnist --out demo-report"
)
@click.option(
    "--paper",
    type=click.Choice(["sglu", "olu", "hf", "mini", "safe"]),
    default="sglu",
    show_default=True,
    help="Whose claims to show on data.",
)
@click.option("--out", default="demo-report", show_default=True, help="Folder for the report.")
@click.option("--mnist", help="Folder of MNIST files in IDX form: adds MNIST to the digits.")
@click.option(
    "--rows", type=WHOLE,
    help="Of each data set at most.  [default: sglu 1984, olu 1500, hf and safe 1000]",
)
@click.option(
    "--test-share", type=NUMBER, help="sglu, safe: share of rows held out.  [default: 0.2]"
)
@click.option("--seed", type=WHOLE, default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True)
@json_option
def command(
    paper: str, out: str, mnist: str | None, rows: int | None, test_share: float | None, seed: int,
    jobs: int, as_json: bool,
) -> int:  # fmt: skip
    """How much noise the guarantee needs, what the paper asks, and whether its claims survive."""
    import os

    import torch

    from accounting.validation import count
    from forgetproof.commands._demo_data import Chosen
    from verify.sglu.real_data import MNIST_VARIABLE

    torch.set_num_threads(1)
    count("seed", seed, low=0, high=2**32 - 1)
    there = next(p for p in (Path(out), *Path(out).absolute().parents) if p.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):  # noticed now, not minutes later
        raise ValueError(f"out must be a writable folder, got {out!r}")
    if paper == "mini":
        refuse_unused(["mnist", "rows"], "for mini, which is shown on made data")
    if paper not in ("sglu", "safe"):
        refuse_unused(["test_share"], f"for {paper}, which holds no rows out")
    if mnist is not None:
        if not Path(mnist).is_dir():
            raise ValueError(f"mnist must be a folder of IDX files, got {mnist}")
        os.environ[MNIST_VARIABLE] = mnist  # inherited by worker processes
    chosen = Chosen(mnist, rows, 0.2 if test_share is None else test_share)
    if paper == "olu":
        from forgetproof.commands._demo_olu import show

        return show(Path(out), chosen, seed, jobs, as_json)
    if paper == "safe":
        from forgetproof.commands import _demo_safe

        return _demo_safe.show(Path(out), chosen, seed, jobs, as_json)
    if paper in ("hf", "mini"):
        from forgetproof.commands import _demo_trajectory as trajectory

        if paper == "mini":
            return trajectory.show_mini(Path(out), seed, jobs, as_json)
        return trajectory.show_hf(Path(out), chosen, seed, jobs, as_json)
    return _sglu(Path(out), chosen, seed, jobs, as_json)


def _sglu(out: Path, chosen: Chosen, seed: int, jobs: int, as_json: bool) -> int:
    from verify.sglu import headline

    rows = headline.table()
    tight = headline.tightness(
        next(r for r in rows if (r.data, r.batch_size, r.epsilon) == ("MNIST", 128, 1))
    )
    found = _utilities(chosen, seed)
    if not as_json:
        _show(rows, tight, found)
    outcomes, odd, path = _report(out, seed, jobs, rows, tight, found, quiet=as_json)
    if as_json:
        emit_json(_document(rows, tight, found, outcomes, odd, path))
    else:
        summary(outcomes, odd, path)
    return exit_code(outcomes, odd)


def _utilities(chosen: Chosen, seed: int) -> list[Any]:
    from simulators.data import sklearn_sets
    from verify.sglu import headline

    found = []
    for name, data, batch, trials in (
        ("digits", chosen.cut(sklearn_sets.digits()), 32, 64),
        ("MNIST", chosen.images(1984, classes=(3, 8)), 128, 32),
    ):
        if data is not None:
            found.append(
                headline.utility(
                    data, name=name, batch_size=batch, train=chosen.learned(len(data), batch),
                    trials=trials, seed=seed,
                )
            )  # fmt: skip
    return found


def _show(rows: list[Any], tight: Any, found: list[Any]) -> None:
    click.echo("Table 3 of sglu: noise for one request, one unlearning epoch, delta = 1/n")
    click.echo(
        f"  {'data':<9}{'b':>6}{'epsilon':>9}{'paper':>9}{'printed':>14}{'exact':>15}{'ratio':>7}"
    )
    for r in rows:
        click.echo(
            f"  {r.data:<9}{r.batch_size:>6}{r.epsilon:>9g}{r.paper:>9.4f}{r.printed:>14.10f}"
            f"{r.exact:>15.10f}{r.ratio:>7.1f}"
        )
    click.echo(_ratios(rows))
    click.echo(_necessity(tight))
    for one in found:
        click.echo(f"Test accuracy after unlearning, {one.data}: n = {one.n}, delta = 1/{one.n}")
        names = ("printed", "exact")
        head = "".join(f"{name + ' sigma':>15}{'accuracy':>10}" for name in names)
        click.echo(f"  {'epsilon':<9}{head}")
        for i, epsilon in enumerate(one.epsilons):
            row = "".join(f"{one.sigma[a][i]:>15.5g}{one.accuracy[a][i]:>10.3f}" for a in names)
            click.echo(f"  {epsilon:<9g}{row}")
        click.echo(f"  without noise {one.noiseless:.3f}")


def _ratios(rows: list[Any]) -> str:
    ratios = [r.ratio for r in rows]
    return (
        f"The same guarantee needs {min(ratios):.1f} to {max(ratios):.1f} times less noise than "
        "the paper prints."
    )


def _necessity(tight: Any) -> str:
    r = tight.row
    return (
        f"Less is impossible (gradient differences at most 2M, projection inactive): at "
        f"{r.data}, b = {r.batch_size}, epsilon = {r.epsilon:g} a linear instance has delta = "
        f"{tight.at_least:.10g} at the exact noise, {tight.below:.10g} with 0.1 % less; "
        f"the target is {tight.target:.10g}."
    )


def _report(
    out: Path, seed: int, jobs: int, rows: list[Any], tight: Any, found: list[Any], *, quiet: bool
) -> tuple[list[Any], list[Any], Path]:
    from verify.plots.figure import embed
    from verify.sglu import headline

    drawing = headline.figure(rows, found)
    preface = {
        "title": "How much noise forgetting needs",
        "paragraphs": [_ratios(rows), _necessity(tight), *map(_accuracy, found)],
        "svg": embed(drawing, "headline"),
        "caption": "Left: noise in Table 3 of sglu and the exact noise for the same guarantee. "
        "Right: accuracy of unlearned logistic regression on real images of 3s and 8s.",
        "header": ["data", "b", "ε", "paper's σ", "formula's σ", "exact σ", "ratio"],
        "rows": [
            [r.data, r.batch_size, f"{r.epsilon:g}", f"{r.paper:.4f}", f"{r.printed:.10f}",
             f"{r.exact:.10f}", f"{r.ratio:.1f}"]
            for r in rows
        ],
    }  # fmt: skip
    hashes = [one.data_sha256 for one in found]
    return verified("sglu", out, seed, jobs, preface, drawing, hashes, quiet=quiet)


def _accuracy(one: Any) -> str:
    best = max(
        range(len(one.epsilons)),
        key=lambda i: one.accuracy["exact"][i] - one.accuracy["printed"][i],
    )
    return (
        f"On {one.n} real images ({one.data}, 3s against 8s) at ε = {one.epsilons[best]:g}, the "
        f"printed noise leaves {one.accuracy['printed'][best]:.1%} test accuracy, the exact noise "
        f"{one.accuracy['exact'][best]:.1%}; without noise it is {one.noiseless:.1%}."
    )


def _document(
    rows: list[Any], tight: Any, found: list[Any], outcomes: list[Any], odd: list[Any], path: Path
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "table3": [{**asdict(r), "ratio": r.ratio} for r in rows],
        "necessity": {"target_delta": tight.target, "delta_at_exact_sigma": tight.at_least,
                      "delta_at_0.999_sigma": tight.below},
        "utility": [asdict(one) for one in found],
        "claims": {o.claim.id: o.headline for o in outcomes},
        "unexpected": [asdict(s) for s in odd],
        "report": str(path),
    }  # fmt: skip
