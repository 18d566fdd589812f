"""Where sglu's exact sides are not the laws that an interpretation means, no search must look."""

import math

import pytest

import bounds
from verify import checks
from verify.search.slack import ROUNDING
from verify.search.targets import targets
from verify.sglu.corollary_3_9 import measure

INTERVAL = {
    "alpha": 2.0,
    "eta": 1.0,
    "m": 0.5,
    "M": 1.0,
    "sigma": 1.0,
    "R": 1.0,
    "b": 1,
    "J": 1,
    "K": 1,
}
ENDS = {
    "eta": 1.0,
    "m": 0.0,
    "M": 1.0,
    "b": 1,
    "J": 8,
    "sigma": 2.0,
    "R": 1.0,
    "T": 1,
    "K": 1,
    "j0": 7,
}
EPOCHS = {
    "epsilon": 10.0,
    "delta": 0.5,
    "sigma": 0.1,
    "eta": 1.0,
    "m": 0.5,
    "M": 2.0,
    "b": 1,
    "J": 1,
    "T": 100,
    "R": 20.0,
}


def test_a_short_interval_keeps_the_laws_closer_than_the_line_does():
    corrected = bounds.get("sglu.cor3.9")["corrected"]
    on_line = measure(**{**INTERVAL, "R": math.inf})
    assert on_line == pytest.approx(1.5, rel=1e-9)  # N(2, 8/3) and N(0, 8/3)
    assert measure(**INTERVAL) < float(corrected(**INTERVAL)) < on_line
    assert measure(**{**INTERVAL, "R": 25.0}) == pytest.approx(on_line, rel=1e-9)


@pytest.mark.parametrize(
    ("id", "point"),
    [
        ("sglu.thm3.11", {"c": 0.5, "J": 1, "K_s": 0, "Z_s": 1.0, "Z": 1.0, "R": 0.9}),
        ("sglu.claim.2s", {"c": 0.9, "J": 1, "K": 0, "S": 1, "Z": 1.0, "R": 0.2}),
        (
            "sglu.cor3.12",
            {"eta": 1.0, "m": 0.5, "M": 1.0, "b": 2, "J": 3, "T": 1, "R": 1.0, "hits": {1: 1}},
        ),
    ],
)
def test_chains_on_the_line_have_no_radius(id, point):
    for target in targets(bounds.get(id)):
        if target.interpretation != "order":
            assert not target.domain.admits(point)
            free = {**point, "R": math.inf}
            assert target.domain.admits(free)
            measured, bound = target.sides(free)
            assert measured <= bound * (1 + 1e-7)


def test_one_segment_needs_an_unlearning_epoch_and_a_wide_ball():
    own = bounds.get("own.x3.iv").interpretation("one_segment")
    assert own.admits(ENDS)
    assert not own.admits({**ENDS, "K": 0})
    assert not own.admits({**ENDS, "R": 0.99})


def test_rounding_of_a_root_is_large_at_small_values_only():
    size = checks.check(bounds.get("own.x3.iv")).limits["literal"].size
    tiny = {**ENDS, "sigma": 1e12}
    assert ROUNDING * size(tiny) == pytest.approx(math.sqrt(ROUNDING), rel=1e-3)
    mu = float(bounds.get("own.x3.iv")["tight"](**ENDS))
    assert size(ENDS) == pytest.approx(1 / (2 * mu), rel=1e-3)


def test_learning_that_ends_is_outside_what_the_linear_chain_says_of_algorithm_5():
    target = next(
        t
        for t in targets(bounds.get("sglu.alg5"))
        if (t.interpretation, t.form) == ("literal", "corrected")
    )
    assert not target.domain.admits({**EPOCHS, "T": 0})
    assert not target.domain.admits({**EPOCHS, "R": 1.0})
    measured, bound = target.sides(target.domain.complete(EPOCHS))
    assert 1 < measured <= bound < math.inf
