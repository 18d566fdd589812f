"""Every statement of every installed paper survives what is drawn; what does not is named."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import bounds
from bounds.declared import EXPERIMENTS
from bounds.sglu.algorithm_6 import RUN
from forgetproof.testing import properties, runs
from forgetproof.testing.properties import Properties, hold
from simulators.exact.gaussian_divergence import log_hockey_stick_gauss
from verify.checks import check
from verify.context import Context
from verify.measurements import on_samples
from verify.mini.problems import mean_problem
from verify.own.clipped import from_two_starts
from verify.safe.equation_21 import measure as quotient
from verify.search.strategies import anchor
from verify.search.targets import COMPARISONS, expected_to_hold
from verify.sglu.algorithm_6 import measure as least_epochs
from verify.sglu.claim_retrain import measure as counted
from verify.sglu.claim_swor import measure as by_patterns
from verify.sglu.definition_d_1 import measure as on_a_lattice
from verify.sglu.instances import ProjectedRun

DEAR = """
sglu.defd.1 sglu.alg6 sglu.alg5 sglu.eq21_25 sglu.claim.retrain sglu.claim20x sglu.sec4.atmost15
sglu.sec4.10pct2pct olu.thm2 olu.thm5 olu.thm6.regret olu.cor7 olu.intro olu.oracles.huber
hf.eq4_5 hf.thm3.1.limit hf.thmc2.constant mini.thm1
"""
FEW = """
sglu.alg5 sglu.eq21_25 sglu.claim.retrain sglu.claim20x sglu.sec4.atmost15 sglu.sec4.10pct2pct
olu.thm2 olu.thm5 olu.intro hf.thm3.1.limit hf.table1.steps
"""


class TestEveryPaper(Properties):
    test_forms_survive_runs_on_data = None  # beside the checks, which make these runs: test_claims
    dear = frozenset(DEAR.split())
    few = dict.fromkeys(FEW.split(), 20)


targets = cache(expected_to_hold)


def target(id, form):
    """Found by the first comparisons of the check, or by all."""
    found = (t for most in (COMPARISONS, None) for t in targets(bounds.get(id), most))
    return next(t for t in found if t.form == form)


def test_a_form_that_is_too_small_is_named_with_its_replay():
    lemma = target("sglu.lem3.4", "tight")
    hold(lemma, lemma.starts[0])
    with pytest.raises(AssertionError, match=r"sglu\.lem3\.4 literal\.tight.*\n.*search.*--at"):
        hold(lemma, lemma.starts[0], 0.98)


def test_a_wrong_exact_side_is_found_and_shrunk_to_round_numbers():
    lemma = target("sglu.lem3.4", "tight")
    twice = replace(lemma, left=lambda **p: 2 * lemma.left(**p), starts=())
    with pytest.raises(AssertionError, match="fails"):
        properties._drawn([twice], 2, False, 1.0)


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


ONES = dict.fromkeys(("M", "b", "J", "T", "K"), 1)


@pytest.mark.parametrize(
    ("id", "form", "inputs"),
    [
        (
            "sglu.cor3.10",
            "corrected",
            {"alpha": 2.0, "eta": 1100.0, "sigma": 7500.0, "R": 1e-3, **ONES},
        ),
        ("olu.alg2", "printed", {"mu": 1.9, "beta": 1.9, "factor": 2.0}),
        ("hf.table4_7.step", "tight", {"tau": 0.12403671757432352, "T": 1, "K": 1.0}),
        ("safe.thm1", "corrected", {"lam": 1.0, "e": [0.0, 0.0]}),
        (
            "sglu.thmm.1",
            "printed",
            {"alpha": 2.0, "eps0": 0.0, "sigma": 0.1, "eta": 1e-3, "K": 1, "C": 1.0, "m": 1.0},
        ),
        (
            "sglu.lem3.5",
            "printed",
            {"eta": 0.142, "m": 2.1, "M": 1.05, "b": 11, "J": 2, "T": 25, "j0": 0, "R": 19.0},
        ),
        ("hf.def2.1.scale", "tight", {"epsilon": 800.0, "delta": 0.1, "d": 2, "ratio": 200.0}),
        ("safe.def1.lower", "tight", {"epsilon": 100.0, "mu": 76.35060803383345}),
        ("safe.thm1.log", "tight", {"a": 1e-3, "b": 1.0000000000000026e-3}),
        (
            "mini.mia.precision",
            "tight",
            {"weight": 3.3, "spread": 1e-3, "d": 1, "prevalence": 0.1},
        ),
        ("own.x3.i", "tight", {"Z": 1.0, "c": 5e-5, "s": 1e-3, "N": 38}),
    ],
    ids=[
        "distance of laws",
        "contraction to a point",
        "difference of sums",
        "equal errors",
        "a law and its image",
        "ends that no mass reaches",
        "a layer beside equal densities",
        "exponents that leave the floats",
        "logarithms of neighbours",
        "an integrand that is steep at 0",
        "a separation whose square leaves the floats",
    ],
)
def test_what_is_below_rounding_is_no_violation(id, form, inputs):
    assert hold(target(id, form), inputs)


@pytest.mark.parametrize(
    ("id", "form", "inputs"),
    [
        ("hf.alg1.noise.std", "corrected", {"error": 1.0, "epsilon": 400.0, "delta": 0.1}),
        ("hf.forget_recollections", "tight", {"eta": 1.0, "h": -1.0, "n": 1, "T": 1}),
        *(
            (id, "tight", {"n": 2, "b": 1, "S": 1, "sigma": 0.001, "epsilon": 100.0})
            for id in ("sglu.sec4.10pct2pct", "sglu.sec4.atmost15")
        ),
    ],
    ids=["epsilon above 1", "no other sample", "no projection", "none for the largest"],
)
def test_nothing_is_held_outside_what_is_claimed(id, form, inputs):
    assert not hold(target(id, form), inputs)


@pytest.mark.parametrize(
    ("id", "inputs"),
    [
        ("sglu.alg6", {"S": 1, "eta": 1.0, "m": 0.1, "M": 1.0, "b": 1, "J": 1, "R": 1}),
        ("sglu.claim.smallb", {"M": 0.0}),
        ("sglu.cor3.10", {"R": 5.3, "eta": 81.0, "sigma": 5e-3, "J": 3, "K": 4}),
        ("sglu.claim.swor", {"steps": 11}),
    ],
    ids=["projection", "no other data", "densities beyond the floats", "patterns of steps"],
)
def test_what_an_exact_side_cannot_do_is_said(id, inputs):
    limit = next(iter(check(bounds.get(id)).limits.values()))
    with pytest.raises(ValueError, match="must satisfy"):
        limit.where[0].check(inputs)


def test_quotients_of_densities_that_are_no_floats():
    at = {"x": -80.2, "mean_t": 0.3, "var_t": 3.8, "mean_0": 0.0, "var_0": 8.1}
    ratio = bounds.get("safe.eq21.ratio")
    assert quotient(**at) == pytest.approx(ratio("corrected", **at), rel=1e-9, abs=0)
    assert 0 < quotient(**at) < 1e-100


def test_epochs_are_found_by_halving_as_by_counting():
    at = {**RUN, "sigma": 2.0}
    c = 1 - at["eta"] * at["m"]
    variance = 2 * at["eta"] * at["sigma"] ** 2 / (1 - c**2)
    apart, epochs = 0.0, 0
    for _ in range(7):
        apart += 2 * at["eta"] * at["M"] / at["b"] / (1 - c)
        lost = 0.0
        while lost > np.log(at["delta"]):
            apart, epochs = apart * c, epochs + 1
            lost = log_hockey_stick_gauss(0.0, variance, apart, variance, at["epsilon"])
    assert least_epochs(**{**at, "S": 7}) == epochs > 14


@pytest.mark.parametrize("id", ["sglu.sec4.10pct2pct", "sglu.sec4.atmost15"])
def test_inputs_are_drawn_where_the_exact_side_answers(id):
    drawn = target(id, "tight")
    assert hold(drawn, anchor(drawn.domain))


def test_forms_of_one_left_side_measure_it_once(capsys):
    calls = []
    lemma = target("sglu.lem3.4", "tight")

    def left(**inputs):
        calls.append(inputs)
        return lemma.left(**inputs)

    forms = [replace(lemma, left=left, starts=(), form=form) for form in ("tight", "printed")]
    properties._drawn(forms, 2, False, 1.0)
    assert len(calls) == len({repr(each) for each in calls})
    assert "(tight, printed): 4 inputs drawn, compared at 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("exact_side", "inputs"),
    [
        (from_two_starts, {"c": 0.9, "s": 1.0, "noise": 1e-3, "z0": 100.0, "K": 5}),
        (on_a_lattice, {"alpha": 2.0, "gap": 100.0, "z": 1.0, "v": 0.01}),
        (by_patterns, {"eta": 1.0, "m": 0.5, "M": 1.0, "b": 2, "steps": 40}),
        (counted, {"eta": 0.1, "m": 1.0, "M": 1.0, "b": 1, "R": 1.0, "J": 10**8}),
        (counted, {"eta": 1e-9, "m": 1.0, "M": 1.0, "b": 1, "R": 1.0, "J": 2}),
    ],
    ids=["grid", "lattice", "patterns", "batches", "epochs"],
)
def test_an_exact_side_says_where_it_would_take_hours(exact_side, inputs):
    with pytest.raises(ValueError, match=r"at most 300|by 2000 nodes|2\^steps|step of its own"):
        exact_side(**inputs)


def test_equal_batches_share_a_step_and_equal_samples_a_gradient():
    run = ProjectedRun.linear(R=1, eta=0.5, m=0.2, sigma=0.8, b=2, J=9, old=0.5, new=-0.5, j0=4)
    apart = replace(run, old=[list(g) for g in run.old], new=[list(g) for g in run.new])
    assert len({id(step) for side in (1, -1) for step in run._steps[side]}) == 3
    laws = [each.stationary(1).weights for each in (run, apart)]
    np.testing.assert_allclose(*laws, rtol=1e-11, atol=1e-16)
    problem = mean_problem(
        Fraction(1, 3), Fraction(1, 2), Fraction(-1), Fraction(2), 6, Fraction(2, 5)
    )
    others = replace(
        problem,
        gradient=lambda j, w: Fraction(1, 3) * w - (-1 if j < 2 else 2),
        batches=[range(5)] * 6,
        gone=frozenset({0, 1}),
    )
    assert problem.learn() == others.learn()
    assert problem.retrain() == others.retrain()


def test_a_domain_narrower_than_a_shift_is_no_step_up():
    """On both sides of 2R = q the shifts are the best: the tight form falls in b across it."""
    theorem = bounds.get("sglu.thm3.2")
    at = {"alpha": 3.8, "eta": 1.38, "m": 0.077, "M": 0.395, "sigma": 2.0, "R": 0.0178, "J": 4}
    below, above = (theorem("tight", **at, T=24, K=19, b=b) for b in (25, 38))
    assert above <= below * (1 + 1e-9)


def test_runs_that_would_not_see_a_tiny_form_are_no_evidence():
    found = list(on_samples(Context(bounds.get("mini.rewind"))))
    runs.told_apart(found)
    held = next(each for each in found if each.comparisons)
    blind = replace(held, comparisons=tuple(replace(c, measured=0.0) for c in held.comparisons))
    with pytest.raises(AssertionError, match="billionth"):
        runs.told_apart([blind])


def test_other_runs_of_a_sample_are_the_same_for_all_statements():
    first, again, other = (runs.variants("digits", seed) for seed in (0, 0, 1))
    assert first == again != other
    assert len({seed for seed, _ in first}) == len(first) == runs.VARIANTS
    assert {factor for _, factor in first + other} <= set(runs.FACTORS)
    run = runs._run("mini", name := next(iter(EXPERIMENTS.get("mini").samples)), 7, 3.0)
    usual = EXPERIMENTS.get("mini").samples[name].get("sigma")
    assert run.experiment.seed == 7
    assert usual is None or run.experiment.sigma == 3 * usual
