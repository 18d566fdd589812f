"""What the rows of olu Table 2 share: their interpretations, schedules, and comparisons."""

from typing import Any

import numpy as np

from verify.checks import Context
from verify.evidence import Evidence
from verify.olu import streams


def schedule(rng: np.random.Generator, first: int, T: int) -> tuple[list[int], list[int]]:
    k = int(rng.integers(1, 4))
    u = rng.choice(np.arange(first, first + k + 2), size=k, replace=False)
    low = np.maximum.accumulate(u + 1)
    return u.tolist(), np.sort(np.minimum(low + rng.integers(0, T, size=k) // 2, T)).tolist()


def held(
    ctx: Context, regrets: np.ndarray, L: np.ndarray, inputs: dict[str, Any], instance: str
) -> Evidence:
    """Regrets (n,) with these L; an array among the inputs has an entry for each as well."""
    rows = []
    for c, regret in enumerate(regrets):
        one = {n: float(v[c]) if isinstance(v, np.ndarray) else v for n, v in inputs.items()}
        rows.append((float(regret), {**one, "L": float(L[c])}))
    return streams.compare_many(ctx, "explicit", "corrected", rows, instance)


def unspecified(ctx: Context) -> Evidence:
    return ctx.declare("order", "printed", "unspecified", "orders without constants")
