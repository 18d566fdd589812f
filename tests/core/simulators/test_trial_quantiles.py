"""Quantiles of trials in pieces: one of the values, whatever the cut, with no error of rank."""

import json
import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.runs import trial_quantiles, value_counts
from simulators.runs.trial_moments import TrialPieces, TrialStatistics, TrialValues
from simulators.runs.trial_quantiles import QuantileSearch, levels_of, rank_of
from simulators.runs.trials import statistics_of_all
from simulators.runs.value_counts import LINE, Region, ValueCounts, ordered_keys, value_of
from verify.jsonio import dumps, loads

FLOATS = st.floats(allow_nan=False)
LEVELS = st.lists(st.floats(0, 1), min_size=1, max_size=4)


class Recorded:
    """A run whose trials are these rows of numbers."""

    def __init__(self, rows, size, quantity=("x", "", "")):
        self.rows, self.quantity = np.asarray(rows, dtype=float), quantity
        self.pieces = TrialPieces(len(self.rows), size)
        self.computed = []

    def trial_values(self, piece):
        self.computed.append(piece)
        return TrialValues({self.quantity: self.rows[self.pieces.place(piece)]}, {}, {})

    def insist_on_finite(self, statistics):
        pass


def searched(run, levels):
    """The document, and how many passes it took; what is kept goes through JSON in between."""
    passes = []
    while (search := QuantileSearch(levels, passes).next()) is not None:
        merged = statistics_of_all(run, search=search)
        passes.append(TrialStatistics.from_document(loads(dumps(merged.document()))))
    return QuantileSearch(levels, passes).document(), len(passes)


@given(FLOATS, FLOATS)
def test_keys_have_the_order_of_the_floats(x, y):
    one, other = ordered_keys([x, y]).tolist()
    assert (one < other, one == other) == (x < y, x == y)
    assert value_of(one) == x


@given(
    values=st.lists(FLOATS | st.sampled_from([0.0, -0.0, 1.0, 1.5]), min_size=1, max_size=60),
    size=st.integers(1, 70),
    levels=LEVELS,
    kept=st.sampled_from([1, 1 << 12]),
)
def test_a_quantile_is_the_value_of_its_rank(values, size, levels, kept):
    """kept 1: values of a bin are kept one by one only where it has one."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("KEPT", "FEWEST", "MOST"):
            patch.setattr(trial_quantiles, name, kept)
        told, passes = searched(Recorded(values, size), levels)
    # 16 digits of a key in the first pass, 12 in each that follows: 48 more are 4.
    assert passes <= 5
    assert passes <= 2 or kept == 1
    expected = sorted(values)
    for level, value in told["x"].items():
        assert value == expected[rank_of(float(level), len(values)) - 1]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), st.floats(0, 1))
def test_quantiles_are_numpys_inverted_distribution(values, level):
    told, _ = searched(Recorded(values, 7), [level])
    # numpy rounds the rank; both ranks agree where level n is no whole number but for rounding.
    ranks = len(values) * level
    if abs(ranks - round(ranks)) > 1e-9:
        expected = np.quantile(values, level, method="inverted_cdf")
        assert told["x"][repr(level)] == expected


def test_columns_have_their_own_quantiles_and_numbers():
    rows = np.random.default_rng(0).normal(size=(5000, 3)) * [1, 1e-9, 1e9]
    run = Recorded(rows, 900, ("published", "distance", ""))
    told, passes = searched(run, [0.0, 0.1, 0.5, 1.0])
    assert passes == 2
    assert run.computed == [*range(6)] * 2
    for column in range(3):
        ordered = np.sort(rows[:, column])
        values = told[f"published distance {column + 1}"]
        assert list(values.values()) == [ordered[k] for k in (0, 499, 2499, 4999)]


def test_many_values_of_one_bin_take_a_third_pass(monkeypatch):
    monkeypatch.setattr(trial_quantiles, "MOST", 100)
    monkeypatch.setattr(trial_quantiles, "FEWEST", 100)
    values = 1 + np.random.default_rng(1).uniform(size=20_000) / 20
    levels = [0.1, 0.3, 0.5, 0.7, 0.9]
    told, passes = searched(Recorded(values, 4096), levels)
    assert passes == 3
    ordered = np.sort(values)
    assert list(told["x"].values()) == [ordered[rank_of(x, 20_000) - 1] for x in levels]


def test_values_that_are_all_equal_and_extremes_need_one_pass():
    for values, levels in (([2.0] * 50, [0.3]), (np.arange(50.0), [0, 1])):
        assert searched(Recorded(values, 8), levels)[1] == 1


@pytest.mark.parametrize(
    ("level", "count", "rank"),
    [(0, 9, 1), (1, 9, 9), (0.07, 100, 7), (0.29, 100, 29), (0.5, 5, 3), (1e-9, 10**9, 1)],
    ids=["least", "largest", "seven", "twenty-nine", "middle", "tiny"],
)
def test_ranks_are_those_of_the_decimal(level, count, rank):
    """0.07 * 100 is 7.000000000000001 in floats, whose ceiling is 8."""
    assert rank_of(level, count) == rank


def test_counts_merge_to_the_same_in_any_order():
    values = np.random.default_rng(2).normal(size=(4, 300))
    regions = (LINE, Region(int(ordered_keys([1.0])[0]), 52, 0))
    parts = [ValueCounts.of(each, regions[:1]) for each in values]
    whole = ValueCounts.of(values.ravel(), regions[:1]).document()
    for order in permutations(parts):
        merged = order[0]
        for part in order[1:]:
            merged = merged.merged(part)
        assert merged.document() == whole
    assert (
        sum(ValueCounts.of(values[0], regions[1:]).counts)
        == ((values[0] >= 1) & (values[0] < 2)).sum()
    )


@pytest.mark.parametrize(
    ("levels", "message"),
    [([2], "quantiles"), ([math.nan], "quantiles"), ([[0.5]], "at most 100"), ([0.5] * 101, "100")],
    ids=["beyond-one", "nan", "nested", "too-many"],
)
def test_other_levels_are_refused(levels, message):
    with pytest.raises(ValueError, match=message):
        levels_of(levels)


def test_levels_are_in_order_and_none_are_fine():
    assert levels_of([0.9, 0.1, 0.9]) == (0.1, 0.9)
    assert levels_of(()) == ()


def test_no_number_has_no_quantile():
    with pytest.raises(ValueError, match="values must be numbers for their quantiles, got NaN"):
        ordered_keys([1.0, math.nan])


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("bins"),
        lambda d: d.update(counts=[0, 1]),
        lambda d: d.update(least=[-1, 2]),
        lambda d: d.update(largest=[1]),
        lambda d: d.update(bins=["x", 1]),
    ],
    ids=["missing", "no-values", "negative", "short", "a-word"],
)
def test_a_damaged_document_is_refused(change):
    document = json.loads(dumps(ValueCounts.of([1.0, 2.0]).document()))
    change(document)
    with pytest.raises(ValueError, match="counts"):
        ValueCounts.from_document(document)


def test_a_column_that_nobody_asks_about_has_no_counts():
    empty = ValueCounts.of([1.0, 2.0], ())
    again = ValueCounts.from_document(loads(dumps(empty.document()))).merged(empty)
    assert again.document() == {"bins": [], "counts": [], "least": [], "largest": []}


def test_a_rank_beyond_the_values_is_refused():
    with pytest.raises(ValueError, match="rank must be at most 2, got 3"):
        value_counts.located([ValueCounts.of([1.0, 2.0])], 3, [LINE])
