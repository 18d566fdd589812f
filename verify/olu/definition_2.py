"""Definition 2 of olu: as printed it never protects the last deletion; repaired it is attained."""

import math

import numpy as np

from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import renyi, renyi_gauss
from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, case_table

Array = np.ndarray


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


def check_definition(ctx: Context) -> Findings:
    """Divergences of the windows that the definition compares, at no noise and at the least."""
    alpha, eps = 2.0, 1.0
    first, second = case_table("alpha epsilon k", (alpha, eps, 1), (alpha, eps, 2))
    words = "k = 1: there is no i in 1..0, so no noise is needed"
    one = (np.array([1]), np.array([3]))
    divergence = window_divergence(stream(5, one[0]), *one, np.zeros(1), 1, alpha)
    yield ctx.compare(
        "literal", "printed", divergence, first, words, bound=eps, script="def2_nothing"
    )
    u, tau = np.array([1, 2]), np.array([4, 6])
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), eps)
    data = stream(8, u)
    budget = alpha * eps
    words = "k = 2: no noise at the second deletion"
    divergence = window_divergence(data, u, tau, sigma * np.array([1, 0]), 2, alpha)
    yield ctx.compare(
        "literal", "printed", divergence, second, words, bound=budget, script="def2_last"
    )
    same = np.array_equal(*(data.laws(tau, 0 * sigma, out)[0][7] for out in ((), u)))
    words = "the window of the last deletion ends at T - 1: at t = T the clean iterate may come out"
    divergence = 0.0 if same else math.inf
    yield ctx.compare("end", "printed", divergence, second, words, bound=budget, script="def2_end")
    rng = ctx.rng()
    words = "every i = 1..k at the least noise"
    for _ in range(ctx.pick(15, 200)):
        k = int(rng.integers(1, 6))
        u = rng.permutation(np.arange(2, 12))[:k]
        tau = np.sort(rng.integers(12, 40, size=k))
        eps = float(rng.exponential())
        alpha = 1 + float(rng.exponential(3))
        (inputs,) = case_table("alpha epsilon k", (alpha, eps, k))
        sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), eps)
        leaks = [
            window_divergence(stream(40, u[:i]), u, tau, sigma, i, alpha) for i in range(1, k + 1)
        ]
        yield ctx.compare("literal", "corrected", leaks, inputs, words, bound=alpha * eps)


def check_forever(ctx: Context) -> Findings:
    """Divergence of all outputs after a deletion on a linear chain, one by one and together."""
    for rng in ctx.draws(40, 500):
        alpha = 1 + rng.exponential(2)
        a = rng.exponential()
        sigma = rng.uniform(0.1, 2)
        (inputs,) = case_table("alpha a sigma", (float(alpha), float(a), float(sigma)))
        later = rng.uniform(0.1, 2, size=int(rng.integers(1, 5)))
        p, q = window(**inputs, later=later, factor=float(rng.uniform(0.2, 1)))
        spread = np.diag(p.cov)
        words = "linear chain, outputs after later noises, one by one"
        divergence = renyi_gauss(p.mean, spread, q.mean, spread, inputs["alpha"])
        yield ctx.compare("literal", "tight", divergence, inputs, words)
        leak = renyi(p, q, inputs["alpha"])
        words = "linear chain, all outputs together"
        yield ctx.compare("joint", "tight", leak, inputs, words, relation="==")
    # Without the noise of tau_j the later ones do not protect the sequence as a whole.
    (bare,) = case_table("alpha a sigma", (2.0, 1.0, 1e-3))
    words = "hardly any noise at tau_j, much later on"
    short = 2.0 / (2 * 0.2**2)
    yield ctx.compare("joint", "tight", measure(**bare), bare, words, bound=short, role="control")


CHECKS = (
    Check("olu.def2", evidence=check_definition),
    Check("olu.def2.forever", evidence=check_forever, exact_side=measure),
)
