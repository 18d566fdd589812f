"""Gaussian laws and their divergences: loops over steps, integrals, and many digits."""

import math
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np

from simulators.exact.gaussian import AffineKernel, Gaussian, epoch, gradient_step, run, step
from simulators.exact.gaussian_divergence import (
    hockey_stick,
    log_hockey_stick_gauss,
    renyi,
    renyi_gauss,
    separation,
    tradeoff,
    winf,
)
from verify.self_tests import Equality

_PAIRS = ((0.0, 1.0, 0.5, 1.0), (0.3, 1.2, -0.4, 1.0), (1.0, 0.8, 0.1, 1.3), (0.0, 1.0, 0.0, 1.4))
_MIX = np.array([[2.0, 0.3, -0.1], [0.4, 1.5, 0.2], [-0.3, 0.1, 1.1]])


def equalities() -> Iterator[Equality]:
    """Kernels, then divergences."""
    yield from _kernels()
    yield from _renyi()
    yield from _hockey_stick()
    yield from _shared_covariance()


def _numbers(*values: float) -> Any:
    """A kernel on the line: matrix, offset and covariance."""
    matrix, offset, cov = values
    return np.array([[matrix]]), np.array([offset]), np.array([[cov]])


def _law(mean: float, variance: float) -> Gaussian:
    """A Gaussian law on the line."""
    return Gaussian(np.array([mean]), np.array([[variance]]))


def _kernels() -> Iterator[Equality]:
    """Affine kernels, their powers and stationary laws, moment by moment."""
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(2, 3, 3, 3))
    hessians = roots @ np.swapaxes(roots, 2, 3) / 3 + 0.2 * np.eye(3)
    linears = rng.normal(size=(2, 3, 3))
    steps = [gradient_step(h, x, 0.2, 0.3) for h, x in zip(hessians, linears, strict=True)]
    start = Gaussian(np.arange(3.0), 0.5 * np.eye(3)).shifted([1.0, 0.0, -1.0])
    mean, cov = np.array([1.0, 1.0, 1.0]), 0.5 * np.eye(3)
    # Moments step by step: mean through the gradient, covariance through I - eta H, noise 0.3^2.
    laws = []
    for _ in range(5):
        for h, x in zip(hessians, linears, strict=True):
            gradient = sum(a @ mean - b for a, b in zip(h, x, strict=True)) / 3
            back = np.eye(3) - 0.2 * sum(h) / 3
            mean = mean - 0.2 * gradient
            cov = back @ cov @ back.T + 0.09 * np.eye(3)
        laws.append((mean, cov))
    once = epoch(steps)
    for name, law, at in zip(
        ("after 2", "after 5"), run(start, [(once, 2), (once, 3)]), (1, 4), strict=True
    ):
        yield Equality(f"gaussian.run's mean {name} epochs", law.mean, laws[at][0])
        yield Equality(f"gaussian.run's covariance {name} epochs", law.cov, laws[at][1])
    yield Equality("AffineKernel.apply", once.power(5).apply(start).mean, laws[4][0])
    # cov = A cov A^T + C as a linear system: (I - A x A) vec(cov) = vec(C).
    inverse = np.linalg.solve(np.eye(9) - np.kron(once.matrix, once.matrix), once.cov.ravel())
    limit = once.stationary()
    yield Equality("AffineKernel.stationary's covariance", limit.cov.ravel(), inverse, 1e-9)
    yield Equality(
        "AffineKernel.stationary's mean", limit.mean - once.matrix @ limit.mean, once.offset, 1e-9
    )
    plain = step([[0.5]], [2.0], 3.0).apply(Gaussian.point(4.0))
    yield Equality("gaussian.step", [plain.mean[0], plain.cov[0, 0]], [4.0, 9.0])
    both = AffineKernel(*_numbers(2, 1, 1)).then(AffineKernel(*_numbers(3, 5, 7)))
    yield Equality(
        "AffineKernel.then", [both.matrix[0, 0], both.offset[0], both.cov[0, 0]], [6.0, 8.0, 16.0]
    )


def _renyi() -> Iterator[Equality]:
    """Rényi divergences of Gaussians by quadrature, past their last order, in three dimensions."""
    for m0, v0, m1, v1 in _PAIRS:
        for alpha in (1.0, 1.5, 3.0):
            expected = _integral(m0, v0, m1, v1, alpha)
            yield Equality("renyi_gauss", renyi_gauss(m0, v0, m1, v1, alpha), expected, 1e-9)
            p, q = _law(m0, v0), _law(m1, v1)
            yield Equality("gaussian_divergence.renyi", renyi(p, q, alpha), expected, 1e-9)
    # Where alpha/v0 + (1 - alpha)/v1 <= 0 the integral diverges: at 1.6, 1.6/3 - 0.6 < 0.
    p, q = _law(0.0, 3.0), _law(1.0, 1.0)
    yield Equality("renyi_gauss past its last order", renyi_gauss(0, 3, 1, 1, 1.6), math.inf)
    yield Equality("renyi past its last order", renyi(p, q, 1.6), math.inf)
    means = np.array([[0.1, -0.4, 0.3], [0.5, 0.2, 0.0]])
    variances = np.array([[0.7, 1.0, 1.3], [1.0, 1.4, 1.1]])
    # An invertible map changes no divergence: the sum over independent coordinates remains.
    p, q = (
        Gaussian(_MIX @ m, _MIX @ np.diag(v) @ _MIX.T)
        for m, v in zip(means, variances, strict=True)
    )
    parts = sum(
        _integral(means[0, i], variances[0, i], means[1, i], variances[1, i], 2.5) for i in range(3)
    )
    yield Equality("renyi in three dimensions", renyi(p, q, 2.5), parts, 1e-9)


