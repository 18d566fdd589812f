"""Tracking: certified errors dominate, trials are independent, and noise is what it says."""

import math

import numpy as np
import pytest
import torch
from scipy.special import expit

from accounting import delta_gdp, publication_mus
from simulators.data.dataset import Dataset
from simulators.data.sklearn_sets import digits
from simulators.data.synthetic import regression, two_gaussians
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.streaming.baselines import keep_start, perturbed_descent, retrain
from simulators.streaming.deletions import by_class, given, random_subsets
from simulators.streaming.descent import descend
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk, zeros
from simulators.streaming.track import Tracker, rounding, track_and_publish
from tests.equality import same_bits

NUMBERS = digits(None).first(120).normalised()
RISKS = {
    "softmax": Risk(NUMBERS, Softmax(10, 0.2)),
    "logistic": Risk(two_gaussians(120, 3, seed=2), Logistic(1.0)),
}
TRACKER = Tracker(steps=4, epsilon=1.0, delta=1e-5)


@pytest.fixture(params=RISKS)
def risk(request):
    return RISKS[request.param]


@pytest.fixture(scope="module", params=RISKS)
def tracked(request):
    """A risk, and streams with the minimisers of every round."""
    risk = RISKS[request.param]
    streams = (
        random_subsets(120, [10, 0, 30, 1], trials=3),
        by_class((risk.data.targets > 0).astype(int), [1, 1, 0, 1], 12, trials=3),
    )
    return risk, [(stream, Minimiser(risk).path(stream).numpy()) for stream in streams]


@pytest.mark.parametrize("steps", [0, 1, 100])
def test_the_tracking_error_never_exceeds_the_certificate(tracked, steps):
    risk, streams = tracked
    slack = 1e-11 / risk.strong_convexity
    for stream, minimisers in streams:
        for project in (False, True):
            tracker = Tracker(steps, 1.0, 1e-5, project=project)
            run = track_and_publish(tracker, risk, stream, measure=steps == 1)
            apart = (run.held - minimisers[:, 1:]).reshape(3, 4, -1)
            distances = np.linalg.norm(apart, axis=2)
            assert (distances <= run.errors + slack).all()
            if steps == 1:
                same_bits(run.minimisers, minimisers)
                np.testing.assert_allclose(run.distances, distances, rtol=1e-12)
            assert steps != 100 or (run.errors < 1e-6).all()
        moved = np.linalg.norm(np.diff(minimisers, axis=1).reshape(3, 4, -1), axis=2)
        n = stream.remaining[:, :-1]
        v = 2 * risk.lipschitz * stream.sizes / (risk.strong_convexity * n)
        assert (moved <= v + slack).all()


def test_the_certificate_is_attained_by_worst_data():
    # Huber losses in their linear range: all that leave pull the other way (the ridge bound).
    far = Dataset(np.ones((200, 1)), np.repeat([-50.0, 50.0], [20, 180]))
    risk = Risk(far, Huber(0.1, threshold=2.0))
    stream = given(200, [list(range(20))])
    run = track_and_publish(Tracker(0, 1.0, 1e-5), risk, stream, measure=True)
    np.testing.assert_allclose(run.distances, run.errors, rtol=1e-9)
    assert (run.distances <= run.errors).all()
    still = keep_start(risk, stream, measure=True)
    np.testing.assert_allclose(still.distances[0, -1], still.errors[0, -1], rtol=1e-9)


def test_published_is_held_plus_noise_of_the_stated_size():
    risk = RISKS["softmax"]
    stream = random_subsets(120, [10, 5], trials=40)
    run = track_and_publish(TRACKER, risk, stream, seed=3)
    noise = (run.published - run.held) / run.sigma[:, :, None, None]
    assert abs(noise.std() - 1) < 6 / math.sqrt(2 * noise.size)
    assert abs(noise.mean()) < 6 / math.sqrt(noise.size)
    deltas = delta_gdp(publication_mus(run.errors, run.sigma), 1.0)
    assert (deltas <= 1e-5).all()
    assert (deltas > 0.999e-5).all()
    many = track_and_publish(Tracker(4, 1.0, 1e-5, releases=4), risk, stream, seed=3)
    np.testing.assert_allclose(many.sigma, 2 * run.sigma, rtol=1e-14)
    assert (track_and_publish(TRACKER, risk, stream, seed=4).published != run.published).all()


