"""`forgetproof noise`: the least noise that gives a target guarantee."""

from __future__ import annotations

import math
from typing import Any

import click

from forgetproof.assumptions import NONE_SUFFICES, show_assumptions
from forgetproof.commands._noise_hf import noise_hf
from forgetproof.commands._noise_newton import newton_removal
from forgetproof.commands._olu import allocation_options, olu_options, problem
from forgetproof.commands._safe import noise_safe
from forgetproof.commands._sglu import rests_on, scenario, sglu_options
from forgetproof.options import NUMBER, Algorithms, emit_json, json_option, refuse_unused

EXAMPLE = (
    "\b\nExample: forgetproof noise sglu --epsilon 1 --delta 1/11264 --n 11264 --batch-size 128 "
    "--smoothness 0.261264 --strong-convexity 0.011264"
)

EXAMPLE_OLU = (
    "\b\nExample: forgetproof noise olu --epsilon 0.1 --schedule deletions.csv "
    "--strong-convexity 1 --smoothness 3 --lipschitz 1 --diameter 2"
)


@click.group("noise", cls=Algorithms, epilog=EXAMPLE)
def command() -> None:
    """Least noise for a target epsilon, by each accountant."""


command.add_command(noise_hf)
command.add_command(newton_removal)
command.add_command(noise_safe)


@command.command("sglu", epilog=EXAMPLE)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option("--delta", type=NUMBER, required=True, help="Target delta.")
@sglu_options
@click.option("--sigma", type=NUMBER, help="Ask instead for the least epochs at this noise.")
@json_option
def sglu(epsilon: float, delta: float, sigma: float | None, as_json: bool, **options: Any) -> None:
    """Stochastic gradient Langevin unlearning: sigma of sqrt(2 eta) sigma N(0, I) a step."""
    from accounting import validation

    epsilon = validation.scalar("epsilon", epsilon, low=0, high_open=True)
    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    chosen = scenario(**options)
    document: dict[str, Any] = {
        "algorithm": "sglu",
        "target": {"epsilon": epsilon, "delta": delta},
        "recommended": "exact",
        "assumptions": rests_on(chosen, planned=sigma is None),
    }
    if sigma is not None:
        refuse_unused(["unlearn_epochs"], "with sigma, which asks for the epochs")
        _epochs(chosen, epsilon, delta, sigma, document, as_json)
        return
    from bounds.sglu.accountants import noise

    found = noise(chosen, epsilon, delta)
    document["accountants"] = {name: {"sigma": value} for name, value in found.items()}
    factors = ladder(chosen, epsilon, delta, found)
    if factors:
        document["factors"] = {name: factor for name, factor, _ in factors}
    if as_json:
        emit_json(document)
        return
    click.echo(f"least sigma for ({epsilon:g}, {delta:g})-unlearning, target {chosen.target}")
    for name, value in found.items():
        mark = "  <- recommended" if name == "exact" else ""
        if value == math.inf:
            mark = f"   {NONE_SUFFICES}"
        click.echo(f"  {name:<10} {value:.10g}{_saving(found['printed'], value)}{mark}")
    if factors:
        click.echo("where the printed noise is lost")
        for name, factor, repairs in factors:
            click.echo(f"  {name:<11} {factor:6.2f}   {repairs}")
    show_assumptions(document["assumptions"])


@command.command("olu", epilog=EXAMPLE_OLU)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option(
    "--delta", type=NUMBER,
    help="Target delta; without it epsilon is the Rényi budget, D_alpha <= alpha epsilon.",
)  # fmt: skip
@olu_options
@allocation_options
@json_option
def olu(epsilon: float, delta: float | None, as_json: bool, **options: Any) -> None:
    """Online unlearning: sigma_i of the noise added to the iterate at every deletion."""
    from accounting import validation
    from forgetproof.commands._olu_report import show_noise

    # A Rényi budget of 0 is met by equal laws alone, (0, delta) by finite noise.
    epsilon = validation.scalar("epsilon", epsilon, low=0, low_open=delta is None, high=1e300)
    if delta is not None:
        delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    found = problem(**options)
    if found.accountants == ("exact",):
        refuse_unused(["omega"], "with accountant exact, which allocates best")
    if not found.steps_use_rounds and not found.scenario.descent.strong_convexity > 0:
        refuse_unused(["rounds"], "without strong_convexity > 0 or steps that use T")
    show_noise(found, epsilon, delta, as_json)


def _saving(printed: float, value: float) -> str:
    """How many times less than printed, where both are positive and finite."""
    if not (0 < value < math.inf and 0 < printed < math.inf):
        return ""
    return f"   {printed / value:7.2f} times less than printed"


def ladder(
    chosen: Any, epsilon: float, delta: float, found: dict[str, float]
) -> list[tuple[str, float, str]]:
    """(name, factor saved, what it repairs), where the rungs lead from `printed` to `exact`.

    They do for one request compared with the stationary law, worst batch, projection inactive.
    """
    from bounds.sglu.ladder import RUNGS

    s = chosen.setting
    if not 0 < s.contraction < 1:
        return []
    import numpy as np

    inputs = {
        "eta": s.step, "m": s.strong_convexity, "M": s.lipschitz, "b": s.batch_size,
        "J": s.batches, "K": chosen.unlearn_epochs,
    }  # fmt: skip
    arrays = {k: np.asarray(v, dtype=float) for k, v in inputs.items()}
    with np.errstate(all="ignore"):
        sigmas = [float(r.sigma(np.asarray(epsilon), np.asarray(delta), **arrays)) for r in RUNGS]
    ends = ((sigmas[0], found["printed"]), (sigmas[-1], found["exact"]))
    if not all(0 < here < math.inf for here in sigmas):
        return []
    if not all(math.isclose(*pair, rel_tol=1e-9) for pair in ends):
        return []
    return [
        (rung.name, before / after, rung.repairs)
        for rung, before, after in zip(RUNGS[1:], sigmas, sigmas[1:], strict=False)
    ]


def _epochs(
    chosen: Any, epsilon: float, delta: float, sigma: float, document: dict[str, Any], as_json: bool
) -> None:
    """Least epochs of each request at a given noise."""
    from accounting import validation
    from bounds.sglu.accountants import epochs

    sigma = validation.scalar("sigma", sigma, low=0, low_open=True, high_open=True)
    found = epochs(chosen, sigma, epsilon, delta)
    document["accountants"] = {
        name: {"sigma": sigma, "epochs": values, "total_epochs": values and sum(values)}
        for name, values in found.items()
    }
    if as_json:
        emit_json(document)
        return
    click.echo(f"least epochs for ({epsilon:g}, {delta:g})-unlearning at sigma = {sigma:g}")
    for name, values in found.items():
        if values is None:
            click.echo(f"  {name:<10} no number of epochs is enough by this bound")
            continue
        first = ", ".join(map(str, values[:6])) + (", ..." if len(values) > 6 else "")
        click.echo(f"  {name:<10} {sum(values):>6} in all for {len(values)} requests: {first}")
    show_assumptions(document["assumptions"])
