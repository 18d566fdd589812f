"""Figures 1(a), 4(a), 5(a) and 6(a) of hf: softmax regression over rates, steps and epochs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import stats

from verify.hf.reproduced.tables import CAUSES, QUICK
from verify.showcases.cells import Cause
from verify.showcases.data import Chosen
from verify.showcases.rows import Found, Row, reproduction

SETS = 7  # at a rate, for correlations
RATES = (0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
RATE = 0.2  # of figures 4 to 6
# Section 5.1, at 30 %, with the interpretations of `approximations`.
PRINTED_1 = {"error": 0.171638, "Pearson": 0.96, "Spearman": 0.95}
OURS, NEWTON, JACKKNIFE = "stated, eqs 5 and 9", "NS", "IJ"
FIGURE_1: tuple[Cause, ...] = (*CAUSES, "unspecified B, T or seed")


def approximations(rate: float) -> Callable[[Chosen, int], Found]:
    """Errors, and correlations of loss changes over `SETS` sets, of every approximator."""

    def run(chosen: Chosen, seed: int) -> Found:
        from verify.hf.reproduced.newton import statistics
        from verify.hf.reproduced.setting import LATE, NOTHING, SoftmaxTraining

        experiment = SoftmaxTraining(chosen, seed, **(QUICK if chosen.quick else {}))
        count = 3 if chosen.quick else SETS
        sets = [experiment.forget(rate, i) for i in range(count)]
        shifts = np.array([experiment.end(deletions) for deletions in sets]) - experiment.learned
        mean = (
            np.array([experiment.end(deletions, "mean") for deletions in sets]) - experiment.learned
        )
        stated = experiment.vectors(sets)
        estimates = {
            OURS: stated.vectors,
            NEWTON: statistics(experiment.model, experiment.learned, sets, kept=True),
            JACKKNIFE: statistics(experiment.model, experiment.learned, sets, kept=False),
            NOTHING: np.zeros_like(shifts),
        }
        errors = {name: np.linalg.norm(a - shifts, axis=1) for name, a in estimates.items()}
        late = np.linalg.norm(experiment.vectors(sets, "late").vectors - mean, axis=1)
        actual = [
            experiment.change(m, deletions) for m, deletions in zip(shifts, sets, strict=True)
        ]
        cells = {"error": {k: float(e.mean()) for k, e in errors.items()}}
        cells["error"][LATE] = float(late.mean())
        for word in ("Pearson", "Spearman"):
            cells[word] = {
                name: correlation(
                    word,
                    actual,
                    [experiment.change(x, deletions) for x, deletions in zip(a, sets, strict=True)],
                )
                for name, a in estimates.items()
                if name != NOTHING
            }
        bounds = [
            bound
            for i, (e, deletions) in enumerate(zip(errors[OURS], sets, strict=True))
            for bound in experiment.certified(float(e), deletions, stated, i)
        ]
        return Found(cells, bounds, [experiment.model.data.sha256])

    return run


def correlation(word: str, actual: list[float], approximate: list[float]) -> float:
    """Of the two lists; 0 where one is constant."""
    if np.ptp(actual) == 0 or np.ptp(approximate) == 0:
        return 0.0
    measure = {"Pearson": stats.pearsonr, "Spearman": stats.spearmanr}[word]
    return float(measure(actual, approximate).statistic)


def figure_1(chosen: Chosen) -> list[Row]:
    """Over deletion rates; numbers are printed at 30 % only."""
    rates = RATES[-1:] if chosen.quick else RATES
    return [
        Row(
            f"{rate:.0%}",
            PRINTED_1 if rate == 0.3 else dict.fromkeys(PRINTED_1),
            approximations(rate),
            FIGURE_1,
        )
        for rate in rates
    ]


def course(**settings: Any) -> Callable[[Chosen, int], Found]:
    """The error at 20 %, and accuracies before and after."""

    def run(chosen: Chosen, seed: int) -> Found:
        from verify.hf.reproduced.setting import STATED, SoftmaxTraining

        shorter = {"size": 200} if chosen.quick else {}
        experiment = SoftmaxTraining(chosen, seed, **{**settings, **shorter})
        deletions = experiment.forget(RATE)
        stated = experiment.vectors([deletions])
        cells, bounds = experiment.errors([RATE], stated)
        points = {
            "accuracy learned": experiment.learned,
            "accuracy unlearned": experiment.learned + stated.vectors[0],
            "accuracy retrained": experiment.end(deletions),
        }
        accuracies: dict[str, Mapping[str, float]] = {
            name: {STATED: experiment.accuracy(point)} for name, point in points.items()
        }
        return Found({"error": cells["20%"], **accuracies}, bounds, [experiment.model.data.sha256])

    return run


DRAWN = dict.fromkeys(("error", "accuracy learned", "accuracy unlearned", "accuracy retrained"))


def figure_4(chosen: Chosen) -> list[Row]:
    """Step sizes, with as many epochs as they take."""
    settings = [(0.05, 50, 0.995), (0.001, 750, 1.0), (0.001, 2000, 1.0)]
    return [
        Row(f"eta {eta:g}, {epochs} epochs", DRAWN, course(eta=eta, epochs=epochs, decay=q), CAUSES)
        for eta, epochs, q in ([(0.05, 5, 0.995), (0.001, 8, 1.0)] if chosen.quick else settings)
    ]


def figure_5(chosen: Chosen) -> list[Row]:
    """Epochs."""
    counts = (2, 5) if chosen.quick else (10, 25, 50, 75, 100)
    return [Row(f"{epochs} epochs", DRAWN, course(epochs=epochs), CAUSES) for epochs in counts]


def decays(epochs: int) -> Callable[[Chosen, int], Found]:
    """The error at 20 % with and without a decay of the steps."""

    def run(chosen: Chosen, seed: int) -> Found:
        from verify.hf.reproduced.setting import DECAY, SoftmaxTraining

        cells, bounds, hashes = {}, [], []
        shorter = {"size": 200} if chosen.quick else {}
        for q in (DECAY, 1.0):
            experiment = SoftmaxTraining(chosen, seed, epochs=epochs, decay=q, **shorter)
            error_cells, rate_bounds = experiment.errors([RATE])
            cells[f"q {q:g}"] = error_cells["20%"]
            bounds += rate_bounds
            hashes = [experiment.model.data.sha256]
        return Found(cells, bounds, hashes)

    return run


def figure_6(chosen: Chosen) -> list[Row]:
    """Epochs, with and without decay."""
    counts = (1, 5) if chosen.quick else (1, 10, 25, 50, 100, 200)
    columns = dict.fromkeys(("q 0.995", "q 1"))
    return [Row(f"{epochs} epochs", columns, decays(epochs), CAUSES) for epochs in counts]


FIGURE_1A = reproduction(
    "Figure 1(a): error and correlation over deletion rates, softmax regression",
    "|v_T - w_T - a|, and correlation of loss changes over 7 sets",
    figure_1,
)
FIGURE_4A = reproduction(
    "Figure 4(a): step sizes and epochs, softmax regression, 20 % forgotten",
    "|v_T - w_T - a|, and accuracy in percent",
    figure_4,
)
FIGURE_5A = reproduction(
    "Figure 5(a): epochs, softmax regression, 20 % forgotten",
    "|v_T - w_T - a|, and accuracy in percent",
    figure_5,
)
FIGURE_6A = reproduction(
    "Figure 6(a): decay of the steps, softmax regression, 20 % forgotten",
    "|v_T - w_T - a|",
    figure_6,
)
