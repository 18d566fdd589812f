"""An anytime-valid test of a claim: betting against it block by block, stopping when one likes.

The wealth is a nonnegative supermartingale under the claim, starting at 1, whatever the events
and bets, as long as they are fixed before the block they are used on.  So the probability that
it ever reaches 1/alpha is at most alpha (Ville), and looking after every pair costs nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from verify.audit.bets import Bet, best_bet
from verify.audit.curves import Claim
from verify.audit.events import FEWEST, Event, choose

Array = NDArray[np.float64]
_MEMORY = 30_000  # samples of each law that events are learnt from


@dataclass(frozen=True)
class SequentialResult:
    """How a sequential test ended.

    Attributes:
        refuted: the wealth reached 1/alpha.
        log_wealth: natural logarithm of the largest wealth reached (an e-value when stopped there).
        p_value: anytime-valid, min(1, 1/largest wealth).
        pairs: samples of each law used; `stopped` of them when the claim was refuted, else None.
        path: log wealth after every block.
    """

    refuted: bool
    log_wealth: float
    p_value: float
    pairs: int
    stopped: int | None
    path: tuple[float, ...]


@typed
class EProcess:
    """The wealth of a bettor against a claim; give it blocks of new, independent samples.

    Raises ValueError for samples that are not finite or change their shape.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.log_wealth = 0.0
        self.log_peak = 0.0
        self.pairs = 0
        self._seen: list[tuple[Array, Array]] = []
        self._event: Event | None = None
        self._bet: Bet | None = None
        self._hits = np.zeros(3)
        self._relearn = 0
        self._renew = 0

    def update(self, first: ArrayLike, second: ArrayLike) -> Array:
        """Bet on a block (n, ...) of each law, then learn from it; the log wealth after each pair.

        Pairs are formed in order; the longer block's rest is left out.
        """
        p, q = _rows("first", first), _rows("second", second)
        n = min(len(p), len(q))
        p, q = p[:n], q[:n]
        width = self._seen[0][0].shape[1] if self._seen else p.shape[1]
        if not p.shape[1] == q.shape[1] == width:
            raise ValueError(f"first and second must keep their shape, got {p.shape}, {q.shape}")
        # The event and the bet stem from earlier blocks only, as a supermartingale needs; the first
        # block is not bet on.
        path = np.full(n, self.log_wealth)
        if self._event is not None:
            x, y = self._event(p), self._event(q)
            if self._event.swapped:
                x, y = y, x
            if self._bet is not None:
                path = self.log_wealth + np.cumsum(self._bet.log_factors(x, y))
            self._hits += (x.sum(), y.sum(), n)
        self.log_wealth = float(path[-1])
        # Ville's bound is for the whole path: the peak inside a block counts.
        self.log_peak = max(self.log_peak, float(path.max()))
        self.pairs += n
        self._learn(p, q)
        return path

    def _learn(self, p: Array, q: Array) -> None:
        """Choose the event anew when the samples doubled; the bet when a tenth was added."""
        # Whole blocks, until they reach the memory.
        if self.pairs - len(p) < _MEMORY:
            self._seen.append((p, q))
        if self.pairs >= max(self._relearn, 2 * FEWEST):
            # Beyond the memory nothing new would be learnt: never again.
            self._relearn = 2 * self.pairs if self.pairs < _MEMORY else 2**62
            a, b = (np.vstack(part) for part in zip(*self._seen, strict=True))
            # Four times what was seen, as the bet is to pay over the pairs to come.
            events = choose(a, b, 4 * self.pairs, 1e-3, self.claim, kept=1)
            self._event = events[0] if events else None
            if self._event is not None:
                # The third that ranked the cuts is the least flattered by the learning.
                x, y = self._event(a[2::3]), self._event(b[2::3])
                x, y = (y, x) if self._event.swapped else (x, y)
                self._hits = np.array([x.sum(), y.sum(), len(x)], dtype=float)
            # A bet belongs to its event.
            self._bet, self._renew = None, 0
        if self._event is not None and self.pairs >= self._renew:
            self._renew = self.pairs * 11 // 10
            self._bet = best_bet(self.claim, *self._shrunk())

    def _shrunk(self) -> tuple[float, float]:
        """The event's probabilities, one standard error closer to each other."""
        x, y, n = self._hits
        p, q = (x + 0.5) / (n + 1), (y + 0.5) / (n + 1)
        # A bet on the shrunk alternative grows even where the frequencies flatter.
        p += math.sqrt(p * (1 - p) / n)
        q -= math.sqrt(q * (1 - q) / n)
        return float(np.clip(p, 1e-9, 1 - 1e-9)), float(np.clip(q, 1e-9, 1 - 1e-9))


def _rows(name: str, samples: ArrayLike) -> Array:
    array = validation.real(name, samples, low_open=True, high_open=True)
    if array.ndim == 0:
        raise ValueError(f"{name} must be a block of samples, got a single number")
    return array.reshape(len(array), -1)


@typed
def sequential_test(
    blocks: Callable[[int], tuple[ArrayLike, ArrayLike]],
    claim: Claim,
    *,
    alpha: float = 1e-6,
    most: int = 100_000,
    block: int = 500,
    progress: Callable[[int, int], None] | None = None,
) -> SequentialResult:
    """Sample and bet until the claim is refuted at level alpha or `most` pairs are spent.

    blocks(size): `size` new samples of each law, independent of all earlier ones.  Under the claim
    the probability of ever refuting it is at most alpha.  Raises ValueError on bad input.
    """
    level = validation.scalar("alpha", alpha, low=0, high=1, low_open=True, high_open=True)
    total = validation.count("most", most, low=1)
    size = validation.count("block", block, low=1)
    process = EProcess(claim)
    path = []
    goal = -math.log(level)
    while process.pairs < total:
        before = process.pairs
        samples = blocks(min(size, total - before))
        if not isinstance(samples, tuple) or len(samples) != 2:
            raise ValueError(f"blocks must return samples of both laws, got {samples!r}")
        walk = process.update(*samples)
        path.append(process.log_wealth)
        if progress is not None:
            progress(process.pairs, total)
        if process.log_peak >= goal:
            # The first pair at which the wealth sufficed, 1 for the very first.
            stopped = before + int(np.argmax(walk >= goal)) + 1
            return _result(process, path, stopped)
    return _result(process, path, None)


def _result(process: EProcess, path: list[float], stopped: int | None) -> SequentialResult:
    p_value = min(1.0, math.exp(-max(process.log_peak, 0.0)))
    return SequentialResult(
        stopped is not None, process.log_peak, p_value, process.pairs, stopped, tuple(path)
    )
