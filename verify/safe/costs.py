"""What a round of SAFE costs and stores, counted; and the paper's runs against its own proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]
_ONLY = "the recursion (15) of the retention term"
_ALL = "Algorithm 1, lines 6 to 9, with the sum of (25) over F_1, ..., F_t"
WORK = Claim(
    id="safe.cost",
    label="Section 3.2.1, cost of a round",
    kind="claim",
    statement="The recursive update ensures per-step computation that scales with |F_t|.",
    readings=(
        Reading(
            "literal", _ONLY, ("printed",),
            proofs={"printed": "Times |D_t| the gradient of the kept loss changes by the gradients "
                    "of F_t. Each of them is evaluated once, at w_0, so that K = 1 does."},
        ),
        Reading(
            "algorithm", _ALL + "; any constant K", ("printed", "corrected"),
            proofs={"corrected": "The target q_t f(x; w_0) changes with t for every x that has "
                    "left. So (26) evaluates a gradient for each of F_1, ..., F_t in each round, "
                    "beside the |F_t| gradients of (15)."},
        ),
    ),
    natural=Natural("M", (10.0, 20.0, 50.0, 100.0, 200.0), {"m": 10, "K": 10.0}),
    quantity="gradients of samples in a round",
    correction="|F_t| + sum_{i <= t} |F_i|, T (T + 3)/2 of them in T rounds of one sample.",
)  # fmt: skip
STORAGE = Claim(
    id="safe.cost.storage",
    label="Section 3.2.1, storage",
    kind="claim",
    statement="The recursive update ensures constant storage.",
    readings=(
        Reading(
            "literal", _ONLY, ("printed",),
            proofs={"printed": "One vector of d numbers is kept between rounds, the gradient of "
                    "the kept loss. The samples of F_t are dropped once it has been updated."},
        ),
        Reading(
            "algorithm", _ALL + "; any constant K", ("printed", "corrected"),
            proofs={"corrected": "The gradients of (26) in round t are those of all samples of "
                    "F_1, ..., F_t. They have to be at hand, d numbers each, with the gradient of "
                    "(15)."},
        ),
    ),
    natural=Natural("M", (10.0, 20.0, 50.0, 100.0, 200.0), {"d": 5, "m": 10, "K": 10.0}),
    quantity="numbers at hand",
    correction="All that has been forgotten is kept: O(d sum_i |F_i|). Line 8, read as a sum over "
    "F_t alone, is not the gradient of (25).",
)  # fmt: skip
MANY = Claim(
    id="safe.thm1.many",
    label="Proof of Theorem 1: few deletions",
    kind="claim",
    statement="sqrt|D_t| >> sum_{i <= t} |F_i|.",
    readings=(
        Reading("literal", "the last round of each of the paper's own settings", ("printed",)),
        Reading("first", "the first round of each of them", ("printed",)),
        Reading(
            "most", "the largest number that may leave", ("tight",),
            stance="repair",
            proofs={"tight": "M <= sqrt(n - M) is M^2 + M <= n for M >= 0. The left side grows "
                    "with M, so that it holds up to the positive root of M^2 + M = n."},
        ),
    ),
    natural=Natural("n", (1e3, 1e4, 1e5, 1e6), {"M": 244}, log_x=True),
    quantity="samples that leave",
    correction="Not so in any of the paper's settings: 8,000 of 60,000 leave, and sqrt|D_t| = 228.",
)  # fmt: skip
CLAIMS = (WORK, STORAGE, MANY)
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
}  # fmt: skip


@dataclass
class Rounds:
    """Logistic losses of which groups leave: Algorithm 1's gradient at w_0, round by round.

    counts: gradients evaluated by (15) and by (26). The gradients agree with (14) and (25).
    """

    rows: Array
    sizes: tuple[int, ...]
    counts: list[tuple[int, int]] = field(default_factory=list)

    def slopes(self, who: slice, target: float | None = None) -> Array:
        """Gradients at w_0 of the loss, or of KL(f, f tilted by the target), one a sample."""
        scores = self.rows[who] @ np.full(self.rows.shape[1], 0.3)
        f = 1 / (1 + np.exp(-scores))
        factor = f - 1 if target is None else -np.log(target) * f * (1 - f)
        return np.asarray(factor[:, None] * self.rows[who])

    def run(self) -> float:
        """Runs all rounds; the largest deviation of (15) from its definition (14)."""
        n, gone, worst = len(self.rows), 0, 0.0
        kept = self.slopes(slice(None)).mean(axis=0)
        for size in self.sizes:
            before, gone = gone, gone + size
            left = self.slopes(slice(before, gone))
            kept = ((n - before) * kept - left.sum(axis=0)) / (n - gone)
            forgotten = self.slopes(slice(0, gone), (n - gone) / n)
            self.counts.append((len(left), len(forgotten)))
            direct = self.slopes(slice(gone, None)).mean(axis=0)
            worst = max(worst, float(np.abs(kept - direct).max()))
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


def check_work(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for size, rounds in ((1, 200), (5, 40), (20, 30)):
        run = Rounds(rng.normal(size=(size * rounds + 10, 3)), (size,) * rounds)
        drift = run.run()
        if drift > 1e-12:
            raise ValueError(f"(15) must give the gradient of (14), got {drift} off")
        yield ctx.compare(
            "literal", "printed", [float(a) for a, _ in run.counts], {"m": size, "K": 1.0},
            "(15), gradients counted", tight=float(size),
        )  # fmt: skip
        M = size * np.arange(1, rounds + 1)
        both = [float(a + b) for a, b in run.counts]
        yield ctx.compare(
            "algorithm", "corrected", both, {"m": size, "M": M, "K": 1.0}, "gradients counted",
            relation="==",
        )  # fmt: skip
        yield ctx.compare(
            "algorithm", "printed", both, {"m": size, "M": M, "K": 10.0}, "gradients counted",
            script="cost", tight=np.nan,
        )  # fmt: skip


def check_storage(ctx: Context) -> Iterator[Evidence]:
    for d, m, M in ((3, 1, 200), (50, 5, 100), (1, 20, 600)):
        at = {"d": d, "m": m, "M": M}
        held = measure_storage(d, m, M)
        yield ctx.compare("literal", "printed", float(d), {**at, "K": 1.0}, "the gradient of (15)",
                          tight=float(d))  # fmt: skip
        yield ctx.compare(
            "algorithm", "corrected", held, {**at, "K": 1.0}, "samples of (26)", relation="=="
        )
        yield ctx.compare(
            "algorithm", "printed", held, {**at, "K": 50.0}, "samples of (26)", script="cost",
            tight=np.nan,
        )  # fmt: skip


def check_many(ctx: Context) -> Iterator[Evidence]:
    for name, (n, each, rounds) in SETTINGS.items():
        last = {"n": n, "M": each * rounds}
        yield ctx.compare("literal", "printed", float(last["M"]), last, name, script="thm1_many")
        first = {"n": n, "M": each}
        yield ctx.compare("first", "printed", float(each), first, name, script="thm1_many")
    for n in (2, 6, 12, 1000, 50_000, 60_000, 60_270, 80_000, 10**9):
        at = {"n": n, "M": 0}
        bound = np.floor(ctx.formula("tight", n=n))
        yield ctx.compare(
            "most", "tight", measure_many(n), at, "by bisection", bound=bound, relation="==",
            tight=bound,
        )  # fmt: skip


CHECKERS = {WORK.id: check_work, STORAGE.id: check_storage, MANY.id: check_many}
MEASURES = {WORK.id: measure_work, STORAGE.id: measure_storage, MANY.id: measure_many}
