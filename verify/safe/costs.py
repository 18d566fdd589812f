"""What a round of SAFE costs and stores, counted; and the paper's runs against its own proof."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings, Instances, case_table

Array = NDArray[np.float64]
# Training samples, samples a round, rounds: Section 4.1, Tables 7 and 8, Appendix B.7.
SETTINGS = {
    "MNIST and Fashion": (60_000, 400, 20),
    "CIFAR10": (50_000, 400, 20),
    "TinyImagenet": (80_000, 400, 20),
    "CIFAR10, 10 rounds of 400": (50_000, 400, 10),
    "CIFAR10, 10 rounds of 800": (50_000, 800, 10),
    "CIFAR10, 40 rounds of 400": (50_000, 400, 40),
    "CIFAR10, 20 rounds of 800": (50_000, 800, 20),
    "MNIST, one class": (60_000, 300, 20),
    "CIFAR10, one class": (50_000, 250, 20),
    "TinyImagenet, one class": (80_000, 80, 5),
}


@dataclass
class Rounds:
    """Logistic losses of which groups leave: Algorithm 1's gradient at w_0, round by round.

    counts: gradients evaluated by (15) and by (26). The gradients agree with (14) and (25).
    """

    samples: Array
    sizes: tuple[int, ...]
    counts: list[tuple[int, int]] = field(default_factory=list)

    def slopes(self, who: slice, target: float | None = None) -> Array:
        """Gradients at w_0 of the loss, or of KL(f, f tilted by the target), one a sample."""
        scores = self.samples[who] @ np.full(self.samples.shape[1], 0.3)
        f = 1 / (1 + np.exp(-scores))
        factor = f - 1 if target is None else -np.log(target) * f * (1 - f)
        return np.asarray(factor[:, None] * self.samples[who])

    def run(self) -> float:
        """Runs all rounds; the largest deviation of (15) from its definition (14)."""
        n, removed_count, worst = len(self.samples), 0, 0.0
        mean_slope = self.slopes(slice(None)).mean(axis=0)
        for size in self.sizes:
            before = removed_count
            removed_count = removed_count + size
            removed_slopes = self.slopes(slice(before, removed_count))
            mean_slope = ((n - before) * mean_slope - removed_slopes.sum(axis=0)) / (
                n - removed_count
            )
            forgotten = self.slopes(slice(0, removed_count), (n - removed_count) / n)
            self.counts.append((len(removed_slopes), len(forgotten)))
            direct = self.slopes(slice(removed_count, None)).mean(axis=0)
            worst = max(worst, float(np.abs(mean_slope - direct).max()))
        return worst


def measure_work(m: float, M: float, K: float = 1.0) -> float:
    """Gradients of the last round, M - m samples having left before it."""
    run = Rounds(np.ones((int(M) + 1, 1)), (int(M - m), int(m)))
    run.run()
    return float(sum(run.counts[-1]))


def measure_storage(d: float, m: float, M: float, K: float = 1.0) -> float:
    """Numbers of the gradient and of all samples that (26) goes through."""
    run = Rounds(np.ones((int(M) + 1, int(d))), (int(M - m), int(m)))
    run.run()
    return float(d + d * run.counts[-1][1])


def measure_many(n: float, M: float = 0) -> float:
    """The largest M with M <= sqrt(n - M), by bisection over whole numbers."""
    low, high = 0, int(n) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**2 <= int(n) - middle else (low, middle)
    return float(low)


def check_work(ctx: Context) -> Findings:
    """Gradients of every round counted while (15) and (26) are computed."""
    rng = ctx.rng()
    for size, rounds in ((1, 200), (5, 40), (20, 30)):
        run = Rounds(rng.normal(size=(size * rounds + 10, 3)), (size,) * rounds)
        drift = run.run()
        if drift > 1e-12:
            raise ValueError(f"(15) must give the gradient of (14), got {drift} off")
        each = np.array(run.counts, dtype=float)[:, 0]
        both = np.sum(run.counts, axis=1)
        inputs = {"m": size, "K": 1.0}
        at = "(15), gradients counted"
        yield ctx.compare("literal", "printed", each, inputs, at, tight=float(size))
        all_left = {"m": size, "M": size * np.arange(1, rounds + 1), "K": 10.0}
        at = "gradients counted"
        yield ctx.compare("algorithm", "corrected", both, all_left, at, relation="==")
        yield ctx.compare("algorithm", "printed", both, all_left, at, script="cost", tight=np.nan)


def check_storage(ctx: Context) -> Findings:
    for inputs in HELD:
        d = float(inputs["d"])
        one = {**inputs, "K": 1.0}
        yield ctx.compare("literal", "printed", d, one, "the gradient of (15)", tight=d)


def check_many(ctx: Context) -> Findings:
    """Samples that leave in the paper's own runs, and the most that the proof allows."""
    for name, (n, each, rounds) in SETTINGS.items():
        for interpretation, M in (("literal", each * rounds), ("first", each)):
            inputs = {"n": n, "M": M}
            yield ctx.compare(interpretation, "printed", M, inputs, name, script="thm1_many")
    for n in (2, 6, 12, 1000, 50_000, 60_000, 60_270, 80_000, 10**9):
        lhs = measure_many(n)
        bound = np.floor(ctx.claim("tight", n=n))
        options = {"bound": bound, "tight": bound, "relation": "=="}
        yield ctx.compare("most", "tight", lhs, {"n": n, "M": 0}, "by bisection", **options)


HELD = case_table("d m M K", (3, 1, 200, 50), (50, 5, 100, 50), (1, 20, 600, 50))
SAMPLES = Instances(
    "samples of (26)",
    HELD,
    interpretations=("algorithm",),
    relations={"corrected": "=="},
    script="cost",
)
CHECKS = (
    Check("safe.cost", check_work, measure_work),
    Check("safe.cost.storage", check_storage, measure_storage, (SAMPLES,)),
    Check("safe.thm1.many", check_many, measure_many),
)
