"""Definition 3.3 of sglu: the projected step is a contraction; random maps must be shared."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.line import LineLaw
from simulators.exact.maps import huber, logistic
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import renyi_difference

CLAIM = Claim(
    id="sglu.def3.3",
    label="Definition 3.3",
    kind="definition",
    statement="A contractive noisy iteration is X_{k+1} = psi_{k+1}(X_k) + W_{k+1} with (random) "
    "c-Lipschitz psi and independent noise.",
    formula=False,
    readings=(
        Reading("literal", "the step of Algorithm 1 before its last projection", ("printed",)),
        Reading(
            "shared",
            "random psi, drawn once for both chains: Lemma 3.4 still applies",
            ("printed",),
        ),
        Reading("own", "random psi, drawn by each chain for itself", ("printed",)),
    ),
    correction="Random maps must be independent of the noise and shared by both chains.",
)


def _mixture(c: float, start: float, s: float, choices: np.ndarray, odds: np.ndarray) -> LineLaw:
    return LineLaw(odds, c * start + choices, np.full(choices.size, s))


def check(ctx: Context) -> Iterator[Evidence]:
    grid = np.linspace(-3, 3, ctx.pick(1001, 10001))
    for name, gradient, m, L in (
        ("logistic", logistic(1.0, 1.0, 0.3), 0.3, 0.55),
        ("Huber", huber(0.2, 1.0, 0.3), 0.3, 1.3),
    ):
        inside = np.clip(grid, -1.5, 1.5)
        moved = inside - gradient(inside) / L
        ratio = np.abs(np.diff(moved) / np.diff(grid))
        yield ctx.compare(
            "literal", "printed", ratio, {"eta": 1 / L, "m": m},
            f"{name} step after projection, slopes at most 1 - eta m", bound=1 - m / L,
            tolerance=1e-9,
        )  # fmt: skip
    c, s, Z, alpha = 0.7, 0.5, 0.6, 2.0
    bound = alpha * (c * Z) ** 2 / (2 * s**2)
    choices = np.array([0.0, 2.0])
    for odds in (np.array([0.5, 0.5]), np.array([0.9, 0.1])):
        p, q = (_mixture(c, x, s, choices, odds) for x in (Z, 0.0))
        yield ctx.compare(
            "shared", "printed", renyi_difference(p, q, alpha), {"odds": odds.tolist(), "Z": Z},
            "x -> c x or c x + 2 at random: mixtures of pairs, one step", bound=bound,
        )  # fmt: skip
    often, seldom = np.array([0.1, 0.9]), np.array([0.9, 0.1])
    p, q = _mixture(c, Z, s, choices, often), _mixture(c, 0.0, s, choices, seldom)
    yield ctx.compare(
        "own", "printed", renyi_difference(p, q, alpha), {"Z": Z, "c": c, "s": s},
        "each chain draws c x or c x + 2 with odds of its own", bound=bound, tight=math.nan,
        script="def3_3",
    )  # fmt: skip
