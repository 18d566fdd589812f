"""No problem on rows asks for less noise than the rows themselves demand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting.problems import Target
from accounting.problems.derivation import pose
from bounds.declared import PROBLEMS
from tests.core.simulators.test_bounded import asked, gradients_at, hessians_at

TRUE = {
    "langevin": lambda at: {
        "smoothness": at["L"],
        "strong_convexity": at["m"],
        "lipschitz": at["M"],
        "step_size": 0.5,
        "target": "T+K",
        "learn_epochs": 10,
    },
    "recollection": lambda at: {
        "smoothness": at["L"],
        "strong_convexity": at["m"],
        "hessian_lipschitz": at["third"],
        "clip": at["M"],
        "step_size": 0.5,
        "epochs": 10,
    },
    "newton-removal": lambda at: {
        "regularisation": at["m"],
        "dimension": at["d"],
        "lipschitz": at["M"],
        "smoothness": at["third"],
    },
}


@pytest.mark.parametrize("name", TRUE)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12)
def test_no_noise_is_below_what_the_rows_themselves_demand(name, seed):
    """Against the constants that these rows have where they are looked at: lower limits of all."""
    random = np.random.default_rng(seed)
    d, lam = int(random.integers(1, 4)), 0.4
    X = random.normal(size=(40, d))
    y = np.tile([-1.0, 1.0], 20)
    task = asked("logistic", X, y, row_norm=1.0, clip_rows=True, regularisation=lam)
    data, kind = task.parts[0], PROBLEMS.get(name)
    at = {"m": lam, "d": d, "L": 0.0, "M": 0.0, "third": 1e-9}
    points = [np.zeros(d), *random.normal(size=(6, d)) * 3]
    for w in points:
        found = gradients_at("logistic", data.features, data.targets, w)
        at["M"] = max(at["M"], float(np.linalg.norm(found, axis=1).max()))
        here = hessians_at("logistic", data.features, data.targets, w, lam)
        at["L"] = max(at["L"], float(np.linalg.eigvalsh(here).max()))
        for v in points[:2]:
            there = hessians_at("logistic", data.features, data.targets, v, lam)
            change = np.linalg.norm(here - there, 2, axis=(1, 2)).max()
            if (v != w).any():
                at["third"] = max(at["third"], float(change / np.linalg.norm(v - w)))
    target = Target(2.0, 1e-3)
    step = {} if name == "newton-removal" else {"step_size": 0.5}
    posed = pose(kind, task.learner, step).least_noise(target)
    true = kind(n=40, **TRUE[name](at)).least_noise(target)
    for accountant, answer in posed.by.items():
        assert answer.noise >= true.by[accountant].noise
