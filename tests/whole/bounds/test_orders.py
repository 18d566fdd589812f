"""Claims on growth: what they state is compared with what their forms grow like, by machine.

That every asymptotic claim's own statement agrees is a test of the contract (`Contract`).
"""

from dataclasses import replace

import pytest
import sympy as sp

import bounds
from bounds import algebra
from bounds.algebra.stated import FREE, faults
from verify.expectation import load
from verify.interpretations import headline, is_green

GROWN = [s for s in bounds.statements() if s.growth]
COMPARED = [s for s in GROWN if not isinstance(s.growth, str)]


def test_asymptotic_claims_say_how_they_grow_and_most_are_compared():
    assert {s.id for s in bounds.statements() if s.kind == "asymptotic"} == {s.id for s in GROWN}
    assert len(COMPARED) >= 0.75 * len(GROWN)


def slower(first, second, name):
    """Whether one order is below the other, both as `growth` says them."""
    orders = [
        sp.Integer(1) if told in (FREE, "a constant") else sp.sympify(told)
        for told in (first, second)
    ]
    x = sp.Symbol(name, positive=True)
    ratio = (orders[0] / orders[1]).subs(sp.Symbol(name), x)
    return sp.limit(ratio, x, sp.oo) == 0


def test_a_paper_whose_order_is_below_that_of_an_explicit_form_is_not_confirmed():
    found = set()
    for claim in COMPARED:
        for name, told in claim.growth.items():
            own = {} if isinstance(told, str) else dict(told)
            mine = own.pop(claim.own_form, "")
            if any(slower(mine, other, name) for other in own.values()):
                found.add((claim.id, name))
                assert not is_green(headline(claim, load()[claim.id])), claim.id
    assert found == {
        ("olu.dpregret", "epsilon"),
        ("olu.dpregret.convex", "epsilon"),
        ("olu.thm4", "P"),
    }


@pytest.mark.parametrize(
    ("growth", "said"),
    [
        ("", "growth must be stated of an asymptotic claim, or why its forms are not compared"),
        ({"k": "k"}, "growth in k is k of the form printed, which grows like k**2"),
        ({"k": {"printed": "k**2"}}, "growth in k is nothing of the form corrected"),
        ({"epsilon": "a constant"}, "is a constant of the form printed, which grows like free"),
    ],
    ids=["not-stated", "another-power", "a-form-left-out", "a-variable-left-out"],
)
def test_growth_that_is_not_that_of_the_forms_is_named(growth, said):
    claim = bounds.get("olu.intro")
    assert list(faults(claim)) == []
    assert said in "\n".join(faults(claim.changed(growth=growth)))


def test_a_power_that_changes_in_a_form_is_noticed():
    claim = bounds.get("safe.lem1")
    assert list(faults(claim)) == []
    silent = tuple(replace(r, fails={}) for r in claim.interpretations)
    changed = claim.changed(forms={}, interpretations=silent)
    changed.form("printed", tex="")(lambda xp, n, C: C / n)
    assert "of the form printed, which grows like 1/n" in "\n".join(faults(changed))


def test_a_sum_that_counts_up_to_a_symbol_is_not_put_far_out():
    (answer,) = algebra.order(bounds.get("mini.thm1")["corrected"], "k")
    assert answer.kind == "numeric"
    assert "runs up to k" in answer.words
    assert algebra.grows(bounds.get("mini.thm1")["corrected"], "k") == "unknown"
