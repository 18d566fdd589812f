"""Hypothesis strategies of step sizes and of deletions from an online learner."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from accounting.deletions.schedule import DeletionSchedule

SHARES = (0.5, 1.0, 0.1, 0.25, 0.9, 1.5, 0.01, 1.9)  # of 1/smoothness, what a reader expects first


@inside_ours
def schedules(
    smoothness: float = 1.0, *, rounds: int = 8, contracting: bool = True
) -> SearchStrategy[list[float]]:
    """Step sizes eta_1..eta_T, T in 1..rounds: constant, decaying as 1/t or 1/sqrt(t), or free.

    All lie in (0, 2/smoothness), where a gradient step does not expand; not `contracting`: up to
    twice as far. They shrink to one step of 0.5/smoothness. Raises ValueError for a smoothness
    outside [1e-300, 1e300], or rounds < 1.
    """
    from hypothesis import strategies as st

    from accounting.numerics import validation

    unit = 1 / validation.scalar("smoothness", smoothness, low=1e-300, high=1e300)
    most = validation.count("rounds", rounds, low=1)
    if not isinstance(contracting, bool):
        raise ValueError(f"contracting must be True or False, got {contracting!r}")
    shares = SHARES if contracting else (*SHARES, 2.0, 2.5, 4.0)
    sizes = st.sampled_from([_short(share * unit) for share in shares])
    decays = st.sampled_from([0.0, 1.0, 0.5])
    lengths = st.integers(1, most)

    def decaying(length: int, first: float, power: float) -> list[float]:
        return [_short(first / t**power) for t in range(1, length + 1)]

    return st.builds(decaying, lengths, sizes, decays) | st.lists(sizes, min_size=1, max_size=most)


@inside_ours
def deletion_sequences(
    rounds: int = 10, *, most: int = 4, repeats: bool = False, convention: str = "C"
) -> SearchStrategy[DeletionSchedule]:
    """Requests to remove the loss of round u_i at time tau_i <= rounds, in order of time.

    From 1 to `most` requests, of distinct losses unless `repeats`; the loss has been suffered when
    it is removed (see `accounting.deletions.schedule` for the conventions). They shrink to one
    request, of loss 1 as soon as it may be. Raises ValueError where no such request exists.
    """
    from hypothesis import strategies as st

    from accounting.deletions.schedule import CONVENTIONS, DeletionSchedule
    from accounting.numerics import validation

    word = validation.choice("convention", convention, CONVENTIONS)
    # Under A the loss of round u may go in its own round, else in the next at the earliest.
    wait = int(word != "A")
    last = validation.count("rounds", rounds, low=1 + wait)
    number = validation.count("most", most, low=1)
    if not isinstance(repeats, bool):
        raise ValueError(f"repeats must be True or False, got {repeats!r}")

    @st.composite
    def drawn(draw: Callable[..., Any]) -> DeletionSchedule:
        pairs = draw(
            st.lists(
                st.integers(1, last - wait).flatmap(
                    lambda u: st.tuples(st.just(u), st.integers(u + wait, last))
                ),
                min_size=1,
                max_size=number,
                unique_by=None if repeats else lambda pair: pair[0],
            )
        )
        # By time only: the sort is stable, and requests at one time keep their order.
        pairs.sort(key=lambda pair: pair[1])
        return DeletionSchedule([u for u, _ in pairs], [tau for _, tau in pairs], word)  # type: ignore[arg-type]

    return drawn()


def _short(value: float) -> float:
    """The value with six digits, rounded down so that it stays in its range."""
    # Six digits: 10^(5 - exponent) takes the value to [10^5, 10^6).
    digits = 5 - math.floor(math.log10(value))
    return math.floor(value * 10.0**digits) / 10.0**digits if abs(digits) < 300 else value
