"""A root where there is no closed form: one argument of a form from its value, by bisection."""

import math
from collections.abc import Mapping
from typing import Any

from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds.forms import Form
from bounds.namespaces import precise

DIGITS, DOUBLINGS = 40, 200


def root(form: Form, name: str, value: float, inputs: Mapping[str, Any]) -> Any:
    """A number at which the form has this value; its whole arguments are taken as real there.

    `inputs` are all other arguments. Raises ValueError where the form does not cross the value
    between 1 and the ends of the argument's range, doubling and halving.
    """
    symbol = form.statement.symbols[name]
    constants = {n: form.statement.symbols[n].validate(v) for n, v in inputs.items() if n != name}

    def side(x: Any) -> float:
        """The sign of the residual; NaN where the form has no value."""
        numbers = {n: precise.number(v) for n, v in constants.items()}
        try:
            formula_value = form.formula(precise, **numbers, **{name: x})
        except (ValueError, ZeroDivisionError):
            return math.nan
        return int(formula_value > value) - int(formula_value < value)

    with mp.workdps(DIGITS):
        low = high = mp.mpf(min(max(1.0, symbol.low), symbol.high))
        first = side(low)
        for _ in range(DOUBLINGS):
            # Both ways at once, to the ends of the range.
            high, low = min(2 * high, symbol.high), max(low / 2, symbol.low)
            # The last doubling stepped over the root; at an end of the range all of it is searched.
            if first * side(high) < 0:
                return _between(side, high / 2 if high < symbol.high else low, high)
            if first * side(low) < 0:
                return _between(side, low, 2 * low)
    raise ValueError(
        f"{name} must let {form.statement.id} ({form.name}) take the value {value:g}; "
        "no argument tried does"
    )


def _between(side: Any, a: Any, b: Any) -> Any:
    at = side(a)
    # DIGITS decimals are 3.33 DIGITS bits, of which every halving gains one.
    for _ in range(4 * DIGITS):
        middle = (a + b) / 2
        if side(middle) == at:
            a = middle
        else:
            b = middle
    # The sign changed where the form has no value: a pole, or the edge of its domain, no root.
    if at * side(b) > 0 or math.isnan(side(b)):
        raise ValueError(f"the form has no value beside {mp.nstr(b, 8)}, where its sign changes")
    return +b
