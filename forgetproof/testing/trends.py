"""What a paper says of its forms' ways: they rise and fall as listed, and end where they should."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bounds import Statement
    from bounds.trends import Trend

PAIRS = {"quick": 4, "full": 200}
CHANCE = {"quick": 1, "full": 100}  # pairs besides, which the run's own seed draws
ENDS = 3  # inputs from which the argument is taken far out
SECONDS = 10.0  # for one limit of symbols
SLOW = 0.1  # of a power, where logarithms are still slow


def goes(trend: Trend, count: int, seed: int = 0) -> None:
    """Raise AssertionError where two inputs contradict a trend."""
    __tracebackhide__ = True
    import numpy as np

    from bounds.trends import pairs

    rng = np.random.default_rng(seed)
    for pair in pairs(trend.form, trend.name, rng, count):
        why = trend.broken(*pair)
        assert not why, why


def arrives(trend: Trend) -> None:
    """Raise AssertionError where a trend's end is missed far out, from most of the inputs tried.

    From some it may be: no argument is so large that another's share could not be smaller.
    """
    __tracebackhide__ = True
    import numpy as np

    from bounds.trends import pairs

    if trend.end:
        rng = np.random.default_rng(0)
        starts = [pair[0] for pair in pairs(trend.form, trend.name, rng, ENDS)]
        misses = [why for why in map(trend.missed, starts) if why]
        # Without admissible inputs there are no starts, and nothing is missed.
        assert 2 * len(misses) <= len(starts), misses[0]


def grows(statement: Statement) -> None:
    """Raise AssertionError where a form is far out of another power than `growth=` says."""
    __tracebackhide__ = True
    import numpy as np
    import sympy as sp  # type: ignore[import-untyped, unused-ignore]

    from bounds.algebra.stated import FREE
    from bounds.draws import admissible
    from bounds.trends import away, value

    if not isinstance(statement.growth, dict):
        return
    for name, growth in statement.growth.items():
        x = sp.Symbol(name, positive=True)
        words = growth if isinstance(growth, dict) else dict.fromkeys(statement.forms, growth)
        for form, rate in words.items():
            if rate == FREE or name not in statement[form].arguments:
                continue
            shape = sp.lambdify(x, 1 if rate == "a constant" else sp.sympify(rate, {name: x}))
            inputs = admissible(statement, statement[form], np.random.default_rng(0))
            # The two farthest: there lower powers have all but vanished.
            points = list(away(statement[form], name, inputs).items())[-2:]
            # One point has no slope.
            if len(points) < 2:
                continue
            (a, b), (first, last) = zip(*points, strict=True)
            sizes = [value(statement[form], at) for at in (first, last)]
            # The slope in log-log between the two is the power, of the claim and of the form.
            growth = math.log(float(shape(b)) / float(shape(a))) / math.log(b / a)
            has = math.log(sizes[1] / sizes[0]) / math.log(b / a)
            assert abs(has - growth) <= SLOW, (
                f"{statement.id} {form} does not grow in {name} like {rate}: its power is {has:.3g}"
            )


def agree(statement: Statement) -> None:
    """Raise AssertionError where an end that is listed is not what the symbols say."""
    __tracebackhide__ = True
    import sympy as sp

    from bounds.algebra.questions import limit
    from bounds.trends import trends
    from verify.search.limit import Late
    from verify.search.limit import limit as at_most

    for trend in trends(statement):
        form, answers = trend.form, []
        if trend.end not in ("0", "inf") or form.formula is None or form.because:
            continue
        expected = sp.Integer(0) if trend.end == "0" else sp.oo
        with suppress(Late), at_most(SECONDS):  # some limits take minutes
            answers = limit(form, trend.name, math.inf)
        for answer in answers:
            limit_value = answer.expression
            # A limit that holds symbols may be either, and is not compared.
            assert limit_value is None or limit_value == expected or not limit_value.is_number, (
                f"{form.statement.id} {form.name} goes to {trend.end} as {trend.name} grows, but "
                f"the limit of its symbols is {limit_value}"
            )
