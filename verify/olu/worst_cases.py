"""Worst cases by semidefinite programming beside Lemma 6 and equation (2) of olu."""

from collections.abc import Iterator

from verify.search.worst_case import WorstCase, certificate, regret, stability


def minimisers() -> Iterator[WorstCase]:
    """How far the minimiser moves when k losses are removed."""
    for k in (1, 2):
        subject = f"minimisers, {k} removed, L=1 kappa=0.5"
        inputs = {"k": k, "L": 1.0, "kappa": 0.5}
        value = stability(k=k, L=1.0, kappa=0.5)
        yield certificate(subject, value, "olu.lem6", inputs, form="printed")


def games() -> Iterator[WorstCase]:
    """Regret of projected descent with constant steps."""
    for T in (1, 2, 4):
        value = regret(D=1.0, L=1.0, T=T)
        inputs = {"D": 1.0, "L": 1.0, "T": T}
        yield certificate(f"regret, D=L=1, {T} rounds", value, "olu.eq2.constant", inputs)
