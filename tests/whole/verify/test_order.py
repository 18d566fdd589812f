"""Where an interpretation says that one proved form is the sharper one, it is: at corners and at
random.

Corners are arguments at the ends and in the middle of what the search draws from; points are drawn
by the domain, the same ones each time.
"""

import dataclasses
import zlib
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bounds
from bounds import Interpretation
from bounds.draws import draw_wide
from forgetproof.testing.claims import strategy
from verify.search.domain import domain

CORNERS, DRAWS, FEW = 20, 30, 10
ROUNDING = 1e-9
INTERPRETATIONS = [
    (claim, interpretation)
    for claim in bounds.statements()
    for interpretation in claim.interpretations
]


def cases(kept):
    found = [
        (claim, interpretation) for claim, interpretation in INTERPRETATIONS if kept(interpretation)
    ]
    ids = [f"{claim.id}-{interpretation.name}" for claim, interpretation in found]
    return pytest.mark.parametrize(("claim", "interpretation"), found, ids=ids)


def points(claim, interpretation, draws=DRAWS):
    """Corners, as far as some are admissible, and random points."""
    where = domain(claim, where=interpretation.where)
    rng = np.random.default_rng(zlib.crc32(f"{claim.id}.{interpretation.name}".encode()))
    corners = (where.decode(unit) for unit in rng.integers(0, 3, (8 * CORNERS, where.size)) / 2)
    yield from [point for point in corners if where.admits(point)][: 2 * draws // 3]
    for _ in range(draws):
        yield where.decode(where.sample(rng))
    yield from wide(where, rng, draws // 3)


def wide(where, rng, count):
    """At most so many points whose arguments are of all sizes; lists stay short."""
    axes = {axis.symbol.name: axis.symbol for axis in where.axes}
    tried = (
        where.complete({name: draw_wide(symbol, rng) for name, symbol in axes.items()})
        for _ in range(20 * count)
    )
    admitted = (point for point in tried if where.admits(point))
    yield from islice(admitted, count)


def value(claim, form, point):
    return float(claim(form, **{k: v for k, v in point.items() if k in claim[form].arguments}))


def compared(claim, interpretation, draws=DRAWS):
    """At each point within the floats: sharper forms that are looser, with both values."""
    sign = (
        -1
        if ">=" in {interpretation.relations[f] for pair in interpretation.order for f in pair}
        else 1
    )
    for point in points(claim, interpretation, draws):
        crossed = []
        try:
            for pair in interpretation.order:
                a, b = (sign * value(claim, form, point) for form in pair)
                if a > b + ROUNDING * abs(b) + np.finfo(float).tiny:
                    crossed.append((point, pair, a, b))
        except ValueError:  # beyond the range of floats
            continue
        yield crossed


@cases(lambda interpretation: interpretation.order)
def test_no_sharper_form_is_the_looser_one(claim, interpretation, full):
    draws = DRAWS if full else FEW
    found = list(compared(claim, interpretation, draws))
    assert not any(found), next(filter(None, found))
    assert len(found) >= draws // 4


@cases(lambda interpretation: interpretation.order)
@settings(max_examples=settings.default.max_examples // 10)
@given(data=st.data())
def test_no_sharper_form_is_the_looser_one_at_a_point_of_hypothesis(claim, interpretation, data):
    point = data.draw(strategy(claim.id, interpretation=interpretation.name))
    sign = -1 if interpretation.relations[interpretation.order[0][0]] == ">=" else 1
    for pair in interpretation.order:
        try:
            a, b = (sign * value(claim, form, point) for form in pair)
        except ValueError:  # beyond the range of floats
            continue
        assert a <= b + ROUNDING * abs(b) + np.finfo(float).tiny, pair


@cases(lambda interpretation: interpretation.apart)
def test_forms_that_are_said_to_be_apart_cross(claim, interpretation):
    assert any(compared(claim, dataclasses.replace(interpretation, apart="")))


def test_the_order_takes_proved_forms_that_bound_from_one_side():
    relations = {"printed": "<=", "corrected": "<=", "tight": "<="}
    proved = dict.fromkeys(relations, "by some theorem")
    interpretation = Interpretation("literal", "as it stands", relations, proofs=proved)
    assert interpretation.order == (("tight", "corrected"), ("corrected", "printed"))

    def order(**changes):
        return dataclasses.replace(interpretation, **changes).order

    assert order(proofs={"printed": "", "tight": ""}) == (("tight", "printed"),)
    assert order(relations={**relations, "tight": "=="}) == (("corrected", "printed"),)
    assert order(relations={**relations, "tight": ">="}) == (("corrected", "printed"),)
    assert order(apart="ratios") == ()


def test_theorem_3_2_at_the_point_where_its_tight_form_was_above_the_printed_one():
    point = {
        "alpha": 2.0,
        "eta": 0.1,
        "m": 0.1,
        "M": 1.0,
        "sigma": 1.0,
        "R": 0.15,
        "b": 1,
        "J": 1,
        "T": 50,
        "K": 1,
    }
    values = {
        f: float(bounds.get("sglu.thm3.2")(f, **point)) for f in ("printed", "corrected", "tight")
    }
    assert values["printed"] == pytest.approx(7.81, rel=1e-3)
    assert values["corrected"] == pytest.approx(0.542, rel=1e-3)
    # Followed from its last epochs on, where the domain is narrow.
    assert values["tight"] == pytest.approx(0.44105, rel=1e-4)


def test_the_least_noise_of_algorithm_1_is_least_in_sum_though_not_in_every_request():
    """Why olu.alg1 is apart: the noise of the last request alone may be the larger one."""
    point = {"mu": 1.0, "beta": 1.5, "L": 1.0, "u": [4, 7], "tau": [10, 15], "epsilon": 0.5}
    total = {"corrected": 0.0, "tight": 0.0}
    for k in (1, 2):
        inputs = {**point, "u": point["u"][:k], "tau": point["tau"][:k]}
        for form in total:
            total[form] += float(bounds.get("olu.alg1")(form, **inputs)) ** 2
    assert total["tight"] <= total["corrected"]
