"""olu's remarks on learners without deletions: follow the leader, and footnote 1."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]
EXACT = Claim(
    id="olu.ftl",
    label="Section 5, follow the leader: unlearning",
    kind="claim",
    statement="Without a constraint on computation FTL-type algorithms achieve exact unlearning.",
    readings=(
        Reading(
            "literal", "the leader of what is kept, after each request", ("printed",),
            proofs={"printed": "The leader depends on the set of losses alone. So after a request "
                    "it is the leader of a run that never saw what was deleted, and so are all "
                    "later ones."},
        ),
    ),
    formula=False,
    quantity="leader",
)  # fmt: skip
REGRET = Claim(
    id="olu.ftl.regret",
    label="Section 5, follow the leader: regret",
    kind="claim",
    statement="FTL-type algorithms with deletions have the same regret as in the standard online "
    "learning setting.",
    readings=(
        Reading(
            "literal", "mu-strongly convex, L-Lipschitz losses; k deletions add terms in k",
            ("printed",),
            proofs={"printed": "Without deletions the regret is the sum of what F_t, all losses up "
                    "to t, loses when its leader moves by x: Lx - mu t x^2/2 at most, and so "
                    "L^2/(2 mu t). After i deletions the leader is within iL/(mu (t - 1 - i)) of "
                    "the one without, and the comparator within iL/(mu (T - i)) of z_0*; a loss "
                    "changes by L times that."},
        ),
        Reading("convex", "convex losses, FTL itself, against Theorem 3's 3DL sqrt T",
                ("printed",)),
    ),
    formula=False,
    quantity="regret",
    correction="For strongly convex losses, up to terms in k; for convex ones FTL has regret of "
    "order T, with and without deletions, and only regularised leaders have sqrt T.",
)  # fmt: skip
FOOTNOTE = Claim(
    id="olu.footnote1",
    label="Footnote 1, individual quadratic growth",
    kind="claim",
    statement="Individual QG with Assumption 2 yields O(log T) regret in standard online learning "
    "at eta_t = O(1/t).",
    readings=(
        Reading(
            "literal", "convex losses with a common minimiser and growth kappa each; "
            "eta_t = 2/(kappa t)", ("printed",),
            proofs={"printed": "With d_t the distance to the minimiser, f_t(z_t) - f_t* is at most "
                    "twice the slope along it less kappa d_t^2/2, and so at most (d_t^2 - "
                    "d_{t+1}^2)/eta_t + eta_t L^2 - kappa d_t^2/2. The squares cancel in the sum, "
                    "and sum 2L^2/(kappa t) is left."},
        ),
    ),
    formula=False,
    quantity="regret",
)  # fmt: skip
SLOWER = Claim(
    id="olu.footnote1.slower",
    label="Footnote 1, slower decay for unlearning",
    kind="claim",
    statement="Unlearning requires a slower decay, so that individual QG no longer suffices for "
    "logarithmic regret.",
    readings=(
        Reading(
            "literal", "eta_t = 2/(kappa t), the least noise that Algorithm 1 may use for convex "
            "losses (no contraction) when round 1 is deleted at T/2: it costs more than "
            "(2L^2/kappa)(1 + log T)", ("printed",),
            proofs={"printed": "On f_t = kappa z^2/2 noise xi at tau leaves "
                    "xi (tau-1)(tau-2)/((t-1)(t-2)) at t. Its losses add up to about "
                    "kappa sigma^2 tau/6 in the mean, with sigma of the order of eta_1 L."},
        ),
    ),
    formula=False,
    quantity="expected loss to the noise",
)  # fmt: skip
CLAIMS = (EXACT, REGRET, FOOTNOTE, SLOWER)


def leaders(data: Array, gone: Array) -> Array:
    """The minimiser of sum (z - x)^2/2 over what round t has seen and keeps; 0 at first.

    gone: round in which each loss is deleted, infinity where it is not.
    """
    T = len(data)
    kept = (np.arange(T) < np.arange(T)[:, None]) & (gone > np.arange(T)[:, None])
    return np.asarray((kept @ data) / np.maximum(kept.sum(axis=1), 1))


def regret(data: Array, gone: Array) -> float:
    """Equation 5: against the minimiser of all losses but those deleted before the round."""
    played, T = leaders(data, gone), len(data)
    left = gone > np.arange(T)[:, None]
    stars = (left @ data) / left.sum(axis=1)
    return float(np.sum((played - data) ** 2 - (stars - data) ** 2) / 2)


def regret_bound(T: int, gone: Array) -> float:
    """L = mu = 1: the standard bound and what the deletions add."""
    t = np.arange(1, T + 1)
    i = (gone[:, None] < t).sum(axis=0)  # deletions before round t
    moved = np.where(t - 1 > i, i / np.maximum(t - 1 - i, 1), 1.0)
    apart = np.minimum(np.where(i > 0, moved, 0.0), 1.0) + i / (T - i)
    return float(np.sum(1 / (2 * t)) + apart.sum())


def check_exact(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(10, 100)):
        T = int(rng.integers(5, 60))
        data, gone = rng.random(T), np.full(T, np.inf)
        u = int(rng.integers(0, T - 2))
        gone[u] = tau = int(rng.integers(u + 1, T))
        never = leaders(np.delete(data, u), np.full(T - 1, np.inf))
        yield ctx.compare(
            "literal", "printed", leaders(data, gone)[tau:], {"T": T, "u": u, "tau": tau},
            "squares on a line, from the deletion on", bound=never[tau - 1 :], relation="==",
            tight=never[tau - 1 :],
        )  # fmt: skip


def check_regret(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for i in range(ctx.pick(30, 300)):
        T = 2 if i == 0 else int(rng.integers(2, 200))
        data, gone = rng.integers(0, 2, T).astype(float), np.full(T, np.inf)
        data[0] = 1.0
        if i == 0:
            data[1] = 0.0  # the bound is attained
        k = int(rng.integers(0, 4)) if T > 10 else 0
        for u in rng.choice(T // 2, size=k, replace=False) if k else ():
            gone[u] = int(rng.integers(u + 1, T))
        limit = regret_bound(T, gone)
        yield ctx.compare(
            "literal", "printed", regret(data, gone), {"T": T, "k": k}, "squares on [0, 1]",
            bound=limit, tight=limit,
        )  # fmt: skip
    T = 2000
    signs = np.where(np.arange(T) == 0, 0.5, (-1.0) ** np.arange(T))
    before = np.concatenate(([-1.0], np.cumsum(signs)[:-1]))
    cost = float(signs @ (before < 0)) - min(0.0, float(signs.sum()))
    yield ctx.compare(
        "convex", "printed", cost, {"T": T}, "alternating linear losses on [0, 1]",
        bound=3 * math.sqrt(T), tight=np.nan, script="ftl_regret_convex",
    )  # fmt: skip


def descent(curves: Array, kappa: float, start: float) -> float:
    """Regret of projected descent on [-1, 1] with f_t = c_t z^2/2, eta_t = 2/(kappa t)."""
    z, total = start, 0.0
    for t, c in enumerate(curves, 1):
        total += c * z * z / 2
        z = min(1.0, max(-1.0, z - 2 / (kappa * t) * c * z))
    return total


def check_footnote(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for i in range(ctx.pick(30, 300)):
        T, kappa = (2, 1.0) if i == 0 else (int(rng.integers(1, 100)), float(rng.uniform(0.1, 1)))
        curves = np.full(T, kappa) if i % 2 == 0 else rng.uniform(kappa, 1, T)
        L = float(curves.max())
        limit = 2 * L**2 / kappa * float(np.sum(1 / np.arange(1, T + 1)))
        yield ctx.compare(
            "literal", "printed", descent(curves, kappa, 1.0), {"T": T, "kappa": kappa, "L": L},
            "parabolas on [-1, 1]", bound=limit, tight=limit,
        )  # fmt: skip


def lost(tau: int, T: int, kappa: float, sigma: float) -> float:
    """Expected losses to noise at tau on f_t = kappa z^2/2, descent with eta_t = 2/(kappa t)."""
    t = np.arange(tau, T + 1)
    factors = np.concatenate(([1.0], np.cumprod(1 - 2 / t[:-1])))
    return float(kappa * sigma**2 / 2 * np.sum(factors**2))


def check_slower(ctx: Context) -> Iterator[Evidence]:
    kappa, epsilon = 1.0, 800.0  # sigma = .05: at the walls +-1 only with probability e^-200
    sigma = 2 / kappa / math.sqrt(2 * epsilon)
    for T in (10**6, 10**7):
        at = {"T": T, "tau": T // 2, "u": 1, "kappa": kappa, "L": 1.0, "epsilon": epsilon}
        yield ctx.compare(
            "literal", "printed", lost(T // 2, T, kappa, sigma), at, "parabolas, exact",
            bound=2 / kappa * (1 + math.log(T)), relation=">=", tight=np.nan,
        )  # fmt: skip


CHECKERS = {
    EXACT.id: check_exact, REGRET.id: check_regret, FOOTNOTE.id: check_footnote,
    SLOWER.id: check_slower,
}  # fmt: skip
