"""Values travel between processes: what comes back is the same value, and as immutable."""

import pickle

import numpy as np
import pytest

import bounds
from accounting.deletions.online_descent import OnlineDescent, inverse_root, inverse_time
from simulators.data.dataset import Dataset


def returned(value):
    return pickle.loads(pickle.dumps(value))


def test_a_statement_is_itself():
    for id in ("mini.thm1", "olu.thm2", "own.x2"):
        assert returned(bounds.get(id)) is bounds.get(id)
    changed = bounds.get("mini.thm1").changed(label="Theorem 0")
    assert changed.label == "Theorem 0"
    with pytest.raises(pickle.PicklingError, match=r"mini\.thm1 must be declared by a paper"):
        pickle.dumps(changed)


@pytest.mark.parametrize("schedule", [inverse_time(0.5), inverse_root(2.0, 4.0)])
def test_steps_of_an_online_learner(schedule):
    descent = OnlineDescent(0.5, 3.0, 4.0, schedule, 2.0)
    assert returned(descent).steps([1, 2, 30]).tolist() == descent.steps([1, 2, 30]).tolist()


def test_a_data_set_stays_read_only():
    data = Dataset(np.eye(3), np.arange(3.0), "three", ("made",), ("a", "b", "c"), ("x", "y", "z"))
    found = returned(data)
    assert found.sha256 == data.sha256
    assert (found.record, found.class_names) == (data.record, data.class_names)
    for array in (found.features, found.targets):
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 0
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            array.flags.writeable = True
