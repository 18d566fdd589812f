"""One step of a user's algorithm: how far it takes points apart, how far a record moves it.

What fails was attained, so that neither assertion ever raises a false alarm; that one passes says
that no pair tried did worse.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from verify.audit import Attained


@inside_ours
def assert_contraction(
    step: Callable[..., Any],
    c: float,
    points: ArrayLike,
    *,
    pairs: int = 200,
    seed: int = 0,
    tolerance: float = 1e-9,
) -> Attained:
    """Raise AssertionError if some pair is taken apart by more than the factor c.

    Args:
        step: step(x) or step(x, rng) -> the next iterate, x an array (d,); both points of a pair
            see the same randomness.
        c: claimed Lipschitz factor, >= 0.
        points: iterates (n, d) where it is tried: pairs of them, neighbours, and a power
            iteration from the worst pair.
        pairs: pairs tried of each kind.
        tolerance: relative, for rounding of c.

    Returns the largest factor found. Raises ValueError for bad input or output.
    """
    __tracebackhide__ = True
    from accounting.numerics import validation
    from verify.audit import contraction

    claimed = validation.scalar("c", c, low=0, high_open=True)
    slack = validation.scalar("tolerance", tolerance, low=0, high=1, high_open=True)
    estimate = contraction(_with_rng("step", step, 1), points, pairs=pairs, seed=seed)
    if estimate.value > claimed * (1 + slack):
        raise AssertionError(
            f"the step expands by {estimate.value:.12g}, claimed at most {claimed:.12g}\n"
            f"x           {estimate.first.tolist()}\n"
            f"y           {estimate.second.tolist()}\n"
            f"attained by pair {estimate.tried}, seed {seed}: a lower limit of the true factor"
        )
    return estimate


@inside_ours
def assert_sensitivity(
    function: Callable[..., Any],
    data: Any,
    neighbours: Iterable[Any],
    bound: float,
    *,
    points: ArrayLike | None = None,
    seed: int = 0,
    tolerance: float = 1e-9,
) -> Attained:
    """Raise AssertionError if a neighbouring data set moves the function by more than the bound.

    Args:
        function: function(data) or function(data, rng), or with points function(x, data) or
            function(x, data, rng): a step on the data. Distances are Euclidean.
        data: anything; `neighbours` are the adjacent data sets.
        bound: claimed sensitivity, >= 0.
        points: iterates (n, d) at which a step is tried.
        tolerance: relative, for rounding of the bound.

    Returns the largest move found. Raises ValueError for bad input or output.
    """
    __tracebackhide__ = True
    from accounting.numerics import validation
    from verify.audit import sensitivity

    claimed = validation.scalar("bound", bound, low=0, high_open=True)
    slack = validation.scalar("tolerance", tolerance, low=0, high=1, high_open=True)
    own = _with_rng("function", function, 1 if points is None else 2)
    estimate = sensitivity(own, data, neighbours, points=points, seed=seed)
    if estimate.value > claimed * (1 + slack):
        raise AssertionError(
            f"a neighbour moves it by {estimate.value:.12g}, claimed at most {claimed:.12g}\n"
            f"on data     {estimate.first.tolist()}\n"
            f"neighbour   {estimate.second.tolist()}\n"
            f"attained by trial {estimate.tried}, seed {seed}: a lower limit of the true "
            "sensitivity"
        )
    return estimate


def _with_rng(name: str, function: Callable[..., Any], arguments: int) -> Callable[..., Any]:
    """The function as one that takes a generator after `arguments`, whether it uses it or not.

    It does where it needs that many, or calls the next one `rng`; the axis of `np.sum` is none.
    """
    if not callable(function):
        raise ValueError(f"{name} must be a function, got {function!r}")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some builtins have none, and none of them takes a generator
        return lambda *given: function(*given[:arguments])
    if list(signature.parameters)[arguments : arguments + 1] == ["rng"]:
        return function
    try:
        signature.bind(*range(arguments))
    except TypeError:
        return function
    return lambda *given: function(*given[:arguments])
