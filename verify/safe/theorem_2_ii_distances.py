"""SAFE's regret from the distances to w_t*: attained from above and from below."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings

Array = NDArray[np.float64]


def noise(phi: float, d: int) -> tuple[Array, Array]:
    """Nodes (points, d) and weights that are exact for N(0, phi I_d) up to degree 15."""
    z, weight = np.polynomial.hermite_e.hermegauss(8)
    nodes = np.array(list(product(z, repeat=d))) * np.sqrt(phi)
    weights = np.prod(list(product(weight / weight.sum(), repeat=d)), axis=1)
    return nodes, weights


def quadratic_regret(hessian: Array, optima: Array, steps: Array, phi: float) -> float:
    """sum E R_t(w_t) with R_t = (w - w_t*)'H(w - w_t*)/2, w_0 = 0, w_t = -step_t - b_t."""
    nodes, weights = noise(phi, optima.shape[1])
    total = 0.0
    for best, step in zip(optima, steps, strict=True):
        gap = -step - nodes - best
        total += float(weights @ np.einsum("ni,ij,nj->n", gap, hessian, gap)) / 2
    return total


def directions(rng: np.random.Generator, n: int, d: int) -> Array:
    vectors = rng.normal(size=(n, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1)[:, None])


def check_quadratic(ctx: Context) -> Findings:
    """Isotropic quadratics, steps towards or away from w_t*: equality; random ones: inequality."""
    rng = ctx.rng()
    below = ctx.claim.id == "safe.thm2ii.below"
    name = "mu" if below else "Ls"
    for _ in range(ctx.pick(40, 400)):
        d = int(rng.integers(1, 4))
        rounds = int(rng.integers(1, 5))
        low, high = np.sort(np.exp(rng.normal(size=2)))
        gamma = float(rng.exponential())
        phi = float(rng.exponential() * rng.integers(0, 2))
        D = rng.exponential(size=rounds) + (gamma if below else 0)
        optima = D[:, None] * directions(rng, rounds, d)
        sign = -1 if below else 1  # a step -gamma w_t*/|w_t*| leads away, from w_0 = 0
        steps = sign * gamma * optima / D[:, None]
        at = {name: float(high), "D": D, "gamma": gamma, "d": d, "phi": phi}
        regret = quadratic_regret(high * np.eye(d), optima, steps, phi)
        yield ctx.compare("literal", "tight", regret, at, "isotropic quadratics", relation="==")
        spread = directions(rng, d, d)
        turned = np.linalg.qr(spread)[0]
        hessian = turned @ np.diag(np.linspace(low, high, d)) @ turned.T
        curvature = float(np.linalg.eigvalsh(hessian)[0 if below else -1])
        regret = quadratic_regret(hessian, optima, gamma * directions(rng, rounds, d), phi)
        at[name] = curvature
        yield ctx.compare("literal", "tight", regret, at, "random quadratics")


def check_path(ctx: Context) -> Findings:
    """R_t = U|w - w_t*|: equality without noise, quadrature with it."""
    for rng in ctx.draws(60, 600):
        d = int(rng.integers(1, 4))
        rounds = int(rng.integers(1, 6))
        U = float(np.exp(rng.normal()))
        gamma = float(rng.exponential())
        D = rng.exponential(size=rounds)
        optima = D[:, None] * directions(rng, rounds, d)
        away = gamma * optima / D[:, None]
        at = {"U": U, "D": D, "gamma": gamma, "d": d, "phi": 0.0}
        regret = float(U * np.linalg.norm(-away - optima, axis=1).sum())
        yield ctx.compare("literal", "tight", regret, at, "steps away from w_t*", relation="==")
        at["phi"] = float(rng.exponential())
        nodes, weights = noise(at["phi"], d)  # a positive rule of that covariance: Jensen holds
        steps = gamma * directions(rng, rounds, d)
        gaps = np.linalg.norm(-steps[:, None] - nodes - optima[:, None], axis=2) @ weights
        regret = float(U * gaps.sum())
        yield ctx.compare("literal", "tight", regret, at, "any steps, with noise")


CHECKS = (
    Check(
        "safe.thm2ii.path",
        check_path,
        far=(
            "attained by a risk U|w - w*| with a corner at its minimiser, which no "
            "differentiable loss has"
        ),
    )
    .measured_by(
        "safe",
        "quiet_regret",
        where=("public constants", "no noise", "no weight", "minimisers in the ball"),
    )
    .measured_by("safe", "mean_regret_of_safe"),
    Check("safe.thm2ii.smooth", check_quadratic)
    .measured_by("safe", "quiet_regret", where=("public constants", "no noise", "no weight"))
    .measured_by("safe", "mean_regret_of_safe"),
    Check("safe.thm2ii.below", check_quadratic)
    .measured_by("safe", "quiet_regret", where=("public constants", "no noise", "no weight"))
    .measured_by("safe", "mean_regret_of_safe"),
)
