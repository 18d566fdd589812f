"""SAFE end to end: an exact small run, an independent loop, invariances, and its noise."""

import math

import numpy as np
import pytest
import torch
from scipy.special import log_softmax
from scipy.stats import multivariate_normal

from simulators.data.dataset import Dataset
from simulators.streaming import publication
from simulators.streaming import safe as module
from simulators.streaming.deletions import Deletions, by_class, given, random_subsets
from simulators.streaming.forgetting import divergence
from simulators.streaming.safe import safe
from simulators.streaming.variants import AlgorithmVariant
from tests.equality import same_bits

TOY = Dataset(
    np.array([[1.0], [2.0], [3.0], [0.5], [-1.0], [-2.0], [0.0], [-0.5]]),
    np.repeat([0.0, 1.0], 4),
)
TOY_STREAM = given(8, [[2, 5], [3]])


def toy(variant, **settings):
    """The run of safe.alg1: logits (w x, 0), of which W = (w, 0) has the difference.

    A step of length gamma moves the difference by sqrt 2 gamma.
    """
    seen = []
    run = safe(
        TOY,
        TOY_STREAM,
        regularisation=0.0,
        weight=0.7,
        gamma=1 / math.sqrt(2.0),
        variant=variant,
        projection=[[1.0]],
        w0=[[1.2, 0.0]],
        observer=lambda _, found, __: seen.append(found),
        **settings,
    )
    return run, seen


def blobs(n=90, d=5, classes=3, seed=0):
    random = np.random.default_rng(seed)
    labels = np.arange(n) % classes
    features = random.standard_normal((n, d)) + 1.5 * random.standard_normal((classes, d))[labels]
    return Dataset(features, labels.astype(float))


BLOBS = blobs()
SETTINGS = {"regularisation": 0.05, "weight": 3.0, "gamma": 0.3, "projection": 2}


def test_exact_run_with_exact_covariances():
    run, (one, two) = toy(AlgorithmVariant(standardise="none"))
    A, B = 0, 1
    assert one.moments.mean[0, :, 0].tolist() == pytest.approx([7 / 6, -0.5], abs=1e-9)
    assert one.moments.covariance[0, :, 0, 0].tolist() == pytest.approx([7 / 12, 0.25], abs=1e-9)
    assert two.moments.mean[0, A].item() == pytest.approx(1.5, abs=1e-9)
    assert two.moments.covariance[0, A].item() == pytest.approx(0.5, abs=1e-9)
    for found, retention, forgetting in (
        (one, -0.1639399200, -0.3125557176),
        (two, -0.1612935346, -0.3483222853),
    ):
        assert found.retention[0, 0].tolist() == pytest.approx([retention, -retention], abs=1e-9)
        assert found.forgetting[0, 0].tolist() == pytest.approx([forgetting, -forgetting], abs=1e-9)
    difference = run.weights[0, :, 0, A] - run.weights[0, :, 0, B]
    np.testing.assert_allclose(difference, [2.2, 2.2], atol=1e-9)


def test_exact_run_as_printed():
    """Eq 23 turns the forgetting gradient, and the first step, round."""
    run, (one, two) = toy(AlgorithmVariant(update="printed", standardise="none"))
    assert one.moments.covariance[0, :, 0, 0].tolist() == pytest.approx(
        [1.659722222, 1.048611111], abs=1e-9
    )
    assert two.moments.covariance[0, 0].item() == pytest.approx(1.163194444, abs=1e-9)
    assert one.forgetting[0, 0, 0].item() == pytest.approx(0.2635752331, abs=1e-9)
    assert two.forgetting[0, 0, 0].item() == pytest.approx(0.1158823229, abs=1e-9)
    difference = run.weights[0, :, 0, 0] - run.weights[0, :, 0, 1]
    np.testing.assert_allclose(difference, [0.2, 2.2], atol=1e-9)


def test_named_variants_standardise_without_changing_the_run():
    for name, update in (("corrected", "exact"), ("printed", "printed")):
        expected, _ = toy(AlgorithmVariant(update=update, standardise="none"))
        np.testing.assert_allclose(toy(name)[0].weights, expected.weights, atol=1e-12)


