"""Batches of fixed size and shuffled: what is certified, beside linear losses, before and after.

    python benchmarks/fixed_batches.py [--steps 0 5 10 20 50 100]

The example of `sampled.py`, noise multiplier 1, delta = 1e-5; shuffled, n = 640.  "before": every
inclusion pays for itself, and delta is averaged over the patterns wherever the other run has a row
in the place.  "after": policies pay, over epochs too, and one row that is exchanged for another in
batches of fixed size has a common level (`bounds/own/exchanged_row.md`).  The gap is that to
"lower", linear losses.  "by step", of a shuffled deletion: linear losses of the other rows that
have the other sign in the last batch of an epoch; no accountant that allows losses to depend on the
step can certify less.  Seconds are of the processor.
"""

import argparse
import math
import time

from accounting import SampledSGD, sampled_epsilon
from accounting.curves.gaussian_mixtures import solve
from accounting.sampled._inclusions import inclusions
from accounting.sampled._largest_batch import Accounts
from accounting.sampled.patterns import patterns_epsilon

EXAMPLE = {
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}
DELTA = 1e-5
CASES = [
    ("fixed", "replace", 569),
    ("fixed", "zero-out", 569),
    ("shuffled", "replace", 640),
    ("shuffled", "zero-out", 640),
    ("shuffled", "delete", 640),
]


def before(accounts: Accounts) -> float:
    """epsilon where every inclusion pays for itself."""
    adjacency = accounts.setting.adjacency
    if adjacency == "delete":
        additive = (accounts.blocks.additive,)
        return accounts._certified(additive, additive, DELTA)
    kappa = 2.0 if adjacency == "replace" else 1.0
    return patterns_epsilon(inclusions(accounts.setting, accounts.steps, kappa), 1.0, DELTA)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, nargs="+", default=[0, 5, 10, 20, 50, 100])
    names = f"{'batches':<19}{'K':>4}{'lower':>9}{'by step':>9}"
    print(f"{names}{'before':>9}{'gap':>9}{'after':>9}{'gap':>9}")
    for sampling, adjacency, n in CASES:
        for unlearning in parser.parse_args().steps:
            setting = SampledSGD(
                n=n,
                unlearning_steps=unlearning,
                sampling=sampling,
                adjacency=adjacency,
                **EXAMPLE,
            )
            lower = sampled_epsilon(setting, 1.0, DELTA, "lower")
            accounts = Accounts(setting, DELTA)
            by_step = math.nan
            if adjacency == "delete":
                by_step, _ = solve((accounts.blocks.linear,), None, DELTA, up=False)
            row = f"{sampling + ' ' + adjacency:<19}{unlearning:>4}{lower:>9.4f}"
            row += f"{'':>9}" if math.isnan(by_step) else f"{by_step:>9.4f}"
            start = time.process_time()
            for epsilon in (before(accounts), min(accounts.mixture(1.0), accounts.patterns(1.0))):
                row += f"{epsilon:>9.4f}{100 * (epsilon / lower - 1):>7.1f} %"
            print(f"{row}{time.process_time() - start:>7.2f} s", flush=True)


if __name__ == "__main__":
    main()
