"""Domains and strategies of every formula: inputs are in range, hypotheses hold, forms evaluate."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import bounds
from bounds import Hypothesis, Interpretation, Statement, Symbol
from verify.search.coordinates import Axis
from verify.search.domain import domain, of_form
from verify.search.minimise import digits, minimise
from verify.search.strategies import anchor, points

QUICK = settings(
    max_examples=4,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
FORMS = [(id, name) for id in bounds.ids() for name in bounds.get(id).forms]


@pytest.mark.parametrize("paper", sorted({id.split(".")[0] for id, _ in FORMS}))
def test_samples_of_every_form_are_admissible_and_evaluate(paper):
    for id, name in FORMS:
        if id.split(".")[0] == paper:
            form, rng = bounds.get(id)[name], np.random.default_rng(0)
            for _ in range(2):
                where = of_form(form)
                point = where.decode(where.sample(rng))
                form.validate(point)
                assert not np.isnan(form(**point)).any()


@pytest.mark.parametrize("paper", sorted({id.split(".")[0] for id, _ in FORMS}))
def test_strategies_of_every_form_are_admissible(paper, full):
    """Those of every claim are drawn in tests/core/plugin/test_strategies.py."""
    for id, name in FORMS[:: 4 if full else 16]:
        if id.split(".")[0] == paper:
            form = bounds.get(id)[name]
            QUICK(given(points(of_form(form)))(_validates(form)))()


def _validates(form):
    def drawn(point):
        form.validate(point)

    return drawn


SYMBOLS = [
    Symbol("x", "", "x", low=0, high=1, low_open=True, high_open=True),
    Symbol("x", "", "x", low=0, high=1),
    Symbol("x", "", "x", low=1, low_open=True),
    Symbol("x", "", "x", high=-2),
    Symbol("x", "", "x"),
    Symbol("x", "", "x", low=1, kind="integer"),
    Symbol("x", "", "x", low=0, high=3, kind="integer", high_open=True),
    Symbol("x", "", "x", kind="integer"),
    Symbol("x", "", "x", low=0, kind="list"),
    Symbol("x", "", "x", low=1, kind="list", increasing=True, typical=(2, 9)),
    Symbol("x", "", "x", kind="hits"),
]


@pytest.mark.parametrize("symbol", SYMBOLS, ids=lambda s: f"{s.kind} {s.range()}")
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_an_axis_stays_in_range_to_its_corners(symbol, data):
    axis = Axis(symbol)
    unit = [data.draw(st.floats(0, 1)) for _ in range(axis.size)]
    for corner in (unit, [0.0] * axis.size, [1.0] * axis.size):
        symbol.validate(axis.decode(corner))


def test_an_axis_is_monotone_and_reaches_far():
    axis = Axis(Symbol("x", "", "x", low=0, low_open=True))
    values = [axis.decode([u]) for u in np.linspace(0, 1, 200)]
    assert values == sorted(values)
    assert values[0] <= 1e-3
    assert values[-1] >= 100
    near = Axis(Symbol("x", "", "x", low=0, high=1, low_open=True, high_open=True))
    assert near.decode([0.0]) < 1e-4 < 1 - 1e-4 < near.decode([1.0])
    whole = Axis(Symbol("k", "", "k", low=1, high=4, kind="integer"))
    assert {whole.decode([u]) for u in np.linspace(0, 1, 99)} == {1, 2, 3, 4}


def _tied():
    """0 < x < y/10: rejected nine times in ten."""
    return Statement(
        "test.tied",
        "",
        "inequality",
        "",
        (Interpretation("literal", "", {"printed": "<="}),),
        symbols=(
            Symbol("x", "", "x", low=0, low_open=True),
            Symbol("y", "", "y", low=0, low_open=True),
        ),
        requires=(Hypothesis("x < y/10", lambda x, y: x < y / 10),),
    )


def test_projection_ends_at_the_border():
    where = domain(_tied())
    rng = np.random.default_rng(1)
    inside = where.sample(rng)
    assert where.admits(where.decode(inside))
    for _ in range(50):
        unit = rng.random(2)
        moved = where.project(unit, inside)
        assert where.admits(where.decode(moved))
        if not where.admits(where.decode(unit)):
            point = where.decode(moved)
            assert point["x"] == pytest.approx(point["y"] / 10, rel=1e-5)


def test_strategies_shrink_to_readable_numbers():
    found = find(points(domain(_tied())), lambda p: p["y"] > 7.3, settings=settings(database=None))
    assert digits(found["x"]) + digits(found["y"]) <= 4


def test_unknown_arguments_are_named():
    with pytest.raises(ValueError, match=r"z is not an argument of test\.tied"):
        domain(_tied(), ("z",))


def test_an_empty_domain_is_said_to_be_one():
    with pytest.raises(ValueError, match="no admissible inputs"):
        domain(_tied(), also=(lambda p: False,)).sample(np.random.default_rng(0), tries=20)


def test_arguments_that_follow_stay_tied():
    where = domain(_tied(), where=(Hypothesis("x = y/20", sets={"x": lambda y: y / 20}),))
    for _ in range(5):
        point = where.decode(where.sample(np.random.default_rng(2)))
        assert point["x"] == point["y"] / 20
    assert anchor(where)["x"] == anchor(where)["y"] / 20
    assert not where.admits({"x": 0.01, "y": 1.0})


def test_minimise_rounds_and_is_deterministic():
    start = {"x": 0.0123456, "k": 37, "u": [4, 2, 9], "hits": {0: 3, 2: 1}}

    def keeps(p):
        return p["x"] > 0.01 and p["k"] >= 5 and sum(p["u"]) >= 4 and 2 in p["hits"]

    found = minimise(start, keeps)
    assert found == minimise(dict(start), keeps)
    assert found["k"] == 5
    assert digits(found["x"]) == 1
    assert len(found["u"]) == 1
    assert found["hits"] == {2: 1}
    assert keeps(found)


def test_minimise_keeps_what_cannot_be_simpler():
    assert minimise({"x": math.pi}, lambda p: p["x"] == math.pi) == {"x": math.pi}
    assert minimise({"x": 5.0, "k": 3}, lambda p: True) == {"x": 1.0, "k": 0}
