"""Few trials: what a run of 1 to 16 costs, in plain numpy loops of one trial of as many steps.

    python benchmarks/few_trials.py [--seconds 0.3]

L2-logistic regression, n = 1920, d = 64, batches of 128, as in `engine.py`; a run is a call of
`simulators.retrain`, with its checks, its staged batches and its settings.  One thread, processor
time, the shortest of interleaved calls; normal numbers by numba from the first on.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch

from simulators import retrain
from simulators.data.synthetic import two_gaussians
from simulators.losses.logistic import Logistic
from simulators.random import normals

N, D, B = 2000, 64, 128
LAMBDA, ETA, SIGMA = 0.01, 1.0, 0.05
DATA = two_gaussians(N, D, seed=0).normalised().trimmed(B)
BATCHES = np.arange(len(DATA)).reshape(-1, B)
TRIALS = (1, 4, 16, 24)


def loop(epochs: int) -> None:
    """Algorithm 1, one trial, in numpy: the loop of `engine.py`, which takes the rows by index."""
    random, rows = np.random.default_rng(0), DATA.targets[:, None] * DATA.features
    noise, x = np.sqrt(2 * ETA) * SIGMA, np.zeros(D)
    for k in range(epochs * len(BATCHES)):
        batch = rows[BATCHES[k % len(BATCHES)]]
        slope = -1 / (1 + np.exp(batch @ x))
        x = x - ETA * (slope @ batch / B + LAMBDA * x) + noise * random.standard_normal(D)


def trials(count: int, epochs: int) -> None:
    """The same of so many trials, by the engine."""
    retrain(
        Logistic(LAMBDA),
        DATA,
        retrain_epochs=epochs,
        sigma=SIGMA,
        step_size=ETA,
        batch_size=B,
        trials=count,
        seed=0,
        device="cpu",
    )


def shortest(works: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """Processor seconds of each, the shortest of calls that take turns for so long each."""
    best = [np.inf] * len(works)
    end = time.process_time() + seconds * len(works)
    while time.process_time() < end:
        for k, work in enumerate(works):
            start = time.process_time()
            work()
            best[k] = min(best[k], time.process_time() - start)
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.3, help="per cell")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    normals.FEW = 0
    print("steps   loop, ms  " + "".join(f"{count:>7d} trials" for count in TRIALS))
    for epochs in (10, 100):
        works = [partial(loop, epochs), *(partial(trials, count, epochs) for count in TRIALS)]
        for work in works:
            work()  # what is imported and compiled
        base, *runs = shortest(works, asked.seconds)
        cells = "".join(f"{each / base:14.2f}" for each in runs)
        print(f"{epochs * len(BATCHES):5d}  {1e3 * base:9.2f}  {cells}")


if __name__ == "__main__":
    main()
