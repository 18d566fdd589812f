"""Online learners, SAFE and tracking in pieces: what one run of all trials tells, on any device."""

import numpy as np
import pytest

from simulators.runs import noisy, online_work, publication_run
from simulators.runs.d2d import DeletionByDescent
from simulators.runs.langevin import LangevinUnlearning, Retraining
from simulators.runs.online import ADAPTIVE, OnlineLearning
from simulators.runs.publications import SafePublications, TrackingPublications
from simulators.runs.trials import statistics_of
from simulators.streaming import deletions
from simulators.streaming.deletions import by_class, random_subsets
from tests.core.simulators.fake_device import on_cuda
from tests.equality import same_bits
from verify.jsonio import dumps

ONLINE = {"data": "digits", "rounds": 12, "epsilon": 1.0, "k": 2, "test_share": 0.2}
STREAM = {"data": "wine", "rounds": 3, "trials": 70}
KINDS = {
    "online": (OnlineLearning, {**ONLINE, "trials": 300}),
    "online-noisy-steps": (OnlineLearning, {**ONLINE, "trials": 300, "learner": "dp"}),
    "online-adaptive": (
        OnlineLearning,
        {**ONLINE, "trials": 300, "step_size": ADAPTIVE, "regularisation": 0.0},
    ),
    "online-without-noise": (OnlineLearning, {**ONLINE, "trials": 300, "epsilon": None}),
    "online-no-deletions": (
        OnlineLearning,
        {"data": "quadratic", "rounds": 9, "trials": 300, "deletions": "none", "k": 1},
    ),
    "safe": (SafePublications, STREAM),
    "safe-by-class": (SafePublications, {**STREAM, "schedule": "class"}),
    "safe-without-noise": (SafePublications, {**STREAM, "noise": False}),
    "tracking": (TrackingPublications, {**STREAM, "steps": 4, "schedule": "aligned"}),
}


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    """Three pieces, the last one short; orders of deletions in blocks that pieces cut."""
    monkeypatch.setattr(online_work, "MOST_PIECE", 128)
    monkeypatch.setattr(publication_run, "MOST_PIECE", 32)
    monkeypatch.setattr(deletions, "BLOCK", 48)
    monkeypatch.setattr(noisy, "MOST_PIECE", noisy.LEAST_PIECE)


def together(kind, settings):
    """A run whose trials were all looked at, so that its pieces are cut from them."""
    run = kind(**settings).run()
    # What keeps all trials: the result of a learner, the publications on a stream.
    whole = run.result if kind is OnlineLearning else run.published
    assert whole is not None
    return run


@pytest.mark.parametrize("name", KINDS)
def test_pieces_are_those_of_one_run(name, monkeypatch):
    kind, settings = KINDS[name]
    apart, whole = kind(**settings).run(), together(kind, settings)
    assert apart.pieces.count == 3
    if kind is OnlineLearning:
        # Blocks of learners are near the number of trials: here of one size for both.
        monkeypatch.setattr("simulators.online.learners.MOST", 64)
        whole = together(kind, settings)
    assert dumps(apart.document()) == dumps(whole.document())
    assert not {"result", "published"} & {*vars(apart)}


@pytest.mark.parametrize("name", ["online", "safe", "tracking"])
def test_moments_and_extremes_are_those_of_all_trials(name):
    kind, settings = KINDS[name]
    told, run = kind(**settings).run().document(), together(kind, settings)
    if name == "online":
        mean, error = run.result.mean_regret()
        assert told["regret"] == pytest.approx({"mean": mean, "standard_error": error})
        distances = run.result.distances().max(axis=0)
        found = [row["largest_distance"] for row in told["published"]]
        assert found == pytest.approx(distances.tolist(), rel=1e-12)
        points = run.result.published[0][:, 1]
        assert told["published"][1]["learned"]["variance"] == pytest.approx(points.var(0, ddof=1))
        return
    curve = run.curve
    for name, values in (("regret", curve.regret), ("accuracy_test", curve.test)):
        assert told["rounds"][name] == pytest.approx(values, rel=1e-12)
    assert told["rounds"]["sigma"].tolist() == curve.sigma.tolist()
    last = run.published.models[-1].reshape(70, -1)
    assert told["moments"]["published"]["mean"] == pytest.approx(last.mean(axis=0))


def test_regret_has_no_error_where_trials_agree():
    for name in ("online-without-noise", "online-no-deletions"):
        kind, settings = KINDS[name]
        assert kind(**settings).run().document()["regret"]["standard_error"] == 0.0


@pytest.mark.parametrize("first", [0, 5, 48, 90])
def test_a_stream_of_deletions_is_that_of_its_trial(first):
    labels = np.arange(40) % 2
    makers = {
        "random": lambda **place: random_subsets(40, [3, 4], seed=7, **place),
        "class": lambda **place: by_class(labels, [1, 0], 3, seed=7, **place),
    }
    for name, make in makers.items():
        whole, part = make(trials=120), make(trials=20, first_trial=first)
        same_bits(whole.removed_at[first : first + 20], part.removed_at, name)
    rows = random_subsets(40, [3], trials=120, seed=7).removed_at
    # Blocks have orders of their own.
    assert (rows[:48] != rows[48:96]).any()


def test_trials_that_memory_cannot_hold_are_refused_only_where_all_are_looked_at():
    learner = OnlineLearning(**ONLINE, trials=10**8).run()
    assert learner.pieces.count > 10**5
    with pytest.raises(ValueError, match=r"trials must be at most .* where all are looked at"):
        learner.result  # noqa: B018
    for kind in (SafePublications, TrackingPublications):
        stream = kind(**{**STREAM, "trials": 10**8}).run()
        assert stream.pieces.count > 10**6
        with pytest.raises(ValueError, match=r"trials must be fewer .* where all are looked at"):
            stream.published  # noqa: B018
    with pytest.raises(ValueError, match="trials"):
        OnlineLearning(**ONLINE, trials=10**9 + 1).run()


NOISY = {"data": "synthetic", "rows": 8, "dimension": 2, "sigma": 0.01, "trials": 4100}
ON_A_DEVICE = {
    **{name: KINDS[name] for name in ("online", "online-adaptive", "safe", "tracking")},
    "langevin": (LangevinUnlearning, {**NOISY, "learn_epochs": 1}),
    "retrain": (Retraining, {**NOISY, "learn_epochs": 1}),
    "d2d": (DeletionByDescent, {**NOISY, "learn_epochs": 1}),
}


@pytest.mark.parametrize("name", ON_A_DEVICE)
def test_a_device_computes_the_same_pieces(name):
    kind, settings = ON_A_DEVICE[name]
    here = kind(**settings, device="cpu").run()
    last = here.pieces.count - 1
    assert last > 0
    with on_cuda():
        there = kind(**settings, device="cuda").run()
        found = [statistics_of(there, piece) for piece in (0, last)]
    for piece, statistics in zip((0, last), found, strict=True):
        expected = statistics_of(here, piece)
        assert statistics.work == expected.work
        for quantity, each in expected.moments.items():
            scale = 1e-9 * (1 + np.abs(each.mean).max())
            other = statistics.moments[quantity]
            np.testing.assert_allclose(other.mean, each.mean, rtol=1e-7, atol=scale)
            np.testing.assert_allclose(other.largest, each.largest, rtol=1e-7, atol=scale)