def test_gradient_is_that_of_the_risk_estimate():
    """d/dw of safe, eq 28 at w_0 (finite values there: .3635873614 + .1022975400)."""
    _, (one, _) = toy("corrected")
    kept = TOY_STREAM.kept(1)[0]
    x, y = torch.tensor(TOY.features), torch.tensor(TOY.targets).long()
    W = torch.tensor([[1.2, 0.0]], dtype=torch.float64, requires_grad=True)
    log_f = torch.log_softmax(x @ W, 1)
    retention = -log_f[kept][torch.arange(kept.sum()), y[kept]].mean()
    rows = one.rows[0]
    forgetting = 0.7 * divergence(log_f[rows], log_f[rows].detach(), one.log_q[0]).mean()
    assert retention.item() == pytest.approx(0.3635873614, abs=1e-9)
    assert forgetting.item() == pytest.approx(0.1022975400, abs=1e-9)
    (retention + forgetting).backward()
    np.testing.assert_allclose((one.retention + one.forgetting)[0], W.grad, atol=1e-13)


def reference(data, removed_at, rounds, w0, regularisation, weight, scope, classes=3):
    """g_t by a plain loop over rows: numpy's covariances, scipy's densities, a fresh fit a round.

    For streams that leave every class more rows than dimensions.
    """
    X, y = data.features, data.targets.astype(int)
    log_f = log_softmax(X @ w0, axis=1)
    V = np.random.default_rng(9).standard_normal((data.dimension, 2))
    Z, found, stale = X @ V, [], {}

    def law(z):
        return multivariate_normal(z.mean(axis=0), np.cov(z.T))

    for t in range(1, rounds + 1):
        kept, G = removed_at > t, np.zeros_like(w0)
        for i in np.flatnonzero(kept):
            G += np.outer(X[i], np.exp(log_f[i]) - np.eye(classes)[y[i]]) + regularisation * w0
        G /= kept.sum()
        rows = np.flatnonzero(~kept) if scope != "round" else np.flatnonzero(removed_at == t)
        forgetting = np.zeros_like(w0)
        for i in rows:
            if scope != "estimated" or i not in stale:
                stale[i] = np.array(
                    [
                        np.log(((y == c) & kept).sum() / (y == c).sum() * len(y) / kept.sum())
                        + law(Z[(y == c) & kept]).logpdf(Z[i])
                        - law(Z[y == c]).logpdf(Z[i])
                        for c in range(classes)
                    ]
                )
            f, log_q = np.exp(log_f[i]), stale[i]
            for c in range(classes):
                slope = f[c] * (np.eye(classes)[c] - f)
                forgetting -= weight / len(rows) * log_q[c] * np.outer(X[i], slope)
        found.append(G + forgetting)
    return np.array(found), V


@pytest.mark.parametrize("scope", ["all", "estimated", "round"])
def test_against_a_plain_loop(scope):
    deletions = random_subsets(90, [5, 8, 1], trials=2, seed=4)
    w0 = 0.3 * np.random.default_rng(8).standard_normal((5, 3))
    for r in range(2):
        exact, V = reference(BLOBS, deletions.removed_at[r], 3, w0, 0.05, 3.0, scope)
        settings = SETTINGS | {"projection": V}
        run = safe(BLOBS, deletions, w0=w0, variant=AlgorithmVariant(scope=scope), **settings)
        lengths = np.linalg.norm(exact, axis=(1, 2))
        np.testing.assert_allclose(run.gradient_norms[r], lengths, rtol=1e-10)
        expected = w0 - 0.3 * exact / lengths[:, None, None]
        np.testing.assert_allclose(run.weights[r], expected, atol=1e-11)


def test_only_once_standardised_features_leave_the_ratio_alone():
    deletions = random_subsets(90, [10] * 4, trials=3, seed=1)
    random = np.random.default_rng(3)
    V, B = random.standard_normal((5, 2)), random.standard_normal((2, 2))
    shifted = Dataset(BLOBS.features + random.standard_normal(5), BLOBS.targets)
    seen = {}
    for name, data, projection, standardise in (
        ("once", BLOBS, V, "once"),
        ("none", BLOBS, V, "none"),
        ("mapped", shifted, V @ B, "none"),
        ("per-round", BLOBS, V, "per-round"),
    ):
        values = seen[name] = []
        safe(
            data,
            deletions,
            w0=np.zeros((5, 3)),
            variant=AlgorithmVariant(standardise=standardise),
            observer=lambda _, found, __, values=values: values.append(found.log_q),
            **(SETTINGS | {"projection": projection}),
        )
    for t in range(4):
        np.testing.assert_allclose(seen["none"][t], seen["once"][t], atol=1e-12)
        np.testing.assert_allclose(seen["mapped"][t], seen["once"][t], atol=1e-12)
        assert (seen["per-round"][t] - seen["once"][t]).abs().max() > 1e-3


