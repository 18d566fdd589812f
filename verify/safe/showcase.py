"""The showcase of safe: a stream of deletions, served and certified."""

import math
from typing import Any

import numpy as np

from simulators.data import sklearn_sets
from simulators.runs.stream_curves import path_length, regret_order
from simulators.runs.stream_problem import StreamProblem
from verify.safe.figure import figure
from verify.safe.side_by_side import compare, corrected_regret
from verify.showcases import Showcase, Shown, columns
from verify.showcases.data import Chosen

MNIST_ROWS = 1000
HEADER = ("data", "method", "regret", "kept", "forgotten", "test", "distance", "ε", "ε, all")


def show(chosen: Chosen, seed: int) -> Shown:
    """Serves the stream by every method."""
    problems = _problems(chosen, seed)
    curves = [compare(problem, seed) for problem in problems]
    rows = [_row(curve) for mine in curves for curve in mine]
    sentences = [_sentence(p, mine) for p, mine in zip(problems, curves, strict=True)]
    title = "A stream of deletions: after the last round, regret summed over all rounds"
    return Shown(
        lines=[title, *columns(HEADER, rows), *sentences],
        document={
            "methods": [as_lists(c) for mine in curves for c in mine],
            "streams": [
                {
                    "data": p.name,
                    "path_length": path_length(p).tolist(),
                    "printed_order": regret_order(path_length(p)).tolist(),
                    "corrected_bound": corrected_regret(p).tolist(),
                }
                for p in problems
            ],
        },
        title="A stream of deletions: what is published, and what it certifies",
        paragraphs=sentences,
        caption="Softmax regression; 1 % of the rows leave in each round. Certified ε is "
        "against retraining with the same noise; where a curve is missing ε is infinite (no "
        "noise) or 0.",
        header=HEADER,
        rows=rows,
        drawing=figure(problems, curves),
        hashes=[p.train.sha256 for p in problems],
    )


def as_lists(curve: Any) -> dict[str, Any]:
    """A curve as plain data, without the models."""
    fields = {name: value for name, value in vars(curve).items() if name != "last"}
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in fields.items()}


def _problems(chosen: Chosen, seed: int) -> list[Any]:
    same: dict[str, Any] = {"seed": seed, "row_norm": 1.0, "test_share": chosen.share}
    digits = chosen.cut(sklearn_sets.digits(None).normalised().shuffled(seed))
    problems = [StreamProblem.of(digits, "digits", **same)]
    images = chosen.images(MNIST_ROWS, seed=seed)
    if images is not None:
        problems.append(StreamProblem.of(images, "MNIST", regularisation=0.02, steps=120, **same))
    return problems


def _row(c: Any) -> list[str]:
    return [
        c.data,
        c.method,
        f"{c.regret[-1]:.4g}",
        f"{c.kept[-1]:.3f}",
        f"{c.forgotten[-1]:.3f}",
        f"{c.test[-1]:.3f}",
        f"{c.distance[-1]:.4g}",
        _epsilon(c.epsilon.max()),
        _epsilon(c.joint),
    ]


def _epsilon(value: float) -> str:
    return "0" if value == 0 else "∞" if math.isinf(value) else f"{value:.4g}"


def _sentence(problem: Any, curves: list[Any]) -> str:
    by = {c.method: c for c in curves}
    printed, bare = by["SAFE as printed"], by["SAFE corrected, no noise"]
    track, still = by["track and publish"], by["keep w_0"]
    return (
        f"{problem.name}: after {problem.rounds} rounds SAFE with the noise that it prints claims "
        f"ε = {problem.epsilon:g} and certifies {_epsilon(printed.epsilon.max())}, at "
        f"{printed.test[-1]:.1%} test accuracy. Without noise its distance to retraining is "
        f"{bare.distance[-1] / still.distance[-1]:.2f} times that of keeping w_0. Tracking "
        f"certifies ε = {_epsilon(track.epsilon.max())} in every round, "
        f"{_epsilon(track.joint)} for all "
        f"rounds together, at {track.test[-1]:.1%} and a regret of {track.regret[-1]:.3g} against "
        f"{printed.regret[-1]:.3g}."
    )


SHOWCASE = Showcase(show)
