"""What a search finds of the papers' forms, in ball arithmetic."""

import numpy as np
import pytest
import sympy

import bounds
from verify.search.targets import targets

pytest.importorskip("flint")

from bounds.balls import Undecided
from verify.search.certify import separate
from verify.search.domain import domain
from verify.search.finding import certified


@pytest.mark.parametrize("paper", ["sglu", "olu", "hf", "mini"])
def test_balls_of_forms_contain_their_values(paper, full):
    few = {} if full else {"S": (1, 4)}  # requests in sequence: an expression within another
    rng, seen = np.random.default_rng(4), 0
    for id in [s.id for s in bounds.statements(paper) if s.forms][:: 6 if full else 12]:
        for form in bounds.get(id).forms.values():
            where = domain(form.statement, form.arguments, within=few)
            point = where.decode(where.sample(rng))
            point = {k: float(f"{v:.3g}") if isinstance(v, float) else v for k, v in point.items()}
            value = float(form(**point)) if form.expr and where.admits(point) else np.inf
            if not np.isfinite(value) or value == 0:
                continue
            side = 1 if value > 0 else -1
            below, above = (0.999, 1.001) if side > 0 else (1.001, 0.999)
            constant = sympy.Rational(*value.as_integer_ratio())
            try:
                separate(
                    lambda sp, constant=constant: constant, form.expr, point, "<=", scale=below
                )
                separate(
                    lambda sp, constant=constant: constant, form.expr, point, ">=", scale=above
                )
            except Undecided as problem:
                if "certainty" in str(problem):
                    pytest.fail(f"{id} {form.name} at {point}: {problem}")
                continue
            seen += 1
    assert seen >= (8 if full else 4)


def _root_sum(sp, k, omega):
    return sp.sqrt(sum(sp.Integer(i) ** (2 * omega) for i in range(1, int(k) + 1)))


def test_a_false_form_is_certified_until_it_is_scaled_above_the_truth():
    printed = bounds.get("olu.eq17")["printed"].expr
    at = {"k": 1, "omega": 1.2}
    proof = separate(_root_sum, printed, at)
    assert proof.left.startswith("1.0000")
    assert float(proof.right.strip("[").split(" ")[0]) == pytest.approx(1 / np.sqrt(3.4), rel=1e-15)
    threshold = np.sqrt(3.4)
    assert separate(_root_sum, printed, at, scale=threshold * (1 - 1e-12))
    with pytest.raises(Undecided, match="holds here"):
        separate(_root_sum, printed, at, scale=threshold * (1 + 1e-12))


def test_an_attained_form_certifies_the_left_side():
    claim = bounds.get("olu.eq33")
    target = next(t for t in targets(claim) if t.form == "printed")
    point = {"D": 1.0, "beta": 1.0, "X": 1.0}
    assert target.attained == "corrected"
    assert certified(target, point)[0] is not None
    proof, why = certified(target, point, scale=1.5)  # sqrt 2 is missing
    assert proof is None
    assert "holds here" in why


def test_a_missing_extra_answers_in_one_line(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "flint", None)
    target = next(t for t in targets(bounds.get("olu.eq33")) if t.form == "printed")
    proof, why = certified(target, {"D": 1.0, "beta": 1.0, "X": 1.0})
    assert proof is None
    assert why == "python-flint is missing: pip install 'forgetproof[certify]'"
