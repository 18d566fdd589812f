"""Regret of SAFE and of what replaces it on the streams that refute safe, Theorem 2(ii)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import bounds
from simulators.streaming.ogd import normalised_descent, tuned_step
from verify.plots import scenes
from verify.plots.picture import Picture
from verify.safe.line_streams import constant_risk, median_stream

VARIABLES: Mapping[str, str] = {
    "T": "rounds $T$ [rounds]",
    "K": "constant of the step size $K$ [-]",
    "W": "radius $W$ [parameter]",
}
POINTS: Mapping[str, tuple[float, ...]] = {
    "T": (16, 36, 64, 100, 256, 400, 1024),
    "K": (0.2, 1 / 3, 0.5, 1.0, 2.0, 4.0, 8.0),
    "W": (0.25, 0.5, 1.0, 2.0, 4.0),
}
SCENE: Mapping[str, float] = {"T": 400, "K": 1.0, "W": 1.0, "epsilon": 1.0, "delta": 1e-5}


def regrets(over: str, changed: Mapping[str, Any]) -> Picture:
    """The picture over one of `VARIABLES`; `changed` replaces entries of `SCENE`.

    Losses |w - x|. Bias: the median stream, V_T = W, no noise. Noise: a constant risk, V_T = 0,
    the printed noise. Descent is projected and normalised, from the last model.
    Raises ValueError for another variable or input.
    """
    points, fixed = scenes.inputs(over, changed, VARIABLES, POINTS, SCENE)
    rows = [(float(point), _curves({**fixed, over: point})) for point in points]
    return Picture(
        "safe.thm2ii",
        "Regret of streams of deletions",
        VARIABLES[over],
        "regret [loss]",
        scenes.caption(fixed),
        True,
        True,
        scenes.curves(rows),
    )


def _curves(s: Mapping[str, Any]) -> dict[str, float]:
    T, K, W = int(s["T"]), float(s["K"]), float(s["W"])
    gamma = math.sqrt(W / T) / K
    phi = float(bounds.get("safe.phi")("printed", W=W, epsilon=s["epsilon"], delta=s["delta"]))
    biased, still = median_stream(T, W), constant_risk(T, radius=W)
    inputs = {"U": 1.0, "W": W, "K": K, "T": T, "V": W}
    theorem = bounds.get("safe.thm2ii")
    path = np.full(T, 0.0)
    path[0] = W
    followed = normalised_descent(
        lambda t, u: biased.gradient(t, u), [[0.0]], T, step=tuned_step(W, W, T), radius=W
    )
    return {
        "printed": float(theorem("printed", **inputs)),
        "√T + V_T": math.sqrt(T) + W,
        "corrected": float(theorem("corrected", **inputs, d=1, phi=0.0)),
        "SAFE, bias": biased.exact_regret(gamma, 0.0),
        "SAFE, noise": still.exact_regret(gamma, phi),
        "keeping w_0": biased.exact_regret(0.0, 0.0),
        "descent's bound": float(
            bounds.get("safe.thm2ii.ogd.tuned")("corrected", U=1.0, W=W, v=path)
        ),
        "descent": float(biased.regrets(followed[:, :-1, 0])[0]),
    }
