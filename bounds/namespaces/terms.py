"""How many terms of sums, products and orbits may be taken one by one with many digits."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# A context variable: every thread has a budget of its own.
_left: ContextVar[float] = ContextVar("terms_left", default=float("inf"))


class TooManyTerms(ValueError):
    """A sum, product or orbit is longer than is admitted where it is evaluated."""


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Inside, evaluations together take so many terms; then `TooManyTerms` is raised."""
    token = _left.set(count)
    try:
        yield
    finally:
        _left.reset(token)


def taken(count: int) -> None:
    """Counts terms before they are evaluated. Raises TooManyTerms."""
    budget = _left.get() - max(count, 0)
    if budget < 0:
        raise TooManyTerms(f"{count} more terms would have to be taken one by one")
    _left.set(budget)
