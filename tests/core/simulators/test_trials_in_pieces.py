"""Trials in pieces: bit for bit those of one run, and the document of all of them."""

import numpy as np
import pytest

from simulators.device.reporting import reporting
from simulators.domains import Ball
from simulators.engine.blocks import LARGEST
from simulators.engine.initial import gaussian
from simulators.langevin.descent_to_delete import PUBLISHED, descent_to_delete
from simulators.langevin.unlearning import learn_unlearn
from simulators.losses.logistic import Logistic
from simulators.runs import noisy, scores
from simulators.runs.d2d import DeletionByDescent
from simulators.runs.langevin import LangevinUnlearning
from tests.core.simulators.test_langevin import COMMON, DATA, NEXT
from tests.equality import same_bits
from verify.jsonio import dumps

SETTINGS = {"data": "synthetic", "rows": 20, "dimension": 2, "sigma": 0.01, "learn_epochs": 1}
TRIALS = 9000  # three pieces of 4,096, the last one short


@pytest.fixture
def short_pieces(monkeypatch):
    monkeypatch.setattr(noisy, "MOST_PIECE", noisy.LEAST_PIECE)


def runs(kind, **more):
    return kind(**{**SETTINGS, "trials": TRIALS, "test_share": 0.2, **more}).run()


KINDS = {
    "langevin": (LangevinUnlearning, {}),
    "d2d": (DeletionByDescent, {}),
    "d2d-published": (DeletionByDescent, {"internal_state": False}),
    "float32": (LangevinUnlearning, {"dtype": "float32"}),
    "squares": (LangevinUnlearning, {"loss": "ridge", "data": "diabetes", "dimension": None}),
}


@pytest.mark.parametrize("name", KINDS)
def test_pieces_are_those_of_one_run(name, short_pieces):
    kind, more = KINDS[name]
    apart, together = runs(kind, **more), runs(kind, **more)
    assert apart.pieces.count == 3
    assert len(together.result.unlearned) == TRIALS
    # The second run is cut where it lies.
    assert dumps(apart.document()) == dumps(together.document())
    assert "result" not in vars(apart)


def test_moments_of_pieces_are_those_of_all_trials(short_pieces):
    run = runs(LangevinUnlearning)
    told = run.document()
    for law in ("learned", "unlearned"):
        points = getattr(run.result, law)
        expected = scores.moments(points)
        for name, value in expected.items():
            assert told["moments"][law][name] == pytest.approx(value, rel=1e-11), name
        score = scores.tested(points, run.test)
        for name, value in score.items():
            assert told["test"][law][name] == pytest.approx(value, rel=1e-11), name


def test_a_piece_is_whole_blocks_of_the_engine_and_of_publications():
    assert noisy.LEAST_PIECE % LARGEST["cpu"] == 0
    assert noisy.LEAST_PIECE % PUBLISHED == 0


def test_the_first_trial_has_its_own_noise_and_start():
    settings = {**COMMON, "learn_epochs": 2, "unlearn_epochs": 1, "domain": Ball(2.0)}
    settings |= {"initial": gaussian(0.5), "retrain": "T", "block": 8}
    whole = learn_unlearn(Logistic(0.1), DATA, NEXT, **{**settings, "trials": 30})
    part = learn_unlearn(Logistic(0.1), DATA, NEXT, **{**settings, "trials": 11}, first_trial=16)
    assert part.settings["first_trial"] == 16
    for name in ("learned", "unlearned", "retrained"):
        same_bits(getattr(whole, name)[16:27], getattr(part, name), name)


def test_a_first_trial_within_a_block_is_refused():
    settings = {**COMMON, "learn_epochs": 1, "unlearn_epochs": 1, "block": 8}
    with pytest.raises(ValueError, match="first_trial must be a multiple of the block, 8, got 4"):
        learn_unlearn(Logistic(0.1), DATA, NEXT, **settings, first_trial=4)
    steps = {"sigma": 0.1, "learn_steps": 1, "unlearn_steps": 1, "internal_state": True}
    with pytest.raises(ValueError, match="first_trial must be a multiple of 4096, got 8"):
        descent_to_delete(Logistic(0.1), DATA, [NEXT], **steps, trials=3, seed=0, first_trial=8)


def test_whoever_listens_hears_of_trials_where_there_are_several_pieces(short_pieces):
    counts = []
    with reporting(lambda done, total: counts.append((done, total))):
        runs(LangevinUnlearning).document()
    assert counts == [(4096, TRIALS), (8192, TRIALS), (TRIALS, TRIALS)]


def test_trials_that_memory_cannot_hold_are_refused_only_where_all_are_looked_at():
    run = LangevinUnlearning(**SETTINGS, trials=10**9).run()
    assert run.pieces.count > 10**4
    with pytest.raises(ValueError, match="trials must be at most 100000000 of 2 numbers"):
        run.result  # noqa: B018
    with pytest.raises(ValueError, match="trials must be at most 1000000000, got"):
        LangevinUnlearning(**SETTINGS, trials=10**9 + 1).run()


def test_scores_in_panels_are_those_of_all_trials(monkeypatch):
    run = runs(LangevinUnlearning, trials=50)
    points = np.random.default_rng(0).normal(size=(50, 2))
    name, whole = scores.scores_of(points, run.data)
    monkeypatch.setattr(scores, "PANEL", 7 * 8 * len(run.data))
    assert scores.scores_of(points, run.data)[0] == name == "accuracy"
    same_bits(whole, scores.scores_of(points, run.data)[1])
