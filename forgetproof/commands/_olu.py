"""Options of online unlearning, shared by `noise` and `privacy`; and what its numbers rest on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from forgetproof.assumptions import assumptions
from forgetproof.expressions import function
from forgetproof.options import NUMBER, WHOLE

_OPTIONS = (
    click.option(
        "--schedule", "schedule_file", required=True,
        help="CSV with the header index,time, or a JSON list of [index, time] pairs: u_i, tau_i.",
    ),
    click.option("--smoothness", type=NUMBER, required=True, help="beta of every loss."),
    click.option(
        "--lipschitz", type=NUMBER, required=True,
        help="L of every loss on the domain; at least mu D/2.",
    ),
    click.option(
        "--strong-convexity", type=NUMBER, default=0.0, show_default=True, help="mu of every loss."
    ),
    click.option(
        "--step-size",
        help="eta_t: an expression in t, mu, beta, L, D, T; constant: 2/(beta + mu), or "
        "D/(L sqrt(T)) if mu is 0; adaptive: D/sqrt(p(t)), p(t) the sum of squared gradient norms "
        "up to t. Default 1/(mu*t), or D/(L*sqrt(t)) if mu is 0.",
    ),
    click.option("--gradient-norms", help="File with one norm per round, for adaptive steps."),
    click.option(
        "--diameter", type=NUMBER, default=math.inf, show_default=True,
        help="D of the domain; finite where mu > 0, as no such loss is Lipschitz everywhere.",
    ),
    click.option("--rounds", type=WHOLE, help="T: for steps with T, and the regret of noise olu."),
    click.option(
        "--convention", type=click.Choice(["A", "B", "C"]), default="C", show_default=True,
        help="C: w_{t+1} is made from f_t (causal). A: z_t from f_t. B: z_t from f_{t-1}.",
    ),
    click.option(
        "--accountant", type=click.Choice(["printed", "corrected", "exact"]),
        help="Show only this one (the table of deletions is the exact one's otherwise).",
    ),
)  # fmt: skip
_OF_NOISE = (
    click.option("--dimension", type=WHOLE, default=1, show_default=True, help="d, for regret."),
    click.option(
        "--omega", type=NUMBER, default=1.2, show_default=True,
        help="Exponent of the printed and the corrected allocation.",
    ),
)  # fmt: skip


def olu_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds every option that describes the learner and its deletions."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def allocation_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what counts only where the noise is asked for."""
    for option in reversed(_OF_NOISE):
        command = option(command)
    return command


@dataclass(frozen=True)
class Problem:
    """What the options describe: the scenario, the steps in words, T, d, and who is shown."""

    scenario: Any
    steps: str
    rounds: int | None
    dimension: int
    accountants: tuple[str, ...]

    @property
    def steps_use_rounds(self) -> bool:
        """Whether T occurs in the step sizes."""
        return re.search(r"\bT\b", self.steps) is not None

    @property
    def shown(self) -> str:
        """The accountant whose noise the table of deletions shows."""
        return self.accountants[-1]


def problem(
    schedule_file: str, smoothness: float, lipschitz: float, strong_convexity: float,
    step_size: str | None, gradient_norms: str | None, diameter: float, rounds: int | None,
    convention: str, accountant: str | None, dimension: int = 1, omega: float = 1.2,
) -> Problem:  # fmt: skip
    """The options as a `Problem`. Raises ValueError naming the offending parameter."""
    from accounting import validation
    from accounting.deletions import DeletionSchedule
    from accounting.online_descent import LONGEST, OnlineDescent
    from bounds.olu.accountants import ACCOUNTANTS, Scenario
    from forgetproof.commands._schedule import read_schedule

    indices, times = read_schedule(schedule_file)
    schedule = DeletionSchedule(indices, times, convention)
    dimension = validation.count("dimension", dimension, low=1)
    if rounds is not None:
        rounds = validation.count("rounds", rounds, low=int(times.max()), high=LONGEST)
    known = OnlineDescent(strong_convexity, smoothness, lipschitz, 1.0, diameter)
    _insist_on_losses(known)
    steps, said = _steps(step_size, gradient_norms, known, rounds)
    descent = OnlineDescent(strong_convexity, smoothness, lipschitz, steps, diameter)
    names = ACCOUNTANTS if accountant is None else (accountant,)
    return Problem(Scenario(descent, schedule, omega), said, rounds, dimension, names)


