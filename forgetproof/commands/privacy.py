"""`forgetproof privacy`: the epsilon that a given noise certifies."""

from __future__ import annotations

from typing import Any

import click

from forgetproof.assumptions import show_assumptions
from forgetproof.commands._noise_hf import privacy_hf
from forgetproof.commands._olu import olu_options, problem
from forgetproof.commands._safe import privacy_safe
from forgetproof.commands._sglu import rests_on, scenario, sglu_options
from forgetproof.options import NUMBER, Algorithms, emit_json, json_option, refuse_unused

EXAMPLE = (
    "\b\nExample: forgetproof privacy sglu --sigma 0.0041 --delta 1/11264 --n 11264 "
    "--batch-size 128 --smoothness 0.261264 --strong-convexity 0.011264"
)

EXAMPLE_OLU = (
    "\b\nExample: forgetproof privacy olu --sigma [0.1,0.2] --schedule deletions.csv "
    "--strong-convexity 1 --smoothness 3 --lipschitz 1 --diameter 2"
)


@click.group("privacy", cls=Algorithms, epilog=EXAMPLE)
def command() -> None:
    """Epsilon of a given noise, by each accountant."""


command.add_command(privacy_hf)
command.add_command(privacy_safe)


@command.command("sglu", epilog=EXAMPLE)
@click.option("--sigma", type=NUMBER, required=True, help="Noise scale.")
@click.option("--delta", type=NUMBER, required=True, help="Delta of the guarantee.")
@sglu_options
@json_option
def sglu(sigma: float, delta: float, as_json: bool, **options: Any) -> None:
    """Stochastic gradient Langevin unlearning."""
    from accounting import validation
    from bounds.sglu.accountants import privacy

    sigma = validation.scalar("sigma", sigma, low=0, low_open=True, high_open=True)
    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    chosen = scenario(**options)
    found = privacy(chosen, sigma, delta)
    if as_json:
        emit_json(
            {
                "algorithm": "sglu",
                "sigma": sigma,
                "delta": delta,
                "accountants": {name: {"epsilon": value} for name, value in found.items()},
                "recommended": "exact",
                "assumptions": rests_on(chosen),
            }
        )
        return
    click.echo(f"epsilon at sigma = {sigma:g}, delta = {delta:g}, target {chosen.target}")
    for name, value in found.items():
        click.echo(f"  {name:<10} {value:.10g}{'  <- recommended' if name == 'exact' else ''}")
    show_assumptions(rests_on(chosen))


@command.command("olu", epilog=EXAMPLE_OLU)
@click.option("--sigma", required=True, help="Noise of every deletion: a number, or [s1, s2, ...].")
@click.option("--delta", type=NUMBER, help="Delta; without it epsilon is the Rényi budget.")
@olu_options
@json_option
def olu(sigma: str, delta: float | None, as_json: bool, **options: Any) -> None:
    """Online unlearning with noise at every deletion."""
    from accounting import validation
    from forgetproof.commands._olu_report import show_privacy
    from forgetproof.expressions import parse

    if delta is not None:
        delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    found = problem(**options)
    if not found.steps_use_rounds:
        refuse_unused(["rounds"], "with a given sigma, unless the steps use T")
    try:
        given = parse(sigma, longest=10**7)
    except ValueError as error:
        raise ValueError(f"sigma must be a number or a list of numbers, got: {error}") from error
    values = validation.real("sigma", given, low=0, high_open=True).tolist()
    show_privacy(found, values, delta, as_json)
