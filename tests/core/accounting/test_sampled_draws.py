"""Rows that are drawn one by one: many rows, many steps, and what is due from the start."""

import dataclasses
import math

import numpy as np
import pytest
import scipy.stats

from accounting import SampledSGD, sampled_epsilon
from accounting.curves.gaussian_mixtures import epsilon
from accounting.sampled._draws import Draws
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._linear_losses import deepest, surplus
from accounting.sampled._shifts import shifts

EXAMPLE = {"batch_size": 64, "steps": 180, "step_size": 0.5, "smoothness": 0.25, "ridge": 0.05}


def requested(number, each=50, n=569):
    """Rows that leave one after another."""
    rows = np.repeat(np.arange(number, -1, -1), [180] + [each] * number)
    return SampledSGD(n=n, unlearning_steps=number * each, rows=rows, **EXAMPLE)


def chain(size, seed=0, **fields):
    rng = np.random.default_rng(seed)
    columns = {
        "unit": np.exp(rng.uniform(-6, -3, size)),
        "rows": rng.integers(1, 4, size).astype(float),
        "rate": rng.uniform(0.001, 0.02, size),
        "clock": rng.uniform(0.5, 2, size + 20) * 1e-3,
    }
    return Draws(**{**columns, "start": 0.0, "error": 1e-12, **fields})


@pytest.mark.parametrize(("rows", "rate"), [(3, 0.4), (1100, 1e-4), (5000, 0.3), (10**5, 1e-6)])
def test_numbers_of_rows_have_their_chances(rows, rate):
    draws = chain(2, rows=np.array([rows, 1.0]), rate=np.array([rate, 0.5]))
    number, log_chance, beyond = draws.numbered(np.array([0, 1]))
    expected = scipy.stats.binom.logpmf(number, rows, rate)
    assert log_chance[0] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert math.exp(log_chance[1, 1]) == pytest.approx(0.5, rel=1e-15)
    assert (log_chance[1, 2:] == -np.inf).all()
    more = scipy.stats.binom.sf(number[-1], rows, rate)
    assert beyond == pytest.approx([more, 0.0], rel=1e-9)
    whole = draws.outcomes
    assert whole.zero + whole.chance.sum(axis=1) == pytest.approx(1.0, rel=1e-9)
    # As much is shifted in the mean, and what is not told apart shifts no less than it does.
    mean = draws.unit * draws.rows * draws.rate
    assert ((whole.chance * whole.shift).sum(axis=1) >= mean * (1 - 1e-9)).all()


def test_early_steps_are_due_where_they_can_hardly_matter():
    size = 3000
    decay = np.exp(-0.02 * np.arange(size)[::-1])
    draws = chain(size, unit=1e-2 * decay, clock=np.append(decay**2, np.ones(20)))
    recent = draws.recent
    assert size - 1800 < recent.unit.size < size - 1200
    assert recent.start > 0 == draws.start
    shift = (draws.rows * draws.unit)[: size - recent.unit.size].sum()
    assert shift <= recent.start <= 1.1e-13 * (draws.rows * draws.rate * draws.unit).sum()
    for kind in ("additive", "straight"):
        laws = [(getattr(each, kind),) for each in (draws, recent)]
        whole, later = (epsilon(law, None, 1e-6) for law in laws)
        assert whole * (1 - 1e-11) <= later <= whole * (1 + 1e-9)
    # Rows that join late, or a clock that is long before them, are all kept.
    late = np.where(np.arange(size) < 2000, 0.0, 1.0)
    assert chain(size, rows=late).recent.unit.size == size


@pytest.mark.parametrize("rate", [0.01, 0.6])
def test_classes_of_later_draws_enclose_each_draw(rate):
    size = 4000
    rng = np.random.default_rng(2)
    unit = 1e-2 * np.exp(-rng.uniform(0, 15, size))
    draws = chain(size, unit=unit, rate=np.full(size, rate) * rng.uniform(0.7, 1, size))
    starts = np.array([10, 500, 1500])
    ours, tilts = shifts(draws, 0.5, starts), np.array([0.0, 2.0, 40.0])
    for first, last in [(10, 500), (500, 1500), (1500, 1500), (500, 3000)]:
        later = ours.later(first, last, 0.3, tilts)
        values = unit[first:] / 0.5 / 0.3
        grown = draws.rate[first:] * np.exp(tilts[:, None] * values)
        chance = grown / (1 - draws.rate[first:] + grown)
        mean = draws.rows[first:] * chance * values
        square = mean * (1 - chance) * values
        assert (later.mean >= mean.sum(axis=1)).all()
        assert later.mean == pytest.approx(mean.sum(axis=1), rel=0.02)
        assert (later.variance >= square.sum(axis=1)).all()
        assert (later.fourth >= square @ values**2).all()
        least = mean[:, last - first :].sum(axis=1) * (1 + 1e-10)
        assert (later.least <= least).all()
        assert later.widest == pytest.approx(values.max())


def test_many_rows_and_requests_are_answered():
    many = SampledSGD(n=10**6, unlearning_steps=50, rows=1100, **EXAMPLE)
    few = requested(1000, n=5690)
    for setting, near in ((many, 1.03), (few, 1 + 1e-7)):
        least = sampled_epsilon(setting, 1.0, 1e-5, "lower")
        assert least <= sampled_epsilon(setting, 1.0, 1e-5, "mixture") <= least * near
    # What R = 30 was when every number of rows had an outcome of its own.
    value = sampled_epsilon(requested(30), 1.0, 1e-5, "mixture")
    assert value == pytest.approx(1.5942810158, rel=1e-9)


def test_rows_as_draws_or_as_outcomes_have_one_surplus():
    setting = SampledSGD(n=569, unlearning_steps=20, rows=2, **EXAMPLE)
    blocks, sigma, spare = Accounts(setting, 1e-5).blocks, 2.0, 1e-7
    assert isinstance(blocks, Draws)
    lowest = deepest((blocks.additive.times(1 / sigma),), spare)
    ours = surplus(blocks, sigma, lowest, spare, near=True)
    other = surplus(blocks.outcomes, sigma, lowest, spare, near=True)
    # A draw is bounded by its own shift, a block by that of all its rows.
    assert 0 < ours <= other * (1 + 1e-9) < math.inf
    alone = dataclasses.replace(setting, rows=1)
    one = Accounts(alone, 1e-5).blocks
    same = [surplus(each, sigma, lowest, spare, near=True) for each in (one, one.outcomes)]
    assert same[0] == pytest.approx(same[1], rel=1e-9)
