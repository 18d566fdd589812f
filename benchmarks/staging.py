"""Staging of batches beside an epoch: milliseconds by the number of rows.

    python benchmarks/staging.py [--most 64000]

L2-logistic regression in float64, d = 64, batches of 100 in order, one thread; medians of three. An
epoch is of 64 trials, without noise. The peer signs all rows for every batch. The last line but one
has the exponents of n that fit the times. The last is for data held once, as large data are: their
staging, and a pass that puts the signs on the scores, beside a pass with signed rows.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.device import placement as device
from simulators.losses import linear_model
from simulators.losses.logistic import Logistic

D, B, TRIALS, ETA = 64, 100, 64, 0.1
LOSS = Logistic(0.01)
TENSOR = device.reader(torch.device("cpu"), torch.float64)


def seconds(*works: Callable[[], object]) -> list[float]:
    """The median of three processor times of each, taken in turn."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(3):
        for times, work in zip(found, works, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [statistics.median(times) for times in found]


def every_batch(data: Dataset, batches: np.ndarray) -> None:
    """Sign all rows, take those of the batch, and so for every batch."""
    for rows in batches:
        torch.tensor(LOSS.signed(data)[0][rows])


def epoch(staged: list[linear_model.LinearBatch]) -> Callable[[], None]:
    """A pass over the staged batches."""
    state = torch.zeros(D, TRIALS, dtype=torch.float64)
    scratch = LOSS.scratch(B, state)

    def work() -> None:
        for batch in staged:
            LOSS.descend_(state, batch, ETA, scratch)

    return work


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=64_000)
    most = parser.parse_args().most
    torch.set_num_threads(1)
    sizes = [most // 8 // B * B * k for k in (1, 2, 4, 8)]
    times = []
    print("      rows   staging     epoch   share  every batch")
    for n in sizes:
        random = np.random.default_rng(0)
        data = Dataset(random.standard_normal((n, D)), 2.0 * random.integers(0, 2, n) - 1.0)
        batches = np.arange(n).reshape(-1, B)
        staged = LOSS.stage(data, batches, TENSOR)
        found = seconds(
            lambda data=data, batches=batches: LOSS.stage(data, batches, TENSOR),
            epoch(staged),
            lambda data=data, batches=batches: every_batch(data, batches),
        )
        times.append(found)
        own, pass_, peer = (1e3 * t for t in found)
        print(f"{n:10d} {own:9.2f} {pass_:9.2f} {own / pass_:7.1%} {peer:12.1f}")
    slopes = np.polyfit(np.log(sizes), np.log(np.array(times)), 1)[0]
    print("exponent   {:9.2f} {:9.2f} {:20.2f}".format(*slopes))
    device.LARGE = linear_model.LARGE = 0
    once = LOSS.stage(data, batches, TENSOR)
    found = seconds(lambda: LOSS.stage(data, batches, TENSOR), epoch(once), epoch(staged))
    own, pass_ = (t / found[2] for t in found[:2])
    print(f"held once: staging {own:.1%}, an epoch {pass_:.2f} of an epoch with signed rows")


if __name__ == "__main__":
    main()
