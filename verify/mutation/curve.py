"""The Gaussian trade-off curve of `accounting` against arithmetic with as many digits as it takes.

Checks of claims compare `accounting` with other routes at the few places that their instances
reach.  Here it is held at the places that its code was written for: tails, cancellations, values
beyond the floats, one element and many, and rounding to the safe side.
"""

from collections.abc import Callable, Iterator
from functools import cache

import mpmath
import numpy as np
from scipy.special import erfcx

from accounting import (
    chain_gdp,
    compose_gdp,
    delta_gdp,
    epsilon_gdp,
    log_delta_gdp,
    mu_gdp,
    renyi_gdp,
    tradeoff_gdp,
)
from accounting.numerics.monotone import solve_increasing

MANY = 10_000
NEAR = 1e-9  # of an inverse: so much less of it must not do
_MUS = (1e-30, 1e-8, 3e-3, 0.06, 0.4, 1.0, 2.5, 7.3, 90.0, 1234.5)
_PLACES = (-30.0, -5.0, -1.001, -0.999, -0.1, 1e-9, 0.3, 2.0, 5.9, 6.1, 12.0, 37.0, 1400.0)
_BEYOND = ((1e-75, 1e-74), (1e70, 1e150), (1e-80, 1e70), (3.0, 1e145))
_LOG_DELTAS = (-1e-9, -0.01, -0.4, -2.0, -11.5, -60.0, -800.0, -1e5)
_ULP = 2.0**-52


def first_departure() -> str | None:
    """The first value of the curve or of its inverses that is not what it must be."""
    for rule in (_forward, _epsilons, _mus, _many, _near_zero, _limits, _others, _solver):
        for text in rule():
            return text
    return None


def points() -> tuple[np.ndarray, np.ndarray]:
    """(mu, epsilon), with epsilon/mu - mu/2 all over the range; small and huge ones besides."""
    # Positions a = epsilon/mu - mu/2 at every size of mu, but none with epsilon < 0.
    pairs = [(mu, mu * (a + mu / 2)) for mu in _MUS for a in _PLACES if a + mu / 2 >= 0]
    pairs += [(mu, e) for mu in _MUS for e in (0.0, 1e-12, 1.0, 50.0) if e < 1e3 * mu]
    rng = np.random.default_rng(7)
    random = np.exp(rng.uniform(-20, 10, 400))
    positions = rng.normal(size=400) * np.exp(rng.uniform(-3, 4, 400))
    pairs += zip(random, np.maximum(0, random * (positions + random / 2)), strict=True)
    mu, epsilon = np.array([*pairs, *_BEYOND]).T
    return mu, epsilon


@cache
def exact(mu: float, epsilon: float) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """epsilon/mu - mu/2, log delta and log(1 - delta)."""
    # Digits enough for b - a = mu beside a of size mu or 1/mu: twice the decades of mu.
    with mpmath.workdps(60 + int(2 * abs(np.log10(mu)))):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        a, b = e / m - m / 2, e / m + m / 2
        scale = -(a**2) / 2 - mpmath.log(2 * mpmath.pi) / 2
        if abs(a) < 1e5:
            if epsilon > 1e7:  # e^epsilon Phi(-b) = phi(a) R(b), R(b) by its continued fraction
                # b^2 = a^2 + 2 epsilon, so b > 4000: three levels of the fraction have all digits
                # needed.
                second = mpmath.exp(scale) / (b + 1 / (b + 2 / (b + 3 / b)))
            else:
                second = mpmath.exp(e) * mpmath.erfc(b / mpmath.sqrt(2)) / 2
            if a < 0:
                rest = mpmath.erfc(-a / mpmath.sqrt(2)) / 2 + second
                return a, mpmath.log1p(-rest), mpmath.log(rest)
            delta = mpmath.erfc(a / mpmath.sqrt(2)) / 2 - second
            return a, mpmath.log(delta), mpmath.log1p(-delta)
        # R(a) - R(b) by R(x) = 1/(x + 1/x), with b - a = mu taken out.
        ratio = m * (1 - 1 / (a * b)) / ((a + 1 / a) * (b + 1 / b))
        return a, scale + mpmath.log(ratio), mpmath.mpf(0)


def _cancelled(mu: float, epsilon: float) -> float:
    """What the difference of two Mills ratios loses where it is formed, in units of its ulps."""
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    first, second = erfcx(a / 2**0.5), erfcx(b / 2**0.5)
    return 1.0 if a < -1 or second > 0.9 * first else (first + second) / (first - second)


