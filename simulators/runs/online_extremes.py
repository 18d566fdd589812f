"""Settings of online runs that come near to what bounds allow: small balls, late requests."""

from __future__ import annotations

import math
from typing import Any

from accounting.problems.options import Rule
from simulators.runs.extreme_rows import by_turns, only, turned_labels, turned_rows

ROOT = Rule("D/(L*sqrt(t))", lambda at: at["D"] / (at["L"] * math.sqrt(at["t"])))
FLAT = Rule("D/(L*sqrt(T))", lambda at: at["D"] / (at["L"] * math.sqrt(at["T"])))
ADAPTIVE = Rule("adaptive", lambda at: at["t"])
ALMOST_NO_NOISE, MUCH_NOISE = 1e10, 1e-4  # epsilon


def _turns(rounds: int) -> dict[str, Any]:
    """Rows of 1 and -1 by turns, one a round."""
    return {"data": turned_rows("1 and -1 by turns", by_turns(rounds)), "rounds": rounds}


def _labels(rounds: int) -> dict[str, Any]:
    """One row with both labels by turns, one a round."""
    return {"data": turned_labels("both labels by turns", by_turns(rounds)), "rounds": rounds}


def _signs(rounds: int) -> dict[str, Any]:
    """Losses whose slope at every point met is as steep as it can be."""
    return {"data": "worst-signs", "rounds": rounds}


def _at(*pairs: tuple[int, int]) -> dict[str, Any]:
    """Requests: the loss, and the round in which it is to go."""
    index, time = zip(*pairs, strict=True)
    return {"schedule": {"index": list(index), "time": list(time)}}


def _active(inner_steps: int, first_steps: int = 0) -> dict[str, Any]:
    return {"learner": "active", "inner_steps": inner_steps, "first_steps": first_steps}


EXTREMES: dict[str, dict[str, Any]] = {
    "means of 1 and -1 by turns, a small ball": {
        **_turns(100),
        **_at((46, 83)),
        "loss": "quadratic",
        "regularisation": 1.0,
        "radius": 0.1,
        "trials": 512,
        "epsilon": ALMOST_NO_NOISE,
    },
    "logistic loss on digits, a small ball and one step at a request": {
        "data": "digits",
        "rounds": 30,
        **_at((1, 3)),
        **_active(0, first_steps=1),
        "regularisation": 5.0,
        "radius": 0.1,
        "trials": 64,
        "epsilon": MUCH_NOISE,
    },
    "worst signs, steps 1/sqrt(t)": {
        **_signs(60),
        **_at((13, 16)),
        "regularisation": 0.01,
        "radius": 0.01,
        "step_size": ROOT,
        "trials": 1,
        "epsilon": 1.0,
    },
    "worst signs, one step size": {
        **_signs(20),
        **_at((18, 19)),
        "regularisation": 1.0,
        "radius": 0.1,
        "step_size": FLAT,
        "trials": 512,
        "epsilon": MUCH_NOISE,
    },
    "a first row that pulls the other way": {
        "data": turned_rows("1, after a first -1", only(60, 0)),
        "rounds": 60,
        **_at((25, 42)),
        **_active(2),
        "loss": "logcosh",
        "regularisation": 0.001,
        "radius": 100.0,
        "trials": 1,
        "epsilon": ALMOST_NO_NOISE,
    },
    "alternating hinges, private": {
        "data": "hinges",
        "rounds": 5,
        **_at((3, 4)),
        "learner": "dp",
        "trials": 64,
        "epsilon": ALMOST_NO_NOISE,
    },
    "Huber loss of 1 and -1 by turns, adaptive": {
        **_turns(300),
        **_at((164, 244)),
        "learner": "retrain",
        "loss": "huber",
        "regularisation": 0.0,
        "radius": 0.1,
        "step_size": ADAPTIVE,
        "trials": 1,
    },
    "ridge regression on breast cancer, a late request": {
        "data": "breast_cancer",
        "rounds": 60,
        **_at((3, 54)),
        **_active(0),
        "loss": "ridge",
        "regularisation": 1.0,
        "radius": 2.0,
        "step_size": 0.5,
        "trials": 64,
        "epsilon": ALMOST_NO_NOISE,
    },
    "worst signs, private": {
        **_signs(100),
        **_at((99, 100)),
        "learner": "dp",
        "regularisation": 5.0,
        "radius": 0.01,
        "trials": 512,
        "epsilon": 1e6,
    },
    "means of 1 and -1 by turns, two late requests": {
        **_turns(12),
        **_at((7, 8), (9, 10)),
        "learner": "newton",
        "first_steps": 0,
        "loss": "quadratic",
        "regularisation": 5.0,
        "radius": 0.5,
        "step_size": FLAT,
        "trials": 64,
        "epsilon": 100.0,
    },
    "worst signs, two requests together": {
        **_signs(30),
        "deletions": "bursts",
        "k": 2,
        "regularisation": 0.05,
        "radius": 0.01,
        "trials": 512,
        "epsilon": 0.1,
    },
    "means of 1 and -1 by turns, one step size": {
        **_turns(5),
        "deletions": "late",
        "k": 1,
        "loss": "quadratic",
        "regularisation": 0.05,
        "radius": 0.01,
        "step_size": FLAT,
        "trials": 512,
        "epsilon": MUCH_NOISE,
    },
    "logistic loss of both labels by turns, two steps at a request": {
        **_labels(60),
        **_at((7, 8), (14, 18), (56, 58)),
        **_active(2),
        "regularisation": 1.0,
        "radius": 0.3,
        "trials": 64,
        "epsilon": ALMOST_NO_NOISE,
    },
    "Huber loss of 1 and -1 by turns, adaptive, three late requests": {
        **_turns(100),
        **_at((92, 93), (95, 96), (98, 99)),
        "loss": "huber",
        "regularisation": 0.2,
        "radius": 0.3,
        "step_size": ADAPTIVE,
        "trials": 1,
        "epsilon": 1e6,
    },
    "Huber loss of both labels by turns, the last request": {
        **_labels(300),
        **_at((298, 299)),
        "loss": "huber",
        "regularisation": 0.001,
        "radius": 0.9,
        "step_size": FLAT,
        "trials": 512,
        "epsilon": ALMOST_NO_NOISE,
    },
    "logistic loss of both labels by turns, newton": {
        **_labels(6),
        **_at((1, 5)),
        "learner": "newton",
        "first_steps": 0,
        "regularisation": 5.0,
        "radius": 2.0,
        "trials": 64,
        "epsilon": 100.0,
    },
}
