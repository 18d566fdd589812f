"""The error budget of a run of all claims."""

import bounds
from verify import checks
from verify.context import COMPARISONS, ERROR_BUDGET, LEVEL, Context
from verify.evidence import Comparison


def test_the_false_alarms_of_a_run_fit_its_budget():
    """Every sampled comparison of the quick profile, counted: the union bound covers them."""
    count = 0
    for id in ("sglu.alg1", "sglu.lem3.5", "sglu.thm3.2", "sglu.cor3.8"):
        claim = bounds.get(id)
        for e in checks.check(claim)(Context(claim)):
            if isinstance(e, Comparison) and e.basis == "statistical":
                assert e.level == LEVEL
                count += e.count
    assert count > 0
    assert 20 * count * LEVEL <= ERROR_BUDGET
    assert COMPARISONS * LEVEL <= ERROR_BUDGET
