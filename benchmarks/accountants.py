"""Exact Gaussian accounting, 1,000 at a time: speed and accuracy beside two other libraries.

    python benchmarks/accountants.py [--count 1000] [--repeat 5]

Task A: epsilon at delta = 1e-5 for `count` noise scales in [0.1, 100]. Task B: the least noise for
`count` epsilons in [0.01, 20]. Every row is checked against mpmath with 60 digits on a sample.
Peers that are not installed are left out.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import mpmath
import numpy as np

from accounting.curves.gaussian import epsilon_gdp, mu_gdp

DELTA = 1e-5
Task = Callable[[np.ndarray], np.ndarray]


def exact_delta(mu: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    """The Gaussian trade-off curve as it is defined, in 60 digits."""
    upper = mpmath.ncdf(mu / 2 - epsilon / mu)
    return upper - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


def exact_epsilon(sigma: float) -> float:
    """epsilon at DELTA by bisection on the definition."""
    mu = 1 / mpmath.mpf(sigma)
    low, high = mpmath.mpf(0), mpmath.mpf(1)
    if exact_delta(mu, low) <= DELTA:
        return 0.0
    while exact_delta(mu, high) > DELTA:
        high *= 2
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if exact_delta(mu, middle) > DELTA else (low, middle)
    return float(high)


def exact_sigma(epsilon: float) -> float:
    """Least sigma for (epsilon, DELTA) by bisection on the definition."""
    low, high = mpmath.mpf("1e-3"), mpmath.mpf("1e6")
    for _ in range(160):
        middle = mpmath.sqrt(low * high)
        met = exact_delta(1 / middle, mpmath.mpf(epsilon)) <= DELTA
        low, high = (low, middle) if met else (middle, high)
    return float(high)


def one_by_one(function: Callable[[float], float]) -> Task:
    return lambda values: np.array([function(float(v)) for v in values])


def contenders() -> dict[str, dict[str, Task]]:
    """Library -> task -> implementation, for whatever is installed."""
    table: dict[str, dict[str, Task]] = {
        "forgetproof": {
            "A": lambda sigma: np.asarray(epsilon_gdp(1 / sigma, DELTA)),
            "B": lambda epsilon: 1 / np.asarray(mu_gdp(epsilon, DELTA)),
        },
        "forgetproof, one by one": {
            "A": one_by_one(lambda s: float(epsilon_gdp(1 / s, DELTA))),
            "B": one_by_one(lambda e: 1 / float(mu_gdp(e, DELTA))),
        },
    }
    try:
        import dp_accounting
        from dp_accounting.rdp import RdpAccountant

        def rdp_epsilon(sigma: float) -> float:
            accountant = RdpAccountant()
            accountant.compose(dp_accounting.GaussianDpEvent(sigma))
            return float(accountant.get_epsilon(DELTA))

        table["dp-accounting, exact"] = {
            "A": one_by_one(lambda s: dp_accounting.get_epsilon_gaussian(s, DELTA)),
            "B": one_by_one(lambda e: dp_accounting.get_sigma_gaussian(e, DELTA)),
        }
        table["dp-accounting, RDP"] = {"A": one_by_one(rdp_epsilon)}
    except ImportError:
        pass
    try:
        from opacus.accountants.analysis import gdp, rdp

        orders = [1 + x / 10 for x in range(1, 100)] + list(range(12, 64))

        def opacus_rdp(sigma: float) -> float:
            curve = rdp.compute_rdp(q=1.0, noise_multiplier=sigma, steps=1, orders=orders)
            return float(rdp.get_privacy_spent(orders=orders, rdp=curve, delta=DELTA)[0])

        table["opacus, GDP"] = {"A": one_by_one(lambda s: gdp.eps_from_mu(mu=1 / s, delta=DELTA))}
        table["opacus, RDP"] = {"A": one_by_one(opacus_rdp)}
    except ImportError:
        pass
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    mpmath.mp.dps = 60
    inputs = {
        "A": np.geomspace(0.1, 100, options.count),
        "B": np.geomspace(0.01, 20, options.count),
    }
    sample = np.linspace(0, options.count - 1, 25).astype(int)
    truth = {
        "A": np.array([exact_epsilon(v) for v in inputs["A"][sample]]),
        "B": np.array([exact_sigma(v) for v in inputs["B"][sample]]),
    }
    implementations = contenders()
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(options.repeat):  # interleaved, so that drift of the machine hits all alike
        for name, tasks in implementations.items():
            for task, run in tasks.items():
                start = time.perf_counter()
                run(inputs[task])
                times.setdefault((name, task), []).append(time.perf_counter() - start)
    names = {"A": "epsilon at given noise", "B": "least noise for given epsilon"}
    for task, title in names.items():
        print(f"\n{title}, {options.count} values, median of {options.repeat}")
        print(f"{'library':<26}{'ms':>10}{'ratio':>9}{'max rel. error':>17}{'below truth':>13}")
        base = statistics.median(times["forgetproof", task])
        for name, tasks in implementations.items():
            if task not in tasks:
                continue
            median = statistics.median(times[name, task])
            with np.errstate(all="ignore"):
                found = tasks[task](inputs[task])[sample]
                positive = truth[task] > 0
                error = np.max(np.abs(found[positive] / truth[task][positive] - 1))
                below = int(np.sum(found < truth[task] * (1 - 1e-12)))
            print(
                f"{name:<26}{median * 1e3:>10.2f}{median / base:>9.1f}{error:>17.1e}"
                f"{below:>9d}/{sample.size}"
            )


if __name__ == "__main__":
    main()
