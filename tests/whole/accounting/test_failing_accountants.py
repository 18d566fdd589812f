"""An accountant that fails counts as infinite and says why, and takes no other with it."""

import json
import math

import numpy as np
import pytest

from accounting import SampledSGD, sampled_epsilon
from accounting.numerics.attempt import attempt, least
from accounting.problems import Target
from accounting.sampled._largest_batch import Accounts
from bounds.declared import PROBLEMS
from forgetproof.cli import run
from simulators.data.dataset import Dataset

CURVED = {"lipschitz": 1.0, "strong_convexity": 0.1, "smoothness": 1.0}
FIELDS = {
    "contraction": {"process": {"contraction": [0.5], "displacement": [1.0], "noise": [1.0]}},
    "tracking": {"n": 500, "rounds": 3, "steps": 5, **CURVED},
    "d2d": {"n": 100, "steps": 20, "initial": 1.0, **CURVED},
    "clipped": {
        "n": 100,
        "clip": 1.0,
        "step_size": 0.1,
        "weight_decay": 1.0,
        "radius": 0.5,
        "learn_epochs": 3,
        "unlearn_epochs": 2,
    },
    "dp-sgd": {
        "n": 50,
        "batch_size": 5,
        "steps": 10,
        "step_size": 0.5,
        "smoothness": 0.25,
        "sampling": "full",
    },
    "safe": {"n": 500, "rounds": 3, "size": 2, "steps": 5, **CURVED},
    "langevin": {
        "n": 20,
        "batch_size": 5,
        "smoothness": 1.0,
        "strong_convexity": 0.1,
        "unlearn_epochs": 2,
    },
    "online": {
        "schedule": {"index": [1, 2], "time": [4, 6]},
        "strong_convexity": 0.5,
        "smoothness": 2.0,
        "lipschitz": 1.0,
        "diameter": 2.0,
    },
    "recollection": {"error": 0.1},
    "newton-removal": {"residual": 0.1},
    "erm": {
        "data": Dataset(np.eye(2), np.array([1.0, -1.0]), "two rows"),
        "model": {"": np.zeros(2)},
        "loss": "logistic",
        "regularisation": 0.1,
    },
}
FAILURES = [
    (FloatingPointError("overflow encountered in square"), "overflow encountered in square"),
    (ValueError("log_shifts must make every sigma a float"), "log_shifts must make"),
    (KeyError("who"), "KeyError: 'who'"),
    (MemoryError(), "MemoryError"),
]
TARGET = Target(1.0, 1e-5)


def failing(kind, question, name, error):
    """The class with one accountant that raises."""

    class Failing(kind):
        def _noise(self, accountant, target):
            if question == "noise" and accountant == name:
                raise error
            return super()._noise(accountant, target)

        def _claim(self, accountant, noise, delta):
            if question == "privacy" and accountant == name:
                raise error
            return super()._claim(accountant, noise, delta)

    return Failing


def test_every_problem_is_here():
    assert set(PROBLEMS.names()) == set(FIELDS)


@pytest.mark.parametrize("algorithm", FIELDS)
def test_each_accountant_that_fails_in_turn(algorithm):
    kind = PROBLEMS.get(algorithm)
    whole = kind(**FIELDS[algorithm]).least_noise(TARGET)
    for i, name in enumerate(whole.by):
        error, said = FAILURES[i % len(FAILURES)]
        found = failing(kind, "noise", name, error)(**FIELDS[algorithm]).least_noise(TARGET)
        assert np.isinf(found.by[name].noise).all()
        assert said in found.by[name].details["failed"]
        assert found.by[name].valid is None
        assert found.recommended != name
        for other in set(whole.by) - {name}:
            assert found.by[other].noise == pytest.approx(whole.by[other].noise, rel=1e-12)


@pytest.mark.parametrize("algorithm", FIELDS)
def test_each_claim_that_fails_in_turn(algorithm):
    kind = PROBLEMS.get(algorithm)
    whole = kind(**FIELDS[algorithm]).privacy(2.0, 1e-5)
    for i, name in enumerate(whole.by):
        error, said = FAILURES[i % len(FAILURES)]
        found = failing(kind, "privacy", name, error)(**FIELDS[algorithm]).privacy(2.0, 1e-5)
        assert np.isinf(found.by[name].epsilon).all()
        assert said in found.by[name].details["failed"]
        for other in set(whole.by) - {name}:
            assert found.by[other].epsilon == pytest.approx(whole.by[other].epsilon, rel=1e-12)


def test_where_all_refuse_a_field_the_refusal_is_the_answer():
    refusal = ValueError("smoothness must be smaller here, got 9")
    kind = failing(PROBLEMS.get("d2d"), "noise", "exact", refusal)
    with pytest.raises(ValueError, match="smoothness must be smaller"):
        kind(**FIELDS["d2d"]).least_noise(TARGET)


SETTING = SampledSGD(
    n=50, batch_size=5, steps=10, unlearning_steps=0, step_size=0.5, smoothness=0.25
)


def test_the_least_of_sampled_accountants_goes_without_the_one_that_fails(monkeypatch):
    other = sampled_epsilon(SETTING, 1.0, 1e-4, "training")

    def overflow(self, sigma, *rest):
        raise FloatingPointError("overflow encountered in square")

    monkeypatch.setattr(Accounts, "mixture", overflow)
    assert sampled_epsilon(SETTING, 1.0, 1e-4, "exact") == other


@pytest.mark.parametrize("constants", [{"smoothness": 2.4}, {"step_size": 8}])
def test_steps_that_expand_are_answered(capsys, constants):
    given = {
        "n": 569,
        "batch-size": 64,
        "steps": 180,
        "unlearning-steps": 50,
        "step-size": 0.5,
        "smoothness": 0.25,
        "ridge": 0.05,
    } | {name.replace("_", "-"): value for name, value in constants.items()}
    words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    assert run(["privacy", "dp-sgd", "--sigma", "1", "--delta", "1e-5", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["accountants"]
    assert all("failed" not in answer["details"] for answer in found.values())
    assert found["exact"]["epsilon"] < 10.8


def test_a_failure_in_the_text(capsys, monkeypatch):
    kind = PROBLEMS.get("d2d")

    def overflow(self, *given):
        raise FloatingPointError("overflow encountered in square")

    monkeypatch.setattr(kind, "_claim", overflow)
    words = [
        "--n",
        "100",
        "--steps",
        "20",
        "--initial",
        "1",
        "--lipschitz",
        "1",
        "--strong-convexity",
        "0.1",
        "--smoothness",
        "1",
    ]
    assert run(["privacy", "d2d", "--sigma", "1", "--delta", "1e-5", *words]) == 0
    assert "counts as infinite: overflow encountered in square" in capsys.readouterr().out


def test_what_counts_as_a_failure():
    assert attempt(lambda: 2.0, math.inf) == (2.0, "")
    assert attempt(lambda: math.nan, math.inf) == (math.inf, "its value is no number")
    assert least([("a", lambda: 1 / 0), ("b", lambda: 3.0)]) == (3.0, "b")
    with pytest.raises(ImportError):
        attempt(lambda: __import__("no_such_package_here"), 0)