def _forward() -> Iterator[str]:
    """Never below the truth, and above it by little more than the allowance for rounding."""
    mus, epsilons = points()
    logs = log_delta_gdp(mus, epsilons)
    deltas = delta_gdp(mus, epsilons)
    for mu, epsilon, log, delta in zip(mus, epsilons, logs, deltas, strict=True):
        a, truth, rest = exact(float(mu), float(epsilon))
        share = mpmath.exp(rest - truth) if a < -1 else 1
        # The allowance of the code under test: roundings, what cancels, and the square in the
        # exponent, as a share of delta where 1 - delta is what is computed.
        room = 3 * (33 + 8 * _cancelled(mu, epsilon) + a**2 / 2) * _ULP * share
        room += 8 * _ULP * abs(truth)
        here = f"at mu = {mu:g}, epsilon = {epsilon:g}"
        if not truth <= mpmath.mpf(float(log)) <= truth + room + 1e-320:
            yield f"log_delta_gdp is off by {float(mpmath.mpf(float(log)) - truth):.3g} {here}"
        # exp of the logarithm loses digits as it grows: below -700 floats are subnormal.
        if truth > -700 and not 0 <= mpmath.log(mpmath.mpf(float(delta))) - truth <= room + 1e-15:
            yield f"delta_gdp is {delta!r} {here}"
        if not delta <= 1:
            yield f"delta_gdp is above 1 {here}"
        # Never 0: rounding to the safe side ends at the least float.
        if truth < -800 and delta != 5e-324:
            yield f"delta_gdp is {delta!r}, not the smallest float, {here}"
    # One by one and in an array: vectorised branches must not touch their neighbours.
    for i in range(0, mus.size, 7):
        if log_delta_gdp(mus[i], epsilons[i]) != logs[i]:
            yield f"log_delta_gdp depends on company at mu = {mus[i]:g}, epsilon = {epsilons[i]:g}"


def _epsilons() -> Iterator[str]:
    def holds(mu: float, log: float, found: float) -> bool:
        if found == 0:
            return bool(exact(mu, 0.0)[1] <= log + 1e-13 * abs(log))
        less = exact(mu, found * (1 - NEAR))[1]
        return bool(exact(mu, found)[1] <= log < less)

    grid = [(mu, log) for mu in _MUS[1:] for log in _LOG_DELTAS]
    yield from _inverse("epsilon_gdp", epsilon_gdp, grid, holds)


def _mus() -> Iterator[str]:
    def holds(epsilon: float, log: float, found: float) -> bool:
        more = exact(found * (1 + NEAR), epsilon)[1]
        return bool(exact(found, epsilon)[1] <= log < more)

    grid = [(e, log) for e in (0.0, 1e-10, 1e-3, 0.5, 1.0, 30.0, 1e4) for log in _LOG_DELTAS]
    grid = [(e, log) for e, log in grid if e > 0 or log > -700]
    yield from _inverse("mu_gdp", mu_gdp, grid, holds)


def _inverse(
    name: str,
    inverse: Callable[..., np.ndarray],
    grid: list[tuple[float, float]],
    holds: Callable[[float, float, float], bool],
) -> Iterator[str]:
    """Certifies in exact arithmetic, and by NEAR less would not; delta and log_delta agree."""
    arguments, logs = np.array(grid).T
    roots = inverse(arguments, log_delta=logs)
    for x, log, value in zip(arguments.tolist(), logs.tolist(), roots.tolist(), strict=True):
        if not holds(x, log, value):
            yield f"{name} is {value!r} at {x:g} and log delta = {log:g}"
    some = logs > -700
    again = inverse(arguments[some], np.exp(logs[some]))
    off = np.abs(again - roots[some]) > 1e-6 * roots[some]
    if np.any(off & (logs[some] < -1e-3)):
        # Where delta is near 1 its own rounding exceeds the difference.
        yield f"{name} of delta is not that of log delta"
    for i in range(0, arguments.size, 9):
        if inverse(arguments[i], log_delta=logs[i]) != roots[i]:
            yield f"{name} depends on company at {arguments[i]:g} and log delta = {logs[i]:g}"


def _many() -> Iterator[str]:
    """Both inverses at many random points against the curve itself, which `_forward` judges."""
    rng = np.random.default_rng(5)
    logs = -np.exp(rng.uniform(-15, 11, MANY))
    mus = np.exp(rng.uniform(-20, 8, MANY))
    epsilons = np.exp(rng.uniform(-20, 12, MANY))
    least, largest = epsilon_gdp(mus, log_delta=logs), mu_gdp(epsilons, log_delta=logs)
    # Random points are judged by the curve itself, so its rounding is the room.
    room = 1e-12 * np.abs(logs) + 1e-14
    if (log_delta_gdp(mus, least) > logs).any() or (log_delta_gdp(largest, epsilons) > logs).any():
        yield "an inverse does not certify at random points"
    less = log_delta_gdp(mus, least * (1 - NEAR))
    if ((least > 0) & (less <= logs - room)).any():
        yield "epsilon_gdp is not the least at random points"
    if ((least == 0) & (log_delta_gdp(mus, 0.0) > logs + room)).any():
        yield "epsilon_gdp is 0 where it must not be"
    if (log_delta_gdp(largest * (1 + NEAR), epsilons) <= logs - room).any():
        yield "mu_gdp is not the largest at random points"