def test_a_trial_does_not_depend_on_the_others(risk):
    many = random_subsets(120, [10, 5], trials=9, seed=1)
    few = random_subsets(120, [10, 5], trials=2, seed=1)
    a = track_and_publish(TRACKER, risk, many, measure=True)
    b = track_and_publish(TRACKER, risk, few, measure=True)
    for name in ("held", "published", "errors", "sigma", "distances", "minimisers"):
        same_bits(getattr(a, name)[:2], getattr(b, name), name)


def test_the_steps_are_gradient_steps():
    risk = RISKS["logistic"]
    stream = random_subsets(120, [10, 5], trials=2)
    run = track_and_publish(Tracker(3, 1.0, 1e-5, step_size=0.2), risk, stream)
    for r in range(2):
        u = Minimiser(risk).center.clone()
        for t in (1, 2):
            kept = stream.kept(t)[r : r + 1]
            for _ in range(3):
                u = u - 0.2 * risk.gradient(u[None], kept)[0]
            np.testing.assert_allclose(run.held[r, t - 1], u.numpy(), rtol=1e-12)
    assert run.gradient_evaluations.tolist() == [3 * (110 + 105)] * 2


def test_perturbed_descent_goes_on_from_what_was_published():
    risk = RISKS["logistic"]
    stream = random_subsets(120, [10, 5, 7], trials=2)
    sigma = np.array([0.3, 0.0, 0.1])
    run = perturbed_descent(risk, stream, steps=3, sigma=sigma, step_size=0.2, measure=True)
    for r in range(2):
        w = Minimiser(risk).center.clone()
        for t in (1, 2, 3):
            kept = stream.kept(t)[r : r + 1]
            for _ in range(3):
                w = w - 0.2 * risk.gradient(w[None], kept)[0]
            np.testing.assert_allclose(run.held[r, t - 1], w.numpy(), rtol=1e-12)
            w = torch.tensor(run.published[r, t - 1])
    moved = run.published - run.held
    assert (moved[:, 1] == 0).all()
    assert (moved[:, [0, 2]] != 0).all()
    assert run.gradient_evaluations.tolist() == [3 * (110 + 105 + 98)] * 2
    assert np.isinf(run.errors).all()
    assert (run.distances > 0).all()
    # Without noise it is tracking; with many steps, retraining.
    quiet = perturbed_descent(risk, stream, steps=4)
    secret = track_and_publish(TRACKER, risk, stream)
    np.testing.assert_allclose(quiet.published, secret.held, rtol=1e-12)
    many = perturbed_descent(risk, stream, steps=400, measure=True)
    assert many.distances.max() < 1e-9
    assert (
        perturbed_descent(risk, stream, steps=1, sigma=1.0, seed=4).published[0, 0]
        != (perturbed_descent(risk, stream, steps=1, sigma=1.0).published[0, 0])
    ).all()


def test_another_start_enters_the_error():
    risk = RISKS["logistic"]
    stream = given(120, [[0], [1], []])
    away = np.linalg.norm(Minimiser(risk).center.numpy())
    run = track_and_publish(
        TRACKER, risk, stream, start=np.zeros(3), initial_error=away, measure=True
    )
    assert (run.distances <= run.errors).all()
    assert run.errors[0, 0] > 100 * track_and_publish(TRACKER, risk, given(120, [[]])).errors[0, 0]
    with pytest.raises(ValueError, match="initial_error must be >="):
        track_and_publish(TRACKER, risk, stream, start=np.zeros(3), initial_error=away / 1000)


def test_tracking_beats_standing_still_and_retraining_is_the_reference():
    risk = RISKS["softmax"]
    stream = by_class(NUMBERS.targets.astype(int), [0] * 4, 3, trials=2)
    tracked = track_and_publish(Tracker(40, 1.0, 1e-5), risk, stream, measure=True)
    still = keep_start(risk, stream, measure=True)
    noisy = keep_start(risk, stream, privacy=(1.0, 1e-5), measure=True)
    exact = retrain(risk, stream, measure=True)
    assert (still.distances <= still.errors).all()
    assert (still.distances[:, -1] > 1e3 * tracked.distances[:, -1]).all()
    assert (exact.distances == 0).all()
    assert (np.abs(exact.regret) < 1e-12).all()
    assert (tracked.regret < noisy.regret).all()
    assert (still.sigma == 0).all()
    both = retrain(risk, stream, sigma=tracked.sigma)
    assert np.abs(both.published - tracked.published).max() <= tracked.errors.max()


