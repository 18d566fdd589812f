"""What the rows of olu Table 2 share: their readings, schedules, and comparisons."""

from __future__ import annotations

import numpy as np

from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams


def schedule(rng: np.random.Generator, first: int, T: int) -> tuple[list[int], list[int]]:
    k = int(rng.integers(1, 4))
    u = rng.choice(np.arange(first, first + k + 2), size=k, replace=False)
    low = np.maximum.accumulate(u + 1)
    return u.tolist(), np.sort(np.minimum(low + rng.integers(0, T, size=k) // 2, T)).tolist()


def held(
    ctx: Context, regrets: np.ndarray, L: np.ndarray, inputs: dict[str, object], instance: str
) -> Evidence:
    rows = [(float(r), {**inputs, "L": float(one)}) for r, one in zip(regrets, L, strict=True)]
    return streams.compare_many(ctx, "explicit", "corrected", rows, instance, best="corrected")


def unspecified(ctx: Context) -> Evidence:
    return ctx.declare("order", "printed", "unspecified", "orders without constants")
