"""Regret against rounds, deletions, or their gap: the paper's curves, ours, and every baseline.

A scene is k deletions spread evenly over T rounds, each asked for `gap` rounds after its loss.
The strongly convex scene takes steps 1/(mu t), the convex one D/(L sqrt t).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import bounds
from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_root, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from simulators.domains import Ball
from simulators.exact.quadratic_stream import QuadraticStream
from verify.plots import scenes
from verify.plots.picture import Picture

VARIABLES: Mapping[str, str] = {
    "T": "number of rounds $T$ [rounds]",
    "k": "number of deletions $k$ [deletions]",
    "gap": "rounds between a loss and its deletion [rounds]",
}
POINTS: Mapping[str, tuple[int, ...]] = {
    "T": (200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000),
    "k": (1, 2, 3, 5, 7, 10, 15, 20, 30, 50),
    "gap": (1, 2, 3, 5, 10, 20, 50, 100, 200),
}
SCENE: Mapping[str, float] = {
    "T": 5000,
    "k": 10,
    "gap": 20,
    "d": 10,
    "epsilon": 1.0,
    "L": 1.0,
    "mu": 1.0,
    "beta": 3.0,
    "D": 1.0,
    "steps": 10,
}
MEASURED = 20_000


def strongly_convex(over: str, changed: Mapping[str, Any]) -> Picture:
    """Theorem 2 and the strongly convex rows of Table 2.

    The experiment is the exact expected regret of the passive learner with the least noise on
    alternating quadratics (no projection), up to T = 20,000.
    """

    def curves(s: dict[str, float], u: list[int], tau: list[int]) -> dict[str, Callable[[], Any]]:
        common = {"T": s["T"], "L": s["L"], "mu": s["mu"], "tau": tau}
        noisy = {**common, "d": s["d"], "epsilon": s["epsilon"]}
        active = {**noisy, "beta": s["beta"], "D": s["D"], "I2": s["steps"]}
        private = {n: s[n] for n in ("T", "k", "d", "epsilon", "L", "mu")}
        return {
            "printed": lambda: bounds.get("olu.thm2")("printed", **noisy, beta=s["beta"], u=u),
            "corrected": lambda: bounds.get("olu.thm2")("corrected", **noisy),
            "tight": lambda: bounds.get("olu.thm2")("tight", **noisy),
            "active": lambda: bounds.get("olu.thm6.regret")("corrected", **active),
            "restart": lambda: bounds.get("olu.tab2")("corrected", **common),
            "retraining": lambda: bounds.get("olu.tab2.retrain")("corrected", **common, D=s["D"]),
            "online DP": lambda: bounds.get("olu.dpregret")("corrected", **private),
            "experiment": lambda: _measured(s, u, tau),
        }

    return _draw("olu.thm2", "Theorem 2 and Table 2, strongly convex", over, changed, curves)


def convex(over: str, changed: Mapping[str, Any]) -> Picture:
    """Theorem 3 and the convex rows of Table 2, with quadratic growth L/D for the printed bound.

    "corrected" lets the comparator cross the domain at every deletion, "fixed comparator" not.

    The experiment is the expected regret of the passive learner with the least noise on linear
    losses of random signs, by simulation, up to T = 20,000.
    """

    def curves(s: dict[str, float], u: list[int], tau: list[int]) -> dict[str, Callable[[], Any]]:
        common = {"T": s["T"], "L": s["L"], "D": s["D"], "tau": tau}
        noisy = {**common, "d": s["d"], "epsilon": s["epsilon"], "u": u}
        path = [s["D"]] * len(u)
        private = {n: s[n] for n in ("T", "k", "d", "epsilon", "L", "D")}
        return {
            "printed": lambda: bounds.get("olu.thm3")("printed", **noisy, kappa=s["L"] / s["D"]),
            "corrected": lambda: bounds.get("olu.thm3")("corrected", **noisy, path=path),
            "fixed comparator": lambda: bounds.get("olu.thm3")(
                "corrected", **noisy, path=[0.0] * len(u)
            ),
            "restart": lambda: bounds.get("olu.tab2.restart_convex")("corrected", **common),
            "retraining": lambda: bounds.get("olu.tab2.retrain_convex")(
                "corrected", **common, u=u, path=sum(path)
            ),
            "online DP": lambda: bounds.get("olu.dpregret.convex")("corrected", **private),
            "experiment": lambda: _simulated(s, u, tau),
        }

    return _draw("olu.thm3", "Theorem 3 and Table 2, convex", over, changed, curves)


def schedule(T: int, k: int, gap: int, first: int) -> tuple[list[int], list[int]]:
    """(u, tau): k requests spread evenly over T rounds, each `gap` rounds after its loss.

    Raises ValueError where they do not fit behind round `first`.
    """
    tau = [round(T * i / (k + 1)) for i in range(1, k + 1)]
    u = [max(t - gap, first) for t in tau]
    if any(b >= t for b, t in zip(u, tau, strict=True)) or len(set(u)) < k:
        raise ValueError(f"T must hold {k} deletions with gap {gap} after round {first}, got {T}")
    return u, tau


def _draw(
    id: str,
    title: str,
    over: str,
    changed: Mapping[str, Any],
    curves: Callable[[dict[str, float], list[int], list[int]], dict[str, Callable[[], Any]]],
) -> Picture:
    points, fixed = scenes.inputs(over, changed, VARIABLES, POINTS, SCENE)
    rows: list[tuple[float, dict[str, float]]] = []
    refusal: ValueError | None = None
    for point in points:
        scene = {**fixed, over: point}
        try:
            first = math.ceil(0.5 + scene["beta"] / scene["mu"])
            u, tau = schedule(int(scene["T"]), int(scene["k"]), int(scene["gap"]), first)
            values = {name: float(value()) for name, value in curves(scene, u, tau).items()}
        except ValueError as error:
            refusal = refusal or error
            continue
        rows.append((float(point), values))
    if not rows:
        raise refusal or ValueError(f"{id} is undefined at every {over}")
    return Picture(
        id,
        title,
        VARIABLES[over],
        "regret [loss]",
        scenes.caption(fixed),
        True,
        True,
        scenes.curves(rows),
    )


def _measured(s: dict[str, float], u: list[int], tau: list[int]) -> float:
    """Exact regret on x_t = +-L/(2 mu): gradients stay below L while the noise is small."""
    T, d = int(s["T"]), int(s["d"])
    if T > MEASURED:
        return math.nan
    descent = OnlineDescent(s["mu"], s["beta"], s["L"], inverse_time(s["mu"]))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), s["epsilon"])
    t = np.arange(1, T + 1)
    points = np.zeros((T, d))
    points[:, 0] = s["L"] / (2 * s["mu"]) * (-1.0) ** (t + 1)
    stream = QuadraticStream(points, s["mu"], 1.0 / (s["mu"] * t))
    return stream.expected_regret(u, tau, sigma)


def _simulated(s: dict[str, float], u: list[int], tau: list[int]) -> float:
    """Sample mean of 64 runs on f_t(z) = <g_t, z>, |g_t| = L, in a ball of diameter D."""
    from simulators.online.learners import run
    from simulators.online.linear import Linear

    T, d = int(s["T"]), int(s["d"])
    if T > MEASURED:
        return math.nan
    steps = inverse_root(s["D"], s["L"])
    descent = OnlineDescent(0.0, s["L"] / s["D"], s["L"], steps, s["D"])
    requests = DeletionSchedule(u, tau)
    slopes = np.random.default_rng(0).normal(size=(T, d))
    slopes *= s["L"] / np.linalg.norm(slopes, axis=1, keepdims=True)
    result = run(
        Linear(slopes, domain=Ball(s["D"] / 2)),
        requests,
        steps=steps,
        sigmas=least_deletion_noise(descent, requests, s["epsilon"]),
        runs=(0,),
        trials=64,
        keep_losses=False,
    )
    return result.mean_regret()[0]