@pytest.mark.parametrize(
    ("standardise", "expected"), [("once", 1.048402363), ("per-round", 1.284025417)]
)
def test_standardising_every_round_loses_the_jacobian(standardise, expected):
    """Class {-1, 0, 1} without 0, at x = 1, with maximum-likelihood variances (safe, eq 21)."""
    data = Dataset(np.array([[0.0], [-1.0], [1.0], [7.0], [8.0], [9.0]]), [0.0] * 3 + [1.0] * 3)
    seen = []
    safe(
        data,
        given(6, [[0], [2]]),
        regularisation=0.0,
        weight=1.0,
        gamma=0.1,
        projection=[[1.0]],
        w0=np.zeros((1, 2)),
        variant=AlgorithmVariant(standardise=standardise, ddof=0, scope="all"),
        observer=lambda _, found, __: seen.append(found),
    )
    z = np.array([-1.0, 1.0, 0.0])
    assert seen[0].rows.tolist() == [[0]]
    now, first = np.var([-1.0, 1.0]), np.var(z)
    at_zero = np.sqrt(first / now) if standardise == "once" else 1.0
    label = np.log((2 / 3) * (6 / 5))
    assert seen[0].log_q[0, 0, 0].item() == pytest.approx(np.log(at_zero) + label, abs=1e-12)
    at_one = at_zero * np.exp(0.5 / first - 0.5 / now)
    assert at_one == pytest.approx(expected, rel=1e-9)


def test_steps_have_length_gamma_and_noise_its_law():
    deletions = random_subsets(90, [6] * 3, trials=1, seed=2)
    gamma = np.array([0.3, 0.0, 2.0])
    sigma = np.array([0.5, 0.0, 1e-3])
    settings = SETTINGS | {"gamma": gamma}
    run = safe(BLOBS, deletions, sigma=sigma, trials=400, seed=7, **settings)
    assert run.weights.shape == run.noiseless.shape == (400, 3, 5, 3)
    steps = run.weights + run.noise - run.start
    lengths = np.linalg.norm(steps, axis=(2, 3))
    np.testing.assert_allclose(lengths, np.broadcast_to(gamma, (400, 3)), atol=1e-12)
    assert not run.noise[:, 1].any()
    for t in (0, 2):
        draws = run.noise[:, t] / sigma[t]
        assert abs(draws.mean()) < 5 / math.sqrt(draws.size)
        assert abs((draws**2).mean() - 1) < 5 * math.sqrt(2 / draws.size)
        flat = draws.reshape(400, -1)
        off = np.corrcoef(flat.T)[~np.eye(15, dtype=bool)]
        assert abs(off).max() < 6 / math.sqrt(400)


def test_phi_is_a_variance():
    deletions = random_subsets(90, [6] * 2, trials=2, seed=2)
    one = safe(BLOBS, deletions, phi=[0.25, 4.0], **SETTINGS)
    two = safe(BLOBS, deletions, sigma=[0.5, 2.0], **SETTINGS)
    same_bits(one.weights, two.weights)


@pytest.mark.parametrize("entries", [1 << 20, 4000, 1], ids=["one block", "blocks", "single"])
def test_trials_do_not_depend_on_their_number(monkeypatch, entries):
    monkeypatch.setitem(module.CHUNK, "cpu", entries)
    settings = SETTINGS | {"sigma": 0.1, "device": "cpu"}
    deletions = random_subsets(90, [9] * 4, trials=7, seed=5)
    run = safe(BLOBS, deletions, seed=3, **settings)
    for count in (1, 3):
        few = safe(BLOBS, Deletions(deletions.removed_at[:count], 4), seed=3, **settings)
        same_bits(run.weights[:count], few.weights)
        same_bits(run.gradient_norms[:count], few.gradient_norms)
    assert not (run.noise[0] == run.noise[1]).any()
    other = safe(BLOBS, deletions, seed=4, **settings)
    assert not (other.weights == run.weights).any()


