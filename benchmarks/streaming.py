"""SAFE and tracking, batched over trials, beside loops over trials and their matrix products.

    python benchmarks/streaming.py [--trials 64]

Softmax regression on scikit-learn's digits (n = 1,797, 640 parameters), 20 rounds of 18 deletions,
one thread. The loop serves one trial after the other in plain numpy, with running sums of the class
statistics and vectorised over rows; the floor of tracking is two matrix products a step.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch

from simulators.data import sklearn_sets
from simulators.losses.softmax import Softmax
from simulators.streaming.deletions import Deletions, random_subsets
from simulators.streaming.features import frozen_features
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.streaming.track import Tracker, track_and_publish

MU, ROUNDS, SIZE, GAMMA, COLUMNS = 0.01, 20, 18, 0.4, 8


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best of several processor times."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def loop(
    rows: np.ndarray,
    labels: np.ndarray,
    w0: np.ndarray,
    z: np.ndarray,
    deletions: Deletions,
    trials: int,
) -> np.ndarray:
    """Noiseless SAFE, eq 25 over all that has left, one trial after the other."""
    classes = w0.shape[1]
    hot = np.eye(classes)[labels]
    scores = np.exp(rows @ w0)
    f = scores / scores.sum(axis=1, keepdims=True)
    pulls = f - hot
    outer = z[:, :, None] * z[:, None, :]
    found = np.empty((trials, ROUNDS, *w0.shape))

    def moments(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n = hot.T @ weights
        mean = (hot * weights[:, None]).T @ z / n[:, None]
        second = np.einsum("nc,n,nij->cij", hot, weights, outer)
        spread = second - n[:, None, None] * mean[:, :, None] * mean[:, None, :]
        return n, mean, spread / (n - 1)[:, None, None]

    def log_density(points: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> np.ndarray:
        away = points[:, None] - mean
        solved = np.einsum("cij,ncj->nci", np.linalg.inv(spread), away)
        return -0.5 * ((away * solved).sum(axis=2) + np.linalg.slogdet(spread)[1])

    everything = np.ones(len(rows))
    first = moments(everything)
    for r in range(trials):
        at = deletions.removed_at[r]
        for t in range(1, ROUNDS + 1):
            kept = (at > t).astype(float)
            gone = np.flatnonzero(at <= t)
            now = moments(kept)
            log_q = np.log(now[0] / first[0]) + log_density(z[gone], *now[1:])
            log_q -= log_density(z[gone], *first[1:])
            here = f[gone]
            pull = here * ((here * log_q).sum(axis=1, keepdims=True) - log_q)
            g = rows.T @ (pulls * kept[:, None]) / kept.sum() + MU * w0
            g += rows[gone].T @ pull / len(gone)
            found[r, t - 1] = w0 - GAMMA * g / np.linalg.norm(g)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=64)
    trials = parser.parse_args().trials
    torch.set_num_threads(1)
    data = sklearn_sets.digits(None).normalised()
    classes = 10
    risk = Risk(data, Softmax(classes, MU), "cpu")
    deletions = random_subsets(len(data), [SIZE] * ROUNDS, trials, seed=0)
    w0 = Minimiser(risk).center.numpy()
    labels = data.targets.astype(int)

    def batched() -> np.ndarray:
        run = safe(
            data,
            deletions,
            regularisation=MU,
            weight=1.0,
            gamma=GAMMA,
            projection=COLUMNS,
            w0=w0,
            device="cpu",
        )
        assert run.noiseless is not None
        return run.noiseless

    z = np.asarray(frozen_features(data, COLUMNS, standardise=True, seed=0, claim=0))
    few = min(trials, 8)
    plain = loop(data.features, labels, w0, z, deletions, few)
    gap = float(np.abs(plain - batched()[:few]).max())
    fast = seconds(batched) / (trials * ROUNDS)
    slow = seconds(lambda: loop(data.features, labels, w0, z, deletions, few), 1) / (few * ROUNDS)
    print(f"SAFE, {trials} trials x {ROUNDS} rounds; largest difference to the loop {gap:.1e}")
    print(f"  batched   {1e6 * fast:9.1f} us a round of one trial")
    print(
        f"  loop      {1e6 * slow:9.1f} us a round of one trial   {slow / fast:6.1f} times slower"
    )

    part = Deletions(deletions.removed_at[:8], ROUNDS)

    def tracked(steps: int) -> float:
        return seconds(lambda: track_and_publish(Tracker(steps, 1.0, 1e-5), risk, part), 1)

    rows = torch.tensor(data.features)
    points = torch.zeros(data.dimension, classes * 8, dtype=torch.float64)
    scores = rows @ points

    def products() -> None:
        for _ in range(100):
            torch.mm(rows, points, out=scores)
            torch.mm(rows.T, scores)

    floor = seconds(products) / 100
    step = (tracked(60) - tracked(10)) / (50 * ROUNDS)  # without the minimiser it starts from
    print(f"tracking, 8 trials, {ROUNDS} rounds")
    print(f"  a step of all trials {1e3 * step:7.2f} ms, {step / floor:.2f} times its two products")


if __name__ == "__main__":
    main()
