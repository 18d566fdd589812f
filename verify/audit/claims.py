"""The one claim that an audit is given: (epsilon, delta), mu, or a Renyi curve."""

import math
from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.renyi.curve import RenyiCurve
from verify.audit.curves import ApproximateDP, Claim, GaussianDP
from verify.audit.renyi_claim import RenyiDP

NAMES = ("epsilon", "delta", "mu", "renyi")


def claim_of(epsilon: Any = None, delta: Any = None, mu: Any = None, renyi: Any = None) -> Claim:
    """Return the claim that the arguments state; exactly one kind must be given.

    epsilon >= 0 (with delta in [0, 1], 0 if left out); mu >= 0; or renyi: a number rho for
    D_alpha <= rho alpha at all orders, a pair (alpha, value) for one order (and so, D being
    increasing, for all smaller ones), or a `RenyiCurve`.  Raises ValueError otherwise.
    """
    stated = [n for n, v in (("epsilon", epsilon), ("mu", mu), ("renyi", renyi)) if v is not None]
    given = " and ".join(stated) or "none"
    if delta is not None and epsilon is None:
        raise ValueError(f"delta must come with epsilon, got delta = {delta!r} and {given}")
    if len(stated) != 1:
        raise ValueError(f"exactly one of epsilon, mu and renyi must be claimed, got {given}")
    if epsilon is not None:
        level = validation.scalar("epsilon", epsilon, low=0.0)
        d = validation.scalar("delta", 0.0 if delta is None else delta, low=0.0, high=1.0)
        return ApproximateDP(level, d)
    if mu is not None:
        return GaussianDP(validation.scalar("mu", mu, low=0.0, high=1e150))
    return RenyiDP(_curve(renyi))


def _curve(renyi: Any) -> RenyiCurve:
    if isinstance(renyi, RenyiCurve):
        return renyi
    if isinstance(renyi, tuple | list) and len(renyi) == 2:
        alpha = validation.scalar("renyi order", renyi[0], low=1.0, low_open=True, high_open=True)
        value = validation.scalar("renyi", renyi[1], low=0.0, high_open=True)
        # The search stays a factor 1 + 1e-9 of alpha - 1 inside the range: the order itself.
        end = 1 + (alpha - 1) * (1 + 1e-9) if alpha - 1 < 1e6 else math.inf
        return RenyiCurve.of(lambda orders: np.full(np.shape(orders), value), 1.0, end)
    return RenyiCurve.linear(validation.scalar("renyi", renyi, low=0.0, high_open=True))
