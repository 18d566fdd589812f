"""A worst case by semidefinite programming beside the rewinding of mini."""

from collections.abc import Iterator

from verify.search.worst_case import WorstCase, certificate, contraction


def steps() -> Iterator[WorstCase]:
    """How much two gradient steps of one loss contract."""
    value = contraction(eta=1.6, m=0.2, L=1.0, steps=2)
    inputs = {"eta": 1.6, "mu": 0.2, "L": 1.0, "k": 2, "distance": 1.0}
    yield certificate("contraction, eta=1.6 m=0.2 L=1, 2 steps", value, "mini.rewind", inputs)