def _integral(m0: float, v0: float, m1: float, v1: float, alpha: float) -> float:
    """D_alpha by the trapezoidal rule, which is exact to rounding for such integrands."""
    x = np.linspace(-40.0, 40.0, 8001)
    p = -((x - m0) ** 2) / (2 * v0) - math.log(2 * math.pi * v0) / 2
    q = -((x - m1) ** 2) / (2 * v1) - math.log(2 * math.pi * v1) / 2
    width = x[1] - x[0]
    if alpha == 1:
        return float(np.sum(np.exp(p) * (p - q)) * width)
    return math.log(np.sum(np.exp(alpha * p + (1 - alpha) * q)) * width) / (alpha - 1)


def _hockey_stick() -> Iterator[Equality]:
    """delta(epsilon) of Gaussian pairs against sums of 60 digits, far out as well."""
    # Equal and unequal variances; shifts of 40, where delta rounds to 1; a factor below 1; nearly
    # equal variances, where the quadratic degenerates.
    cases = [(*pair, e) for pair in _PAIRS[:3] for e in (0.0, 0.7, 4.0)]
    cases += [(0.0, 1.0, 0.0, 1.5, 0.1), (0.0, 1.5, 0.0, 1.0, 0.3)]
    cases += [(0.0, 1.0, 40.0, 1.1, 2.0), (0.0, 1.0, -40.0, 1.1, 2.0), (0.0, 2.0, 0.3, 1.0, -3.0)]
    cases += [(0.2, 1.0, 0.5, 1.0 + 1e-9, 0.5), (0.0, 1.0, 6.0, 0.4, 1.0)]
    for case in cases:
        value = math.exp(log_hockey_stick_gauss(*case))
        yield Equality(f"log_hockey_stick_gauss{case}", value, _digits(*case), 1e-11)
    value = log_hockey_stick_gauss(0.0, 1.0, 0.1, 1.0, 6.0)  # about exp(-1704)
    yield Equality("log_hockey_stick_gauss far out", value, _digits(0, 1, 0.1, 1, 6, True), 1e-11)
    yield Equality("of a law and itself", log_hockey_stick_gauss(0, 1, 0, 1, 0.5), -math.inf)
    yield Equality("where q covers p", log_hockey_stick_gauss(0, 1, 0, 1.5, 5.0), -math.inf)
    p, q = _law(0.3, 1.2), _law(-0.4, 1.0)
    yield Equality("hockey_stick", hockey_stick(p, q, 0.5), _digits(0.3, 1.2, -0.4, 1, 0.5))


def _digits(m0: float, v0: float, m1: float, v1: float, epsilon: float, log: bool = False) -> float:
    """delta (or its logarithm) as P(A) - e^epsilon Q(A) on the set A between roots, 60 digits."""
    with mpmath.workdps(60):
        a0, b0, a1, b1, e = map(mpmath.mpf, (m0, v0, m1, v1, epsilon))
        # log(p/q) - epsilon = a x^2 + b x + c: p exceeds where it is positive.
        a = 1 / (2 * b1) - 1 / (2 * b0)
        b = a0 / b0 - a1 / b1
        c = a1**2 / (2 * b1) - a0**2 / (2 * b0) + mpmath.log(b1 / b0) / 2 - e

        def below(x: mpmath.mpf, m: mpmath.mpf, v: mpmath.mpf) -> mpmath.mpf:
            return mpmath.erfc(-(x - m) / mpmath.sqrt(2 * v)) / 2

        def gain(x: mpmath.mpf) -> mpmath.mpf:
            return below(x, a0, b0) - mpmath.exp(e) * below(x, a1, b1)

        whole = 1 - mpmath.exp(e)
        # Without a square term: a half-line, left or right of the root by the slope's sign.
        if a == 0:
            delta = gain(-c / b) if b < 0 else whole - gain(-c / b)
        elif b * b <= 4 * a * c:
            delta = whole if a > 0 else mpmath.mpf(0)
        else:
            root = mpmath.sqrt(b * b - 4 * a * c)
            low, high = sorted(((-b - root) / (2 * a), (-b + root) / (2 * a)))
            inside = gain(high) - gain(low)
            delta = whole - inside if a > 0 else inside
        return float(mpmath.log(delta)) if log else float(delta)


def _shared_covariance() -> Iterator[Equality]:
    """Gaussians of one covariance: separation, W-infinity, and the best test."""
    cov = _MIX @ _MIX.T
    p = Gaussian(_MIX @ [1.0, -0.2, 0.3], cov)
    q = Gaussian(_MIX @ [0.5, 0.4, 0.1], cov)
    mu = math.sqrt(0.25 + 0.36 + 0.04)
    yield Equality("separation", separation(p, q), mu, 1e-12)
    yield Equality("hockey_stick of it", hockey_stick(p, q, 1.0), _digits(mu, 1, 0, 1, 1))
    yield Equality("gaussian_divergence.winf", winf(p, q), math.dist(p.mean, q.mean), 1e-14)
    yield Equality("of other covariances", winf(p, Gaussian(q.mean, cov * 1.001)), math.inf)
    # The best test rejects above a threshold: level and error of it at thresholds 1, 0, -2.
    test = [float(mpmath.ncdf(z - mu)) for z in (1.0, 0.0, -2.0)]
    level = [float(mpmath.ncdf(-z)) for z in (1.0, 0.0, -2.0)]
    yield Equality("gaussian_divergence.tradeoff", tradeoff(p, q, level), test)
