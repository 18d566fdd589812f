"""What a refutation refutes: orders for every constant, capacities for every pair."""

import math
from functools import cache

import numpy as np
import pytest

import bounds
from verify import expectation, runner
from verify.evidence import Comparison
from verify.hf import theorem_c_3
from verify.safe import comparison
from verify.sglu import batch_of_one


@cache
def words(id):
    (found,) = runner.run([id])
    assert found.error is None
    return {v.key: v for v in found.verdicts}


def refuting(id, key):
    (found,) = runner.run([id])
    compared = [e for e in found.evidence if isinstance(e, Comparison) and e.role == "bound"]
    return [e for e in compared if f"{e.interpretation}.{e.form}" == key and e.violated]


@pytest.mark.parametrize("interpretation", ["all", "cube", "online"])
def test_an_order_is_refuted_for_constants_that_grow(interpretation):
    """One comparison at one T with constant 1 shows nothing about an O()."""
    constants = [e.inputs["c"] for e in refuting("safe.cmp", f"{interpretation}.printed")]
    assert len(constants) >= 3
    assert max(constants) >= 10 * min(constants)
    assert min(constants) > 1


def test_signs_in_closed_form_are_the_enumeration():
    for n in (1, 3, 9, 99):
        chances = [math.comb(n, k) / 2**n for k in range(n + 1)]
        gain = sum(p * abs(n - 2 * k) for k, p in enumerate(chances))
        sides = sum(p for k, p in enumerate(chances) if 2 * k < n)
        regret, path = comparison.blocks_of_signs(n, 7)
        assert regret == pytest.approx(7 * gain, rel=1e-12)
        assert path == pytest.approx(6 * 2 * 2 * sides * (1 - sides), rel=1e-12)


def test_squaring_alone_does_not_repair_the_perturbation_of_safe():
    found = words("safe.phi")
    assert found["literal.printed"].word == found["deviation.printed"].word == "false"


def test_a_definition_whose_constant_may_carry_a_unit_is_consistent():
    found = words("safe.gamma")
    assert found["literal.printed"].word == "consistent"
    assert found["number.printed"].word == "unspecified"


def test_an_order_in_rounds_alone_holds_with_constants_of_the_problem():
    claim = bounds.get("safe.thm2i")
    (interpretation,) = [r for r in claim.interpretations if r.name == "constants"]
    assert "says nothing" in interpretation.text
    assert words("safe.thm2i")["constants.printed"].word == "holds"
    assert words("hf.hvp")["fixed.printed"].word == "holds"


def test_the_literal_order_of_theorem_4_3_hides_anything_but_time():
    first = bounds.get("hf.thm4.3").interpretations[0]
    assert "anything but T" in first.text
    (largest,) = [e for e in refuting("hf.thm4.3", "literal.printed") if e.inputs["K"] == 1e30]
    assert largest.inputs["E"] + 1 == 200


def test_no_pair_deletes_what_theorem_c_3_promises():
    """The bound on every pair, at finite n, tends to the constant of hf.thmc2.constant."""
    share = float(bounds.get("hf.thmc2.constant")("tight", epsilon=1, delta=0.005, gamma=0.01))
    found = [theorem_c_3.most_deletions(n, 0.01, 1, 0.005) / n for n in (10**3, 10**4, 10**6)]
    assert np.all(np.diff(found) < 0)
    assert share < found[-1] < share + 0.01
    assert words("hf.thmc3")["every.printed"].word == "false"


@pytest.mark.parametrize("part", ["", ".residual", ".data", ".newton", ".shift"])
def test_certified_removal_is_a_paper_of_its_own(part):
    claim = bounds.get(f"mini.base.guo{part}")
    assert claim.paper == "guo"
    assert claim.id in expectation.load()
    assert claim in bounds.statements("guo")
    assert claim not in bounds.statements("mini")


def test_runs_without_noise_agree_and_learn(monkeypatch):
    """Algorithm 1 of sglu by one run's own loop."""
    monkeypatch.setattr(batch_of_one, "SIGMA", 0.0)
    rows, tests = batch_of_one.data()
    assert (rows.shape, tests.shape) == ((1536, 64), (261, 64))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)
    w = np.zeros(64)
    for t in range(2 * 3):
        here = rows[512 * (t % 3) :][:512]
        slope = np.mean([-x / (1 + math.exp(w @ x)) for x in here], axis=0)
        w = w - (slope + 1536e-6 * w) / (0.25 + 1536e-6)
    monkeypatch.setitem(batch_of_one.EPOCHS, 512, 2)
    found = batch_of_one.accuracies(512, 3, np.random.default_rng(0))
    assert found == pytest.approx(np.mean(tests @ w > 0))
    assert found[0] > 0.8
