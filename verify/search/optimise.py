"""Looks for the largest slack over a domain: known inputs, hypothesis, global optimisers, polish.

Every stage works on the unit cube of `Domain` (logarithmic coordinates, whole numbers as steps)
and shares one budget of evaluations and seconds. An interrupt ends the search with what it has.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from verify.search.domain import Domain, Point
from verify.search.limit import Late, limit
from verify.search.strategies import points

Vector = NDArray[np.float64]
OUTSIDE = -1e6
METHODS = ("evolution", "annealing", "shgo")


class BudgetSpent(BaseException):
    """The budget is used up, or enough was found. Not an Exception: hypothesis would go on."""


@dataclass
class SlackObjective:
    """The slack on the unit cube, with its budget and the best point so far.

    Attributes:
        domain: where to search.
        slack: of inputs; ValueError where it is undefined.
        evaluations, seconds: the budget.
        enough: a slack at which the search stops.
        starts: inputs to look at first, such as those of the claim's own check.
    """

    domain: Domain
    slack: Callable[[Point], float]
    evaluations: int
    seconds: float
    enough: float = np.inf
    starts: tuple[Point, ...] = ()
    used: int = 0
    best: float = OUTSIDE
    point: Point | None = None
    unit: Vector | None = None
    started: float = field(default_factory=time.monotonic)
    allowance: int | None = None

    def at(self, point: Point, unit: Vector | None = None) -> float:
        """Slack of inputs; far below every slack outside the domain.

        Raises BudgetSpent when nothing may be evaluated any more, also amid an evaluation.
        """
        # A stage's own share, else the whole budget.
        most = self.evaluations if self.allowance is None else self.allowance
        left = self.seconds - (time.monotonic() - self.started)
        if self.used >= most or left <= 0:
            raise BudgetSpent
        # Costs no evaluation: nothing was measured.
        if not self.domain.admits(point):
            return OUTSIDE
        self.used += 1
        try:
            with limit(left):
                value = self.slack(point)
        except Late:
            raise BudgetSpent from None
        except ValueError:
            return OUTSIDE
        if value > self.best:
            self.best, self.point, self.unit = value, dict(point), unit
        if value >= self.enough:
            raise BudgetSpent
        return value

    def __call__(self, unit: Vector, anchor: Vector) -> float:
        """Minus the slack at a point of the cube, pulled into the domain towards `anchor`."""
        # Optimisers leave the domain all the time: a border point tells more than a constant
        # penalty.
        moved = self.domain.project(np.clip(unit, 0, 1), anchor)
        return -self.at(self.domain.decode(moved), moved)

    def share(self, part: float) -> None:
        """Lets the next stage use this part of what is left."""
        self.allowance = self.used + int(part * (self.evaluations - self.used))

    @property
    def done(self) -> bool:
        """Whether the whole budget is used, or enough was found."""
        late = time.monotonic() - self.started >= self.seconds
        return late or self.used >= self.evaluations or self.best >= self.enough


def maximise(
    objective: SlackObjective, *, seed: int = 0, methods: tuple[str, ...] = METHODS
) -> bool:
    """Runs the stages on the objective, which keeps the best point; False if interrupted.

    The same seed and evaluations give the same result unless the seconds run out first.
    """
    rng = np.random.default_rng(seed)
    try:
        try:
            anchor = objective.domain.sample(rng)
        except ValueError:  # an empty domain, or one too thin to hit: nothing to search
            return True
        # Each part is a share of what the stages before left; the last takes all the rest.
        stages: list[tuple[float, Callable[[], Any]]] = [
            (0.25, lambda: _known(objective)),
            (0.25, lambda: _targeted(objective, seed)),
            (0.2, lambda: _random(objective, rng)),
            *((0.5, lambda m=m: _global(objective, m, anchor, seed)) for m in methods),
            (1.0, lambda: _polish(objective, anchor)),
        ]
        for part, stage in stages:
            if objective.done:
                break
            objective.share(part)
            try:
                stage()
            # Its share is used: the next stage goes on. `done` ends the loop when the whole budget
            # is.
            except BudgetSpent:
                continue
    except KeyboardInterrupt:
        return False
    return True


def _known(objective: SlackObjective) -> None:
    """The starts, as they are: some lie beyond what the cube spans."""
    for point in objective.starts:
        objective.at(point, objective.domain.encode(point))


def _targeted(objective: SlackObjective, seed: int) -> None:
    """Hypothesis with `target`: it climbs, and it likes the corners that break formulas."""
    try:
        import hypothesis
    except ModuleNotFoundError:
        return

    budget = (objective.allowance or objective.evaluations) - objective.used
    if budget < 1:
        return

    # Only generation and targeting: shrinking and replaying would spend evaluations on one example.
    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=budget,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.target),
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(points(objective.domain))
    def climb(point: Point) -> None:
        value = objective.at(point)
        if value > OUTSIDE:
            hypothesis.target(value)

    # An exact side that ran out of time answers otherwise when asked again; so much for this stage.
    with suppress(hypothesis.errors.Flaky):
        climb()


def _random(objective: SlackObjective, rng: np.random.Generator) -> None:
    while True:
        unit = objective.domain.sample(rng)
        objective(unit, unit)


def _global(objective: SlackObjective, method: str, anchor: Vector, seed: int) -> None:
    box = [(0.0, 1.0)] * objective.domain.size
    if method == "evolution":
        # Without its own polish: `_polish` ends the search, and one budget rules all stages.
        optimize.differential_evolution(
            objective,
            box,
            args=(anchor,),
            seed=seed,
            popsize=8,
            polish=False,
            tol=1e-10,
            maxiter=10_000,
            x0=_start(objective, anchor),
        )
    elif method == "annealing":
        optimize.dual_annealing(
            objective,
            box,
            args=(anchor,),
            seed=np.random.default_rng(seed),
            x0=_start(objective, anchor),
        )
    elif method == "shgo" and objective.domain.size <= 6:  # its simplices double with each one
        optimize.shgo(objective, box, args=(anchor,), n=32, iters=2, sampling_method="sobol")
    elif method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")


def _polish(objective: SlackObjective, anchor: Vector) -> None:
    optimize.minimize(
        objective,
        _start(objective, anchor),
        args=(anchor,),
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * objective.domain.size,
        options={"xatol": 1e-8, "fatol": 1e-12, "maxfev": objective.evaluations},
    )


def _start(objective: SlackObjective, anchor: Vector) -> Vector:
    """The best point found on the cube; the anchor where the best came from elsewhere."""
    return np.clip(anchor if objective.unit is None else objective.unit, 0, 1)
