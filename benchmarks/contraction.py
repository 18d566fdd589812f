"""The noisy-contraction accountant on long chains: time against length.

    python benchmarks/contraction.py [--repeat 5]

Beside the accountant stands a plain monotone-stack implementation of the greatest convex minorant
(one Python loop over the steps), on the same chains, up to the length where it takes seconds.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from itertools import pairwise

import numpy as np

from accounting.contraction import pabi_mu


def chain(length: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contraction, shift and noise of a chain with a kick every hundred steps."""
    rng = np.random.default_rng(seed)
    shift = np.zeros(length)
    shift[rng.integers(0, 100) :: 100] = 1.0
    return np.full(length, 1 - 1 / length), shift, rng.uniform(0.5, 1.5, length)


def by_stack(contraction: np.ndarray, shift: np.ndarray, noise: np.ndarray) -> float:
    """mu by the textbook lower hull of the points (clock, obstacle)."""
    after = np.concatenate([np.cumprod(contraction[::-1])[::-1][1:], [1.0]])
    xs = np.concatenate([[0.0], np.cumsum((noise * after) ** 2)])
    ys = np.concatenate([[0.0], np.cumsum(shift * after)])
    hull: list[tuple[float, float]] = []
    for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (
            y - hull[-2][1]
        ) * (hull[-1][0] - hull[-2][0]):
            hull.pop()
        hull.append((x, y))
    return math.sqrt(sum((b[1] - a[1]) ** 2 / (b[0] - a[0]) for a, b in pairwise(hull)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    print(
        f"{'steps':>10}{'accountant ms':>15}{'with diameter':>15}{'stack ms':>11}{'ratio':>8}"
        f"{'difference':>12}"
    )
    for length in (10**3, 10**4, 10**5, 10**6):
        arrays = chain(length)
        times: dict[str, list[float]] = {"whole": [], "diameter": [], "stack": []}
        for _ in range(repeat):
            for name, run, options in (
                ("whole", pabi_mu, {}),
                ("diameter", pabi_mu, {"diameter": 5.0}),
                ("stack", by_stack, {}),
            ):
                start = time.perf_counter()
                run(*arrays, **options)
                times[name].append(time.perf_counter() - start)
        whole, diameter, stack = (statistics.median(times[k]) * 1e3 for k in times)
        difference = abs(pabi_mu(*arrays) / by_stack(*arrays) - 1)
        print(
            f"{length:>10}{whole:>15.2f}{diameter:>15.2f}{stack:>11.1f}{stack / whole:>8.1f}"
            f"{difference:>12.1e}"
        )


if __name__ == "__main__":
    main()
