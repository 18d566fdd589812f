"""Every argument of what `forgetproof.testing` exports: see `contract`.

Public is what `forgetproof.testing.__all__` names, the functions of its module `claims`, and the
public methods of its classes.
"""

from pathlib import Path

import numpy as np
import pytest

from accounting.problems.contraction import Contraction
from forgetproof import testing
from forgetproof.certificates import claim_document
from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from tests.core.invalid_input.entries import Made, Table, exported


def learn(data, rng):
    return float(np.mean(data)) + rng.normal()


def unlearn(state, data, request, rng):
    return state


def retrain(data, request, rng):
    return float(np.mean(data)) + rng.normal()


def halved(x):
    return 0.5 * x


def mean(*given):
    return np.mean(given[-1])


def sample_loss():
    return testing.SampleLoss(Logistic(0.1), Dataset(np.eye(2), np.array([1.0, -1.0])), 0.1, 1.0)


def document_of_a_claim():
    step = {"contraction": [1.0], "displacement": [0.0], "noise": [1.0]}
    problem = Contraction(process=step, initial_distance=0.1, diameter=np.inf)
    return claim_document(problem, 1.0, epsilon=1.0, delta=1e-5)


SAMPLES = {
    "bound": 10.0,
    "c": 1.0,
    "data": [1.0, 2.0],
    "form": "printed",
    "function": Made(lambda: mean),
    "id": "sglu.lem3.4",
    "learn": Made(lambda: learn),
    "measured": 1.0,
    "mu": 1.0,
    "neighbours": [[1.0], [2.0]],
    "paper": "sglu",
    "points": [[1.0, 0.0], [0.0, 1.0]],
    "request": 0,
    "retrain": Made(lambda: retrain),
    "samples_p": np.random.default_rng(1).normal(size=(30, 2)),
    "samples_q": np.random.default_rng(2).normal(size=(30, 2)),
    "step": Made(lambda: halved),
    "unlearn": Made(lambda: unlearn),
    "x": [0.1, 0.2],
}
DOCUMENTS = Path(__file__).parents[3] / "docs" / "mechanisms"
CALLS = {
    "assert_bound_holds": {"parameters": {"a": 1.0}},
    "assert_claim": {"target": Made(document_of_a_claim), "sigma": 1.0},
    "assert_contraction": {"pairs": 2},
    "assert_gdp": {"confidence": 0.9},
    "assert_mechanism": {"target": DOCUMENTS / "right-full-batches.mechanism.json"},
    "assert_unlearning": {"mu": 5.0, "trials": 24, "confidence": 0.9},
    "PaperClaim.strategy": {"form": "printed", "interpretation": None},
    "strategy": {"form": "printed", "interpretation": None},
    "PaperClaim.value": {
        "form": "printed",
        "alpha": 2.0,
        "Z": 1.0,
        "s2": 1.0,
        "c": 0.5,
        "K": 2,
    },
}
INSTANCES = {
    "PaperClaim": Made(lambda: testing.claims.get("sglu.lem3.4")),
    "SampleLoss": Made(sample_loss),
}
PASSED = {
    "assert_sensitivity.data",
    "assert_sensitivity.neighbours",
    "assert_unlearning.data",
    "assert_unlearning.request",
}
TAKEN = {"assert_bound_holds.parameters": ["empty mapping"]}
TABLE = Table(SAMPLES, CALLS, INSTANCES, TAKEN, PASSED)
RECORDS = {"SampleLoss", "Separation", "PaperClaim"}
"""Answers, which no caller makes."""
NAMES = [name for name in testing.__all__ if name != "claims"]
ENTRIES = [
    *exported(NAMES, testing, RECORDS),
    *exported(["PaperClaim", "get", "ids", "strategy"], testing.claims, RECORDS),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_argument(entry, full):
    found = entry.violations(TABLE, full)
    assert not found, "\n".join(found)
