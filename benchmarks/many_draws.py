"""Noisy SGD with many rows, requests and steps: what is certified, and what it costs.

    python benchmarks/many_draws.py [--drawn 200] [--earlier FILE] [--save FILE]

The example of `sampled.py`, noise multiplier 1, delta = 1e-5, and long trainings on 10^6 rows at 2.
"first" is the processor time of the first sigma, "next" of another one; MB is the peak so far.

--drawn takes so many random settings instead: up to 2,000 steps, rates up to .9, noise multipliers
from .1 to 100, delta down to 1e-12, several rows, requests, schedules, replacements, fixed batches.
None may be below what linear losses need.  --save writes the answers to a JSON file, --earlier
compares with such a file, of another version say.
"""

import argparse
import json
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np

from accounting import SampledSGD, sampled_epsilon

DELTA = 1e-5
STEPS, EACH = 180, 50
BASE: dict[str, Any] = {"step_size": 0.5, "smoothness": 0.25}


def requested(number: int, n: int) -> SampledSGD:
    """Rows that leave one after another."""
    rows = np.repeat(np.arange(number, -1, -1), [STEPS] + [EACH] * number)
    return SampledSGD(
        n=n,
        batch_size=64,
        steps=STEPS,
        unlearning_steps=EACH * number,
        ridge=0.05,
        rows=rows,
        **BASE,
    )


def together(rows: int, n: int) -> SampledSGD:
    """Rows that leave at once."""
    return SampledSGD(
        n=n, batch_size=64, steps=STEPS, unlearning_steps=EACH, ridge=0.05, rows=rows, **BASE
    )


def long(steps: int, ridge: float) -> SampledSGD:
    """A training on a million rows."""
    return SampledSGD(
        n=10**6, batch_size=1000, steps=steps, unlearning_steps=EACH, ridge=ridge, **BASE
    )


def sizes() -> None:
    """The table of costs."""
    cases = [(f"{r:,} requests", requested(r, max(569, 569 * r // 100)), 1.0) for r in (1, 30, 100)]
    cases += [(f"{r:,} requests", requested(r, 569 * r // 100), 1.0) for r in (1000, 10_000)]
    cases += [(f"{r:,} rows", together(r, 100 * r), 1.0) for r in (100, 1100, 10**5)]
    cases += [(f"{n:,} steps", long(n, 10 / n), 2.0) for n in (1000, 10_000)]
    print(f"{'':<18}{'lower':>15}{'mixture':>15}{'first':>9}{'next':>9}{'MB':>7}")
    for name, setting, sigma in cases:
        least = sampled_epsilon(setting, sigma, DELTA, "lower")
        seconds = []
        for noise in (sigma, 1.01 * sigma):
            start = time.process_time()
            sampled_epsilon(setting, noise, DELTA, "mixture")
            seconds.append(time.process_time() - start)
        certified = sampled_epsilon(setting, sigma, DELTA, "mixture")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        costs = f"{seconds[0]:>9.2f}{seconds[1]:>9.2f}{memory:>7.0f}"
        print(f"{name:<18}{least:>15.10g}{certified:>15.10g}{costs}")


def drawn(number: int) -> tuple[SampledSGD, float, float]:
    """A setting, a noise multiplier and delta."""
    rng = np.random.default_rng(1000 + number)

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    steps, each = int(between(1, 2000)), int(rng.choice([0, 1, 3, 10, 20, 50, 100, 300]))
    n = int(between(20, 1e6))
    batch = max(1, min(int(between(1e-4, 0.9) * n), int(0.9 * n)))
    fields: dict[str, Any] = {
        "n": n,
        "batch_size": batch,
        "steps": steps,
        "unlearning_steps": each,
        "step_size": float(rng.choice([0.1, 0.5, 1.0])),
        "smoothness": float(rng.choice([0.0, 0.25, 1.0])),
        "ridge": float(rng.choice([0.0, 1e-4, 1e-3, 0.05, 0.3])),
        "rows": min(int(rng.choice([1, 1, 1, 2, 5, 20])), n // 4),
    }
    kind = str(rng.choice(["plain", "requests", "schedule", "replace", "fixed"]))
    if kind == "requests" and each:
        requests = min(int(rng.choice([2, 5, 20])), n - 1)
        each = min(each, 2000 // requests)
        fields["unlearning_steps"] = each * requests
        fields["rows"] = np.repeat(np.arange(requests, -1, -1), [steps] + [each] * requests)
    elif kind == "schedule":
        fields["noise_profile"] = np.exp(rng.uniform(-0.5, 0.5, steps + each))
        fields["rate"] = np.clip(batch / n * np.exp(rng.uniform(-0.3, 0.3, steps + each)), 0, 1)
    elif kind == "replace":
        fields |= {"rows": 1, "adjacency": "replace"}
    elif kind == "fixed":
        fields |= {"rows": 1, "sampling": "fixed", "adjacency": "delete"}
        fields["batch_size"] = min(batch, n - 1)
    return SampledSGD(**fields), between(0.1, 100), float(10 ** rng.uniform(-12, -1.5))


def compared(number: int, earlier: dict[str, float]) -> dict[str, float]:
    """The answers of drawn settings; prints those that are below what they may be."""
    answers: dict[str, float] = {}
    below = fallen = 0
    for i in range(number):
        setting, sigma, delta = drawn(i)
        least, epsilon = (sampled_epsilon(setting, sigma, delta, x) for x in ("lower", "mixture"))
        answers[str(i)] = epsilon
        before = earlier.get(str(i), 0.0)
        below += epsilon < least
        if epsilon < before - 1e-9 * max(before, 1.0):
            fallen += 1
            rows = int(np.max(setting.rows))
            print(f"{i:>5}: {epsilon:.10g}, earlier {before:.10g}, lower {least:.10g}, rows {rows}")
    print(
        f"{number} settings: {below} below what linear losses need, {fallen} below earlier answers"
    )
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--earlier", type=Path)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    if not options.drawn:
        sizes()
        return
    earlier = json.loads(options.earlier.read_text()) if options.earlier else {}
    answers = compared(options.drawn, earlier)
    if options.save:
        options.save.write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
