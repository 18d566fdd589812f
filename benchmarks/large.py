"""A run on data that fill most of a machine's memory: n = 10^6 rows, d = 1,000, 64 trials.

    python benchmarks/large.py [--rows 1000000] [--dimension 1000] [--trials 64]

L2-logistic regression in float64, batches of 1,000 in order, one thread, two epochs with noise.
What it needs is said first, and refused with exit code 2 where there is less.  Printed: staging and
hash beside an epoch, and the largest memory of the process, which holds the data once.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
import torch

from simulators import retrain
from simulators.data.dataset import Dataset
from simulators.device.memory import HOST, Part, insist
from simulators.device.placement import reader
from simulators.losses.logistic import Logistic

BATCH = 1000
LOSS = Logistic(0.01)


def largest() -> float:
    """GiB that the process held at once, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def made(rows: int, dimension: int) -> Dataset:
    """Normal rows with random signs."""
    random = np.random.default_rng(0)
    signs = 2.0 * random.integers(0, 2, rows) - 1.0
    cuts = (min(BATCH, rows - first) for first in range(0, rows, BATCH))
    return Dataset.from_pieces(
        rows, (random.standard_normal((cut, dimension)) for cut in cuts), signs
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what it needs, then what it took; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--dimension", type=int, default=1_000)
    parser.add_argument("--trials", type=int, default=64)
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    raw = asked.rows * asked.dimension * 8.0
    print(f"needs {raw / 2**30:.1f} GiB for the data", flush=True)
    try:
        insist(HOST, kept=[Part("rows", asked.rows, raw)])
    except ValueError as error:
        print(f"large: {error}", file=sys.stderr)
        return 2
    clock = time.perf_counter()
    data = made(asked.rows, asked.dimension)
    print(f"data made in {time.perf_counter() - clock:.1f} s, largest {largest():.1f} GiB")

    batches = np.arange(len(data)).reshape(-1, BATCH)
    tensor = reader(torch.device("cpu"), torch.float64)
    clock = time.process_time()
    LOSS.stage(data, batches, tensor)
    staging = time.process_time() - clock

    ends = [time.process_time()]
    retrain(
        LOSS,
        data,
        retrain_epochs=2,
        sigma=0.05,
        step_size=0.1,
        batch_size=BATCH,
        trials=asked.trials,
        seed=0,
        device="cpu",
        progress=lambda done, total: ends.append(time.process_time()),
    )
    end = time.process_time()
    epoch = ends[2] - ends[1]
    print(f"staging {staging:.2f} s, {staging / epoch:.1%} of an epoch")
    first = ends[1] - ends[0]
    print(f"an epoch {epoch:.2f} s, the first with all that comes before it {first:.2f} s")
    print(f"hash of the data {end - ends[-1]:.2f} s, largest {largest():.1f} GiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
