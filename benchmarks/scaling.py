"""How cost grows: fitted exponents, with standard errors, beside what operation counts predict.

    python benchmarks/scaling.py [--quick] [--out FOLDER] [--only online]

Each row grows one size by powers of two and fits log(seconds) = a + b log(size), one thread,
processor time, the shortest of three runs.  The prediction is the exponent that the counts of
operations give over the same sizes: they have parts that do not grow, and the exponent is that of
their sum.  The ratio is that of the largest cost to the smallest.  With --out the points, fits and
predictions are drawn as SVG.  What the largest run of every row holds is said before it starts, and
a row that memory cannot hold is left out.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import bounds
from accounting import DeletionSchedule, OnlineDescent, inverse_root, inverse_time, pabi_mu
from accounting.compositions.epsilons import StepKind, composition_epsilon
from accounting.deletions.noise import least_of
from accounting.deletions.privacy import Events
from simulators import retrain
from simulators.data.dataset import Dataset
from simulators.device.memory import HOST, Part, insist
from simulators.losses.logistic import Logistic
from simulators.online.learners import run
from simulators.online.rows import Rows
from simulators.random import normals
from simulators.runs.langevin import LangevinUnlearning
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of
from verify.runner import Settings, run_claim

LOSS = Logistic(0.05)
LEAST = 0.02
"""Seconds that a timing lasts at least: shorter works are repeated."""


@dataclass(frozen=True)
class Row:
    """A cost by one size.

    work: size -> what is timed.  count: size -> operations, up to a factor.  held: size -> bytes.
    """

    name: str
    size: str
    sizes: tuple[int, ...]
    work: Callable[[int], Callable[[], object]]
    count: Callable[[int], float]
    held: Callable[[int], float]


def made(rows: int, dimension: int) -> Dataset:
    """Normal rows of length 1 with random signs."""
    random = np.random.default_rng(0)
    signs = 2.0 * random.integers(0, 2, rows) - 1.0
    return Dataset(random.standard_normal((rows, dimension)), signs).normalised()


def langevin(trials: int, epochs: int, rows: int, dimension: int) -> Callable[[], object]:
    """Noisy descent in batches of 100."""
    data = made(rows, dimension)
    return lambda: retrain(
        LOSS,
        data,
        retrain_epochs=epochs,
        sigma=0.05,
        step_size=0.1,
        batch_size=100,
        trials=trials,
        seed=0,
        device="cpu",
    )


def pieces(trials: int) -> Callable[[], object]:
    """The document of a run whose trials come in pieces, two steps of two numbers each."""
    settings = {"data": "synthetic", "rows": 20, "dimension": 2, "sigma": 0.01, "device": "cpu"}
    made = LangevinUnlearning(**settings, learn_epochs=1, trials=trials)
    return lambda: made.run().document()


def online(deletions: int) -> Callable[[], object]:
    """An online learner of 2,000 rounds that publishes so many times; its adjacent runs go beside
    it."""
    stream = Rows.of(LOSS, made(2000, 16))
    indices = np.arange(1, deletions + 1)
    schedule = DeletionSchedule(indices, 2000 - deletions + indices)
    return lambda: run(
        stream, schedule, steps=0.1, sigmas=0.1, trials=256, compare=False, device="cpu"
    )


def statistics(rows: int) -> Callable[[], object]:
    """The vectors of all rows' deletions, by the recursion of a whole batch."""
    model = LinearScore(LOSS, made(rows, 32), "cpu")
    training = Training(batches_of(rows, rows, 5), np.full(5, 0.1), np.zeros(32))
    return lambda: differences(model, training, "each", Recursion())


def chain(steps: int) -> Callable[[], object]:
    """The accountant of a noisy contraction."""
    return lambda: pabi_mu(np.full(steps, 0.9999), np.ones(steps), np.ones(steps))


def composed(steps: int) -> Callable[[], object]:
    """Sampled steps, the noise such that epsilon hardly changes with their number."""
    kind = StepKind(np.array([100 / math.sqrt(steps)]), np.array([0.01]), steps)
    return lambda: composition_epsilon([kind], 1e-5, exchanged=False)


