"""SAFE beside tracking and retraining on one stream: numbers a reader relies on."""

import numpy as np
import pytest

from simulators.data import sklearn_sets
from simulators.runs.stream_curves import path_length, regret_order
from simulators.runs.stream_methods import safe_publications
from simulators.runs.stream_problem import StreamProblem
from verify.safe.figure import PANELS, figure
from verify.safe.side_by_side import METHODS, compare, corrected_regret, curve


@pytest.fixture(scope="module")
def problem():
    rows = sklearn_sets.wine(None).normalised().shuffled(0)
    return StreamProblem.of(
        rows, "wine", rounds=4, share=0.02, regularisation=0.05, steps=60, trials=3
    )


@pytest.fixture(scope="module")
def curves(problem):
    return {c.method: c for c in compare(problem)}


def test_all_methods_and_all_numbers_are_there(curves, problem):
    assert tuple(curves) == METHODS
    for c in curves.values():
        for name in ("regret", "kept", "forgotten", "test", "distance", "sigma", "gradients"):
            values = getattr(c, name)
            assert values.shape == (problem.rounds,)
            assert np.isfinite(values).all()
        assert not np.isnan(c.epsilon).any()
        for name in ("kept", "forgotten", "test"):
            assert ((getattr(c, name) >= 0) & (getattr(c, name) <= 1)).all()


def test_retraining_is_the_reference(curves):
    assert curves["retraining"].regret == pytest.approx(np.zeros(4), abs=1e-12)
    assert curves["retraining"].distance == pytest.approx(np.zeros(4), abs=1e-8)
    assert curves["retraining"].joint == 0


def test_certified_epsilons(curves):
    assert curves["track and publish"].epsilon == pytest.approx(np.ones(4), rel=1e-2)
    assert curves["SAFE corrected"].epsilon == pytest.approx(np.ones(4), rel=1e-6)
    assert (curves["SAFE as printed"].epsilon > 1).all()
    assert np.isinf(curves["SAFE corrected, no noise"].epsilon).all()
    assert np.isinf(curves["keep w_0"].joint)


def test_tracking_stays_below_its_bound_and_close_to_noisy_retraining(curves, problem):
    track, again = curves["track and publish"], curves["retraining, same noise"]
    assert (track.regret <= corrected_regret(problem)).all()
    assert track.regret[-1] < curves["SAFE corrected"].regret[-1] / 100
    assert track.regret[-1] < 3 * again.regret[-1] + 1e-6


def test_safe_never_moves_farther_than_its_step(problem):
    bare = safe_publications(problem, "corrected", False, 0)
    w0 = problem.optimal[0]
    away = np.linalg.norm((bare.models[-1] - w0).reshape(3, -1), axis=1)
    assert away == pytest.approx(np.full(3, problem.stream.gamma), rel=1e-9)


def test_the_printed_order_grows_with_the_path(problem):
    t = np.arange(1, 5)
    assert regret_order(path_length(problem)) == pytest.approx(np.sqrt(t) + path_length(problem))
    assert (np.diff(path_length(problem)) > 0).all()
    assert (problem.stream.path >= np.diff(path_length(problem), prepend=0)).all()


def test_an_unknown_method_is_named(problem):
    with pytest.raises(ValueError, match="method must be one of"):
        curve(problem, "forget")


def test_a_class_that_is_exhausted_is_served():
    rows = sklearn_sets.wine(None).normalised().shuffled(1)
    small = StreamProblem.of(
        rows, "wine", rounds=3, share=0.2, schedule="class", regularisation=0.05, steps=5, trials=1
    )
    for c in compare(small):
        assert np.isfinite(c.regret).all()


def test_the_figure_has_a_panel_for_every_quantity(problem, curves):
    drawn = figure([problem], [list(curves.values())])
    axes = drawn.axes
    assert [a.get_ylabel() for a in axes] == [label for _, label in PANELS]
    assert len(axes[0].lines) == len(METHODS) + 2
