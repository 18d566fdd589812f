"""Examples of wrong unlearning, which an audit catches."""

import pytest

from tests.core.verify.test_audit_whole import example
from verify.audit import audit_problem, stated


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize(
    "name", ["verify.olu.audit_example", "bills_k_runs_k_minus_1", "a_fifth_of_the_noise"]
)
def test_wrong_examples_are_caught(name, sequential, full):
    problem = example(name)
    given = {"trials": 3000, "sequential": sequential}
    for seed in range(3 if full else 1):
        assert audit_problem(problem, stated(problem), seed=seed, **given).refuted
