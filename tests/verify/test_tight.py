"""No form called tight is above another valid form of the same reading, at random inputs.

Valid: its verdict is green under a reading whose hypotheses the inputs satisfy, as the domain of
the search has them. Points are drawn by the domain, the same ones each time.
"""

import zlib

import numpy as np
import pytest

import bounds
from verify.expectation import load
from verify.readings import is_green
from verify.search.domain import domain

DRAWS = 40
ROUNDING = 1e-9
# Where the forms are no bounds on one quantity.
OTHERS = {
    "sglu.claim20x": "ratios of counts by two bounds, each an equality",
    "olu.alg1": "noise of one request in an allocation; the least sum may put more of it last",
    "olu.alg3.shift": "another step: the whole gradient, in both runs",
    "olu.eq59": "another step: the whole gradient, in both runs",
}


def judged(claim):
    """Readings with a green tight form beside another green one."""
    words = load()[claim.id]
    for reading in claim.readings:
        green = [f for f in reading.forms if is_green(words[f"{reading.name}.{f}"])]
        if "tight" in green and len(green) > 1:
            yield reading, green


CASES = [
    (claim.id, reading.name, green)
    for claim in bounds.statements()
    if claim.forms and claim.id not in OTHERS
    for reading, green in judged(claim)
]


def above(formula, green, point):
    """The forms below the tight one at this point, with both values."""
    at = {f: {k: v for k, v in point.items() if k in formula[f].arguments} for f in green}
    tight = float(formula("tight", **at["tight"]))
    for f in green:
        other = float(formula(f, **at[f]))
        if tight > other * (1 + ROUNDING) and tight > np.finfo(float).tiny:
            yield f, other, tight


@pytest.mark.parametrize(
    ("id", "reading", "green"), CASES, ids=[f"{id}-{name}" for id, name, _ in CASES]
)
def test_no_tight_form_is_above_a_valid_one(id, reading, green):
    formula = bounds.get(id)
    where = domain(formula, where=formula.reading(reading).where)
    rng = np.random.default_rng(zlib.crc32(f"{id}.{reading}".encode()))
    compared = 0
    for _ in range(DRAWS):
        point = where.decode(where.sample(rng))
        try:
            found = list(above(formula, green, point))
        except ValueError:  # beyond the range of floats
            continue
        compared += 1
        assert not found, (point, found)
    assert compared >= DRAWS // 4


def test_theorem_3_2_at_the_point_where_its_tight_form_was_above_the_printed_one():
    point = {"alpha": 2.0, "eta": 0.1, "m": 0.1, "M": 1.0, "sigma": 1.0, "R": 0.15, "b": 1, "J": 1,
             "T": 50, "K": 1}  # fmt: skip
    values = {
        f: float(bounds.get("sglu.thm3.2")(f, **point)) for f in ("printed", "corrected", "tight")
    }
    assert values["printed"] == pytest.approx(7.81, rel=1e-3)
    assert values["tight"] == values["corrected"] == pytest.approx(0.542, rel=1e-3)


def test_the_least_noise_of_algorithm_1_is_least_in_sum_though_not_in_every_request():
    """Why olu.alg1 is left out: the noise of the last request alone may be the larger one."""
    assert set(OTHERS) <= {c.id for c in bounds.statements()}
    point = {"mu": 1.0, "beta": 1.5, "L": 1.0, "u": [4, 7], "tau": [10, 15], "epsilon": 0.5}
    total = {"corrected": 0.0, "tight": 0.0}
    for k in (1, 2):
        inputs = {**point, "u": point["u"][:k], "tau": point["tau"][:k]}
        for form in total:
            total[form] += float(bounds.get("olu.alg1")(form, **inputs)) ** 2
    assert total["tight"] <= total["corrected"]
