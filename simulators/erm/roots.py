"""Square roots in balls of numbers that are known to be >= 0."""

from typing import Any


def root(x: Any) -> Any:
    """A ball of the square root of a number >= 0 that lies in x, which may reach below 0.

    A sum of squares may be 0, as at an exact minimiser; its ball then holds numbers below 0, of
    which there is no root, and of which the sum is none.
    """
    if not x.lower() < 0:
        return x.sqrt()
    return x.upper().sqrt().union(type(x)(0))


def length(entries: list[Any]) -> Any:
    """A ball of the Euclidean length of a vector of balls; at least one."""
    squares = [x * x for x in entries]
    return root(sum(squares[1:], squares[0]))
