"""Programs by what the noise is added to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from accounting.problems import Answer, DescentToDelete, NoiseOn, Problem, Tracking
from accounting.problems.answer import shown
from forgetproof.snippets.losses import gradient, hessian
from forgetproof.snippets.sampled import in_numpy, with_opacus
from forgetproof.snippets.steps import descent, projection, start, step_sizes

if TYPE_CHECKING:
    from simulators.runs.bounded import Bounded


def _up(value: float) -> str:
    # Rounded up in the twelfth digit: noise is never less than what was computed.
    return shown(value, 12)


def _on_steps(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    s = _up(float(answer.deviation.max()))
    lines = descent(task, problem, f" + {s} * rng.standard_normal(w.shape)")
    planned = answer.details.get("epochs") or [getattr(problem, "unlearn_epochs", 1)]
    again = f"# to unlearn: {planned[-1]} epoch(s) of these steps on the new rows"
    return [*gradient(task), *lines, again + ", from this w"]


def _on_the_model(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    unlearning = _unlearning(problem, answer)
    return [*gradient(task), *descent(task, problem, ""), *unlearning]


def _unlearning(problem: Problem, answer: Answer) -> list[str]:
    """From the trained w to what is released, w itself being secret."""
    # A subclass has an algorithm of its own.
    if type(problem) is DescentToDelete:
        return _after_an_exchange(problem, answer)
    if type(problem) is Tracking:
        return _after_every_round(problem, answer)
    s, several = _up(float(answer.deviation.max())), answer.deviation.ndim > 0
    return [
        f"# after the request: what {type(problem).algorithm} makes of w, which stays secret, then",
        f"released = w + {s} * rng.standard_normal(w.shape)" + "  # for every round" * several,
    ]


def _after_an_exchange(problem: DescentToDelete, answer: Answer) -> list[str]:
    (eta,) = problem._step_sizes(1).tolist()
    return [
        "# a request: X[i], y[i] = another row in place of the one that leaves, then",
        f"for _ in range({problem.steps}):",
        f"    w = w - {eta!r} * gradient(w, np.arange(len(X)))  # w stays secret",
        f"released = w + {_up(float(answer.deviation.max()))} * rng.standard_normal(w.shape)",
    ]


def _after_every_round(problem: Tracking, answer: Answer) -> list[str]:
    (eta,) = problem._step_sizes(1).tolist()
    noise = [float(_up(s)) for s in answer.deviation.tolist()]
    return [
        f"sizes = {problem.removed.tolist()}  # so many rows leave in each round",
        f"noise = {noise}  # standard deviations",
        "kept = np.arange(len(X))",
        "for size, s in zip(sizes, noise, strict=True):",
        "    kept = kept[size:]  # put those that leave in place of the first ones",
        f"    for _ in range({problem.steps}):",
        f"        w = w - {eta!r} * gradient(w, kept)  # w stays secret",
        "    released = w + s * rng.standard_normal(w.shape)",
    ]


def _on_deletions(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    places = zip(problem.places["time"], answer.deviation, strict=True)
    pairs = ", ".join(f"({int(t)}, {_up(float(s))})" for t, s in places)
    rounds = len(task.parts[0])
    steps = problem.step_sizes(rounds)
    assert steps is not None
    eta, table = step_sizes(steps, first=1)
    project = projection(task, "    ")
    step = [f"    w = w - {eta} * gradient(w, [t - 1])", *project]
    added = [
        "    for s in [s for time, s in noise if time == t]:",
        "        w = w + s * rng.standard_normal(w.shape)",
        *(f"    {line}" for line in project),
    ]
    # Convention A: the noise comes after the step of its round, otherwise before.
    after = getattr(problem, "convention", None) == "A"
    return [
        *gradient(task),
        f"noise = [{pairs}]  # time of a deletion, standard deviation",
        *table,
        start(task),
        f"for t in range(1, {rounds} + 1):",
        *(step + added if after else added + step),
    ]


def _in_the_objective(task: Bounded, problem: Problem, answer: Answer) -> list[str] | None:
    curvature = hessian(task)
    if curvature is None:
        return None
    removals = getattr(problem, "removals", None) or 1
    return [
        *gradient(task),
        *curvature,
        f"b = {_up(float(answer.deviation))} * rng.standard_normal(X.shape[1])  # secret",
        "",
        "def newton(w, rows):",
        '    """A step towards the minimum of the sum over the rows and of <b, w>."""',
        "    return w - np.linalg.solve(hessian(w, rows), gradient(w, rows) + b / len(rows))",
        "",
        start(task),
        "for _ in range(50):",
        "    w = newton(w, np.arange(len(X)))",
        f"kept = np.arange(len(X))[{removals}:]  # put the rows that leave in place of the first",
        "released = newton(w, kept)",
    ]


PROGRAMS: dict[NoiseOn, Callable[[Bounded, Problem, Answer], list[str] | None]] = {
    NoiseOn.STEP: _on_steps,
    NoiseOn.MODEL: _on_the_model,
    NoiseOn.DELETION: _on_deletions,
    NoiseOn.GRADIENT: _in_the_objective,
    NoiseOn.SUM: in_numpy,
}
"""Lines of a program, or None where the loss has no formula that it needs."""

OF_OPACUS = {NoiseOn.SUM: with_opacus}
"""Programs with Opacus, which makes noisy sums alone."""
