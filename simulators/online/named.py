"""The algorithms by name, as settings of `learners.run`."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.online.noise import active_noise, newton_noise, passive_noise
from simulators.online.private import one_pass_noise, tree_noise
from simulators.online.requests import Descent, Newton, Passive, Restart, Retrain, Unlearner
from simulators.online.steps import Steps
from simulators.online.streams import Stream

ALGORITHMS = ("passive", "active", "newton", "restart", "retrain", "dp", "tree")


@typed
def algorithm(
    name: str,
    stream: Stream,
    requests: DeletionSchedule | None,
    steps: Steps,
    *,
    sigma: ArrayLike | None = None,
    rho: float | None = None,
    second: int = 5,
    first: int = 0,
    printed: bool = False,
) -> dict[str, Any]:
    """Keyword arguments for `learners.run`: unlearner and noise.

    passive: noise at requests (olu Algorithm 1).  active: I_1 = `first` and I_2 = `second` steps
    of descent, then noise (Algorithm 2).  newton: `first` steps, a Newton step, then noise
    (Algorithm 3).  restart, retrain: exact, no noise needed.  dp: noise on every gradient, one
    pass.  tree: noise on the nodes of a binary tree of gradient sums; the steps then multiply
    whole sums.
    sigma: the noise, one number or one for each request (dp, tree: on gradients, on nodes).
    rho: the noise for D_alpha <= alpha rho instead; with neither there is none.
    printed: as the paper has it: the projection before the noise, rate 1/(beta + mu) in
    Algorithm 2, the minus sign and no projection in Algorithm 3 (the noise stays the one asked).
    """
    kind = validation.choice("algorithm", name, ALGORITHMS)
    if sigma is not None and rho is not None:
        raise ValueError(f"sigma and rho must not both be given, got {sigma!r} and {rho!r}")
    unlearners: dict[str, Unlearner] = {
        "active": Descent.printed(stream, first, second)
        if printed and kind == "active"
        else Descent(second, first),
        "newton": Newton("printed", first, False) if printed else Newton("retained", first),
        "restart": Restart(),
        "retrain": Retrain(),
    }
    chosen: dict[str, Any] = {"steps": steps, "unlearner": unlearners.get(kind, Passive())}
    if printed:
        chosen["projection"] = "before"
    if kind in ("dp", "tree"):
        # At least the removal of one loss is hidden, whether or not one is asked for.
        k = max(1, len(requests)) if requests is not None else 1
        s = 0.0 if sigma is None else validation.scalar("sigma", sigma, low=0.0, high_open=True)
        if rho is not None:
            L = stream.constants.lipschitz
            s = one_pass_noise(L, k, rho) if kind == "dp" else tree_noise(L, k, rho, stream.rounds)
        chosen["step_noise"] = s
        if kind == "tree":
            chosen["sums"] = "mean" if stream.constants.strong_convexity > 0 else "lazy"
        return chosen
    if sigma is not None:
        chosen["sigmas"] = sigma
    if rho is None or requests is None or kind in ("restart", "retrain"):
        return chosen
    if kind == "active":
        descent = chosen["unlearner"]
        chosen["sigmas"] = active_noise(
            stream, requests, steps, rho, second=second, first=first, rate=descent.rate
        )
    elif kind == "newton":
        chosen["sigmas"] = newton_noise(stream, requests, rho, first=first)
    else:
        chosen["sigmas"] = passive_noise(stream, requests, steps, rho)
    return chosen
