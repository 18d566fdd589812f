"""`forgetproof noise hf` and `forgetproof privacy hf`: noise on a recollected model."""

from __future__ import annotations

import math
from typing import Any

import click

from forgetproof.assumptions import NONE_SUFFICES, show_assumptions
from forgetproof.commands._hf_error import Bound, bound_of, error_options
from forgetproof.options import NUMBER, emit_json, json_option

_TRAINING = (
    "--step-size 0.05 --decay 0.995 --clip 10 --epochs 50 --n 1000 --strong-convexity 0.1 "
    "--smoothness 3 --hessian-lipschitz 0.5"
)
EXAMPLE = f"\b\nExample: forgetproof noise hf --epsilon 1 --delta 1e-5 {_TRAINING}"
EXAMPLE_PRIVACY = f"\b\nExample: forgetproof privacy hf --sigma 0.001 --delta 1e-5 {_TRAINING}"
NOTES = {
    "printed": "Algorithm 1 literally: variance c, without epsilon",
    "corrected": "classical formula, proved for epsilon < 1",
    "exact": "analytic Gaussian mechanism",
}


@click.command("hf", epilog=EXAMPLE)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option("--delta", type=NUMBER, required=True, help="Target delta.")
@error_options
@click.option(
    "--sigma", type=NUMBER, help="Besides: up to which error this noise certifies; else retrain."
)
@json_option
def noise_hf(
    epsilon: float, delta: float, sigma: float | None, as_json: bool, **options: Any
) -> None:
    """Hessian-free recollection: standard deviation of the noise on w_T + a."""
    from accounting import validation
    from bounds.hf.noise import ACCOUNTANTS, achieved_delta, noise

    epsilon = validation.scalar("epsilon", epsilon, low=0, high=1e300)
    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    bound = bound_of(**options)
    accountants: dict[str, dict[str, Any]] = {}
    for name in ACCOUNTANTS:
        found = float(noise(name, bound.value, epsilon, delta, bound.releases))
        true = float(achieved_delta(found, bound.value, epsilon, bound.releases))
        accountants[name] = {"sigma": found, "delta": true, "certifies": true <= delta}
    document: dict[str, Any] = {
        "algorithm": "hf",
        "target": {"epsilon": epsilon, "delta": delta},
        "accountants": accountants,
        "recommended": "exact",
        "assumptions": bound.assumptions,
    }
    if sigma is not None:
        document["certify_or_retrain"] = _decision(bound, sigma, epsilon, delta)
    if as_json:
        emit_json(document)
        return
    click.echo(f"least sigma for ({epsilon:g}, {delta:g})-unlearning, error <= {bound.value:.10g}")
    for name, entry in accountants.items():
        mark = "" if entry["certifies"] else f"; FALSE: its delta is {entry['delta']:.3g}"
        if entry["sigma"] == math.inf:
            mark = f"; {NONE_SUFFICES}"
        arrow = "  <- recommended" if name == "exact" else ""
        click.echo(f"  {name:<10} {entry['sigma']:<16.10g} {NOTES[name]}{mark}{arrow}")
    if sigma is not None:
        decision = document["certify_or_retrain"]
        click.echo(
            f"with sigma = {sigma:g}: certify up to error {decision['largest_error']:.10g}, "
            f"retrain beyond; here: {decision['decision']}"
        )
    show_assumptions(bound.assumptions)


def _decision(bound: Bound, sigma: float, epsilon: float, delta: float) -> dict[str, Any]:
    from bounds.hf.noise import largest_error

    limit = float(largest_error(sigma, epsilon, delta, bound.releases))
    decision = "certify" if bound.value <= limit else "retrain"
    return {"sigma": sigma, "largest_error": limit, "decision": decision}


@click.command("hf", epilog=EXAMPLE_PRIVACY)
@click.option("--sigma", type=NUMBER, required=True, help="Standard deviation of the noise.")
@click.option("--delta", type=NUMBER, required=True, help="Delta of the guarantee.")
@error_options
@json_option
def privacy_hf(sigma: float, delta: float, as_json: bool, **options: Any) -> None:
    """Hessian-free recollection with Gaussian noise on w_T + a."""
    from accounting import validation
    from bounds.hf.noise import ACCOUNTANTS, achieved_delta, privacy

    sigma = validation.scalar("sigma", sigma, low=0, low_open=True, high_open=True)
    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    bound = bound_of(**options)
    accountants: dict[str, dict[str, Any]] = {}
    for name in ACCOUNTANTS:
        epsilon = float(privacy(name, sigma, bound.value, delta, bound.releases))
        true = float(achieved_delta(sigma, bound.value, epsilon, bound.releases))
        accountants[name] = {"epsilon": epsilon, "delta": true, "certifies": true <= delta}
    if as_json:
        emit_json(
            {
                "algorithm": "hf",
                "sigma": sigma,
                "delta": delta,
                "accountants": accountants,
                "recommended": "exact",
                "assumptions": bound.assumptions,
            }
        )
        return
    click.echo(f"epsilon at sigma = {sigma:g}, delta = {delta:g}, error <= {bound.value:.10g}")
    for name, entry in accountants.items():
        mark = "" if entry["certifies"] else f"; FALSE: its delta is {entry['delta']:.3g}"
        arrow = "  <- recommended" if name == "exact" else ""
        click.echo(f"  {name:<10} {entry['epsilon']:<16.10g} {NOTES[name]}{mark}{arrow}")
    show_assumptions(bound.assumptions)
