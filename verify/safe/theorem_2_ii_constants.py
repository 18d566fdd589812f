"""Last lines of the proof of Theorem 2(ii) of safe: coefficients too small, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="safe.thm2ii.const",
    label="Theorem 2(ii), last lines of the proof",
    kind="inequality",
    statement="Granting its first inequality, the proof's sum of U nabla_{t+1}.(w_t - w_t*) is at "
    "most U V_T/2 + T U gamma/2 + 9 U W^2/(2 gamma).",
    readings=(
        Reading(
            "literal",
            "unit vectors g_t/|g_t|, w_0 and w_t* in the W-ball, no noise; 0/0 = 0 at t = 0",
            ("printed", "corrected"),
            proofs={"corrected": "the sum telescopes; |nabla_t| <= 2; w_t = w_0 - gamma g_t/|g_t|"},
        ),
    ),
    natural=Natural(
        "T", (4.0, 16.0, 36.0, 100.0, 400.0, 1600.0, 6400.0),
        {"U": 1.0, "W": 1.0, "K": 1.0, "V": 1.0}, log_x=True,
    ),
    quantity="sum of the inner products",
    correction="U V_T + 2 T U gamma + 9 U W^2/(2 gamma), granting a false inequality.",
)  # fmt: skip


def total(units: Any, optima: Any, start: Any, gamma: Any) -> Any:
    """sum_{t<T} nabla_{t+1}.(w_t - w_t*) on a line or, with arrays of vectors, in a space.

    units, optima: T + 1 entries each, of rounds 0 to T.
    """
    found = 0
    for t in range(len(units) - 1):
        inner = (units[t + 1] - units[t]) * (start - gamma * units[t] - optima[t])
        found = found + (inner.sum() if isinstance(inner, np.ndarray) else inner)
    return found


def alternating(T: int, radius: Any) -> tuple[list[int], list[Any]]:
    """Opposite unit vectors, w_t* at radius times each: V_T = radius (2T - 1)."""
    units = [0, *((-1) ** t for t in range(1, T + 1))]
    return units, [radius * x for x in units]


def measure(U: float, W: float, K: float, T: float, V: float) -> float:
    """The sum for alternating unit vectors whose w_t* move along until the path V is spent."""
    units, optima = alternating(int(T), W)
    left, moved = V, [0.0]
    for t in range(1, int(T) + 1):
        wanted = abs(optima[t] - moved[-1])
        share = min(1.0, left / wanted) if wanted else 0.0
        left -= share * wanted
        moved.append(moved[-1] + share * (optima[t] - moved[-1]))
    return U * float(total(units, moved, 0.0, (W / T) ** 0.5 / K))


def check(ctx: Context) -> Iterator[Evidence]:
    for T in (100, 2500, 250_000 if ctx.profile == "full" else 10_000):
        for K, radius in ((Fraction(1, 2), 0), (Fraction(1), 1)):
            gamma = 1 / (K * int(T**0.5))
            units, optima = alternating(T, radius)
            found = total(units, optima, 0, gamma)
            at = {"U": 1.0, "W": 1.0, "K": float(K), "T": T, "V": radius * (2.0 * T - 1)}
            yield from ctx.compare_forms(
                "literal", float(found), at, "alternating unit vectors, in fractions",
                script="thm2ii_const",
            )  # fmt: skip
    rng = ctx.rng()
    sums, rows = [], []
    for _ in range(ctx.pick(300, 5000)):
        T, d = int(rng.integers(1, 12)), int(rng.integers(1, 4))
        W, K = np.exp(rng.normal(size=2))
        turns = rng.normal(size=(T + 1, d))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        turns[0] = 0
        places = rng.normal(size=(T + 2, d))
        places *= (W * rng.random(T + 2) / np.linalg.norm(places, axis=1))[:, None]
        gamma = np.sqrt(W / T) / K
        sums.append(total(turns, places[1:], places[0], gamma))
        rows.append((W, K, T, np.linalg.norm(np.diff(places[1:], axis=0), axis=1).sum()))
    at = dict(zip(("W", "K", "T", "V"), np.array(rows).T, strict=True))
    yield ctx.compare("literal", "corrected", np.array(sums), {"U": 1.0, **at}, "random vectors")
