"""Every argument of every privacy problem, and of what is asked of it: see `contract`.

Public is what `accounting.problems.__all__` names; problems of papers are asked the same way.
"""

import re

import pytest

from accounting import problems
from bounds.guo.problem import NewtonRemoval
from bounds.hf.problem import HessianFreeRelease
from bounds.olu.problem import Online
from bounds.safe.problem import Safe
from bounds.sglu.problem import Langevin
from tests.core.invalid_input.entries import Entry, Made, Table, exported

CALLED = (
    "Target",
    "Problem",
    "Clipped",
    "Contraction",
    "Tracking",
    "DescentToDelete",
    "SampledDescent",
)
"""The others are words and answers, which no caller makes."""
TRACKED = {"n": 2000, "lipschitz": 1.0, "strong_convexity": 0.1, "smoothness": 0.6}
SAMPLES = {
    **TRACKED,
    "accountant": "exact",
    "count": 3,
    "delta": 1e-5,
    "epsilon": 1.0,
    "names": ["exact"],
    "question": "noise",
    "sigma": 2.0,
    "target": Made(lambda: problems.Target(1.0, 1e-5)),
    "steps": 3,
    "reason": "no number of steps is enough",
}
DELETIONS = Made(lambda: {"index": [3, 5], "time": [5, 14]})
STEPS = Made(lambda: {"contraction": [0.9, 0.9], "displacement": [1.0, 0.0], "noise": [0.5, 0.5]})
TRAINING = {"n": 10, "strong_convexity": 0.2, "smoothness": 1.2, "step_size": 0.3}
CALLS = {
    "Problem.certified": {"delta": 1e-5},
    "Problem.privacy": {"delta": 1e-5},
    "Target": {"delta": 1e-5},
    "Clipped": {
        "n": 12,
        "batch_size": 3,
        "clip": 1.0,
        "step_size": 0.5,
        "weight_decay": 0.1,
        "radius": 5.0,
        "smoothness": 1.2,
        "losses": "any",
        "adjacency": "delete",
        "row_gradient": 0.5,
        "learn_epochs": 3,
        "unlearn_epochs": 2,
    },
    "Contraction": {"process": STEPS, "initial_distance": 1.0, "diameter": 3.0},
    "Tracking": {"sizes": [1, 2, 3], "steps": 4, "initial": 0.3, "releases": 2},
    "SampledDescent": {
        "n": 64,
        "batch_size": 8,
        "steps": 6,
        "unlearning_steps": 2,
        "step_size": 0.5,
        "smoothness": 0.25,
        "ridge": 0.1,
        "clip": 2.0,
        "rows": 1,
        "requests": 2,
        "diameter": 9.0,
        "reference": "stationary",
        "row_gradient": 1.0,
        "row_gradients": None,
        "rate": 0.2,
    },
    "DescentToDelete": {"steps": 4, "initial": 0.3, "requests": 3},
    "Langevin": {
        "n": 12,
        "batch_size": 3,
        "step_size": 0.5,
        "radius": 5.0,
        "target": "T",
        "lipschitz": 1.0,
        "learn_epochs": 3,
        "unlearn_epochs": 2,
        "batch_order": "fixed",
        "requests": 1,
        "hypothesis": "gradient_difference",
    },
    "Online": {
        "schedule": DELETIONS,
        "strong_convexity": 0.1,
        "diameter": 2.0,
        "rounds": 20,
        "step_size": 0.3,
        "convention": "C",
        "dimension": 3,
        "omega": 1.3,
    },
    "HessianFreeRelease": {
        **TRAINING,
        "decay": 0.9,
        "epochs": 4,
        "batch_size": 5,
        "clip": 1.0,
        "deletions": 2,
        "hessian_lipschitz": 0.5,
        "hessian": "kept",
        "releases": 2,
    },
    "Safe": {"rounds": 3, "size": 4, "radius": 5.0, "constant": 2.0},
    "NewtonRemoval": {"n": 57000, "regularisation": 0.05, "dimension": 785, "removals": 3},
}
TOGETHER = {
    "constant": {"gamma"},
    "lipschitz": {"regularisation"},
    "smoothness": {"step_size", "steps", "regularisation", "strong_convexity"},
    "step_size": {"steps", "decay"},
    "strong_convexity": {"smoothness"},
}
"""Argument -> those beside which it is out of range; an error may name these."""
PAPERS = (Langevin, Online, HessianFreeRelease, Safe, NewtonRemoval)
INSTANCES = {"Problem": Made(lambda: problems.DescentToDelete(**TRACKED, steps=4, initial=0.3))}
# A reason is any text.
TABLE = Table(SAMPLES, CALLS, INSTANCES, taken={"reason": ("text",)})
ENTRIES = exported(CALLED, problems, ("Problem",))
ENTRIES += [Entry(kind.__name__, kind) for kind in PAPERS]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_argument(entry, full):
    found = [line for line in entry.violations(TABLE, full) if not beside_another(line)]
    assert not found, "\n".join(found)


def beside_another(line):
    """Whether the error names an argument with which the invalid one does not go together."""
    match = re.search(r"\((\w+)=.*\) is not named: (\w+) must", line)
    return match is not None and match[2] in TOGETHER.get(match[1], ())
