"""What given deletion noise certifies: against quadratic programming and exact Gaussian laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from accounting import (
    DeletionSchedule,
    OnlineDescent,
    allocated_noise,
    deletion_mus,
    inverse_root,
    inverse_time,
    least_deletion_noise,
    transport,
)
from accounting.deletions.privacy import Events
from simulators.exact.gaussian_divergence import renyi_gauss
from simulators.exact.quadratic_stream import QuadraticStream
from tests.examples import examples

STEPS = st.lists(st.sampled_from([0.125, 0.25, 0.5, 1.0, 1.5]), min_size=26, max_size=26)


@st.composite
def learners(draw):
    """A descent with any steps, also expansive or annihilating ones, and a schedule."""
    convention = draw(st.sampled_from("ABC"))
    times = sorted(draw(st.lists(st.integers(2, 25), min_size=1, max_size=7)))
    indices = [draw(st.integers(1, t - (convention != "A"))) for t in times]
    mu, beta = draw(st.sampled_from([(0.0, 1.0), (0.25, 1.0), (1.0, 1.0), (1.0, 4.0)]))
    descent = OnlineDescent(mu, beta, 2.0, np.array(draw(STEPS)))
    return descent, DeletionSchedule(indices, times, convention)


def by_programming(descent, schedule, sigma, i):
    """mu_i by SLSQP over what every noise pays, round by round."""
    shift_at = schedule.indices + (schedule.convention == "B")
    noise_at = schedule.times - (schedule.convention == "C")
    T = int(noise_at[i])
    c = descent.contraction(np.arange(1, T + 1))
    shift = np.zeros(T + 1)
    for j in range(i + 1):
        if not schedule.repeated[j]:
            shift[shift_at[j]] += descent.steps(shift_at[j]) * descent.lipschitz
    noises = [(int(noise_at[j]), sigma[j]) for j in range(i + 1)]

    def left(paid):
        gap, gaps, j = 0.0, [], 0
        for t in range(1, T + 1):
            gap = c[t - 1] * gap + shift[t]
            while j < len(noises) and noises[j][0] == t:
                gap -= paid[j] * noises[j][1]
                gaps.append(gap)
                j += 1
        return np.array(gaps)

    scale = max(1e-3, float(np.abs(left(np.zeros(i + 1))).max()) / min(s for _, s in noises))
    found = minimize(
        lambda x: (x**2).sum(),
        np.full(i + 1, 0.0),
        jac=lambda x: 2 * x,
        method="SLSQP",
        bounds=[(0, None)] * (i + 1),
        options={"ftol": 1e-15, "maxiter": 500},
        constraints=[
            {"type": "ineq", "fun": lambda x: left(x * scale)[:-1] / scale if i else np.zeros(1)},
            {"type": "eq", "fun": lambda x: left(x * scale)[-1] / scale},
        ],
    )
    return math.sqrt(found.fun) * scale


@examples(20, full=60)
@given(learners(), st.data())
def test_mu_is_that_of_the_best_payments(case, data):
    descent, schedule = case
    sigma = np.array([data.draw(st.sampled_from([0.5, 1.0, 2.0])) for _ in range(len(schedule))])
    found = deletion_mus(descent, schedule, sigma)
    i = len(schedule) - 1
    if found[i] > 1e-3:
        assert found[i] == pytest.approx(by_programming(descent, schedule, sigma, i), rel=1e-5)


noises = st.sampled_from([0.0, 1e-200, 1e-9, 0.3, 1.0, 2.0])


@examples(50, full=200)
@given(learners(), st.data(), st.sampled_from([math.inf, 1.0]))
def test_short_cuts_change_nothing(case, data, diameter):
    """Chords and hulls against one isotonic regression per request."""
    descent, schedule = case
    descent = OnlineDescent(
        descent.strong_convexity, descent.smoothness, descent.lipschitz, descent.step_size, diameter
    )
    events = Events(descent, schedule)
    sigma = np.array([data.draw(noises) for _ in range(len(schedule))])
    plain = np.array([events.mu(i, sigma) for i in range(len(schedule))])
    assert events.mus(sigma) == pytest.approx(plain, rel=1e-11, abs=0)
    assert events.worst(sigma) == pytest.approx(plain.max(), rel=1e-11, abs=0)
    for part in events._stretches(sigma):
        for end in range(1, len(part) + 1):
            bounds = part.mus(0, end)
            mus = plain[part.begin : part.begin + end]
            assert (bounds * (1 + 1e-12) >= mus).all()
            if not events.capped:
                assert bounds[-1] == pytest.approx(mus[-1], rel=1e-11, abs=0)
            for first in range(end):
                assert (part.mus(first, end) * (1 + 1e-12) >= mus[first:]).all()
                assert part.mus(first, end)[-1] == pytest.approx(bounds[-1], rel=1e-11, abs=0)


LEARNERS = {
    "steps that fall": OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0)),
    "steps that halve": OnlineDescent(1.0, 3.0, 1.0, 0.5),
    "convex": OnlineDescent(0.0, 1.0, 1.0, 0.3),
    "some forget": OnlineDescent(1.0, 1.0, 1.0, np.where(np.arange(1, 2001) % 300, 0.02, 1.0)),
    "some expand": OnlineDescent(0.0, 4.0, 1.0, np.where(np.arange(1, 2001) % 50, 0.02, 5.0)),
}
OVERLAPS = {
    "of all rounds": lambda rng, tau: rng.integers(1, tau),
    "of the last rounds": lambda rng, tau: np.maximum(1, tau - rng.integers(1, 40, tau.size)),
}


def noises_of(rng, k):
    """Noises that fall, that lie far apart, and that no float could hold beside each other."""
    yield np.arange(1, k + 1) ** -0.7
    yield np.where(np.arange(k) % 2, 1.0, 1e-3)
    yield rng.exponential(size=k)
    yield 10.0 ** -rng.uniform(0, 300, k)
    yield np.where(rng.random(k) < 0.2, 0.0, 1e3 / np.arange(1, k + 1))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("overlap", OVERLAPS)
def test_the_worst_of_many_requests(learner, overlap, full):
    """Bounds on blocks of requests against one isotonic regression per request."""
    descent, k = LEARNERS[learner], 1000 if full else 120
    rng = np.random.default_rng(1)
    tau = np.sort(rng.integers(2, 1000, k))
    events = Events(descent, DeletionSchedule(OVERLAPS[overlap](rng, tau), tau))
    for sigma in noises_of(rng, k):
        mus = np.array([events.mu(i, sigma) for i in range(k)])
        assert events.worst(sigma) == pytest.approx(mus.max(), rel=1e-11, abs=0)
        for part in events._stretches(sigma):
            for first in range(0, len(part), 40):
                for end in range(first + 1, len(part) + 1, 17):
                    bounds, own = part.mus(first, end), mus[part.begin :]
                    assert (bounds * (1 + 1e-11) >= own[first:end]).all()
                    # The last has its own shifts alone; what is left out is negligible.
                    assert bounds[-1] == pytest.approx(own[end - 1], rel=1e-9, abs=0)


DOMAINS = {
    "convex": OnlineDescent(0.0, 1.0, 1.0, inverse_root(2.0, 1.0), 2.0),
    "curved": OnlineDescent(0.5, 1.0, 1.0, 0.3, 1.0),
    "some expand": OnlineDescent(0.0, 4.0, 1.0, LEARNERS["some expand"].step_size, 2.0),
}


@pytest.mark.parametrize("domain", DOMAINS)
def test_straight_payments_on_a_domain(domain, full):
    """Bounds from restarts against one search for the best restart per request."""
    descent, k = DOMAINS[domain], 300 if full else 60
    rng = np.random.default_rng(2)
    tau = np.sort(rng.integers(2, 8 * k, k))
    schedule = DeletionSchedule(rng.integers(1, tau), tau)
    events = Events(descent, schedule)
    assert events.capped
    least = least_deletion_noise(descent, schedule, 0.5)
    for sigma in (least, 3 * least, *noises_of(rng, k)):
        mus = np.array([events.mu(i, sigma) for i in range(k)])
        bounds, sure = events._straight(sigma)
        assert (bounds * (1 + 1e-11) >= mus).all()
        assert bounds[sure] == pytest.approx(mus[sure], rel=1e-11, abs=0)
        assert events.worst(sigma) == pytest.approx(mus.max(), rel=1e-11, abs=0)
    # Of the least noise every payment is straight, if rounding does not hide it.
    assert events._straight(least)[1].mean() > 0.9
    assert events.worst(least) <= 1.0
    assert events.worst(least) == pytest.approx(1.0, rel=1e-9)


@examples(25, full=100)
@given(learners(), st.sampled_from([0.01, 1.0]))
def test_calibrated_noise_takes_the_short_cut(case, rho):
    descent, schedule = case
    events = Events(descent, schedule)
    sigma = least_deletion_noise(descent, schedule, rho)
    assert events._chords(sigma)[1].all()


def test_the_papers_share_of_the_budget():
    """olu.thm1: alpha eps (omega - 1)/omega sum_{j<=i} j^-omega; the truth is i^2/(6 sum j^1.2)."""
    k, rho = 50, 0.3
    descent = OnlineDescent(0.0, 1.0, 1.0, 0.25)
    schedule = DeletionSchedule(range(1, k + 1), [k + 1] * k)
    sigma = allocated_noise(transport(descent, schedule).log_shifts, rho)
    shares = deletion_mus(descent, schedule, sigma) ** 2 / (2 * rho)
    for i, value in [(1, 0.1667), (5, 0.2169), (10, 0.2082), (50, 0.1641)]:
        assert shares[i - 1] == pytest.approx(value, abs=5e-5)
        assert shares[i - 1] == pytest.approx(i**2 / (6 * sum(j**1.2 for j in range(1, i + 1))))


def test_the_papers_noise_under_its_own_step_size():
    """olu.cor1b: with eta_t = 1/(mu t) and gamma^(tau - u) the guarantee fails."""
    descent = OnlineDescent(1.0, 3.0, 3.0, inverse_time(1.0))
    for tau, times_budget in [(6, 32 / 27), (7, 512 / 147), (14, 14266.3)]:
        gamma = 0.5 ** (tau - 4)
        sigma = allocated_noise([math.log(gamma / 4 * 3.0)], 1.0)
        mu = deletion_mus(descent, DeletionSchedule([4], [tau], "A"), sigma)
        assert mu**2 / 2 == pytest.approx([times_budget], rel=1e-5)
    sigma = allocated_noise([math.log(0.25 / 4 * 3.0)], 1.0)
    mu = deletion_mus(descent, DeletionSchedule([4], [6]), sigma)
    assert mu**2 / 2 == pytest.approx([128 / 75], rel=1e-10)


def stream(points, curvature, steps):
    return QuadraticStream(np.array(points, dtype=float), curvature, steps)


def test_early_indices_are_exact_for_quadratics():
    """All u_j < tau_1: the exact Renyi divergence is alpha rho, in both directions."""
    T = 20
    u, tau = [2, 5, 7], [9, 12, 18]
    points = np.zeros(T)
    points[np.array(u) - 1] = 1.0  # their gradients are L where the run without them is
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), 0.3)
    learner = stream(points, 1.0, 1.0 / np.arange(1, T + 1))
    for i in (1, 2, 3):
        (m, v), (m2, v2) = learner.pair(u, tau, sigma, i)
        for alpha in (1.5, 2.0, 8.0):
            forward = renyi_gauss(m[0], v, m2[0], v2, alpha)
            assert forward <= 0.3 * alpha
            assert forward == pytest.approx(0.3 * alpha, rel=1e-10)
            assert renyi_gauss(m2[0], v2, m[0], v, alpha) == pytest.approx(forward, rel=1e-12)
        (m, v), (m2, v2) = learner.pair(u, tau, sigma * 0.999, i)
        assert renyi_gauss(m[0], v, m2[0], v2, 2.0) > 0.6


def test_without_projection_an_interleaved_skip_breaks_the_guarantee():
    """The hypothesis sup |psi - psi'| <= eta_u L fails off the domain."""
    u, tau = [1, 4], [3, 5]
    points = [0.5, 0.0, 0.0, 0.5, 0.0]
    descent = OnlineDescent(1.0, 1.0, 1.0, inverse_time(1.0))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), 1.0)
    assert (deletion_mus(descent, DeletionSchedule(u, tau), sigma) <= math.sqrt(2)).all()
    (m, v), (m2, v2) = stream(points, 1.0, 1.0 / np.arange(1, 6)).pair(u, tau, sigma, 2)
    assert v2 > v
    assert renyi_gauss(m2[0], v2, m[0], v, 5.0) == pytest.approx(5.724, abs=1e-3)


