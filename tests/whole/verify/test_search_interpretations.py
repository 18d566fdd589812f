"""Inputs at which a search once found what an interpretation excludes, or an exact side's
rounding."""

import pytest

import bounds
from verify.search.run import MARGIN
from verify.search.targets import COMPARISONS, targets

OUTSIDE = [
    ("hf.table1.jackknife", "literal", {"m": 0, "d": 1}),
    ("hf.proofa4", "unit", {"distance": 1.0, "lam": -1.0, "M": 1.0, "Lam": 3.0}),
    (
        "hf.eq56",
        "literal",
        {"L": 1.0, "lam": 1.0, "M": 1.0, "distance": 3.0, "sigma": 1.0, "d": 1, "n": 1, "m": 0},
    ),
    (
        "hf.eq56",
        "literal",
        {"L": 1.0, "lam": 1.0, "M": 0.5, "distance": 0.1, "sigma": 9.0, "d": 1, "n": 1, "m": 0},
    ),
    ("hf.thmc3.independent", "literal", {"n": 1, "gamma": 10.0, "L": 1.0, "lam": 1.0}),
    (
        "hf.alg2",
        "literal",
        {"eta": 1.0, "h": 1.0, "n": 1, "T": 2, "cbar": 0.0, "c_u": 1.0, "w0": 0.0, "a0": 0.0},
    ),
    ("sglu.sec4.t", "distance", {"n": 1, "b": 2, "T": 1, "R": 1.0}),
    ("sglu.eq14_17", "literal", {"eta": 0.9, "m": 1.0, "L": 2.0}),
    ("sglu.eq14_17", "longer", {"eta": 0.9, "m": 1.0, "L": 2.0}),
    ("sglu.k3", "unit", {"x": 2.0, "lam": 1.0, "M": 1.0}),
]
INSIDE = [
    ("hf.proofa3", "literal", {"eta": 1.0, "C": 1.0, "q": 0.0002, "t": 4}),
    ("hf.thmc3", "literal", {"n": 1, "gamma": 2.0, "L": 1.0, "lam": 1.0}),
    ("hf.thmc3.independent", "literal", {"n": 1, "gamma": 1.0, "L": 1.0, "lam": 1.0}),
    (
        "sglu.cor3.8",
        "convergent",
        {
            "alpha": 1000.0,
            "eta": 1.0,
            "m": 1.0,
            "M": 1.0,
            "sigma": 1.0,
            "R": 1.0,
            "b": 1,
            "J": 1,
            "K": 1,
        },
    ),
    (
        "sglu.eq18_20",
        "literal",
        {"alpha": 2.0, "eta": 0.1, "m": 1.0, "sigma": 1.0, "J": 1, "T": 4, "W0": 0.0},
    ),
    (
        "sglu.eq18_20",
        "literal",
        {"alpha": 2.0, "eta": 0.001, "m": 100.0, "sigma": 1.0, "J": 17, "T": 18, "W0": 1.0},
    ),
    ("sglu.alg2", "literal", {"L": 2.228548903691488, "m": 2.2285489028915344, "T": 2, "W0": 1.0}),
    (
        "sglu.alg3",
        "literal",
        {"I": 4, "S": 1, "n": 1, "m": 0.15959197511086515, "L": 0.15959197524035693, "M": 1.0},
    ),
    (
        "sglu.thml.1",
        "replacement",
        {
            "I": 1,
            "epsilon": 1.0,
            "delta": 0.5,
            "n": 1,
            "m": 11.70764202160416,
            "L": 11.707642021815177,
            "M": 1.0,
        },
    ),
]

FALSE = {("hf.thmc3", "printed"), ("sglu.eq18_20", "printed")}


def searched(id, interpretation, most=COMPARISONS):
    """Targets by a check's first comparisons; by all where these are of other interpretations."""
    found = [t for t in targets(bounds.get(id), most=most) if t.interpretation == interpretation]
    assert found or most
    return found or searched(id, interpretation, None)


@pytest.mark.parametrize(("id", "interpretation", "point"), OUTSIDE)
def test_the_interpretation_excludes(id, interpretation, point):
    for target in searched(id, interpretation):
        assert point.keys() == set(target.domain.names)
        assert not target.domain.admits(point)


@pytest.mark.parametrize(("id", "interpretation", "point"), INSIDE)
def test_nothing_is_violated_within(id, interpretation, point):
    for target in searched(id, interpretation):
        known = {k: v for k, v in point.items() if k in target.domain.names}
        assert target.domain.admits(known)
        if (id, target.form) not in FALSE:
            assert not target.fails(target.sides(known), MARGIN)


def test_an_exact_side_of_one_form_is_not_held_against_another():
    assert {t.form for t in searched("sglu.claim20x", "counted", None)} == {"tight"}


def test_inputs_that_nothing_follows_from_stay_as_they_are():
    (target,) = searched("sglu.sec4.t", "distance")
    given = {"n": 7, "b": 0, "T": 1, "R": 1.0}
    assert target.domain.complete(given) == given
    assert not target.domain.admits(given)
    assert target.domain.complete({**given, "b": 3})["n"] == 6