def test_the_regret_bound_of_the_corrected_theorem():
    risk = RISKS["softmax"]
    stream = by_class(NUMBERS.targets.astype(int), [0] * 4, 3, trials=1)
    copies = given(120, [np.flatnonzero(stream.forgotten(t)[0]) for t in range(1, 5)], trials=60)
    run = track_and_publish(TRACKER, risk, copies, measure=True)
    factor = 1 + risk.size * (run.sigma[0, 0] / run.errors[0, 0]) ** 2
    bound = risk.smoothness / 2 * factor * (run.errors[0] ** 2).sum()
    spread = run.regret.std(ddof=1) / math.sqrt(60)
    assert run.regret.mean() + 6 * spread <= bound
    assert (run.excess >= -1e-14).all()


def test_a_public_norm_makes_the_noise_independent_of_the_data():
    short = two_gaussians(120, 3, seed=2)
    scale = 0.9 / short.largest_norm()
    rows = short.features * scale
    some = Dataset(rows, short.targets)
    other = Dataset(rows[::-1] * 0.3, short.targets)
    stream = random_subsets(120, [10, 5], trials=2)
    sigmas = {
        (bound, name): track_and_publish(TRACKER, Risk(d, loss, row_norm=bound), stream).sigma
        for bound in (None, 1.0)
        for name, d, loss in (("some", some, Logistic(1.0)), ("other", other, Logistic(1.0)))
    }
    same_bits(sigmas[1.0, "some"], sigmas[1.0, "other"])
    assert (sigmas[None, "some"] > 2 * sigmas[None, "other"]).all()
    assert (sigmas[1.0, "some"] > sigmas[None, "some"]).all()
    wide = Risk(NUMBERS, Softmax(10, 0.2), row_norm=1)
    close = RISKS["softmax"].constants
    assert wide.lipschitz == pytest.approx(close.half_gradient_difference, rel=1e-12)
    assert wide.smoothness == pytest.approx(close.smoothness, rel=1e-12)
    huber = Huber(0.1, threshold=2.0)
    near, far = (
        Risk(Dataset(rows, targets), huber, row_norm=1.0)
        for targets in (short.targets, 1e6 * short.targets)
    )
    found = [track_and_publish(TRACKER, risk, stream).sigma for risk in (near, far)]
    same_bits(*found)


def test_a_trained_start_counts_the_rounding_of_its_gradient():
    risk = RISKS["logistic"]
    initial = track_and_publish(Tracker(0, 1.0, 1e-5), risk, given(120, [[]])).errors[0, 0]
    ulp = np.finfo(float).eps / 2
    assert initial >= (1e-13 + ulp * len(risk.data)) * risk.lipschitz / risk.strong_convexity
    assert keep_start(risk, given(120, [[]])).errors[0, 0] >= initial * (1 - 1e-12)


