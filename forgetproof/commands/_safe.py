"""`forgetproof noise safe` and `forgetproof privacy safe`: noise for a stream of deletions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from forgetproof.assumptions import NONE_SUFFICES, assumptions, show_assumptions
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option, refuse_unused

if TYPE_CHECKING:
    from bounds.safe.noise import Stream

_CONSTANTS = (
    "--n 60000 --rounds 20 --size 400 --lipschitz 1 --strong-convexity 0.01 --smoothness 0.51 "
    "--steps 200"
)
EXAMPLE = f"\b\nExample: forgetproof noise safe --epsilon 1 --delta 1e-5 {_CONSTANTS}"
EXAMPLE_PRIVACY = f"\b\nExample: forgetproof privacy safe --sigma 2.2 --delta 1e-5 {_CONSTANTS}"
NOTES = {
    "printed": "SAFE, phi_t of Theorem 2 as a variance",
    "corrected": "SAFE, classical formula at its distance from retraining",
    "exact": "SAFE, least noise at that distance",
    "tracking": "J gradient steps from the last model, least noise",
}
_OPTIONS = (
    click.option("--n", type=WHOLE, required=True, help="Rows before the first round, n_0."),
    click.option("--rounds", type=WHOLE, default=20, show_default=True, help="T."),
    click.option("--size", type=WHOLE, default=1, show_default=True, help="Rows of each round."),
    click.option("--sizes", help="Rows of every round, [m_1, m_2, ...], in place of the two."),
    click.option(
        "--lipschitz", type=NUMBER, required=True, help="L_h of the losses without the ridge."
    ),
    click.option("--strong-convexity", type=NUMBER, required=True, help="mu, of the ridge."),
    click.option("--smoothness", type=NUMBER, required=True, help="L, with the ridge."),
    click.option("--radius", type=NUMBER, help="W, bounds all minimisers; L_h/mu if not given."),
    click.option("--constant", type=NUMBER, default=1.0, show_default=True, help="K of SAFE."),
    click.option("--gamma", type=NUMBER, help="Length of SAFE's step; sqrt(W)/(K sqrt T)."),
    click.option("--steps", type=WHOLE, default=100, show_default=True, help="J of tracking."),
    click.option(
        "--initial", type=NUMBER, default=0.0, show_default=True,
        help="Bound on the distance of the first model from the first minimiser.",
    ),
    click.option(
        "--releases", type=WHOLE, default=1, show_default=True,
        help="How many of the published models one observer sees.",
    ),
)  # fmt: skip


def stream_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that describe the stream."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def stream(**options: Any) -> Stream:
    """The stream of these options. Raises ValueError for anything out of range."""
    from accounting import validation
    from bounds.safe.noise import Stream
    from forgetproof.expressions import parse

    if options["sizes"] is None:
        rounds = validation.count("rounds", options["rounds"], low=1, high=10**6)
        sizes: Any = [validation.count("size", options["size"], low=0)] * rounds
    else:
        refuse_unused(["rounds", "size"], "with sizes, which lists every round")
        try:
            sizes = parse(options["sizes"], longest=10**7)
        except ValueError as error:
            raise ValueError(f"sizes must be a list of whole numbers, got: {error}") from error
    if options["gamma"] is not None:
        refuse_unused(["constant"], "with gamma, the step length itself")
    return Stream(
        options["n"], sizes, options["lipschitz"], options["strong_convexity"],
        options["smoothness"], options["constant"], options["gamma"], options["steps"],
        options["initial"], options["radius"],
    )  # fmt: skip


def rests_on(chosen: Stream, releases: int) -> dict[str, Any]:
    """What the numbers rest on."""
    return assumptions(
        "delete",
        reference="retraining on what is kept, then the same noise",
        released=f"{releases} of {chosen.rounds} published models",
        secret_state="w_0 and what has left (SAFE), the noiseless model (tracking)",
        public="sizes of the rounds",
        noise_on="every coordinate of the published model",
        n=chosen.n,
        rounds=chosen.rounds,
        deleted=int(chosen.sizes.sum()),
        lipschitz=chosen.lipschitz,
        strong_convexity=chosen.strong_convexity,
        smoothness=chosen.smoothness,
        radius=chosen.radius,
        initial=chosen.initial,
        step_length=chosen.gamma,
        steps=chosen.steps,
        contraction=chosen.contraction,
        path_length=float(chosen.path.sum()),
    )


@click.command("safe", epilog=EXAMPLE)
@click.option("--epsilon", type=NUMBER, required=True, help="Target epsilon.")
@click.option("--delta", type=NUMBER, required=True, help="Target delta.")
@stream_options
@json_option
def noise_safe(epsilon: float, delta: float, releases: int, as_json: bool, **options: Any) -> None:
    """Streaming deletions: noise on every published model, by SAFE and by tracking."""
    from accounting import validation
    from bounds.safe.noise import ACCOUNTANTS, certified, noise

    epsilon = validation.scalar("epsilon", epsilon, low=0, high=1e300)
    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    chosen = stream(**options)
    found: dict[str, dict[str, Any]] = {}
    for name in ACCOUNTANTS:
        sigma = noise(name, chosen, epsilon, delta, releases)
        true = certified(name, chosen, sigma, delta, releases)
        largest = float(true.max())
        found[name] = {
            "sigma": float(sigma.max()),
            "sigmas": sigma.tolist(),
            "certified_epsilon": largest,
            "valid": largest <= epsilon * (1 + 1e-9),
        }
    recommended = min(("exact", "tracking"), key=lambda name: found[name]["sigma"])
    about = rests_on(chosen, releases)
    if as_json:
        emit_json(
            {
                "algorithm": "safe",
                "target": {"epsilon": epsilon, "delta": delta},
                "accountants": found,
                "recommended": recommended,
                "assumptions": about,
            }
        )
        return
    click.echo(
        f"sigma for ({epsilon:g}, {delta:g})-unlearning in each round: first, last, largest"
    )
    for name, entry in found.items():
        first, last = entry["sigmas"][0], entry["sigmas"][-1]
        mark = "" if entry["valid"] else f"; FALSE: its epsilon is {entry['certified_epsilon']:.4g}"
        if entry["sigma"] == math.inf:
            mark = f"; {NONE_SUFFICES}"
        arrow = "  <- recommended" if name == recommended else ""
        click.echo(f"  {name:<10}{first:<13.6g}{last:<13.6g}{entry['sigma']:<16.10g}"
                   f"{NOTES[name]}{mark}{arrow}")  # fmt: skip
    show_assumptions(about)


@click.command("safe", epilog=EXAMPLE_PRIVACY)
@click.option("--sigma", required=True, help="Noise of every round: a number, or [s1, s2, ...].")
@click.option("--delta", type=NUMBER, required=True, help="Delta of the guarantee.")
@stream_options
@json_option
def privacy_safe(sigma: str, delta: float, releases: int, as_json: bool, **options: Any) -> None:
    """Streaming deletions with noise on every published model."""
    import numpy as np

    from accounting import validation
    from bounds.safe.noise import certified
    from forgetproof.expressions import parse

    delta = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    if options["gamma"] is not None:
        refuse_unused(["radius"], "with gamma and a given sigma")
    chosen = stream(**options)
    try:
        given = parse(sigma, longest=10**7)
    except ValueError as error:
        raise ValueError(f"sigma must be a number or a list of numbers, got: {error}") from error
    scales = validation.real("sigma", given, low=0, high_open=True)
    if scales.shape not in ((), (chosen.rounds,)):
        raise ValueError(f"sigma must be one number or {chosen.rounds}, got {scales.size}")
    scales = np.broadcast_to(scales, (chosen.rounds,))
    found = {}
    for name in ("exact", "tracking"):
        each = certified(name, chosen, scales, delta, releases)
        found[name] = {"epsilon": float(each.max()), "epsilons": each.tolist()}
    recommended = min(found, key=lambda name: found[name]["epsilon"])
    about = rests_on(chosen, releases)
    if as_json:
        emit_json(
            {
                "algorithm": "safe",
                "sigma": scales.tolist(),
                "delta": delta,
                "accountants": found,
                "recommended": recommended,
                "assumptions": about,
            }
        )
        return
    click.echo(f"epsilon at delta = {delta:g} in every round: first, last, largest")
    for name, entry in found.items():
        first, last = entry["epsilons"][0], entry["epsilons"][-1]
        arrow = "  <- recommended" if name == recommended else ""
        click.echo(
            f"  {name:<10}{first:<13.6g}{last:<13.6g}{entry['epsilon']:<16.10g}{NOTES[name]}{arrow}"
        )
    show_assumptions(about)
