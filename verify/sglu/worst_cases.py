"""Worst cases by semidefinite programming beside (14)-(17) and Lemma 3.5 of sglu."""

from collections.abc import Iterator

from verify.search.worst_case import WorstCase, certificate, contraction, noisy_distance


def steps() -> Iterator[WorstCase]:
    """How much one gradient step contracts."""
    for eta in (0.5, 1.5):
        value = contraction(eta=eta, m=0.2, L=1.0)
        inputs = {"eta": eta, "m": 0.2, "L": 1.0}
        yield certificate(f"contraction, eta={eta} m=0.2 L=1", value, "sglu.eq14_17", inputs)


def runs() -> Iterator[WorstCase]:
    """How far two coupled noisy runs come apart."""
    one = {"eta": 0.5, "m": 0.2, "M": 1.0, "b": 2, "J": 1, "j0": 0, "R": 100.0}
    for T in (1, 2, 3):
        subject = f"W-infinity, eta=0.5 m=0.2 M=1 b=2, {T} steps"
        value = noisy_distance(eta=0.5, m=0.2, L=1.0, sensitivity=0.5, steps=T)
        yield certificate(subject, value, "sglu.lem3.5", {**one, "T": T})