def _near_zero() -> Iterator[str]:
    """Whether any epsilon > 0 is needed, where the target is delta(0) but for rounding."""
    for mu in (0.05, 0.4, 3.0):
        start = exact(mu, 0.0)[1]
        for part in (-1e-11, -1e-13, 1e-13, 1e-11):
            log = float(start * (1 - part))
            epsilon = float(epsilon_gdp(mu, log_delta=log))
            needed = exact(mu, epsilon)[1] <= log + 1e-14 * abs(log)
            decided = abs(part) > 5e-12  # nearer, either answer is within rounding
            if not needed or (decided and (part > 0) != (epsilon == 0)):
                yield f"epsilon_gdp is {epsilon!r} where delta(0) is the target, at mu = {mu}"


def _limits() -> Iterator[str]:
    inf = np.inf
    for mu, epsilon, delta in ((0, 1, 0), (0, 0, 0), (inf, 1, 1), (inf, 0, 1), (1, inf, 0)):
        if delta_gdp(mu, epsilon) != delta:
            yield f"delta_gdp({mu}, {epsilon}) is not {delta}"
        if log_delta_gdp(mu, epsilon) != (0 if delta else -inf):
            yield f"log_delta_gdp({mu}, {epsilon}) is not log {delta}"
    if epsilon_gdp(0, 0.1) != 0 or epsilon_gdp(inf, 0.1) != inf:
        yield "epsilon_gdp is wrong at mu = 0 or inf"


def _others() -> Iterator[str]:
    for mu, z in ((1.0, -1.6), (0.3, -7.0), (5.0, 1.3)):
        level, other = (float(mpmath.ncdf(x)) for x in (z, -z - mu))
        if abs(float(tradeoff_gdp(mu, level)) / other - 1) > 1e-11:
            yield f"tradeoff_gdp is off at mu = {mu}"
    if tradeoff_gdp(np.inf, 0.3) != 0 or tradeoff_gdp(0, 0.25) != 0.75:
        yield "tradeoff_gdp is wrong at mu = 0 or inf"
    if abs(renyi_gdp(3.0, 5.0) - 22.5) > 1e-12 or renyi_gdp(0.0, 5.0) != 0:
        yield "renyi_gdp is not alpha mu^2/2"
    if chain_gdp(1.0, 2.0, 3.5) != 6.5 or abs(compose_gdp(3.0, 4.0, 12.0) - 13) > 1e-12:
        yield "chain_gdp or compose_gdp does not add up"


def _solver() -> Iterator[str]:
    """Roots of x^3 + x - c and of a step so steep that only halving brackets finds it."""
    targets = np.array([0.0, 1e-6, 0.3, 2.0, 68.0, 1010.0])
    # None: there is no short root; the residual is judged instead.
    roots = [0.0, 1e-6 - 1e-18, None, 1.0, 4.0, 10.0]

    def cubic(x: np.ndarray, i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return x**3 + x - targets[i], 3 * x**2 + 1

    def misled(x: np.ndarray, i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # A slope so wrong that Newton's steps leave the bracket: only halving is left.
        return x**3 + x - targets[i], np.full(x.shape, 1e-9)

    for up in (True, False):

        def certifies(x: np.ndarray, i: np.ndarray, up: bool = up) -> np.ndarray:
            # The default binds `up` now: closures would see its last value.
            rest = cubic(x, i)[0]
            return rest >= 0 if up else rest <= 0

        for excess in (cubic, misled):
            for start in (None, np.full(6, 0.5)):
                low, high = np.zeros(6), np.full(6, 11.0)
                solutions = solve_increasing(excess, certifies, low, high, up=up, start=start)
                for x, root, target in zip(solutions, roots, targets, strict=True):
                    off = abs(x - root) if root is not None else abs(x**3 + x - target)
                    if not off <= 1e-15 + 1e-14 * x:
                        yield f"solve_increasing finds {x!r} for x^3 + x = {target}"
                if not certifies(solutions, np.arange(6)).all():
                    yield "solve_increasing finds what does not certify"
    least = np.array([0.3, 1.0, 4.0])
    for up in (True, False):  # what certifies lies 5 ulps or more beyond the root
        sign = 1 if up else -1

        def beyond(x: np.ndarray, i: np.ndarray, sign: int = sign) -> np.ndarray:
            return np.asarray(sign * (x - least[i] * (1 + sign * 5 * _ULP)) >= 0)

        def line(x: np.ndarray, i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return x - least[i], np.ones(x.shape)

        solutions = solve_increasing(line, beyond, np.zeros(3), np.full(3, 11.0), up=up)
        if not (
            beyond(solutions, np.arange(3)) & (np.abs(solutions / least - 1) < 20 * _ULP)
        ).all():
            yield "solve_increasing does not round by a few ulps to the safe side"
    never = solve_increasing(
        cubic, lambda x, i: np.zeros(x.shape, bool), np.zeros(6), np.full(6, 11.0), up=False
    )
    if (never != 0).any():
        yield "solve_increasing does not end at the safe side of the bracket"
