"""The showcase of olu: online learners on real streams, and what they certify."""

import math
from dataclasses import asdict
from typing import Any

from simulators.data import sklearn_sets
from verify.olu.comparison import RowStream, allocation_totals, compare
from verify.olu.figure import figure
from verify.showcases import Showcase, Shown
from verify.showcases.data import Chosen

DELETIONS = (1, 10, 100)
MNIST_ROUNDS = 1500


def show(chosen: Chosen, seed: int) -> Shown:
    """Runs every learner on every stream."""
    streams = _streams(chosen, seed)
    entries = [e for stream in streams for k in DELETIONS for e in compare(stream, k, seed=seed)]
    totals = allocation_totals((1, 5, 10, 50, 100))
    sentences = _sentences(entries, totals)
    return Shown(
        lines=[*_table(entries), *sentences],
        document={
            "learners": [asdict(e) for e in entries],
            "allocation": [
                {"deletions": k, "least": least, "paper": paper} for k, least, paper in totals
            ],
        },
        title="What online unlearning costs, and what it certifies",
        paragraphs=sentences,
        caption="Regret of every learner against the number of deletions (logistic regression, "
        "one row a round); right: the noise for k equal shifts, as the paper allocates it and as "
        "little as possible.",
        header=["data", "k", "learner", "regret", "±", "noise", "claimed", "certified", "ε"],
        rows=[
            [
                e.data,
                e.deletions,
                e.learner,
                f"{e.regret:.2f}",
                f"{e.standard_error:.2f}",
                f"{e.noise:.3g}",
                _number(e.claimed),
                _number(e.certified),
                _number(e.epsilon),
            ]
            for e in entries
        ],
        drawing=figure(entries),
        hashes=[stream.sha256 for stream in streams],
    )


def _streams(chosen: Chosen, seed: int) -> list[Any]:
    sets = {
        "breast cancer": chosen.cut(sklearn_sets.breast_cancer()),
        "digits": chosen.cut(sklearn_sets.digits()),
        "MNIST": chosen.images(MNIST_ROUNDS, classes=(3, 8)),
    }
    return [RowStream.of(data, name, seed=seed) for name, data in sets.items() if data is not None]


def _table(entries: list[Any]) -> list[str]:
    rows = [
        "Online unlearning of k random rows: D_alpha <= alpha rho claimed and certified",
        f"  {'data':<14}{'k':>4}  {'learner':<46}{'regret':>9}{'±':>7}{'noise':>11}{'claimed':>9}"
        f"{'certified':>11}{'epsilon':>10}{'gradients':>11}",
    ]
    return rows + [
        f"  {e.data:<14}{e.deletions:>4}  {e.learner:<46}{e.regret:>9.2f}"
        f"{e.standard_error:>7.2f}{e.noise:>11.3g}{_number(e.claimed):>9}"
        f"{_number(e.certified):>11}{_number(e.epsilon):>10}{sum(e.gradients.values()):>11}"
        for e in entries
    ]


def _number(value: float) -> str:
    return "exact" if value == 0 else "inf" if math.isinf(value) else f"{value:.3g}"


def _sentences(entries: list[Any], totals: list[tuple[int, float, float]]) -> list[str]:
    printed = [e for e in entries if e.learner == "passive, printed noise"]
    least = min(e.certified for e in printed)
    k, best, paper = totals[-1]
    return [
        "The noise that the paper prints for its passive learner claims the budget "
        f"{printed[0].claimed:g} and certifies none below {least:.2g}: steps of 1/(μt) contract "
        "by u/τ, not by γ^(τ-u). The least noise that keeps the claim is computed from the steps.",
        f"For {k} equal shifts without contraction the paper's allocation has "
        f"{paper / best:.2f} times the least total variance.",
    ]


SHOWCASE = Showcase(show, {"test_share": "for olu, which holds no rows out"})
