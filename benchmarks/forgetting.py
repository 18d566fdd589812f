"""A head on digits' features: what forgetting takes beside retraining, in steps and in accuracy.

    python benchmarks/forgetting.py [--runs 10]

1,437 digits, 128 random features of their pixels and a constant, ten outputs, one against the rest;
14 rows (1 %) leave, for (1, 1e-5).  `unlearned` and `retrained` have made equally many steps in
all; `retrained` never had the rows, and keeps rate and divisor.  Times are of the processor.
"""

import argparse
import tempfile
import time

import numpy as np
import torch
from sklearn.datasets import load_digits

from forgetproof.engine import EngineSettings, RecordedTraining, UnlearningEngine
from forgetproof.torch import ForgettingHead

SETTINGS = EngineSettings(
    rows=1437,
    rate=0.5,
    divisor=718,
    noise=2.0,
    step_size=2.0,
    decay=0.02,
    steps=800,
    loss="logistic",
    outputs=10,
    epsilon=1.0,
    delta=1e-5,
    deletions=14,
)


def digits():
    """Features of train and test rows, and their digits: a fixed random map, no row has chosen."""
    pixels, digit = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    frozen = rng.normal(size=(64, 128)) / 8
    features = np.maximum((pixels - 5) / 6 @ frozen, 0) - 0.5
    order = rng.permutation(len(pixels))
    train, test = order[:1437], order[1437:]
    return features[train], digit[train], features[test], digit[test]


def head():
    return ForgettingHead(128, 10, length=5.0, dtype=torch.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    torch.set_num_threads(1)
    features, digit, others, truth = digits()
    scores: dict[str, list[float]] = {"trained": [], "unlearned": [], "retrained": []}
    seconds: dict[str, list[float]] = {"outlook": [], "training": [], "forgetting": []}

    def score(name, model):
        right = model(others).argmax(dim=1).numpy() == truth
        scores[name].append(100 * right.mean())

    def timed(name, call):
        start = time.process_time()
        value = call()
        seconds[name].append(time.process_time() - start)
        return value

    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            model = head()
            engine = UnlearningEngine.open(folder, SETTINGS)
            rows = model.rows(features)
            timed("outlook", lambda e=engine, m=model, x=rows: e.load(m, x, digit))
            timed("training", engine.train)
            score("trained", model)
            steps = timed("forgetting", lambda e=engine: e.forget(range(14)))
            score("unlearned", model)
            again = head()
            run = RecordedTraining(SETTINGS, again, rows, digit)
            run.table.remove(range(14))
            run.train(SETTINGS.steps + steps)
            score("retrained", again)
    total = SETTINGS.steps + steps
    print(f"{steps} unlearning steps, {100 * steps / total:.1f} % of retraining's {total}")
    print(f"epsilon {engine.run.epsilon():.4f} at delta 1e-05, 14 rows")
    for name, values in scores.items():
        error = np.std(values, ddof=1) / np.sqrt(runs)
        print(f"{name:<10} accuracy {np.mean(values):.2f} +- {error:.2f} %")
    for name, values in seconds.items():
        print(f"{name:<10} {max(values):.2f} s at most, {np.median(values):.2f} s in the middle")


if __name__ == "__main__":
    main()
