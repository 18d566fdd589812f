"""Options of stochastic gradient Langevin unlearning, shared by `noise`, `privacy`, `simulate`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

from forgetproof.assumptions import assumptions
from forgetproof.expressions import number
from forgetproof.options import NUMBER, WHOLE, refuse_unused

_OPTIONS = (
    click.option("--n", type=WHOLE, required=True, help="Number of data points."),
    click.option("--batch-size", type=WHOLE, help="Batch size b, a divisor of n (default n)."),
    click.option("--smoothness", type=NUMBER, required=True, help="L of every loss."),
    click.option("--strong-convexity", type=NUMBER, required=True, help="m of every loss."),
    click.option(
        "--lipschitz", type=NUMBER, default=1.0, show_default=True,
        help="M: two points' gradients differ by at most 2M (Remark 3.7).",
    ),
    click.option("--step-size", default="1/L", show_default=True, help="eta; may use L, m and n."),
    click.option("--radius", type=NUMBER, default=float("inf"), show_default=True, help="R."),
    click.option("--learn-epochs", type=WHOLE, help="T (needed for the targets T and T+K)."),
    click.option("--unlearn-epochs", type=WHOLE, default=1, show_default=True, help="K."),
    click.option(
        "--target", type=click.Choice(["stationary", "T", "T+K"]), default="stationary",
        show_default=True, help="Law that the unlearned model is compared with.",
    ),
    click.option(
        "--batch-order", type=click.Choice(["fixed", "random"]), default="fixed",
        show_default=True, help="random: the partition is drawn uniformly and kept secret.",
    ),
    click.option("--requests", type=WHOLE, default=1, show_default=True, help="S, in sequence."),
    click.option(
        "--hypothesis", type=click.Choice(["gradient_difference", "lipschitz"]),
        default="gradient_difference", show_default=True,
        help="What M bounds: differences of gradients, or gradients on the ball (needs M >= m R).",
    ),
)  # fmt: skip


def sglu_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds every option that describes the training set-up."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def scenario(
    n: int, batch_size: int | None, smoothness: float, strong_convexity: float, lipschitz: float,
    step_size: str, radius: float, learn_epochs: int | None, unlearn_epochs: int, target: str,
    batch_order: str, requests: int, hypothesis: str,
) -> Any:  # fmt: skip
    """The options as a `Scenario`. Raises ValueError naming the offending parameter."""
    from accounting.langevin import NoisySGD
    from bounds.sglu.accountants import Scenario

    if target == "stationary":
        refuse_unused(["learn_epochs"], "without target T or T+K")
    try:
        eta = number(step_size, {"L": smoothness, "m": strong_convexity, "n": float(n)})
    except ValueError as error:
        raise ValueError(
            f"step_size must be a number or an expression in L, m, n: {error}"
        ) from error
    setting = NoisySGD(
        n=n,
        batch_size=n if batch_size is None else batch_size,
        smoothness=smoothness,
        strong_convexity=strong_convexity,
        lipschitz=lipschitz,
        step_size=eta,
        radius=radius,
        hypothesis=hypothesis,
    )
    return Scenario(
        setting,
        unlearn_epochs=unlearn_epochs,
        learn_epochs=learn_epochs,
        target=target,
        batch_order=batch_order,
        requests=requests,
    )


def rests_on(chosen: Any, *, planned: bool = True) -> dict[str, Any]:
    """What a privacy number of this scenario rests on; planned: its epochs are given, not asked."""
    s = chosen.setting
    return assumptions(
        "replace",
        reference=chosen.target,
        released="last iterate",
        secret_state="batch order" if chosen.batch_order == "random" else "none",
        batch_order=chosen.batch_order,
        noise_on="mean gradient step, variance 2 eta sigma^2",
        hypothesis=s.hypothesis,
        n=s.n,
        batch_size=s.batch_size,
        step_size=s.step,
        smoothness=s.smoothness,
        strong_convexity=s.strong_convexity,
        lipschitz=s.lipschitz,
        contraction=s.contraction,
        radius=s.radius,
        learn_epochs=math.inf if chosen.target == "stationary" else chosen.learn_epochs,
        unlearn_epochs=chosen.unlearn_epochs if planned else None,
        requests=chosen.requests,
    )
