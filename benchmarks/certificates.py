"""Certificates: the checker's number beside what linear losses need, and what a line costs.

    python benchmarks/certificates.py [--settings 1000] [--seed 0]

Settings are drawn as an engine may have them: 100 to 100,000 rows, Poisson rates from 0.003 to 0.5,
20 to 1,000 training steps, unlearning steps for half a contraction to four, up to 20 rows, noise
multipliers from 0.5 to 10, delta from 1e-8 to 1e-4.  Ratios are of settings in which linear losses
need an epsilon from 1e-4 to 20: beyond 25 the checker says infinite.  Times are of the processor.
"""

import argparse
import tempfile
import time

import numpy as np

from accounting import SampledSGD, sampled_epsilon
from forgetproof import checker
from forgetproof.certificates import CheckerProcess, Ledger

EXAMPLE = {
    "n": 569,
    "batch_size": 64,
    "rate": 64 / 569,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


def drawn(rng: np.random.Generator) -> tuple[SampledSGD, float, float]:
    """A setting, its noise multiplier and delta."""
    n, rate = int(10 ** rng.uniform(2, 5)), float(10 ** rng.uniform(-2.5, -0.3))
    eta, steps = float(10 ** rng.uniform(-1, 0)), int(10 ** rng.uniform(1.3, 3))
    decay = float(10 ** rng.uniform(-2.5, -1) / eta)
    setting = SampledSGD(
        n=n,
        batch_size=max(1, round(rate * n)),
        rate=rate,
        steps=steps,
        unlearning_steps=min(3 * steps, int(rng.uniform(0.5, 4) / (eta * decay))),
        step_size=eta,
        smoothness=0.25,
        ridge=decay,
        rows=min(int(rng.choice([1, 1, 2, 5, 20])), n - 1),
    )
    return setting, float(10 ** rng.uniform(-0.3, 1)), float(10 ** rng.uniform(-8, -4))


def mechanism(setting: SampledSGD, noise: float) -> dict:
    """The document of a setting at a noise multiplier."""
    step = {
        "batches": {"drawn": "poisson", "rate": setting.rate},
        "clip": {"norm": 1.0, "each": "row"},
        "divisor": {"value": setting.batch_size, "is": "constant"},
        "noise": {"deviation": noise, "on": "sum"},
        "step_size": setting.step_size,
        "decay": setting.ridge,
    }
    counts = ((setting.steps, True), (setting.unlearning_steps, False))
    return {
        "schema": "forgetproof/mechanism/1",
        "name": "drawn",
        "relation": {"adjacency": "zero", "rows": setting.rows},
        "n": setting.n,
        "losses": "scalar",
        "smoothness": setting.smoothness,
        "steps": [{**step, "count": count, "sees": sees} for count, sees in counts if count],
        "released": "last",
        "requests": "oblivious",
        "claims": [],
    }


def ratios(settings: int, seed: int) -> None:
    """Prints quantiles of checker over lower, and how often it was below."""
    rng = np.random.default_rng(seed)
    found, below, times = [], 0, []
    for _ in range(settings):
        setting, noise, delta = drawn(rng)
        lower = sampled_epsilon(setting, noise, delta, "lower")
        begun = time.process_time()
        epsilon, _ = checker.epsilon_of(mechanism(setting, noise), delta)
        times.append(time.process_time() - begun)
        below += epsilon < lower
        if 1e-4 <= lower <= 20:
            found.append(epsilon / lower)
    print(f"{settings} settings: {below} below lower; {len(found)} ratios")
    cuts = (0.1, 0.5, 0.75, 0.9)
    shown = "  ".join(f"{q:.0%} {np.quantile(found, q, method='higher'):.4f}" for q in cuts)
    print(f"  checker/lower   {shown}   infinite {np.isinf(found).sum()}")
    print(f"  seconds         median {np.median(times):.3f}  largest {max(times):.3f}")


def example() -> None:
    """Prints the example of docs/sampled-batches.md by its unlearning steps."""
    print("\nK      checker    mixture    lower")
    for steps in (0, 5, 10, 20, 50, 100, 200):
        setting = SampledSGD(**EXAMPLE, unlearning_steps=steps)
        epsilon, _ = checker.epsilon_of(mechanism(setting, 1.0), 1e-5)
        rest = [sampled_epsilon(setting, 1.0, 1e-5, name) for name in ("mixture", "lower")]
        print(f"{steps:<6} {epsilon:<10.4g} {rest[0]:<10.4g} {rest[1]:.4g}")


def lines(count: int) -> None:
    """Prints what one line of a ledger and one question to the checker's process cost."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(folder, {})
        begun = time.perf_counter()
        for _ in range(count):
            ledger.append("train", steps=1)
        print(f"\na line with fsync: {(time.perf_counter() - begun) / count * 1e3:.2f} ms")
    document = mechanism(SampledSGD(**EXAMPLE, unlearning_steps=50), 1.0)
    begun = time.perf_counter()
    with CheckerProcess() as process:
        process.epsilon(document, 1e-5)
        started = time.perf_counter()
        process.epsilon(document, 1e-5)
        again = time.perf_counter() - started
    print(
        f"the checker's process: {started - begun:.2f} s the first answer, {again:.2f} s the next"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--settings", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ratios(options.settings, options.seed)
    example()
    lines(200)
