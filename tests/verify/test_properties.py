"""Every statement of every installed paper survives what is drawn; what does not is named."""

import dataclasses

import pytest

import bounds
from forgetproof.testing import properties
from forgetproof.testing.properties import Properties, hold
from verify.search.targets import expected_to_hold

DEAR = """
sglu.def2.1 sglu.def2.2 sglu.defd.1 sglu.alg6 sglu.alg5 sglu.eq21_25 sglu.claim.retrain
sglu.claim.swor sglu.claim.smallb sglu.claim20x sglu.sec4.atmost15 sglu.sec4.10pct2pct
olu.thm2 olu.thm5 olu.thm6.regret olu.cor7 olu.intro olu.oracles.huber
hf.eq4_5 hf.eq39 hf.zeta.visits hf.tightness hf.thm3.1.limit hf.thmc2.constant hf.alg1.noise.std
mini.thm1 mini.thm1.use
"""


class TestEveryPaper(Properties):
    dear = frozenset(DEAR.split())


def target(id, form):
    return next(t for t in expected_to_hold(bounds.get(id)) if t.form == form)


def test_a_form_that_is_too_small_is_named_with_its_replay():
    lemma = target("sglu.lem3.4", "tight")
    hold(lemma, lemma.starts[0])
    with pytest.raises(AssertionError, match=r"sglu\.lem3\.4 literal\.tight.*\n.*search.*--at"):
        hold(lemma, lemma.starts[0], 0.98)


def test_a_wrong_oracle_is_found_and_shrunk_to_round_numbers():
    lemma = target("sglu.lem3.4", "tight")
    twice = dataclasses.replace(lemma, left=lambda **p: 2 * lemma.left(**p), starts=())
    with pytest.raises(AssertionError, match="fails"):
        properties._drawn([twice], False, 1.0)


def test_where_a_form_is_attained_a_smaller_one_must_fail(monkeypatch):
    lemma = target("sglu.lem3.4", "tight")
    assert next(properties.equal(lemma), None)
    properties._attained(lemma)
    monkeypatch.setattr(properties, "SHRUNK", 1.0)
    monkeypatch.setattr(properties, "equal", lambda target: iter(target.starts))
    with pytest.raises(AssertionError, match="does not fail"):
        properties._attained(lemma)


def test_the_constant_of_an_order_is_one_for_all_inputs():
    cost = target("hf.hvp", "corrected")
    held = dict(cost.domain.fixed)["K"]
    assert {at["K"] for at in cost.starts} == {held}
    assert next(properties.corners(cost))["K"] == held
    assert "K" not in {axis.symbol.name for axis in cost.domain.axes}


def test_statements_of_growth_are_held_where_they_are_explicit():
    assert target("olu.intro", "corrected").starts
    assert target("olu.eq2.convex", "corrected").starts