def test_ten_thousand_deletions_in_a_million_rounds():
    rng = np.random.default_rng(0)
    tau = np.sort(rng.integers(2, 10**6, 10**4))
    u = rng.integers(1, tau)
    descent = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))
    sigma = least_deletion_noise(descent, DeletionSchedule(u, tau), 0.3)
    mus = deletion_mus(descent, DeletionSchedule(u, tau), sigma)
    assert mus.max() <= math.sqrt(0.6)
    assert mus.max() == pytest.approx(math.sqrt(0.6), rel=1e-10)


def test_noise_that_comes_before_the_shift_hides_nothing():
    descent = OnlineDescent(0.0, 1.0, 1.0, 0.5)
    mus = deletion_mus(descent, DeletionSchedule([1, 5], [3, 8]), [1.0, 0.0])
    assert mus.tolist() == [pytest.approx(0.5), math.inf]
    mus = deletion_mus(descent, DeletionSchedule([1, 2], [3, 8]), [1.0, 0.0])
    assert mus == pytest.approx([0.5, 1.0], rel=1e-11)


def test_tiny_and_huge_losses():
    for L in (1e-300, 1e300):
        descent = OnlineDescent(0.0, 1.0, L, 0.5)
        schedule = DeletionSchedule([1, 5], [3, 8])
        if L < 1:
            assert deletion_mus(descent, schedule, 1.0).max() == pytest.approx(7.07e-301, rel=0.3)
        else:
            assert deletion_mus(descent, schedule, [1.0, 1.0]).min() > 1e299
            assert deletion_mus(descent, schedule, [1.0, 1e-300]).max() == math.inf
    nothing = OnlineDescent(0.0, 1.0, 0.0, 0.5)
    assert not deletion_mus(nothing, DeletionSchedule([1], [3]), 0.0).any()
    assert not least_deletion_noise(nothing, DeletionSchedule([1], [3]), 0.5).any()
