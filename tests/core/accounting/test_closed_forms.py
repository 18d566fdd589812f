"""Every closed form against the general accountant, and the conditions each one refuses."""

import math

import mpmath as mp
import numpy as np
import pytest

from accounting import (
    distance_learning,
    geometric_sum,
    mu_batch,
    mu_convex_stationary,
    mu_convex_target_t_plus_k,
    mu_same_updates,
    mu_sequence,
    mu_stationary,
    mu_stationary_bounded,
    mu_target_t,
    mu_target_t_plus_k,
    pabi_mu,
    sequence_distances,
)

RNG = np.random.default_rng(20)


def same(closed, general):
    if general < 1e-300:
        assert closed < 1e-290
    else:
        assert float(closed) == pytest.approx(general, rel=1e-12)


def shifts(steps, position, until, batches, q):
    shift = np.zeros(steps)
    shift[position : until * batches : batches] = q
    return shift


@pytest.fixture
def many(full):
    """How many instances of a form that depends on everything."""
    return 1500 if full else 500


def instances(count, slow=False):
    """(c, q, s, J, j0, T, K); c far enough from 1 for a finite chain to reach stationarity."""
    for _ in range(count):
        c = float(RNG.choice([RNG.uniform(0.1, 1), 1 - 10 ** RNG.uniform(-9, -1), 1.0, 0.0]))
        if slow:
            c = RNG.uniform(0.1, 0.95)
        j = int(RNG.integers(1, 6))
        yield (
            c,
            10 ** RNG.uniform(-2, 1),
            10 ** RNG.uniform(-1, 1),
            j,
            int(RNG.integers(0, j)),
            int(RNG.integers(1, 12)),
            int(RNG.integers(1, 8)),
        )


def epochs_to_forget(c, j):
    return int(42 / (j * -math.log(c))) + 3


def test_same_updates():
    for c, z, s, _, _, n, _ in instances(400):
        same(mu_same_updates(z, c, s, n), pabi_mu(np.full(n, c), 0.0, s, z))


def test_target_t_plus_k(many):
    for c, q, s, j, p, t, k in instances(many):
        want = pabi_mu(c, shifts((t + k) * j, p, t, j, q), s)
        same(mu_target_t_plus_k(c, q, s, j, t, k, p), want)


def test_target_t(many):
    for c, q, s, j, p, t, k in instances(many):
        z0 = q * (1 + 10 ** RNG.uniform(-6, 2))
        want = pabi_mu(c, shifts(t * j, p, max(t - k, 0), j, q), s, z0)
        same(mu_target_t(c, q, s, j, t, k, z0, p), want)


def test_target_t_on_a_bounded_domain(many):
    """The least over restarts at the diameter; a shift may be larger than the diameter."""
    earlier = 0
    for c, q, s, j, p, t, k in instances(many):
        d = q * 10 ** RNG.uniform(-1, 1)
        want = pabi_mu(c, shifts(t * j, p, max(t - k, 0), j, q), s, d, d)
        found = mu_target_t(c, q, s, j, t, k, d, p, diameter=d)
        same(found, want)
        earlier += d >= q and found < 0.95 * mu_target_t(c, q, s, j, t, k, d, p)
    assert earlier > many / 30


def test_stationary():
    for c, q, s, j, p, _, k in instances(400, slow=True):
        t = epochs_to_forget(c, j)
        want = pabi_mu(c, shifts((t + k) * j, p, t, j, q), s)
        same(mu_stationary(c, q, s, j, k, p), want)
        if 2 * p <= j:
            same(mu_stationary(c, q, s, j, 0, p), pabi_mu(c, shifts(t * j, p, t, j, q), s))


def test_stationary_bounded():
    inner = 0
    for c, q, s, j, p, _, k in instances(400, slow=True):
        d = q * 10 ** RNG.uniform(-1.5, 1.5)
        t = epochs_to_forget(c, j)
        want = pabi_mu(c, shifts((t + k) * j, p, t, j, q), s, d, d)
        closed = mu_stationary_bounded(c, q, s, j, k, d, p)
        same(closed, want)
        inner += closed < mu_stationary(c, q, s, j, k, p) * (1 - 1e-9)
    assert inner > 50


def test_convex():
    for _, q, s, j, p, t, k in instances(300):
        d = q * 10 ** RNG.uniform(-1, 1.5)
        long = int(2 * d / q) + 20
        want = pabi_mu(1.0, shifts((long + k) * j, p, long, j, q), s, d, d)
        same(mu_convex_stationary(q, s, j, k, d, p), want)
        want = pabi_mu(1.0, shifts((t + k) * j, p, t, j, q), s)
        same(mu_convex_target_t_plus_k(q, s, j, t, k, p), want)
        assert want == pytest.approx(t * q / (s * math.sqrt((t + k) * j - p)), rel=1e-13)


def test_sequence():
    for c, q, s, j, _, _, _ in instances(300, slow=True):
        n = int(RNG.integers(1, 6))
        ks, ps = RNG.integers(1, 4, n), RNG.integers(0, j, n)
        t = epochs_to_forget(c, j)
        shift, end = np.zeros((t + int(ks.sum())) * j), t * j
        closed = mu_sequence(c, q, s, j, ks, ps)
        for r in range(n):
            shift[ps[r] : end : j] += q
            end += ks[r] * j
            same(closed[r], pabi_mu(c, shift[:end], s))