def _insist_on_losses(known: Any) -> None:
    """ValueError where no loss is Lipschitz: gradients of a mu-strongly convex one are unbounded.

    What a finite diameter asks of lipschitz, `OnlineDescent` insists on.
    """
    mu, L, D = known.strong_convexity, known.lipschitz, known.diameter
    if mu > 0 and math.isinf(D):
        raise ValueError(
            f"diameter must be finite where strong_convexity > 0, got {D}: at most 2 L/mu = "
            f"{2 * (L / mu):.6g} for lipschitz = {L:.6g}"
        )


def _steps(text: str | None, norms: str | None, known: Any, rounds: int | None) -> tuple[Any, str]:
    """The step sizes and how they are described."""
    if (norms is not None) != (text == "adaptive"):
        given = "a file of one norm per round" if text == "adaptive" else "left out"
        raise ValueError(
            f"gradient_norms must be {given} when step_size is {text or 'left out'}, got {norms}"
        )
    mu, D = known.strong_convexity, known.diameter
    if text == "adaptive":
        assert norms is not None
        return _adaptive(norms, known), "D/sqrt(p(t))"
    if text == "constant":
        text = "2/(beta + mu)" if mu > 0 else "D/(L*sqrt(T))"
    elif text is None:
        text = "1/(mu*t)" if mu > 0 else "D/(L*sqrt(t))"
    names = {"mu": mu, "beta": known.smoothness, "L": known.lipschitz}
    if math.isfinite(D):
        names["D"] = D
    if rounds is not None:
        names["T"] = float(rounds)
    try:
        return function(text, "t", names), text
    except ValueError as error:
        raise ValueError(
            "step_size must be adaptive, constant, or an expression in t, mu, beta, L, D (given "
            f"--diameter), T (given --rounds), got: {error}"
        ) from error


def _adaptive(file: str, known: Any) -> Any:
    """D/sqrt(p(t)), one for every norm of the file."""
    import numpy as np

    from accounting import validation
    from forgetproof.commands._schedule import read_numbers

    if math.isinf(known.diameter):
        raise ValueError(f"diameter must be finite for adaptive steps, got {known.diameter}")
    norms = validation.real("gradient_norms", read_numbers(file), low=0.0, high=known.lipschitz)
    if not norms[0] > 0:
        raise ValueError(f"gradient_norms must begin with a number > 0, got {norms[0]}")
    return known.diameter / np.sqrt(np.cumsum(norms**2))


def rests_on(found: Problem, *, calibrated: bool) -> dict[str, Any]:
    """What a privacy number of this problem rests on; calibrated: the noise is asked for."""
    import numpy as np

    scenario = found.scenario
    descent, schedule = scenario.descent, scenario.schedule
    first, last = descent.steps(np.array([1, int(schedule.times.max()) - 1 or 1])).tolist()
    adaptive = found.steps == "D/sqrt(p(t))"
    return assumptions(
        "skip",
        from_data=("gradient_norms",) if adaptive else (),
        reference="the same algorithm without the deleted losses, with the same noise",
        released="every iterate from each deletion on",
        secret_state="none",
        projection="after the noise, required",
        noise_on="iterate at each deletion, sigma_i N(0, I)",
        losses="convex, smooth and Lipschitz on the domain",
        convention=schedule.convention,
        step_size=found.steps,
        step_sizes=f"{first:.10g} at the first round, {last:.10g} at the last before a deletion",
        strong_convexity=descent.strong_convexity,
        smoothness=descent.smoothness,
        lipschitz=descent.lipschitz,
        diameter=descent.diameter,
        dimension=found.dimension if calibrated else None,
        rounds=found.rounds,
        omega=scenario.omega if calibrated and found.accountants != ("exact",) else None,
        gradient_norms="public, the same in both runs" if adaptive else None,
    )
