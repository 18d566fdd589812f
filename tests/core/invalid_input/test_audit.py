"""Every argument of what `verify.audit` exports: see `contract`.

Public is what `verify.audit.__all__` names, and the public methods of its classes.
"""

import contextlib
import copy
from functools import cache

import numpy as np
import pytest

import verify.audit
from accounting import RenyiCurve
from tests.core.invalid_input.entries import Made, Table, exported
from tests.core.invalid_input.values import FUNCTIONS
from verify.audit import AuditedProblem, GaussianDP, RenyiDP, compare

RECORDS = {
    "Attained",
    "AuditReport",
    "EventLimits",
    "LowerDistance",
    "SequentialResult",
    "UserFunctionError",
}
"""Answers, which no caller makes."""


def learn(data, rng):
    return float(np.mean(data)) + rng.normal()


def unlearn(state, data, request, rng):
    return state


def retrain(data, request, rng):
    return float(np.mean(data)) + rng.normal()


def halved(x, rng):
    return 0.5 * x


def problem():
    return AuditedProblem(learn, unlearn, retrain, [1.0, 2.0], 0, claim={"mu": 1.0})


def draws(seed):
    return np.random.default_rng(seed).normal(size=(30, 2))


def blocks(size):
    return np.zeros((size, 1)), np.ones((size, 1))


@cache
def report():
    return verify.audit.audit_problem(problem(), GaussianDP(1.0), trials=24)


@cache
def limits():
    return compare(draws(1), draws(2), confidence=0.9)


def moved(*given):
    return np.mean(given[-2])


@pytest.fixture(scope="module", autouse=True)
def in_a_folder(tmp_path_factory):
    """Where a word without a folder is meant."""
    with contextlib.chdir(tmp_path_factory.mktemp("files")):
        yield


SAMPLES = {
    "alpha": 2.0,
    "claim": Made(lambda: GaussianDP(1.0)),
    "confidence": 0.99,
    "curve": Made(lambda: RenyiCurve.linear(0.5)),
    "data": [1.0, 2.0],
    "delta": 0.01,
    "epsilon": 1.0,
    "first": draws(1),
    "function": Made(lambda: moved),
    "judged": 30,
    "law": "retrain",
    "learn": Made(lambda: learn),
    "level": 1.0,
    "mu": 1.0,
    "neighbours": [[1.0], [2.0]],
    "p": 0.1,
    "path": "drawing.svg",
    "points": [[1.0, 0.0], [0.0, 1.0]],
    "problem": Made(problem),
    "q": 0.2,
    "request": 0,
    "retrain": Made(lambda: retrain),
    "second": draws(2),
    "seed": 1,
    "progress": Made(lambda: lambda done, total: None),
    "step": Made(lambda: halved),
    "thing": Made(problem),
    "trials": 24,
    "unlearn": Made(lambda: unlearn),
}
CALLS = {
    "audit": {"mu": 1.0, "trials": 24, "block": 24},
    "audit_problem": {"trials": 24, "block": 24},
    "claim_of": {"epsilon": 1.0, "delta": 0.01},
    "compare": {"claim": Made(lambda: GaussianDP(1.0)), "delta": 0.01, "confidence": 0.9},
    "contraction": {"pairs": 2, "refinements": 1},
    "sensitivity": {"function": Made(lambda: moved), "points": [[1.0]]},
    "sequential_test": {"blocks": Made(lambda: blocks), "most": 60, "block": 30, "alpha": 0.01},
    "w_infinity": {"confidence": 0.9},
}
INSTANCES = {
    "AuditReport": Made(lambda: copy.deepcopy(report())),
    "Claim": Made(lambda: GaussianDP(1.0)),
    "EventLimits": Made(lambda: copy.deepcopy(limits())),
    "RenyiDP": Made(lambda: RenyiDP(RenyiCurve.linear(0.5))),
}
FUNCTIONS_OF = ("learn", "unlearn", "retrain", "step", "forget")
TAKEN = {f"AuditedProblem.{name}": FUNCTIONS for name in FUNCTIONS_OF} | {"progress": FUNCTIONS}
"""Judged when they run; nothing is made of what `progress` returns."""
PASSED = {
    "AuditedProblem.data",
    "AuditedProblem.request",
    "audit.data",
    "audit.request",
    "sensitivity.data",
    "sensitivity.neighbours",
}
TABLE = Table(SAMPLES, CALLS, INSTANCES, TAKEN, PASSED)


@pytest.mark.parametrize(
    "entry", exported(verify.audit.__all__, verify.audit, RECORDS), ids=lambda entry: entry.name
)
def test_every_argument(entry, full):
    found = entry.violations(TABLE, full)
    assert not found, "\n".join(found)
