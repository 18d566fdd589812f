"""How far a model can be from the minimiser that it follows while rows leave.

Round t removes m_t of the n_{t-1} rows that are left; w_t* minimises the risk R_t over the others.
`path_bounds` says how far w_t* can move, `tracking_errors` how far J gradient steps stay behind.
All values are rounded up: they are bounds also in floating point, for the numbers given, but the
steps themselves are taken to be exact up to `step_error`.

Source: safe, Theorem 2, as corrected (V_T, and the contraction that replaces eqs 31-33).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import count, integer, real, scalar, shortest

Array = NDArray[np.float64]
_ULP = float(np.finfo(np.float64).eps)
_TINY = float(np.finfo(np.float64).tiny)


def path_bounds(
    lipschitz: float, strong_convexity: float, sizes: ArrayLike, n: int, *, ridge: bool = False
) -> Array:
    """Return v_t >= |w_t* - w_{t-1}*| for t = 1..T, shape of `sizes`: L m_t/(mu n_{t-1}).

    Every loss is L-Lipschitz where the minimisers are and R_{t-1} mu-strongly convex, for
    grad R_{t-1}(w_t*) is the sum of m_t gradients over n_{t-1}.  ridge: the loss is h plus
    (mu/2)|w|^2, h is L-Lipschitz on R^d, and v_t = 2 L m_t/(mu n_{t-1}), since mu|w_t*| <= L;
    attained by linear h.  sizes (..., T): m_t >= 0 with a sum below n = n_0.
    Source: safe, V_T of Theorem 2(ii).  Raises ValueError out of range or overflow.
    """
    m = _sizes("sizes", sizes)
    if m.ndim == 0:
        raise ValueError("sizes must have one entry per round, got a single number")
    rows = count("n", n, low=1)
    # n_{t-1}: the rows that are left before round t.
    before = rows - np.cumsum(m, axis=-1) + m
    if not (before - m >= 1).all():
        raise ValueError(f"sizes must have a sum below n = {rows}, got {int(m.sum(axis=-1).max())}")
    return _moved(lipschitz, strong_convexity, m, before, ridge)


def best_step(strong_convexity: float, smoothness: float) -> float:
    """Return 2/(mu + L), the step size whose gradient step contracts the most.

    0 < mu <= L, the strong convexity and the smoothness.  `gradient_contraction` gives its rho,
    (L - mu)/(L + mu).  Raises ValueError out of range.
    """
    mu, L = _curvatures(strong_convexity, smoothness)
    return 2.0 / (mu + L) if mu + L < np.inf else 1.0 / (mu / 2 + L / 2)


def gradient_contraction(step_size: float, strong_convexity: float, smoothness: float) -> float:
    """Return rho = max(|1 - eta mu|, |1 - eta L|), the Lipschitz constant of a gradient step.

    For mu I <= Hess R <= L I; below 1 for 0 < eta < 2/L.  0 < mu <= L.  Rounded up.
    Raises ValueError out of range or overflow.
    """
    mu, L = _curvatures(strong_convexity, smoothness)
    eta = scalar("step_size", step_size, low=0.0, low_open=True, high_open=True)
    with np.errstate(over="ignore"):
        slow, fast = np.float64(eta) * mu, np.float64(eta) * L
    # Products and differences err by ulps of 1 + eta L, eta mu <= eta L.
    rho = max(abs(1.0 - slow), abs(1.0 - fast)) + 2 * _ULP * (1.0 + fast)
    return float(finite("step_size", np.asarray(rho)))


def tracking_errors(
    path: ArrayLike,
    contraction: float,
    steps: ArrayLike,
    *,
    initial: ArrayLike = 0.0,
    step_error: float = 0.0,
) -> Array:
    """Return D_t >= |u_t - w_t*| for t = 1..T: D_t = rho^J (D_{t-1} + v_t), D_0 = `initial`.

    u_t is J gradient steps on R_t from u_{t-1}; each contracts by rho = `contraction` in [0, 1)
    towards w_t*.  path (..., T): v_t >= |w_t* - w_{t-1}*|.  steps: J >= 0, one number or one per
    stream (...).  initial: a bound on |u_0 - w_0*| (|grad R_0(u_0)|/mu is one).  step_error: a
    bound on the error of a single step (rounding, approximate gradients), which adds
    (1 - rho^J)/(1 - rho) times itself in every round.  Attained in one dimension.
    Source: safe, corrected Theorem 2(ii), (B).  Raises ValueError out of range or overflow.
    """
    v = checked_path(path)
    rho = scalar("contraction", contraction, low=0.0, high=1.0, high_open=True)
    J = integer("steps", steps, low=0)
    start = real("initial", initial, low=0.0, high_open=True)
    error = scalar("step_error", step_error, low=0.0, high_open=True)
    for name, array in (("steps", J), ("initial", start)):
        if not fits(array.shape, v.shape[:-1]):
            raise ValueError(f"{name} must fit the shape {v.shape[:-1]}, got {array.shape}")
    return _track(v, rho, J, start, error)


def _track(v: Array, rho: float, J: NDArray[np.int64], start: Array, error: float) -> Array:
    # A step is at most 12 ulps too small: the factor lifts it above the exact value.
    up = 1 + 16 * _ULP
    power = rho ** J.astype(np.float64)
    with np.errstate(divide="ignore"):
        # A geometric sum, by expm1 as rho^J may be near 1; at rho = 0 only the last step's error
        # stays.
        added = error * -np.expm1(J * np.log(rho)) / (1 - rho) if error and rho else error * (J > 0)
    errors = np.empty(v.shape)
    now = np.broadcast_to(start, v.shape[:-1]).astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        for t in range(v.shape[-1]):
            before = now + v[..., t]
            now = (power * before + added) * up
            # Positive in exact arithmetic: an underflow may not make it 0.
            hidden = (before > 0) & ((rho > 0) | (J == 0))
            now = np.where(hidden, np.maximum(now, _TINY), now)
            errors[..., t] = now
    return finite("path, initial and step_error", errors)


def _moved(
    lipschitz: float, strong_convexity: float, m: NDArray[np.int64], n: NDArray[np.int64], r: bool
) -> Array:
    L = scalar("lipschitz", lipschitz, low=0.0, low_open=True, high_open=True)
    mu = scalar("strong_convexity", strong_convexity, low=0.0, low_open=True, high_open=True)
    if not isinstance(r, bool):
        raise ValueError(f"ridge must be True or False, got {r!r}")
    with np.errstate(over="ignore", under="ignore"):
        # m/n <= 1 last, so that no product overflows before the result does.
        shift = np.float64(L) / mu * (m / n) * ((2.0 if r else 1.0) * (1 + 4 * _ULP))
    return finite("lipschitz and strong_convexity", np.where(m > 0, np.maximum(shift, _TINY), 0.0))


def _sizes(name: str, value: ArrayLike, high: int | None = None) -> NDArray[np.int64]:
    return integer(name, value, low=0, high=2**52 if high is None else high)


def _curvatures(strong_convexity: float, smoothness: float) -> tuple[float, float]:
    mu = scalar("strong_convexity", strong_convexity, low=0.0, low_open=True, high_open=True)
    L = scalar("smoothness", smoothness, low=0.0, low_open=True, high_open=True)
    if not mu <= L:
        raise ValueError(
            f"smoothness must be >= strong_convexity = {shortest(mu)}, got {shortest(L)}"
        )
    return mu, L


def checked_path(path: ArrayLike) -> Array:
    """v_1..v_T (..., T), each >= 0 and finite."""
    v = real("path", path, low=0.0, high_open=True)
    if v.ndim == 0:
        raise ValueError("path must have one entry per round, got a single number")
    return v


def fits(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether the shape broadcasts to the target."""
    try:
        return np.broadcast_shapes(shape, target) == target
    except ValueError:
        return False


def finite(name: str, values: Array) -> Array:
    """The values; ValueError when one overflowed."""
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must give finite results, got overflow")
    return values
