"""Settings of runs that unlearn on rows made for it, by which bounds are nearly attained."""

from __future__ import annotations

from typing import Any

from accounting.problems.options import Rule
from simulators.runs.extreme_rows import by_turns, later_half, only, turned_labels, turned_rows

LONG = Rule("1.999/(L+m)", lambda at: 1.999 / (at["L"] + at["m"]))
SHORT = Rule("0.01/L", lambda at: 0.01 / at["L"])
SHORTEST = Rule("0.0001/L", lambda at: 1e-4 / at["L"])
WHOLE: dict[str, Any] = {"test_share": 0.0, "statistics": "set"}


def _halves_of_labels(rows: int) -> dict[str, Any]:
    """One row with either label, first the one and then the other."""
    return {"data": turned_labels("one label, then the other", later_half(rows)), **WHOLE}


def _halves_of_rows(rows: int) -> dict[str, Any]:
    """Rows of 1, then as many of -1."""
    return {"data": turned_rows("1, then -1", later_half(rows)), **WHOLE}


RECOLLECTIONS: dict[str, dict[str, Any]] = {
    "logistic loss of both labels, one step": {
        **_halves_of_labels(10),
        "regularisation": 0.2,
        "forget": "0",
        "epochs": 1,
    },
    "logcosh loss of both labels, three steps": {
        **_halves_of_labels(10),
        "loss": "logcosh",
        "regularisation": 0.2,
        "forget": "7",
        "epochs": 3,
    },
    "means of 1 and -1, steps that vanish": {
        **_halves_of_rows(300),
        "loss": "quadratic",
        "regularisation": 5.0,
        "forget": "0",
        "epochs": 100,
        "step_size": LONG,
        "decay": 0.1,
        "scaling": "mean",
    },
    "logcosh loss of 1 and -1, most rows": {
        **_halves_of_rows(100),
        "loss": "logcosh",
        "regularisation": 50.0,
        "ratio": 0.9,
        "forget": "aligned",
        "epochs": 6,
        "batch_size": 5,
        "step_size": SHORT,
        "hessian": "kept",
    },
    "hinge loss with one other label, row by row": {
        "data": turned_labels("a first label -1", only(6, 0)),
        **WHOLE,
        "loss": "hinge",
        "regularisation": 0.05,
        "forget": "0,1",
        "epochs": 1,
        "batch_size": 1,
        "scaling": "mean",
    },
}

LAST_STEPS: dict[str, dict[str, Any]] = {
    "logcosh loss with one other label, the last of three short steps": {
        "data": turned_labels("a last label -1", only(4, -1)),
        "test_share": 0.0,
        "loss": "logcosh",
        "regularisation": 0.2,
        "ratio": 0.9,
        "epochs": 3,
        "step_size": SHORTEST,
        "k": 1,
    },
}

REMOVALS: dict[str, dict[str, Any]] = {
    "logcosh loss of two rows, much noise": {
        "data": turned_labels("both labels", only(2, 1)),
        "test_share": 0.0,
        "loss": "logcosh",
        "regularisation": 50.0,
        "ratio": 0.9,
        "noise": 1e4,
        "epsilon": 1e3,
        "normalise": False,
    },
    "logistic loss of two rows, much noise": {
        "data": turned_labels("both labels", by_turns(2)),
        "test_share": 0.0,
        "regularisation": 5.0,
        "forget": "1",
        "noise": 60.0,
        "epsilon": 1e3,
    },
}