def test_blocks_change_nothing_but_rounding(monkeypatch):
    deletions = random_subsets(90, [9] * 4, trials=7, seed=5)
    run = safe(BLOBS, deletions, sigma=0.1, device="cpu", **SETTINGS)
    monkeypatch.setitem(module.CHUNK, "cpu", 1)
    single = safe(BLOBS, deletions, sigma=0.1, device="cpu", **SETTINGS)
    np.testing.assert_allclose(single.weights, run.weights, atol=1e-13)


@pytest.mark.parametrize("streams", [1, 7])
def test_noise_drawn_in_parts(monkeypatch, streams):
    deletions = random_subsets(90, [9] * 4, trials=streams, seed=5)
    run = safe(BLOBS, deletions, sigma=0.1, trials=7, **SETTINGS)
    monkeypatch.setattr(publication, "ENTRIES", 45)
    parts = safe(BLOBS, deletions, sigma=0.1, trials=7, **SETTINGS)
    same_bits(parts.weights, run.weights)


def test_trials_of_unequal_sizes_agree_with_single_runs():
    table = np.random.default_rng(0).integers(1, 9, (5, 90))
    table[:, :40] = 5
    table = np.minimum(table, 5)
    run = safe(BLOBS, Deletions(table, 4), **SETTINGS)
    assert len(np.unique(run.retention_gradients)) > 2
    for r in range(5):
        alone = safe(BLOBS, Deletions(table[r : r + 1], 4), **SETTINGS)
        np.testing.assert_allclose(alone.weights[0], run.weights[r], atol=1e-12)


@pytest.mark.parametrize("update", ["exact", "printed"])
@pytest.mark.parametrize("scope", ["all", "estimated", "round"])
@pytest.mark.parametrize("ratio", ["classes", "own"])
def test_classes_may_run_out(update, scope, ratio):
    """Class after class down to one row of the last; every number stays finite."""
    order = [0] * 4 + [1] * 4 + [2] * 4
    sizes = [10, 10, 9, 1] * 2 + [10, 10, 8, 1]
    deletions = by_class(BLOBS.targets.astype(int), order, sizes, trials=3, seed=1)
    variant = AlgorithmVariant(update=update, scope=scope, ratio=ratio)
    run = safe(BLOBS, deletions, variant=variant, sigma=0.1, **SETTINGS)
    for name in ("weights", "gradient_norms", "retention_norms", "forgetting_norms"):
        assert np.isfinite(getattr(run, name)).all(), name
    expected = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    assert run.exhausted.tolist() == [expected] * 3
    if update == "exact":
        assert run.degenerate.tolist() == [[0, 0, 1, 0] * 2 + [0, 0, 1, 1]] * 3
    if ratio == "own":
        assert run.forgetting_norms.max() < 1e-14


def test_a_class_that_never_was():
    deletions = random_subsets(90, [5, 5], trials=2, seed=1)
    w0 = 0.1 * np.random.default_rng(0).standard_normal((5, 4))
    seen = []
    run = safe(
        BLOBS,
        deletions,
        classes=4,
        w0=w0,
        observer=lambda _, found, __: seen.append(found),
        **SETTINGS,
    )
    assert np.isfinite(run.weights).all()
    assert (run.exhausted == 1).all()
    assert (seen[1].log_q[..., 3] == 0).all()


def test_gradients_needed():
    deletions = random_subsets(90, [4, 0, 7], trials=2, seed=0)
    counts = {
        "all": [4, 4, 11],
        "estimated": [4, 0, 7],
        "round": [4, 0, 7],
    }
    for scope, expected in counts.items():
        run = safe(BLOBS, deletions, variant=AlgorithmVariant(scope=scope), **SETTINGS)
        assert run.retention_gradients.tolist() == [[4, 0, 7]] * 2
        assert run.forgetting_gradients.tolist() == [expected] * 2
        assert run.initial_gradients == 90


