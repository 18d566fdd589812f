"""The noisy-contraction accountant on long chains: processor time a step against length.

    python benchmarks/contraction.py [--repeat 5] [--longest 1000000]

Beside the accountant stand the isotonic regression that it cannot avoid (the floor), and a plain
monotone-stack implementation of the greatest convex minorant (one Python loop over the steps), on
the same chains, up to the length where it takes seconds. Memory is the most the first call took.
"""

import argparse
import math
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.optimize import isotonic_regression

from accounting.contraction.noisy_contraction import pabi_mu


def chain(length: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contraction, shift and noise of a chain with a shift every hundred steps."""
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


def peak() -> float:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--longest", type=int, default=10**6)
    options = parser.parse_args()
    print(
        f"{'steps':>10}{'ns a step':>12}{'with diameter':>15}{'regression':>12}{'stack':>8}"
        f"{'difference':>12}{'MB above inputs':>17}"
    )
    for length in (n for n in (10**3, 10**4, 10**5, 10**6, 10**7) if n <= options.longest):
        arrays = chain(length)
        before = peak()
        pabi_mu(*arrays)
        memory = peak() - before
        ways: dict[str, Callable[[], object]] = {
            "whole": partial(pabi_mu, *arrays),
            "diameter": partial(pabi_mu, *arrays, diameter=5.0),
            "floor": partial(isotonic_regression, arrays[1] / arrays[2], weights=arrays[2]),
            "stack": partial(by_stack, *(arrays if length <= 10**6 else chain(2))),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.repeat):
            for name, run in ways.items():
                start = time.process_time()
                run()
                times[name].append((time.process_time() - start) / length * 1e9)
        whole, diameter, floor, stack = (statistics.median(values) for values in times.values())
        difference = abs(pabi_mu(*arrays) / by_stack(*arrays) - 1) if length <= 10**6 else math.nan
        print(
            f"{length:>10}{whole:>12.0f}{diameter:>15.0f}{floor:>12.0f}{stack:>8.0f}"
            f"{difference:>12.1e}{memory:>17.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
