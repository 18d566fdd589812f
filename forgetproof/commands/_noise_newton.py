"""`forgetproof noise newton-removal`: sigma of the objective perturbation of certified removal."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from forgetproof.assumptions import NONE_SUFFICES, assumptions, show_assumptions
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option

if TYPE_CHECKING:
    from bounds.guo.newton_certificate import Removal
    from bounds.guo.newton_noise import Noise

EXAMPLE = (
    "\b\nExample: forgetproof noise newton-removal --epsilon 1 --delta 1e-5 --n 57000 "
    "--removals 10 --regularisation 0.05 --dimension 785"
)
CONDITION = (
    "the residual is at most this for every b, and neither its length nor its direction tells "
    "anything of b"
)
_NEEDED = ("n", "regularisation", "dimension")


@click.command("newton-removal", epilog=EXAMPLE)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option("--delta", type=NUMBER, required=True, help="Target delta.")
@click.option(
    "--residual", type=NUMBER,
    help="A bound on the residual in place of n etc.; it must hold for every b, and the answer is "
    "conditional.",
)  # fmt: skip
@click.option("--n", type=WHOLE, help="Samples learned from.")
@click.option("--removals", type=WHOLE, help="Samples removed by one step, at most. [default: 1]")
@click.option("--regularisation", type=NUMBER, help="lambda of (lambda n/2)|w|^2.")
@click.option("--lipschitz", type=NUMBER, help="C, a bound on |l'|. [default: 1]")
@click.option(
    "--smoothness", type=NUMBER,
    help="gam, the Lipschitz constant of l''. [default: 1/(6*sqrt(3)), the logistic loss]",
)  # fmt: skip
@click.option("--dimension", type=WHOLE, help="Number of parameters, of which b moves every one.")
@json_option
def newton_removal(epsilon: float, delta: float, as_json: bool, **options: Any) -> None:
    """Certified removal (Guo et al. 2020): sigma of b ~ N(0, sigma^2 I) in the objective."""
    from bounds.guo import newton_noise
    from bounds.guo.newton_certificate import Removal

    given = {name: value for name, value in options.items() if value is not None}
    removal = None
    if "residual" in given:
        if other := sorted(given.keys() - {"residual"}):
            raise ValueError(f"residual must stand alone, got {other[0]} = {given[other[0]]} too")
        found = newton_noise.noise_of_residual(epsilon, delta, given["residual"])
    else:
        for name in _NEEDED:
            if name not in given:
                raise ValueError(f"{name} must be given where residual is not, got none")
        removal = Removal(**{"removals": 1, **given})
        found = newton_noise.noise_of_removal(epsilon, delta, removal)
    recommended = "certified" if removal and found["certified"].valid else None
    document = {
        "algorithm": "newton-removal",
        "target": {"epsilon": epsilon, "delta": delta},
        "accountants": {
            name: {**asdict(noise), **_use(noise, removal)} for name, noise in found.items()
        },
        "recommended": recommended,
        "conditional_on": None if removal else CONDITION,
        "assumptions": _assumptions(removal),
    }
    if as_json:
        emit_json(document)
        return
    click.echo(f"noise of the objective for ({epsilon:g}, {delta:g})-certified removal")
    for name, noise in found.items():
        mark = "  <- recommended" if name == recommended else ""
        click.echo(f"  {name:<10} sigma {noise.sigma:<16.10g} {_verdict(noise, removal)}{mark}")
        if removal and noise.sigma < math.inf:
            click.echo(f"  {'':<10} {_use_in_words(noise, removal)}")
    if removal is None:
        click.echo(f"conditional on: {CONDITION}")
        click.echo("of practical use only where sigma sqrt(d) is well below n C")
    elif recommended is None:
        click.echo("no finite sigma is certified: fewer removals, more samples, or a larger lambda")
    show_assumptions(_assumptions(removal))


def _use(noise: Noise, removal: Removal | None) -> dict[str, Any]:
    """How far b moves the model, beside the radius of all models; None where neither is known."""
    if removal is None:
        return {"model_shift": None, "practical": None}
    shift = noise.sigma * math.sqrt(removal.dimension) / (removal.regularisation * removal.n)
    return {"model_shift": shift, "practical": shift < _radius(removal)}


def _use_in_words(noise: Noise, removal: Removal) -> str:
    use, radius = _use(noise, removal), _radius(removal)
    moved = f"b moves the model by about {use['model_shift']:.4g}"
    if use["practical"]:
        return f"{moved}; the radius of the models is {radius:.4g}"
    return f"{moved}, beyond the radius {radius:.4g} of the models: of NO practical use"


def _radius(removal: Removal) -> float:
    """C/lambda, which bounds the minimiser without b."""
    return removal.lipschitz / removal.regularisation


def _verdict(noise: Noise, removal: Removal | None) -> str:
    if noise.valid is False:
        return f"NOT valid: a residual of {noise.residual:.6g} has epsilon {_epsilon(noise)}"
    if removal is None:
        return f"epsilon {_epsilon(noise)}, conditional"
    if noise.valid:
        return f"certifies epsilon = {_epsilon(noise)}"
    if noise.sigma == math.inf:
        return NONE_SUFFICES
    return f"not certified: epsilon = {_epsilon(noise)} is all that is known"


def _epsilon(noise: Noise) -> str:
    return f"{noise.certified_epsilon:.6g}"


def _assumptions(removal: Removal | None) -> dict[str, Any]:
    setting: dict[str, Any] = {"residual_bound": "given", "b_in_the_residual": CONDITION}
    if removal is not None:
        setting = {
            "residual_bound": "worst case, convex losses, features of norm at most 1",
            "b_in_the_residual": "counted by certified, neglected by printed and corrected",
            "radius": _radius(removal),
            **asdict(removal),
        }
    return assumptions(
        "delete",
        from_data=() if removal else ("residual",),
        reference="minimiser over the retained samples, with noise of its own",
        released="model after one Newton step",
        secret_state="b",
        noise_on="objective, <b, w> beside the sum of the losses",
        **setting,
    )
