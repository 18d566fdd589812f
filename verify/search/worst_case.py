"""Worst cases by semidefinite programming (PEPit), at small horizons, against the closed forms.

Each value is the least upper bound that the solver certifies over all functions of a class and all
starting points, in any dimension. Where the paper's form is tight the two agree to the solver's
tolerance; elsewhere the value stays below it. PEPit and cvxpy are imported when one is computed.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pkgutil import resolve_name
from typing import Any

import bounds
from accounting.numerics.validation import count, scalar
from verify import checks

TOLERANCE = 1e-4  # relative; distances are roots of what the solver finds to about 1e-6


@dataclass(frozen=True)
class WorstCase:
    """One worst case beside the closed form of the same inputs.

    Attributes:
        subject: what was maximised, with its inputs.
        formula: id and form of the closed form.
        value: the solver's bound.
        closed_form: the formula's value.
        tight: whether the two must be equal.
    """

    subject: str
    formula: str
    value: float
    closed_form: float
    tight: bool

    @property
    def agrees(self) -> bool:
        """value <= closed form, and equality where it is tight, to the solver's tolerance."""
        # The solver returns an upper bound: below the closed form is fine, above it by rounding
        # only.
        below = self.value <= self.closed_form * (1 + TOLERANCE)
        return below and (not self.tight or self.value >= self.closed_form * (1 - TOLERANCE))

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "agrees": self.agrees}


def contraction(*, eta: float, m: float, L: float, steps: int = 1) -> float:
    """Largest factor between two points that `steps` gradient steps of one loss take apart.

    The loss is m-strongly convex and L-smooth: sglu (14)-(17); `steps` of them as in mini.
    """
    eta, m, L = _step(eta, m, L)
    steps = count("steps", steps, low=1, high=6)
    problem, classes = _problem()
    loss = problem.declare_function(classes.SmoothStronglyConvexFunction, mu=m, L=L)
    x = problem.set_initial_point()
    y = problem.set_initial_point()
    # Distance at most 1 at the start: the metric is then the squared factor itself.
    problem.set_initial_condition((x - y) ** 2 <= 1)
    for _ in range(steps):
        x = x - eta * loss.gradient(x)
        y = y - eta * loss.gradient(y)
    problem.set_performance_metric((x - y) ** 2)
    return math.sqrt(_solve(problem))


def noisy_distance(*, eta: float, m: float, L: float, sensitivity: float, steps: int = 2) -> float:
    """Largest distance of two coupled noisy runs whose gradients differ, after `steps` steps.

    Both start at one point, share their noise, and step k of the second is off by at most q =
    `sensitivity`: the W-infinity recursion d <- c d + q of sglu, Lemma 3.5.
    """
    eta, m, L = _step(eta, m, L)
    sensitivity = scalar("sensitivity", sensitivity, low=0, low_open=True, high_open=True)
    steps = count("steps", steps, low=1, high=6)
    from PEPit import Point

    problem, classes = _problem()
    loss = problem.declare_function(classes.SmoothStronglyConvexFunction, mu=m, L=L)
    x = y = problem.set_initial_point()
    for _ in range(steps):
        noise, apart = Point(), Point()
        # `apart` is free within its ball: the worst shift of every step is part of the maximum.
        problem.add_constraint(apart**2 <= sensitivity**2)
        x = x - eta * loss.gradient(x) + noise
        y = y - eta * loss.gradient(y) + noise + apart
    problem.set_performance_metric((x - y) ** 2)
    return math.sqrt(_solve(problem))


def regret(*, D: float, L: float, T: int) -> float:
    """Largest regret of projected online gradient descent, steps D/(L sqrt T), T rounds.

    Convex losses whose gradients are at most L on a domain of diameter D: olu, equation (2).
    """
    D = scalar("D", D, low=0, low_open=True, high_open=True)
    L = scalar("L", L, low=0, low_open=True, high_open=True)
    T = count("T", T, low=1, high=12)
    from PEPit import Point
    from PEPit.primitive_steps import proximal_step

    problem, classes = _problem()
    domain = problem.declare_function(classes.ConvexIndicatorFunction, D=D)
    x, _, _ = proximal_step(problem.set_initial_point(), domain, 1)
    # Any point, projected: the comparator is an arbitrary member of the domain.
    best, _, _ = proximal_step(Point(), domain, 1)
    total: Any = 0
    for _ in range(T):
        # Linear losses are the worst: a convex one lies above its tangent at x.
        gradient = Point()
        problem.add_constraint(gradient**2 <= L**2)
        total = total + gradient * (x - best)
        x, _, _ = proximal_step(x - D / (L * math.sqrt(T)) * gradient, domain, 1)
    problem.set_performance_metric(total)
    return _solve(problem)


def stability(*, k: int, L: float, kappa: float) -> float:
    """Largest distance of the minimisers with and without k convex L-Lipschitz losses.

    The whole sum grows by kappa/2 times the squared distance from its minimiser: olu, Lemma 6.
    """
    k = count("k", k, low=1, high=6)
    L = scalar("L", L, low=0, low_open=True, high_open=True)
    kappa = scalar("kappa", kappa, low=0, low_open=True, high_open=True)
    problem, classes = _problem()
    kept_loss = problem.declare_function(classes.ConvexFunction)
    removed = [problem.declare_function(classes.ConvexLipschitzFunction, M=L) for _ in range(k)]
    whole = sum(removed, kept_loss)
    star = whole.stationary_point()
    without = kept_loss.stationary_point()
    grown = kappa / 2 * (without - star) ** 2
    # The lemma's growth condition in place of strong convexity: all that its proof uses.
    problem.add_constraint(whole(without) - whole(star) >= grown)
    problem.set_performance_metric((without - star) ** 2)
    return math.sqrt(_solve(problem))


def certificates() -> Iterator[WorstCase]:
    """What the checks of all papers ask for, in the order of the papers."""
    for statement in bounds.statements():
        if place := checks.check(statement).worst_cases:
            yield from resolve_name(place)()


def certificate(
    subject: str,
    value: float,
    id: str,
    inputs: dict[str, Any],
    *,
    form: str = "tight",
    tight: bool = True,
) -> WorstCase:
    """The solver's value beside a form at the same inputs."""
    return WorstCase(subject, f"{id} {form}", value, float(bounds.get(id)(form, **inputs)), tight)


def _step(eta: float, m: float, L: float) -> tuple[float, float, float]:
    L = scalar("L", L, low=0, low_open=True, high_open=True)
    m = scalar("m", m, low=0, high=L, high_open=True)
    return scalar("eta", eta, low=0, low_open=True, high_open=True), m, L


def _problem() -> tuple[Any, Any]:
    """A fresh problem, and the module of function classes."""
    from PEPit import PEP, functions

    return PEP(), functions


def _solve(problem: Any) -> float:
    """The dual bound; RuntimeError where the solver finds none."""
    value = problem.solve(verbose=0, wrapper="cvxpy", solver=_solver())
    if value is None or not math.isfinite(value):
        raise RuntimeError("the semidefinite program was not solved")
    # A distance of 0 may come out as -1e-9, which has no root.
    return max(float(value), 0.0)


def _solver() -> str:
    """The best free conic solver that is installed."""
    import cvxpy

    installed: Callable[[], list[str]] = cvxpy.installed_solvers
    return next(name for name in ("CLARABEL", "SCS") if name in installed())
