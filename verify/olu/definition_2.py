"""Definition 2 of olu: as printed it never protects the last deletion; repaired it is attained."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import renyi, renyi_gauss
from simulators.exact.quadratic_stream import QuadraticStream
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = np.ndarray
DEFINITION = Claim(
    id="olu.def2",
    label="Definition 2 (equation 4)",
    kind="definition",
    statement="An (alpha, eps)-OLU keeps, for i = 1..k-1, its outputs from tau_i to tau_{i+1} - 1 "
    "within D_alpha <= eps of those of the run without f_{u_1}..f_{u_i}; tau_{k+1} = T.",
    aliases=("olu.eq4",),
    formula=False,
    readings=(
        Reading(
            "literal",
            "whatever meets the definition leaks at most eps after a deletion",
            ("printed", "corrected"),
        ),
    ),
    correction="For i = 1..k and tau_i <= t < tau_{i+1} with tau_{k+1} = T + 1; sigma_1..sigma_i "
    "and tau_1..tau_i are public and the same in both runs.",
)
FOREVER = Claim(
    id="olu.def2.forever",
    label='Section 2.2, "protected forever"',
    kind="claim",
    statement="Once a point is deleted it remains protected forever.",
    readings=(
        Reading(
            "literal",
            "the outputs of each later window, one at a time",
            ("tight",),
            proofs={"tight": "post-processing of z_{tau_j} by maps and noise of both runs"},
        ),
        Reading(
            "joint",
            "all outputs from tau_j on, together; one point's removal",
            ("tight",),
            proofs={"tight": "post-processing of z_{tau_j}; equality, as z_{tau_j} is an output"},
        ),
    ),
    natural=Natural("sigma", tuple(np.geomspace(0.2, 5, 15).tolist()), {"alpha": 2.0, "a": 1.0}),
    quantity="D_alpha of all outputs after the deletion",
)
CLAIMS = (DEFINITION, FOREVER)


def stream(T: int, u: Array, mu: float = 1.0, L: float = 1.0) -> QuadraticStream:
    """mu-quadratics, eta_t = 1/(mu t), from 0: data L/mu at the deleted rounds u and 0 elsewhere.

    The run that skips all of them stays at 0, where each deleted gradient is -L: skipping moves
    the other run by exactly eta_u L.
    """
    points = np.zeros(T)
    points[np.asarray(u, dtype=int) - 1] = L / mu
    return QuadraticStream(points, mu, 1 / (mu * np.arange(1, T + 1)))


def window_divergence(
    data: QuadraticStream, u: Array, tau: Array, sigma: Array, request: int, alpha: float
) -> float:
    """Exact D_alpha of the output at tau_request, inf for different points."""
    (mean, variance), (other, same) = data.pair(u, tau, sigma, request)
    if variance == 0 and same == 0:
        return 0.0 if np.array_equal(mean, other) else math.inf
    return float(renyi_gauss(mean[0], variance, other[0], same, alpha))


def window(
    alpha: float, a: float, sigma: float, later: Array, factor: float = 0.7
) -> tuple[Gaussian, Gaussian]:
    """Laws of z_tau and of the outputs after each `later` noise, runs a apart at tau."""
    n = 1 + len(later)
    noise = np.diag(np.concatenate(([sigma], later)))
    passed = factor ** np.maximum(np.subtract.outer(np.arange(n), np.arange(n)), 0)
    mixing = np.tril(passed) @ noise
    cov = mixing @ mixing.T
    return Gaussian(a * passed[:, 0], cov), Gaussian(0 * passed[:, 0], cov)


def measure(alpha: float, a: float, sigma: float) -> float:
    """Exact joint divergence of z_tau and the outputs after three more noisy requests."""
    return renyi(*window(alpha, a, sigma, np.array([0.4, 1.0, 0.2])), alpha)


def check_definition(ctx: Context) -> Iterator[Evidence]:
    from accounting.deletion_noise import least_deletion_noise
    from accounting.deletions import DeletionSchedule
    from accounting.online_descent import OnlineDescent, inverse_time

    alpha, eps = 2.0, 1.0
    one = np.array([1]), np.array([3])
    bare = window_divergence(stream(5, one[0]), *one, np.zeros(1), 1, alpha)
    yield ctx.compare(
        "literal", "printed", bare, {"alpha": alpha, "epsilon": eps, "k": 1},
        "k = 1: there is no i in 1..0, so no noise is needed", bound=eps, script="def2_nothing",
    )  # fmt: skip
    u, tau = np.array([1, 2]), np.array([4, 6])
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), eps)
    half = sigma * np.array([1, 0])
    data = stream(8, u)
    yield ctx.compare(
        "literal", "printed", window_divergence(data, u, tau, half, 2, alpha),
        {"alpha": alpha, "epsilon": eps, "k": 2}, "k = 2: no noise at the second deletion",
        bound=alpha * eps, script="def2_last",
    )  # fmt: skip
    last = data.laws(tau, 0 * sigma)[0][7], data.laws(tau, 0 * sigma, u)[0][7]
    yield ctx.compare(
        "literal", "printed", 0.0 if np.array_equal(*last) else math.inf,
        {"alpha": alpha, "epsilon": eps, "k": 2},
        "the window of the last deletion ends at T - 1: at t = T the clean iterate may come out",
        bound=alpha * eps,
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 200)):
        k = int(rng.integers(1, 6))
        u = rng.permutation(np.arange(2, 12))[:k]
        tau = np.sort(rng.integers(12, 40, size=k))
        eps, alpha = float(rng.exponential()), 1 + float(rng.exponential(3))
        sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), eps)
        leaks = [
            window_divergence(stream(40, u[:i]), u, tau, sigma, i, alpha) for i in range(1, k + 1)
        ]
        yield ctx.compare(
            "literal", "corrected", leaks, {"alpha": alpha, "epsilon": eps, "k": k},
            "every i = 1..k at the least noise", bound=alpha * eps, relation="==",
        )  # fmt: skip


def check_forever(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 500)):
        inputs = {
            "alpha": 1 + float(rng.exponential(2)), "a": float(rng.exponential()),
            "sigma": float(rng.uniform(0.1, 2)),
        }  # fmt: skip
        later = rng.uniform(0.1, 2, size=int(rng.integers(1, 5)))
        with_it, without = window(**inputs, later=later, factor=float(rng.uniform(0.2, 1)))
        variances = np.diag(with_it.cov)
        yield ctx.compare(
            "literal", "tight",
            renyi_gauss(with_it.mean, variances, without.mean, variances, inputs["alpha"]), inputs,
            "linear chain, outputs after later noises, one by one",
        )  # fmt: skip
        yield ctx.compare(
            "joint", "tight", renyi(with_it, without, inputs["alpha"]), inputs,
            "linear chain, all outputs together", relation="==",
        )  # fmt: skip
    # Without the noise of tau_j the later ones do not protect the sequence as a whole.
    bare = {"alpha": 2.0, "a": 1.0, "sigma": 1e-3}
    yield ctx.compare(
        "joint", "tight", measure(**bare), bare, "hardly any noise at tau_j, much later on",
        bound=2.0 / (2 * 0.2**2), role="control",
    )  # fmt: skip


CHECKERS = {DEFINITION.id: check_definition, FOREVER.id: check_forever}
MEASURES = {FOREVER.id: measure}
