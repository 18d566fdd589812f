"""Epochs of a sequence by each accountant: totals, and the ends of the float range."""

import pytest

from accounting import NoisySGD
from bounds.sglu.figure_3b import BATCHES, TOTALS
from bounds.sglu.sequence_plans import accounted, least_epochs_each
from bounds.sglu.settings import SIZES


@pytest.mark.parametrize(
    ("accountant", "form"), [("printed", "printed"), ("corrected", "corrected"), ("exact", "tight")]
)
def test_totals_of_the_published_experiment(accountant, form):
    for data, totals in TOTALS[form].items():
        n = SIZES[data]
        found = [sum(accounted(accountant)(n, b or n, 100, 0.03, 1.0)) for b in BATCHES]
        assert found == [*totals]


@pytest.mark.parametrize("sigma", [1e-300, 1e-160, 1e300])
def test_the_accountants_agree_where_the_last_step_decides(sigma):
    setting = NoisySGD(8, 2, 1.0, 0.4, 1.0, 1.2)
    plans = {
        name: least_epochs_each(name, setting, sigma, 3, 1.0, 1e-5)
        for name in ("printed", "corrected", "exact")
    }
    assert max(plans["printed"]) - min(plans["exact"]) <= 1
    assert all(len(plan) == 3 for plan in plans.values())


def test_an_accountant_is_named():
    setting = NoisySGD(8, 2, 1.0, 0.4, 1.0, 1.2)
    with pytest.raises(ValueError, match="accountant must be one of 'printed', 'corrected'"):
        least_epochs_each("tight", setting, 0.1, 3, 1.0, 1e-5)
