"""Moments in pieces: those of all samples, whatever the cut; the same bits in whatever order."""

import json
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simulators.runs.trial_moments import TrialMoments, TrialPieces, TrialStatistics
from simulators.runs.trials import InOrder
from verify.jsonio import dumps, loads

SAMPLES = arrays(
    float, st.tuples(st.integers(1, 40), st.just(2)), elements=st.floats(-1e6, 1e6, width=32)
)


@given(samples=SAMPLES, cuts=st.sets(st.integers(1, 39)), shift=st.sampled_from([0.0, 1e8]))
def test_moments_in_pieces_are_those_of_all_samples(samples, cuts, shift):
    samples = samples + shift
    n = len(samples)
    ends = [0, *sorted(cut for cut in cuts if cut < n), n]
    pieces = [TrialMoments.of(samples[start:end]) for start, end in pairwise(ends)]
    merged = pieces[0]
    for piece in pieces[1:]:
        merged = merged.merged(piece)
    exact = [np.array([float(x) for x in column], dtype=np.longdouble) for column in samples.T]
    scale = float(np.abs(samples).max()) + 1e-300
    assert merged.count == n
    for j, column in enumerate(exact):
        squares = float(((column - column.mean()) ** 2).sum())
        assert abs(merged.mean[j] - float(column.mean())) <= 1e-14 * n * scale
        # Deviations are known to the rounding of the mean that they are taken from.
        room = 1e-13 * n * (squares + scale * np.sqrt(squares * n)) + n * (1e-14 * n * scale) ** 2
        assert abs(merged.squares[j] - squares) <= room
    if n > 1:
        assert merged.variance == pytest.approx(merged.squares / (n - 1))


def test_a_small_variance_beside_a_large_mean_survives_merging():
    """Sums of squares would have lost it: 1e10 squared has no place for 1."""
    samples = 1e10 + np.tile([-1.0, 1.0], 500)
    merged = TrialMoments.of(samples[:100])
    for start in range(100, 1000, 100):
        merged = merged.merged(TrialMoments.of(samples[start : start + 100]))
    assert float(merged.squares) == pytest.approx(1000.0, rel=1e-12)


def test_a_single_sample_has_no_error_and_no_variance():
    one = TrialMoments.of([3.0])
    assert (float(one.mean), float(one.variance), one.standard_error) == (3.0, 0.0, None)


def statistics(seed):
    samples = np.random.default_rng(seed).normal(size=(5 + seed, 3))
    moments = {
        ("moments", "points", "learned"): TrialMoments.of(samples),
        ("test", "accuracy", "learned"): TrialMoments.of(samples[:, 0]),
    }
    return TrialStatistics(moments, {"steps": {"learn": 4}})


def bits(each):
    return dumps(each.document())


def test_pieces_merge_in_their_order_whatever_order_they_come_in():
    pieces = [statistics(seed) for seed in range(4)]
    answers = set()
    for order in permutations(range(4)):
        merged = InOrder()
        for piece in order:
            merged.take(piece, pieces[piece])
        assert merged.count == 4
        answers.add(bits(merged.all))
    assert len(answers) == 1


def test_what_is_read_from_a_document_goes_on_with_the_same_bits():
    pieces = [statistics(seed) for seed in range(4)]
    straight, resumed = InOrder(), InOrder()
    for piece in range(4):
        straight.take(piece, pieces[piece])
        resumed.take(piece, pieces[piece])
        again = TrialStatistics.from_document(loads(bits(resumed.all)))
        resumed = InOrder(resumed.count, again)
    assert bits(resumed.all) == bits(straight.all)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("moments"), "statistics of trials"),
        (lambda d: d["moments"][0].pop("mean"), "count, mean, squares, least, largest"),
        (lambda d: d["moments"][0].update(count=0), "count must be"),
        (lambda d: d["moments"][0].update(squares=[-1.0, 1.0, 1.0]), "squares must be"),
        (lambda d: d["moments"][0].update(squares=[1.0]), "shape of mean"),
    ],
    ids=["no-moments", "no-mean", "no-samples", "negative", "another-shape"],
)
def test_a_damaged_document_is_refused(change, message):
    document = json.loads(bits(statistics(1)))
    change(document)
    with pytest.raises(ValueError, match=message):
        TrialStatistics.from_document(document)


def test_no_samples_and_no_trials_are_refused():
    with pytest.raises(ValueError, match="at least one sample"):
        TrialMoments.of([])
    with pytest.raises(ValueError, match="trials must be at least one"):
        InOrder().all  # noqa: B018


@given(trials=st.integers(1, 1000), size=st.integers(1, 64))
def test_pieces_cover_all_trials_once(trials, size):
    pieces = TrialPieces(trials, size)
    covered = [
        trial
        for piece in range(pieces.count)
        for trial in range(pieces.first(piece), pieces.first(piece) + pieces.length(piece))
    ]
    assert covered == list(range(trials))
