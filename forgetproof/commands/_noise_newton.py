"""`forgetproof noise newton-removal`: sigma of the objective perturbation of certified removal."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from forgetproof.options import NUMBER, WHOLE, emit_json, json_option

EXAMPLE = (
    "\b\nExample: forgetproof noise newton-removal --epsilon 1 --delta 1e-5 --n 57000 "
    "--removals 100 --regularisation 0.005"
)


@click.command("newton-removal", epilog=EXAMPLE)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option("--delta", type=NUMBER, required=True, help="Target delta.")
@click.option("--residual", type=NUMBER, help="A bound computed from the data, in place of n etc.")
@click.option("--n", type=WHOLE, help="Samples learned from.")
@click.option("--removals", type=WHOLE, help="Samples removed by one Newton step. [default: 1]")
@click.option("--regularisation", type=NUMBER, help="lambda of (lambda n/2)|w|^2.")
@click.option("--lipschitz", type=NUMBER, help="C, a bound on |l'|. [default: 1]")
@click.option(
    "--smoothness", type=NUMBER,
    help="gam, the Lipschitz constant of l''. [default: 1/(6*sqrt(3)), the logistic loss]",
)  # fmt: skip
@click.option("--dimension", type=WHOLE, help="Parameters: counts what b does to the residual.")
@json_option
def newton_removal(epsilon: float, delta: float, as_json: bool, **options: Any) -> None:
    """Certified removal (Guo et al. 2020): sigma of b ~ N(0, sigma^2 I) in the objective."""
    from bounds.mini import newton_noise

    given = {name: value for name, value in options.items() if value is not None}
    if "residual" in given:
        if other := sorted(given.keys() - {"residual"}):
            raise ValueError(f"residual must stand alone, got {other[0]} = {given[other[0]]} too")
        found = newton_noise.noise_of_residual(epsilon, delta, given["residual"])
        setting: dict[str, Any] = {"residual_bound": "given", "b_in_the_residual": "as given"}
    else:
        for name in ("n", "regularisation"):
            if name not in given:
                raise ValueError(f"{name} must be given where residual is not, got none")
        removal = newton_noise.Removal(**{"removals": 1, **given})
        found = newton_noise.noise_of_removal(epsilon, delta, removal)
        counted = removal.dimension is not None
        setting = {
            "residual_bound": "worst case, features of norm at most 1",
            "b_in_the_residual": "counted by exact" if counted else "neglected, as in the source",
            **asdict(removal),
        }
    document = {
        "algorithm": "newton-removal",
        "target": {"epsilon": epsilon, "delta": delta},
        "accountants": {name: asdict(noise) for name, noise in found.items()},
        "recommended": "exact",
        "assumptions": {
            "adjacency": "delete",
            "reference": "minimiser over the retained samples, with noise of its own",
            "released": "model after one Newton step",
            "secret_state": "b",
            "residual": "its direction carries nothing of b, as in the source",
            **setting,
        },
    }
    if as_json:
        emit_json(document)
        return
    click.echo(f"noise of the objective for ({epsilon:g}, {delta:g})-certified removal")
    for name, noise in found.items():
        truth = f"certifies epsilon = {noise.certified_epsilon:.6g}"
        if noise.sigma == float("inf"):
            truth = "no noise suffices by this bound"
        elif not noise.valid:
            truth = f"NOT valid: it certifies epsilon = {noise.certified_epsilon:.6g}"
        mark = "  <- recommended" if name == "exact" else ""
        click.echo(
            f"  {name:<10} sigma {noise.sigma:<16.10g} residual {noise.residual:<12.6g} "
            f"{truth}{mark}"
        )
    click.echo("assumptions")
    for name, value in document["assumptions"].items():  # type: ignore[attr-defined]
        if value is not None:
            click.echo(f"  {name:<18} {value}")