def deletions(count: int, diameter: float) -> tuple[Events, np.ndarray]:
    """So many deletions of random earlier rounds, and a noise that falls."""
    random = np.random.default_rng(0)
    times = np.sort(random.integers(2, 10 * count, count))
    schedule = DeletionSchedule(random.integers(1, times), times)
    if math.isinf(diameter):
        descent = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))
    else:
        descent = OnlineDescent(0.0, 1.0, 1.0, inverse_root(diameter, 1.0), diameter)
    return Events(descent, schedule), 1e3 / times


def worst(count: int, diameter: float = math.inf) -> Callable[[], object]:
    """The request that noise protects least."""
    events, sigma = deletions(count, diameter)
    return lambda: events.worst(sigma)


def least(count: int) -> Callable[[], object]:
    """The least noise of deletions on a domain that their shifts would leave."""
    events, _ = deletions(count, 2.0)
    return lambda: least_of(events, 0.5)


def claims(count: int) -> Callable[[], object]:
    """So many checks, of claims in an order that says nothing of their cost."""
    ids = [claim.id for claim in bounds.statements("sglu")]
    chosen = np.random.default_rng(0).permutation(ids)[:count].tolist()
    return lambda: [run_claim(id, Settings()) for id in chosen]


def engine(trials: int, epochs: int, rows: int, dimension: int) -> float:
    """Bytes: data, batches, and models."""
    return 8.0 * (3 * rows * dimension + trials * dimension)


