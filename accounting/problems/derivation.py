"""The problem that rows pose: the fields that follow from what is known of learning from them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from accounting.numerics.validation import refuses
from accounting.problems.learner import Learner
from accounting.problems.options import option
from accounting.problems.problem import Problem

_P = TypeVar("_P", bound=Problem)


def pose(kind: type[_P], learner: Learner, given: Mapping[str, Any]) -> _P:
    """The problem of this learner: its `derived` fields follow from it, `given` are the others.

    Raises ValueError for a derived field that is given, and where the learner's bounds are out of
    a field's range.
    """
    for name in given:
        if name in kind.derived:
            raise ValueError(f"{name} must not be given with data, from which it follows")
    own = {each.name: option(each) for each in fields(kind)}
    usual = {
        name: value(learner) if callable(value) else value
        for name, value in kind.usual.items()
        if name in own and name not in given
    }
    values = {**usual, **given}
    unsuitable = (
        f"loss {learner.loss} with regularisation = {learner.regularisation:g} and "
        f"radius = {learner.radius:g} does not suit {kind.algorithm}"
    )
    for name, fact in kind.derived.items():
        value = getattr(learner, fact) if isinstance(fact, str) else fact(learner, values)
        try:
            values |= {} if value is None else {name: own[name].check(name, value)}
        except ValueError as error:
            raise ValueError(f"{unsuitable}: {error}") from error
    try:
        problem = kind(**values)
    except ValueError as error:
        # Nobody has given a field that follows from the learner.
        if refuses(error, kind.derived):
            raise ValueError(f"{unsuitable}: {error}") from error
        raise
    # Not a field, so that it is neither asked for nor compared: it adds conditions and data.
    object.__setattr__(problem, "_learner", learner)
    return problem
