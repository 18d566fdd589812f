"""The linear chain: sums in Fractions, step by step."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from simulators.exact import linear_chain
from verify.self_tests import Equality

_C = Fraction(3, 5)
_Q = Fraction(4, 5)
_S = Fraction(3, 8)


def equalities() -> Iterator[Equality]:
    """The recursion against its sums, the named instances against the recursion."""
    result: Any
    batches, place, learning, more = 3, 1, 4, 2
    # Arrivals once an epoch, at the batch `place`, while learning; none while unlearning.
    arrivals = ([Fraction(0), _Q, Fraction(0)] * learning) + [Fraction(0)] * (batches * more)
    n = len(arrivals)
    gap, variance = linear_chain.recursion(
        [_C] * n, arrivals, [_S**2] * n, Fraction(1, 7), Fraction(2, 3)
    )
    expected = [
        _C**n / 7 + sum(_C ** (n - 1 - t) * a for t, a in enumerate(arrivals)),
        _C ** (2 * n) * 2 / 3 + _S**2 * sum(_C ** (2 * t) for t in range(n)),
    ]
    yield Equality("linear_chain.recursion", [gap, variance], expected)
    shift = sum(_C ** (n - 1 - t) * a for t, a in enumerate(arrivals))
    noise = _S**2 * sum(_C ** (2 * t) for t in range(n))
    c, q, s = float(_C), float(_Q), float(_S)
    result = linear_chain.learn_then_unlearn(c, q, s, batches, place, learning, more)
    yield Equality("learn_then_unlearn", [result.shift, result.variance], [shift, noise])
    mu = float(shift) / math.sqrt(noise)
    yield Equality("Gap.mu", result.mu, mu)
    yield Equality("Gap.renyi", result.renyi(3.0), 1.5 * mu**2)
    yield Equality("Gap.mu of one point", linear_chain.Gap(np.zeros(1), np.zeros(1)).mu, [0.0])
    forever = linear_chain.learn_then_unlearn(c, q, s, batches, place, math.inf, more)
    # The geometric sum of all epochs of learning, decayed by the batches after the last arrival.
    limit = _Q * _C ** (batches - 1 - place + batches * more) / (1 - _C**batches)
    yield Equality(
        "learn_then_unlearn, converged",
        [forever.shift, forever.variance],
        [limit, _S**2 / (1 - _C**2)],
    )
    yield Equality(
        "learned_shift",
        linear_chain.learned_shift(c, q, batches, place, learning),
        shift / _C ** (batches * more),
    )
    # Beside the plain case: no decay, nothing but the first term, no term, and a ratio near 1 whose
    # closed form cancels.
    for ratio, terms, power in (
        (0.3, 5, 2),
        (1.0, 7, 3),
        (0.0, 4, 1),
        (0.0, 0, 1),
        (1 - 2.0**-40, 9, 2),
    ):
        exact = sum((Fraction(ratio) ** (power * i) for i in range(terms)), Fraction(0))
        result = linear_chain.geometric(ratio, terms, power)
        yield Equality("linear_chain.geometric", result, exact, 1e-14)
    yield Equality("geometric, for ever", linear_chain.geometric(0.3, math.inf, 2), 1 / 0.91, 1e-14)
    two = linear_chain.two_points(c, s, 2.0, 4)
    yield Equality(
        "two_points",
        [two.shift, two.variance],
        [2 * _C**4, _S**2 * sum(_C ** (2 * i) for i in range(4))],
    )
    still = linear_chain.shifted_stationary(c, s, 2.0, 4)
    yield Equality(
        "shifted_stationary", [still.shift, still.variance], [2 * _C**4, _S**2 / (1 - _C**2)]
    )
    shifts = linear_chain.request_shifts(c, batches, [1.0, 2.0, 0.5], [2, 1, 4])
    second = _C ** (2 * batches) + 2
    yield Equality("request_shifts", shifts, [1, second, _C**batches * second + Fraction(1, 2)])
