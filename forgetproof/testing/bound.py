"""A measured quantity against a bound: a number of the user's, or a form of a claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

import forgetproof.testing.claims as claims
from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from verify.evidence import Relation

RELATIONS: tuple[Relation, ...] = ("<=", ">=", "==")
WORDS = {"<=": "at most", ">=": "at least", "==": "exactly"}


@inside_ours
def assert_bound_holds(
    measured: ArrayLike,
    bound: ArrayLike | str,
    *,
    relation: str = "<=",
    tolerance: float = 1e-9,
    form: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> None:
    """Raise AssertionError unless every measured value is related to its bound as claimed.

    Args:
        measured: numbers of any shape.
        bound: numbers that broadcast against `measured`; or the id of a claim, whose `form` (the
            tight one if None) is then evaluated at `parameters`.
        relation: "<=", ">=" or "==", of measured to bound.
        tolerance: relative, for rounding; in [0, 1).
        parameters: inputs of the claim's formula, or whatever the message should name.

    Raises:
        ValueError: a bad argument, NaN, or parameters outside the claim's hypotheses.
    """
    __tracebackhide__ = True
    from accounting.numerics import validation
    from verify.evidence import violates

    sign = validation.choice("relation", relation, RELATIONS)
    slack = validation.scalar("tolerance", tolerance, low=0, high=1, high_open=True)
    if not (parameters is None or isinstance(parameters, Mapping)):
        raise ValueError(f"parameters must map names to values, got {parameters!r}")
    if form is not None and not isinstance(bound, str):
        raise ValueError(f"form must be None unless bound is a claim, got {form!r}")
    inputs = dict(parameters or {})
    about = ""
    if isinstance(bound, str):
        try:
            claim = claims.get(bound)
        except ValueError as error:
            raise ValueError(f"bound must be numbers or a claim: {error}") from None
        form = "tight" if form is None else form
        bound = claim.value(form, **inputs)
        about = f"\nclaim       {claim.id} ({form}), {claim.label}: {claim.words}"
    values = validation.real("measured", measured)
    limits = validation.real("bound", bound)
    shape = validation.broadcastable(measured=values, bound=limits)
    # Broadcast: the violations have the shape of both sides together.
    failed = np.broadcast_to(violates(values, limits, sign, slack), shape)
    if not failed.any():
        return
    values, limits = np.broadcast_to(values, shape), np.broadcast_to(limits, shape)
    with np.errstate(invalid="ignore"):
        # inf - inf is NaN where it did not fail; -1 keeps such elements from being the worst.
        excess = np.where(failed, np.abs(values - limits), -1.0)
    worst = np.unravel_index(int(np.argmax(excess)), shape)
    raise AssertionError(
        _told(float(values[worst]), float(limits[worst]), sign)
        + about
        + _where(inputs, worst, failed)
    )


def _told(measured: float, bound: float, relation: str) -> str:
    from verify.words import pair

    first, second = pair(measured, bound)
    return f"measured {first}, which must be {WORDS[relation]} {second}"


def _where(inputs: Mapping[str, Any], worst: tuple[Any, ...], failed: Any) -> str:
    """The parameters, as arrays at the worst element where they have that shape."""
    from verify.words import given

    # An array of another shape is not told by element.
    at = {
        k: v[worst].item() if isinstance(v, np.ndarray) and v.shape == failed.shape else v
        for k, v in inputs.items()
    }
    text = f"\nparameters  {given(at)}" if at else ""
    if failed.ndim:
        index = tuple(int(i) for i in worst)
        text += (
            f"\nelement     {index}, the worst of {int(failed.sum())} that fail of {failed.size}"
        )
    return text
