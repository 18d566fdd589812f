"""Few unlearning steps: what is certified, beside linear losses, before and after the recursion.

    python benchmarks/few_steps.py [--steps 0 1 ... 10]

The example of `sampled.py`: noise multiplier 1, delta = 1e-5, Poisson batches; for a row that is
masked or exchanged.  "before" is the least of what inclusions that pay for themselves, a policy and
linear losses with a surplus give; "after" also follows the recursion.  The gap is that to "lower",
linear losses, which no accountant can beat; seconds are of the processor.
"""

import argparse
import math
import time

from accounting import SampledSGD, sampled_epsilon
from accounting.sampled import _largest_batch
from accounting.sampled._largest_batch import Accounts

EXAMPLE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


def mixture(setting: SampledSGD, *, recursion: bool) -> tuple[float, float]:
    """epsilon, and the seconds of the processor, everything computed anew."""
    original = _largest_batch.recursion_epsilon
    original.cache_clear()
    try:
        if not recursion:
            _largest_batch.recursion_epsilon = lambda *_, **__: math.inf
        start = time.process_time()
        epsilon = Accounts(setting, 1e-5).mixture(1.0)
        return epsilon, time.process_time() - start
    finally:
        _largest_batch.recursion_epsilon = original


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, nargs="+", default=list(range(11)))
    print(f"{'adjacency':<11}{'K':>3}{'lower':>9}{'before':>9}{'gap':>8}{'after':>9}{'gap':>8}")
    for adjacency in ("zero-out", "replace"):
        for unlearning in parser.parse_args().steps:
            setting = SampledSGD(unlearning_steps=unlearning, adjacency=adjacency, **EXAMPLE)
            lower = sampled_epsilon(setting, 1.0, 1e-5, "lower")
            row = f"{adjacency:<11}{unlearning:>3}{lower:>9.4f}"
            for recursion in (False, True):
                epsilon, seconds = mixture(setting, recursion=recursion)
                row += f"{epsilon:>9.4f}{100 * (epsilon / lower - 1):>6.1f} %"
            print(f"{row}{seconds:>7.2f} s", flush=True)


if __name__ == "__main__":
    main()
