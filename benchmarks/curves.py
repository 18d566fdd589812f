"""Processor time of the Gaussian curve and of the Renyi conversion, beside what they cannot avoid.

    python benchmarks/curves.py [--count 200000] [--repeat 5]

The floor of one evaluation of the curve is what no formula for it can leave out: two scaled
complementary error functions, an exponential and two logarithms, on arrays that stay in the
cache. An inverse evaluates the curve several times. Single numbers are asked one call at a time,
beside one call of each of those five functions.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.special import erfcx

from accounting import delta_gdp, epsilon_gdp, epsilon_optimal, mu_gdp

DELTA = 1e-5
BLOCK = 8192


def floor(x: np.ndarray) -> None:
    """The functions of one evaluation, in blocks."""
    for start in range(0, x.size, BLOCK):
        part = x[start : start + BLOCK]
        erfcx(part)
        erfcx(part)
        np.exp(part)
        np.log(part)
        np.log1p(part)


def timed(run: Callable[[], object], values: int) -> float:
    """Nanoseconds of processor time a value."""
    start = time.process_time()
    run()
    return (time.process_time() - start) / values * 1e9


def calls(function: Callable[[float], object], values: np.ndarray) -> Callable[[], None]:
    singles = values.tolist()

    def run() -> None:
        for value in singles:
            function(value)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    n = options.count
    mu, epsilon = 1 / np.geomspace(0.1, 100, n), np.geomspace(0.01, 20, n)
    rho, few = mu[:: max(1, n // 1000)] ** 2 / 2, slice(None, None, max(1, n // 300))
    five = (erfcx, erfcx, np.exp, np.log, np.log1p)
    rows: dict[str, dict[str, tuple[Callable[[], object], int]]] = {
        "arrays": {
            "floor of one evaluation": (lambda: floor(epsilon), n),
            "delta_gdp": (lambda: delta_gdp(mu, epsilon), n),
            "epsilon_gdp": (lambda: epsilon_gdp(mu, DELTA), n),
            "mu_gdp": (lambda: mu_gdp(epsilon, DELTA), n),
            "epsilon_optimal": (lambda: epsilon_optimal(rho, DELTA), rho.size),
        },
        "single numbers": {
            "floor of one evaluation": (
                calls(lambda x: [f(x) for f in five], epsilon[few]),
                epsilon[few].size,
            ),
            "delta_gdp": (calls(lambda m: delta_gdp(m, 1.0), mu[few]), mu[few].size),
            "epsilon_gdp": (calls(lambda m: epsilon_gdp(m, DELTA), mu[few]), mu[few].size),
            "mu_gdp": (calls(lambda e: mu_gdp(e, DELTA), epsilon[few]), epsilon[few].size),
        },
    }
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(options.repeat):  # interleaved, so that drift of the machine hits all alike
        for group, tasks in rows.items():
            for name, (run, values) in tasks.items():
                times.setdefault((group, name), []).append(timed(run, values))
    for group, tasks in rows.items():
        print(f"\n{group}, median of {options.repeat}")
        print(f"{'':<26}{'ns a value':>12}{'over the floor':>16}")
        base = statistics.median(times[group, "floor of one evaluation"])
        for name in tasks:
            median = statistics.median(times[group, name])
            print(f"{name:<26}{median:>12,.0f}{median / base:>16.1f}")


if __name__ == "__main__":
    main()