def test_batch():
    for c, q, s, j, _, t, k in instances(300, slow=True):
        size = int(RNG.integers(1, j + 1))
        hits = {int(x): int(RNG.integers(1, 4)) for x in RNG.choice(j, size, replace=False)}

        def shift(epochs, hits=hits, j=j, k=k, q=q):
            return sum(n * shifts((epochs + k) * j, x, epochs, j, q) for x, n in hits.items())

        same(mu_batch(c, q, s, j, hits, k), pabi_mu(c, shift(epochs_to_forget(c, j)), s))
        finite = mu_batch(c, q, s, j, hits, k, t)
        assert finite >= pabi_mu(c, shift(t), s) * (1 - 1e-12)
    # The largest position counts: with the smallest one the value would be too small (.2505).
    assert mu_batch(1.0, 1.0, 1.0, 2, {1: 1000, 0: 1}, 1, 1) == pytest.approx(1001 / math.sqrt(3))


@pytest.mark.parametrize("gap", [1e-15, 1e-10, 1e-4, 0.04, 0.7, 0.999999])
@pytest.mark.parametrize("steps", [1, 2, 1000, 10**6, 10**12])
def test_geometric_sum(gap, steps):
    with mp.workdps(60):
        c = 1 - mp.mpf(gap)
        want = (1 - c ** (2 * steps)) / (1 - c * c)
        assert abs(float(geometric_sum(1 - gap, steps, gap=gap)) / want - 1) < 1e-14
        c = mp.mpf(1 - gap)
        want = (1 - c ** (2 * steps)) / (1 - c * c)
        assert abs(float(geometric_sum(1 - gap, steps)) / want - 1) < 1e-14


def test_geometric_sum_limits():
    assert geometric_sum(0.5, math.inf) == pytest.approx(4 / 3, rel=1e-15)
    assert geometric_sum(1, math.inf) == math.inf
    assert geometric_sum(1, 10**12) == 1e12
    assert geometric_sum(0, [0, 1, 5]).tolist() == [0, 1, 1]


def test_distance_and_rounding_up():
    assert distance_learning(0.6, 0.8, 3, 5) == pytest.approx(1.01992838267, rel=1e-11)
    assert distance_learning(0.6, 0.8, 3, 5, 0) == pytest.approx(0.367174217761, rel=1e-11)
    assert distance_learning(1.0, 0.5, 3, 4) == 2.0
    assert distance_learning(1.0, 0.5, 3, math.inf, diameter=7.0) == 7.0
    assert mu_stationary(0.5, 1.0, 1.0, 1, 5000) > 0
    for c, q, s, j, p, _, k in instances(200, slow=True):
        with mp.workdps(50):
            x = mp.mpf(c)
            exact = q * x ** (j - 1 - p) / (1 - x**j) * x ** (k * j) * mp.sqrt(1 - x * x) / s
            assert 0 <= float(mu_stationary(c, q, s, j, k, p)) / exact - 1 < 1e-12


def test_sequence_distances_reference():
    z, _ = sequence_distances(0.6, 0.8, 3, np.ones(5, int))
    assert z[1] == pytest.approx(1.24081632653, rel=1e-11)
    assert z[4] == pytest.approx(1.30092905953, rel=1e-11)
    capped, _ = sequence_distances(0.6, 0.8, 3, np.ones(5, int), diameter=1.1)
    assert capped.max() == 1.1
    # Unequal K: the distance after request s shrinks by K_s, not by K_(s-1).
    z, _ = sequence_distances(0.5, 1.0, 1, [3, 1, 1])
    np.testing.assert_allclose(z, [2, 2 / 8 + 2, (2 / 8 + 2) / 2 + 2])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: mu_stationary(1.0, 1, 1, 2, 1), "contraction"),
        (lambda: mu_stationary(0.5, 1, 1, 4, 0, 3), "unlearn_epochs"),
        (lambda: mu_stationary(1.01, 1, 1, 4, 1), "contraction"),
        (lambda: mu_stationary_bounded(0.5, 1, 1, 4, 0, 1.0), "unlearn_epochs"),
        (lambda: mu_target_t_plus_k(0.5, 1, 1, 4, 1, 0), "unlearn_epochs"),
        (lambda: mu_target_t_plus_k(0.5, 1, 1, 4, 0, 1), "learn_epochs"),
        (lambda: mu_target_t(0.5, 1, 1, 4, 5, 0, 9.0), "unlearn_epochs"),
        (lambda: mu_target_t(0.5, 1, 1, 4, 5, 1, 0.9), "initial_distance"),
        (lambda: mu_sequence(1.0, 1, 1, 4, [1]), "contraction"),
        (lambda: mu_sequence(0.5, 1, 1, 4, [1, 0]), "epochs"),
        (lambda: mu_batch(1.0, 1, 1, 4, {0: 1}, 1), "contraction"),
        (lambda: mu_batch(0.5, 1, 1, 4, {4: 1}, 1), "position in hits"),
        (lambda: mu_batch(0.5, 1, 1, 4, {0: 0}, 1), "hits"),
        (lambda: mu_batch(0.5, 1, 1, 4, {}, 1), "hits"),
        (lambda: mu_same_updates(1, 0.5, 1, 0), "steps"),
        (lambda: mu_same_updates(1, 0.5, 1, 1.5), "steps"),
        (lambda: mu_same_updates(1, 0.5, 1, 3, gap=0.4), "gap"),
        (lambda: distance_learning(0.5, 1, 3, 1, 3), "position"),
    ],
)
def test_conditions(call, name):
    with pytest.raises(ValueError, match=rf"^{name} must be "):
        call()