def test_no_gradient_no_step():
    """With w_0 the minimiser and nothing forgotten yet, up to rounding; exactly at 0/0."""
    data = Dataset(np.zeros((4, 1)), [0.0, 1.0, 0.0, 1.0])
    run = safe(
        data,
        given(4, [[0], []]),
        regularisation=0.0,
        weight=1.0,
        gamma=1.0,
        w0=np.zeros((1, 2)),
        variant=AlgorithmVariant(standardise="none"),
    )
    assert (run.gradient_norms == 0).all()
    assert (run.weights == 0).all()


def test_default_start_is_the_minimiser():
    deletions = given(90, [[], [3]])
    run = safe(BLOBS, deletions, **SETTINGS)
    assert run.retention_norms[0, 0] < 1e-11
    assert run.retention_norms[0, 1] > 1e-4


def test_observer_sees_what_is_not_kept():
    deletions = random_subsets(90, [5, 5], trials=4, seed=2)
    kept = safe(BLOBS, deletions, sigma=0.2, **SETTINGS)
    seen = np.empty_like(kept.weights)

    def observer(trials, found, weights):
        seen[trials, found.t - 1] = weights

    run = safe(BLOBS, deletions, sigma=0.2, observer=observer, keep=False, **SETTINGS)
    assert run.weights is None
    assert run.noiseless is None
    same_bits(seen, kept.weights)
    with pytest.raises(ValueError, match="keep must be True"):
        _ = run.noise


GOOD = {
    "data": BLOBS,
    "deletions": random_subsets(90, [3, 3], trials=2),
    "w0": np.zeros((5, 3)),
    **SETTINGS,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data", BLOBS.features),
        ("data", Dataset(BLOBS.features)),
        ("deletions", np.ones((2, 90))),
        ("deletions", random_subsets(89, [3])),
        ("targets", Dataset(BLOBS.features, BLOBS.targets + 0.5)),
        ("targets", Dataset(BLOBS.features, BLOBS.targets - 1)),
        ("targets", "classes=2"),
        ("regularisation", -1.0),
        ("regularisation", math.nan),
        ("weight", -0.1),
        ("weight", math.inf),
        ("gamma", math.nan),
        ("gamma", [0.1, 0.1, 0.1]),
        ("gamma", None),
        ("sigma", -1.0),
        ("sigma", [0.1]),
        ("phi", math.nan),
        ("phi", "large"),
        ("variant", "tight"),
        ("variant", None),
        ("projection", 6),
        ("projection", np.full((5, 2), np.nan)),
        ("classes", 1),
        ("classes", 2.0),
        ("w0", np.zeros(5)),
        ("w0", np.full((5, 3), np.nan)),
        ("trials", 0),
        ("trials", 3),
        ("seed", -1),
        ("claim", 0.5),
        ("device", "tpu"),
        ("threads", 0),
        ("keep", 1),
        ("observer", "print"),
    ],
)
def test_refused(name, value):
    if isinstance(value, str) and value.startswith("classes="):
        settings = GOOD | {"classes": 2}
    else:
        settings = GOOD | {"data" if name == "targets" else name: value}
    with pytest.raises(ValueError, match=f"{name} must"):
        safe(settings.pop("data"), settings.pop("deletions"), **settings)


def test_refused_together():
    with pytest.raises(ValueError, match="sigma must be None"):
        safe(BLOBS, GOOD["deletions"], sigma=0.1, phi=0.01, w0=GOOD["w0"], **SETTINGS)
    with pytest.raises(ValueError, match="regularisation must be > 0"):
        safe(BLOBS, GOOD["deletions"], **(SETTINGS | {"regularisation": 0.0}))
    for name in ("seed", "claim"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            safe(
                BLOBS,
                GOOD["deletions"],
                **(SETTINGS | {"w0": GOOD["w0"], "projection": np.eye(5)[:, :2], name: -1}),
            )
    for setting in ({"update": "x"}, {"scope": "x"}, {"ratio": None}, {"standardise": 1}):
        with pytest.raises(ValueError, match=f"{next(iter(setting))} must be"):
            AlgorithmVariant(**setting)
    with pytest.raises(ValueError, match="ddof must be 1"):
        AlgorithmVariant(update="printed", ddof=0)
