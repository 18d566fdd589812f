"""Deletion streams: sizes, disjointness, uniformity, and what is ignored."""

import math

import numpy as np
import pytest

from simulators.streaming.deletions import Deletions, by_class, given, random_subsets


def test_masks_sizes_and_what_remains():
    stream = Deletions(np.array([[1, 3, 2, 3], [3, 3, 1, 1]]), rounds=2)
    assert stream.kept(0).all()
    assert stream.kept(2).tolist() == [[False, True, False, True], [True, True, False, False]]
    assert stream.forgotten(1).tolist() == [[True, False, False, False], [False, False, True, True]]
    assert stream.sizes.tolist() == [[1, 1], [2, 0]]
    assert stream.remaining.tolist() == [[4, 3, 2], [4, 2, 2]]
    assert (stream.n, stream.trials) == (4, 2)
    assert stream.trial(1).removed_at.tolist() == [[3, 3, 1, 1]]


@pytest.mark.parametrize("sizes", [[3, 0, 5], [1] * 9, [19]])
def test_random_subsets_are_disjoint_and_of_the_asked_sizes(sizes):
    stream = random_subsets(20, sizes, trials=50, seed=3)
    assert (stream.sizes == sizes).all()
    for t in range(1, stream.rounds + 1):
        before, after = stream.kept(t - 1), stream.kept(t)
        assert (stream.forgotten(t) == (before & ~after)).all()
        assert (after.sum(axis=1) == stream.remaining[:, t]).all()


def test_random_subsets_are_uniform():
    rounds = random_subsets(6, [2, 1], trials=20_000, seed=1).removed_at
    for i in range(6):
        share = np.bincount(rounds[:, i], minlength=4)[1:] / len(rounds)
        assert np.abs(share - [1 / 3, 1 / 6, 1 / 2]).max() < 6 * 0.5 / math.sqrt(len(rounds))
    together = ((rounds[:, 0] == 1) & (rounds[:, 1] == 1)).mean()
    assert abs(together - 1 / 15) < 6 * math.sqrt(1 / 15 / len(rounds))


def test_a_trial_does_not_depend_on_the_others():
    labels = np.repeat([0, 1, 2], 10)
    for make in (
        lambda k: random_subsets(30, [4, 5], trials=k, seed=7),
        lambda k: by_class(labels, [1, 0, 1], 4, trials=k, seed=7),
    ):
        assert (make(9).removed_at[:4] == make(4).removed_at).all()
    assert (
        random_subsets(30, [9], 1, 0).removed_at != random_subsets(30, [9], 1, 1).removed_at
    ).any()


def test_an_exhausted_class_gives_what_it_has():
    labels = np.array([0, 0, 0, 1, 1, 2])
    stream = by_class(labels, [0, 0, 1, 0], 2, trials=4, seed=2)
    assert (stream.sizes == [2, 1, 2, 0]).all()
    assert (stream.removed_at[:, 5] == 5).all()
    assert (np.sort(stream.removed_at[:, :3], axis=1) == [1, 1, 2]).all()
    assert (stream.removed_at[:, 3:5] == 3).all()
    mnist = by_class(np.repeat([0, 1], [5923, 6742]), [0] * 20, 300)
    assert mnist.sizes[0].tolist() == [300] * 19 + [223]
    assert by_class(labels, [0, 1], [1, 2]).sizes.tolist() == [[1, 2]]


def test_rows_already_gone_are_ignored():
    stream = given(5, [[1, 1], [], [1, 3], [3]], trials=2)
    assert stream.removed_at.tolist() == [[5, 1, 5, 3, 5]] * 2
    assert stream.sizes.tolist() == [[1, 0, 1, 0]] * 2


def test_a_huge_request_takes_the_class():
    stream = by_class([0, 1, 0, 1, 1], [1, 1], 2**62)
    assert stream.sizes.tolist() == [[3, 0]]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Deletions(np.array([[1, 2]]), 2), "removed_at"),
        (lambda: Deletions(np.array([1, 3]), 2), "removed_at"),
        (lambda: Deletions(np.array([[0, 3]]), 2), "removed_at"),
        (lambda: Deletions(np.array([[1.0, 3.0]]), 2), "removed_at"),
        (lambda: Deletions(np.array([[1, 3]]), 0), "rounds"),
        (lambda: Deletions(np.array([[1, 3]]), True), "rounds"),
        (lambda: Deletions(np.array([[1, 3]]), 2).kept(3), "t"),
        (lambda: Deletions(np.array([[1, 3]]), 2).forgotten(0), "t"),
        (lambda: Deletions(np.array([[1, 3]]), 2).trial(1), "r"),
        (lambda: random_subsets(5, [5]), "sizes"),
        (lambda: random_subsets(5, [-1]), "sizes"),
        (lambda: random_subsets(5, [2**62, 2**62]), "sizes"),
        (lambda: random_subsets(5, [1.5]), "sizes"),
        (lambda: random_subsets(5, [[1]]), "sizes"),
        (lambda: random_subsets(5, [1], trials=0), "trials"),
        (lambda: random_subsets(5, [1], seed=-1), "seed"),
        (lambda: by_class([0, 1], [2], 1), "order"),
        (lambda: by_class([[0, 1]], [1], 1), "labels"),
        (lambda: by_class([0, 1], [1, 0], 1), "removed_at"),
        (lambda: by_class([0, 1], [1], [1, 2]), "size_per_round"),
        (lambda: given(3, [[3]]), "requests"),
        (lambda: given(3, [[math.nan]]), "requests"),
        (lambda: given(3, []), "requests"),
        (lambda: given(3, 4), "requests"),
        (lambda: given(2, [[0], [1]]), "requests"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be |^{name} must have "):
        call()
