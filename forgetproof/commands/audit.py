"""`forgetproof audit`: a user's own learn, unlearn and retrain against what is claimed for them."""

import contextlib
import sys
from pathlib import Path
from typing import Any

import click

from forgetproof.options import NUMBER, WHOLE, emit_json, json_option
from forgetproof.progress import line_when_long


@click.command(
    "audit", epilog="\b\nExample: forgetproof audit verify.audit.examples.correct:EXAMPLE"
)
@click.argument("target", metavar="MODULE:OBJECT")
@click.option("--epsilon", type=NUMBER, help="Claimed epsilon.")
@click.option("--delta", type=NUMBER, help="Claimed delta. [default: 0, with --epsilon]")
@click.option("--mu", type=NUMBER, help="Claimed Gaussian-DP parameter, in place of epsilon.")
@click.option("--renyi", help="Claimed Renyi curve: an expression in alpha, such as 'alpha/2'.")
@click.option("--order", type=NUMBER, help="The one order at which --renyi, a number, is claimed.")
@click.option("--trials", type=WHOLE, default=10_000, show_default=True, help="Samples of each.")
@click.option(
    "--confidence",
    type=NUMBER,
    default=1 - 1e-6,
    show_default="1 - 1e-6",
    help="That nothing said is wrong, in all.",
)
@click.option("--seed", type=WHOLE, default=0, show_default=True, help="Of everything random.")
@click.option("--sequential", is_flag=True, help="Stop as soon as the claim is refuted.")
@click.option("--block", type=WHOLE, default=1000, show_default=True, help="Samples per block.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the claimed trade-off and the events: .svg, .png or .pdf.",
)
@json_option
def command(
    target: str,
    plot: Path | None,
    as_json: bool,
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    renyi: str | None,
    order: float | None,
    **options: Any,
) -> int:
    """Test an unlearning algorithm against its claim, from samples of its outputs.

    OBJECT has learn, unlearn, retrain, data, request (and batched, claim, step, forget): see
    verify.audit.problem. MODULE is a dotted name or the path of a .py file. Without an option
    that claims something, its own claim is tested. Exit code 1 where the claim is refuted.
    """
    if plot is not None and plot.suffix not in (".svg", ".png", ".pdf"):
        raise ValueError(f"plot must end in .svg, .png or .pdf, got {plot.name!r}")
    if plot is not None and not plot.parent.is_dir():
        raise ValueError(f"plot must lie in a folder that exists, got {str(plot)!r}")
    # What the user's code prints must not mix with the answer.
    with contextlib.redirect_stdout(sys.stderr):
        from verify.audit import audit_problem, claim_of, stated
        from verify.audit.load import load

        problem = load(target)
        claims = {"epsilon": epsilon, "delta": delta, "mu": mu, "renyi": _curve(renyi, order)}
        stated_numbers = {name: value for name, value in claims.items() if value is not None}
        claim = claim_of(**stated_numbers) if stated_numbers else stated(problem)
        with line_when_long(f"{target}: sampling") as move:
            report = audit_problem(problem, claim, progress=move, **options)
        if plot is not None:
            report.plot(plot)
    if as_json:
        emit_json({"target": target, **report.to_dict()})
    else:
        click.echo(str(report))
    return 1 if report.refuted else 0


def _curve(text: str | None, order: float | None) -> Any:
    """The curve that --renyi and --order state."""
    from accounting.renyi.curve import RenyiCurve
    from forgetproof.expressions import function, number

    if text is None:
        if order is not None:
            raise ValueError(f"order must come with renyi, got {order:g} alone")
        return None
    return RenyiCurve.of(function(text, "alpha")) if order is None else (order, number(text))
