"""Approximators on data: each against the retraining it stands for, certified where possible."""

import numpy as np
import pytest

from simulators.data import sklearn_sets
from verify.hf import comparison as hf
from verify.mini import comparison as mini


@pytest.fixture(scope="module")
def problem():
    rows = sklearn_sets.digits(None).normalised().shuffled(0).first(200)
    return hf.RecollectionProblem.of(rows, "digits", epochs=30)


@pytest.fixture(scope="module")
def entries(problem):
    found = hf.compare(problem, (0.05, 0.2), seeds=(0, 1))
    return {(e.method, e.retraining, e.ratio): e for e in found}


def test_the_exact_hessian_is_closest_and_the_stored_sum_close(entries):
    for ratio in (0.05, 0.2):
        exact = entries["leave-one-out, the set", "slots", ratio]
        stored = entries["hf, stored statistics", "slots", ratio]
        late = entries["hf, order of eq 23", "slots", ratio]
        assert exact.share < stored.share < late.share < 0.2


def test_the_bound_holds(entries):
    bounded = [e for e in entries.values() if e.bound is not None]
    assert len(bounded) == 2
    assert all(e.error <= e.bound for e in bounded)


def test_the_stored_sum_is_worse_than_nothing_for_the_other_retraining(entries):
    assert entries["hf, order of eq 23", "mean", 0.2].share > 1.0
    assert entries["DeltaGrad", "mean", 0.2].share < 0.05


def test_ten_steps_know_little_of_thirty(entries):
    followed = entries["Mini, k = 10", "mean", 0.2]
    assert followed.share > 0.4
    assert followed.error == pytest.approx(entries["Rewind, k = 10", "mean", 0.2].error, rel=0.05)


def test_the_certificate_uses_the_stored_norms_only(problem):
    gone = np.array([3, 17, 40])
    stored = hf.certified(problem, gone)
    assert 0 < stored < hf.certified(problem, np.array([3, 17, 40, 41]))


def test_mini_beside_deltagrad_in_the_papers_regime():
    run = mini.compare(0.01, 400, 0.1)
    assert run.times_closer > 15
    assert run.mini > 0.9 * run.moved
    assert run.rewind <= run.bound <= run.moved


def test_following_every_step_is_retraining():
    run = mini.compare(0.5, 60, 0.1, k=60)
    assert run.rewind < 1e-13
    assert run.mini < 0.05 * run.moved