def test_rounding_of_steps_that_overshoot():
    # eta mu near 2: |u| can settle at eta L_h/(2 - eta mu), far beyond L_h/mu.
    risk = Risk(two_gaussians(120, 3, seed=2), Logistic(1e3))
    eta = 1.9999 / risk.smoothness
    turned = eta * risk.strong_convexity
    reach = eta * risk.lipschitz / (2 - turned)
    assert rounding(risk, eta, 0.0) >= 1e-16 * eta * risk.smoothness * reach


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r, s: Tracker(-1, 1.0, 1e-5), "steps must be"),
        (lambda r, s: Tracker(1, math.nan, 1e-5), "epsilon must be"),
        (lambda r, s: Tracker(1, 1.0, 1.0), "delta must be"),
        (lambda r, s: Tracker(1, 1.0, 1e-5, step_size=0.0), "step_size must be"),
        (lambda r, s: Tracker(1, 1.0, 1e-5, releases=0), "releases must be"),
        (lambda r, s: Tracker(1, 1.0, 1e-5, project=1), "project must be"),
        (lambda r, s: track_and_publish(None, r, s), "tracker must be"),
        (lambda r, s: track_and_publish(TRACKER, None, s), "risk must be"),
        (lambda r, s: track_and_publish(TRACKER, r, given(9, [[1]])), "deletions must be"),
        (
            lambda r, s: track_and_publish(Tracker(1, 1.0, 0.1, 1e9), r, s),
            "step_size must be below",
        ),
        (lambda r, s: track_and_publish(TRACKER, r, s, start=[0.0]), "start must have shape"),
        (lambda r, s: track_and_publish(TRACKER, r, s, start=[0.0] * 3), "initial_error must be"),
        (lambda r, s: track_and_publish(TRACKER, r, s, initial_error=1.0), "initial_error must"),
        (lambda r, s: keep_start(r, s, privacy=1.0), "privacy must be"),
        (lambda r, s: keep_start(r, s, privacy=(1.0, 0.0)), "delta must be"),
        (lambda r, s: retrain(r, s, sigma=[1.0, 2.0, 3.0]), "sigma must be"),
        (lambda r, s: retrain(r, s, sigma=-1.0), "sigma must be"),
        (lambda r, s: perturbed_descent(r, s, steps=-1), "steps must be"),
        (lambda r, s: perturbed_descent(r, s, steps=1, sigma=[1.0] * 3), "sigma must be"),
        (lambda r, s: perturbed_descent(r, s, steps=1, step_size=1e9), "step_size must be below"),
        (lambda r, s: track_and_publish(TRACKER, r, s).regret, "measure must be"),
        (
            lambda r, s: track_and_publish(TRACKER, Risk(regression(120, 3), Ridge(0.1)), s),
            "bounded data gradients",
        ),
        (lambda r, s: track_and_publish(TRACKER, r, s, measure="no"), "measure must be"),
        (lambda r, s: keep_start(r, s, measure=1), "measure must be"),
        (lambda r, s: retrain(r, s, measure=None), "measure must be"),
        (lambda r, s: Risk(r.data, r.loss, row_norm=0.1), "row_norm must be >="),
        (lambda r, s: Risk(r.data, r.loss, row_norm=True), "row_norm must be"),
        (lambda r, s: Risk(r.data, r.loss, row_norm=math.nan), "row_norm must be"),
        (lambda r, s: Risk(r.data, r.loss, row_norm=1e200), "row_norm must be small enough"),
        (lambda r, s: Risk(None, r.loss), "data must be"),
        (lambda r, s: Risk(Dataset(np.full((2, 1), 1e200), [-1, 1]), r.loss), "data must be small"),
        (lambda r, s: zeros(None, 1), "risk must be"),
        (lambda r, s: r.largest_row_gradient(3.0), "parameters must be"),
        (lambda r, s: r.gradient(zeros(r, 1) * math.nan, s.kept(1)), "parameters must be finite"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(RISKS["logistic"], random_subsets(120, [1, 2]))


def test_the_projection_holds_every_iterate():
    risk = RISKS["logistic"]
    start = np.full(3, 50.0)
    run = track_and_publish(
        Tracker(1, 1.0, 1e-5, project=True),
        risk,
        given(120, [[0]]),
        start=start,
        initial_error=100.0,
        measure=True,
    )
    assert np.linalg.norm(run.held[0, 0]) <= risk.radius * (1 + 1e-12)
    assert run.distances[0, 0] <= run.errors[0, 0]
    assert torch.isfinite(torch.tensor(run.published)).all()


@pytest.mark.parametrize("scale", [0.3, 900.0], ids=["small scores", "scores beyond exp"])
@pytest.mark.parametrize("name", [*RISKS, "ridge"])
def test_steps_in_place_are_gradient_steps(name, scale):
    """Against the gradient's own formula, one trial and one row at a time."""
    risk = RISKS[name] if name in RISKS else Risk(regression(40, 3, seed=1), Ridge(0.5))
    random = np.random.default_rng(5)
    points = torch.tensor(scale * random.normal(size=(3, *risk.shape)))
    masks = random.random((3, len(risk.data))) < 0.7
    eta, wanted = 1.0 / risk.smoothness, points.numpy().copy()
    found = descend(risk, *risk.checked(points, masks), eta, 4).numpy()
    rows, target = risk.data.features, risk.data.targets
    for u, mask in zip(wanted, masks, strict=True):
        for _ in range(4):
            total = np.zeros_like(u)
            for x, y in zip(rows[mask], target[mask], strict=True):
                z = x @ u
                if name == "softmax":
                    p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
                    total += np.outer(x, p - np.eye(10)[int(y)])
                else:
                    pull = z - y if name == "ridge" else -y * expit(-y * z)
                    total += pull * x
            u -= eta * (total / mask.sum() + risk.strong_convexity * u)
    assert found == pytest.approx(wanted, rel=1e-11, abs=1e-11 * scale)