T, B = 4096, 100
ROWS = (
    Row(
        "langevin",
        "trials",
        (512, 1024, 2048, 4096, 8192, 16384),
        lambda x: langevin(x, 2, 1000, 64),
        lambda x: x,
        lambda x: engine(x, 2, 1000, 64),
    ),
    Row(  # one narrow block, whose products are the same for all of these
        "few trials",
        "trials",
        (1, 2, 4, 8, 16),
        lambda x: langevin(x, 10, 1000, 64),
        lambda x: 1.0,
        lambda x: engine(x, 1, 1000, 64),
    ),
    Row(
        "pieces",
        "trials",
        (1 << 17, 1 << 18, 1 << 19, 1 << 20),
        pieces,
        lambda x: x,
        lambda x: 2e8,
    ),
    Row(
        "langevin",
        "steps",
        (160, 320, 640, 1280, 2560, 5120),
        lambda x: langevin(64, x // 10, 1000, 64),
        lambda x: x,
        lambda x: engine(64, 1, 1000, 64),
    ),
    Row(  # of a step: 4 b d of products, 3 b of the sigmoid's 20 operations, 30 d of the noise
        "langevin",
        "d",
        (16, 32, 64, 128, 256, 512),
        lambda x: langevin(512, 2, 1000, x),
        lambda x: 4 * B * x + 60 * B + 30 * x,
        lambda x: engine(512, 2, 1000, x),
    ),
    Row(
        "langevin",
        "n",
        (1000, 2000, 4000, 8000, 16000, 32000),
        lambda x: langevin(256, 1, x, 32),
        lambda x: x,
        lambda x: engine(256, 1, x, 32),
    ),
    Row(
        "online",
        "deletions",
        (1, 4, 16, 64, 256),
        online,
        lambda k: 2 * 2000 + k,
        lambda k: 8.0 * 256 * 16 * 2 * (k + 1),
    ),
    Row(  # 4 n d of a batch for each of n lines
        "recollection",
        "n",
        (250, 500, 1000, 2000, 4000),
        statistics,
        lambda n: n * n,
        lambda n: 8.0 * 3 * n * 32,
    ),
    Row(
        "accountant",
        "steps",
        (1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19),
        chain,
        lambda x: x,
        lambda x: 8.0 * 8 * x,
    ),
    Row(  # nodes of a contour do not grow with the steps that it composes
        "training",
        "steps",
        (10**3, 10**4, 10**5, 10**6, 10**7),
        composed,
        lambda x: 1.0,
        lambda x: 1e6,
    ),
    Row(
        "worst request",
        "deletions",
        (1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16),
        worst,
        lambda k: k,
        lambda k: 8.0 * 100 * k,
    ),
    Row(
        "its domain",
        "deletions",
        (1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13),
        lambda k: worst(k, 2.0),
        lambda k: k,
        lambda k: 8.0 * 100 * k,
    ),
    Row(
        "least noise",
        "deletions",
        (1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14),
        least,
        lambda k: k,
        lambda k: 8.0 * 100 * k,
    ),
    Row(
        "verify",
        "claims",
        (2, 4, 8, 16),
        claims,
        lambda x: x,
        lambda x: 1e9,
    ),
)


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The shortest processor time of a call, short calls many at a time."""
    best, many = math.inf, 1
    for _ in range(repeats):
        while True:
            start = time.process_time()
            for _ in range(many):
                work()
            spent = time.process_time() - start
            if spent >= LEAST:
                break
            many *= 2
        best = min(best, spent / many)
    return best


def slope(sizes: list[int], values: list[float]) -> tuple[float, float]:
    """The exponent that fits, and its standard error."""
    x, y = np.log(sizes), np.log(values)
    x = x - x.mean()
    found = float(x @ y / (x @ x))
    left = y - y.mean() - found * x
    free = max(len(x) - 2, 1)
    return found, float(np.sqrt(left @ left / free / (x @ x)))


def fitting(rows: tuple[Row, ...], shortest: int) -> Iterator[Row]:
    """Those whose largest run memory can hold; what each needs is told."""
    for row in rows:
        size = row.sizes[: shortest or None][-1]
        needed = row.held(size)
        try:
            insist(HOST, kept=[Part(row.size, size, needed)])
        except ValueError as error:
            print(f"{row.name} by {row.size} is left out: {error}", file=sys.stderr)
            continue
        print(f"{row.name} by {row.size}: {needed / 2**20:.0f} MiB at {size}", file=sys.stderr)
        yield row


def drawn(found: dict[Row, list[float]], folder: Path) -> Path:
    """All rows on one page: points, their fit, and the counts through the last point."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    columns = min(len(found), 4)
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(3.25 * columns, 3 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[len(found) :]:
        axis.remove()
    for axis, (row, times) in zip(axes.flat, found.items(), strict=False):
        sizes = np.array(row.sizes[: len(times)])
        b, error = slope(sizes.tolist(), times)
        level = math.exp(np.mean(np.log(times)) - b * np.mean(np.log(sizes)))
        counted = np.array([row.count(int(x)) for x in sizes])
        axis.loglog(sizes, counted / counted[-1] * times[-1], "--", color="0.6", label="counts")
        axis.loglog(sizes, level * sizes**b, color="C0", label=f"fit {b:.2f} ± {error:.2f}")
        axis.loglog(sizes, times, "o", color="C0", markersize=4)
        ends = sizes[:: len(sizes) - 1]
        axis.set_xticks(ends, labels=[f"{x:,}" for x in ends])
        axis.set_xticks([], minor=True)
        axis.set_title(f"{row.name} by {row.size}", fontsize=9)
        axis.set_ylabel("s")
        axis.legend(fontsize=7)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "scaling.svg"
    with rc_context({"svg.hashsalt": "scaling"}):
        figure.savefig(path, metadata={"Date": None})
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="three sizes, one run of each")
    parser.add_argument("--only", help="rows of this name")
    parser.add_argument("--out", type=Path, help="folder for scaling.svg")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    normals.FEW = 0  # numba's numbers from the first on
    shortest, repeats = (3, 1) if asked.quick else (0, 3)
    chosen = tuple(row for row in ROWS if asked.only in (None, row.name))
    if not chosen:
        parser.error(f"--only must be one of {', '.join(dict.fromkeys(r.name for r in ROWS))}")
    found: dict[Row, list[float]] = {}
    kept = list(fitting(chosen, shortest))
    print(
        f"{'cost of':<14}{'by':<11}{'sizes':<17}{'ratio':>8}{'fitted':>14}{'counted':>9}"
        f"{'largest s':>11}"
    )
    for row in kept:
        sizes = list(row.sizes[: shortest or None])
        row.work(sizes[0])()  # what is imported and kept
        found[row] = [seconds(row.work(size), repeats) for size in sizes]
        b, error = slope(sizes, found[row])
        counted = slope(sizes, [row.count(size) for size in sizes])[0]
        span = f"{sizes[0]} to {sizes[-1]}"
        fitted = f"{b:.2f} ± {error:.2f}"
        print(
            f"{row.name:<14}{row.size:<11}{span:<17}{found[row][-1] / found[row][0]:>8.2f}"
            f"{fitted:>14}{counted:>9.2f}{found[row][-1]:>11.3f}",
            flush=True,
        )
    if asked.out:
        print(f"drawn in {drawn(found, asked.out)}")


if __name__ == "__main__":
    main()
