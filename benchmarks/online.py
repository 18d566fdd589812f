"""Trial-steps per second: the batched online learner, and the same written trial by trial in numpy.

    python benchmarks/online.py [--seconds 0.5] [--device cuda]

L2-logistic regression, one row a round, T = 2000, eta_t = 1/(mu t), projection on a ball, two
deletions with noise, losses suffered and added up; measured side by side, one thread, in processor
time on the CPU.  A trial-step is one round of one trial of one run; the numpy loop makes one run
at a time.  Floor: the round's product, sigmoid, shrinking and outer product alone.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch

from accounting.deletions.schedule import DeletionSchedule
from simulators.data.synthetic import two_gaussians
from simulators.domains import Ball
from simulators.engine.blocks import SMALLEST, natural_size, near
from simulators.losses.logistic import Logistic
from simulators.online.learners import CACHED, MOST, run
from simulators.online.rows import Rows
from simulators.online.steps import inverse_time

T, MU, RADIUS, SIGMA = 2000, 0.1, 2.0, 0.1
REQUESTS = DeletionSchedule([7, 30], [200, 350])


def rate(work: Callable[[], int], seconds: float, device: str = "cpu") -> float:
    """The best of three measurements of trial-steps per second, after a warm-up."""
    clock = time.perf_counter if device == "cuda" else time.process_time
    work()
    best = 0.0
    for _ in range(3):
        units, start = 0, clock()
        while (elapsed := clock() - start) < seconds / 3 or not units:
            units += work()
        elapsed = clock() - start
        best = max(best, units / elapsed)
    return best


def batched(stream: Rows, trials: int, runs: tuple[int, ...], device: str) -> Callable[[], int]:
    """The package's loop."""

    def work() -> int:
        run(
            stream,
            REQUESTS,
            steps=inverse_time(MU),
            sigmas=SIGMA,
            trials=trials,
            runs=runs,
            compare=False,
            keep_losses=False,
            device=device,
        )
        if device == "cuda":
            torch.cuda.synchronize()
        return trials * T * len(runs)

    return work


def block(d: int, trials: int, device: str) -> int:
    """The package's block size."""
    return natural_size(d, torch.device(device), trials, CACHED, near(trials, MOST, SMALLEST))


def floor(stream: Rows, size: int, device: str) -> Callable[[], int]:
    """What no round can leave out, in blocks of that size."""
    rows = torch.tensor(stream.rows, device=device)
    points = torch.zeros(size, stream.dimension, dtype=torch.float64, device=device)

    def work() -> int:
        for row in rows:
            slopes = torch.mv(points, row).sigmoid_()
            points.mul_(0.999).addr_(slopes, row, alpha=-1e-4)
        return T * size

    return work


def loop(stream: Rows) -> Callable[[], int]:
    """One trial of one run, in plain numpy."""
    rows, noise = stream.rows, np.random.default_rng(0)
    due = dict.fromkeys(REQUESTS.times.tolist(), True)

    def work() -> int:
        w, total = np.zeros(rows.shape[1]), 0.0
        for t in range(1, T + 1):
            if t in due:
                w = w + SIGMA * noise.standard_normal(len(w))
                w *= min(1.0, RADIUS / np.sqrt(w @ w))
            a = rows[t - 1]
            score = a @ w
            total += np.logaddexp(score, 0.0) + 0.5 * MU * (w @ w)
            w = w - (a / (1.0 + np.exp(-score)) + MU * w) / (MU * t)
            size = np.sqrt(w @ w)
            if size > RADIUS:
                w *= RADIUS / size
        return T

    return work


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("   d  trials    runs  block     batched   numpy loop   ratio  of floor")
    for d in (1, 16, 64, 256):
        stream = Rows.of(Logistic(MU), two_gaussians(T, d).normalised(), Ball(RADIUS))
        plain = rate(loop(stream), options.seconds)
        for trials, runs in ((1, (0,)), (1024, (0,)), (8192, (0,)), (8192, (0, 2))):
            size = block(d, trials, options.device)
            least = rate(floor(stream, size, options.device), options.seconds, options.device)
            fast = rate(
                batched(stream, trials, runs, options.device), options.seconds, options.device
            )
            print(
                f"{d:4d} {trials:7d} {len(runs):7d} {size:6d} "
                f"{fast:11.3g} {plain:12.3g} {fast / plain:7.1f} {fast / least:9.0%}"
            )


if __name__ == "__main__":
    main()
