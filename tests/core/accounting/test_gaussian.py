"""The Gaussian curve against 300-digit arithmetic, and its inverses against itself."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import (
    delta_gdp,
    epsilon_gdp,
    log_delta_gdp,
    mu_gdp,
)
from tests.equality import same_bits

DIGITS = 300
MUS = [1e-8, 3e-5, 0.01, 0.4, 1.0, 7.3, 90.0, 1234.5, 1e4]


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def digits(mu, epsilon, most):
    """Enough for all that cancels, with 40 left: erfc of hundreds of digits takes milliseconds."""
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    lost = 2 * math.log10(1 + abs(b)) + math.log10((1 + abs(a)) / min(mu, 1.0))
    near_one = min(a, 0.0) ** 2 / 4.6 if a > -40 else most
    return math.ceil(min(45 + lost + near_one, most))


def exact_delta(mu, epsilon):
    """Phi(-a) - e^epsilon Phi(-b) with enough digits for its cancellation."""
    mu, epsilon = float(mu), float(epsilon)
    with mp.workdps(digits(mu, epsilon, DIGITS)):
        m, e = mp.mpf(float(mu)), mp.mpf(float(epsilon))
        return upper(e / m - m / 2) - mp.exp(e) * upper(e / m + m / 2)


def exact_log_delta(mu, epsilon):
    with mp.workdps(DIGITS):
        return mp.log(exact_delta(mu, epsilon))


def epsilons(mu):
    """Epsilons with a = epsilon/mu - mu/2 all over the range, the cancelling places included."""
    grid = [mu * (a + mu / 2) for a in (-30, -5, -1.001, -0.999, -0.1, 1e-9, 0.3, 2, 12, 37, 1400)]
    grid += [mu * mu / 2, 0.0, 1e-12, 1e-3, 1.0, 50.0, 1e6]
    return [e for e in grid if 0 <= e <= 1e6 and e / mu - mu / 2 < 1420]


@pytest.mark.parametrize("mu", MUS)
def test_delta_and_its_logarithm_to_twelve_digits(mu):
    for epsilon in epsilons(mu):
        log_exact = exact_log_delta(mu, epsilon)
        assert log_exact > -1.02e6
        if log_exact != 0:
            assert abs(mp.mpf(float(log_delta_gdp(mu, epsilon))) / log_exact - 1) < 1e-12
        if log_exact > -700:
            assert abs(mp.mpf(float(delta_gdp(mu, epsilon))) / mp.exp(log_exact) - 1) < 1e-12


def scaled_tail(x):
    """e^(x^2/2) Phi(-x), by its asymptotic series where erfc would take too long."""
    if abs(x) < 1e4:
        return mp.exp(x * x / 2) * upper(x)
    total = term = mp.mpf(1)
    for n in range(1, 200):
        term *= -(2 * n - 1) / (x * x)
        total += term
        if abs(term) < mp.eps:
            break
    return total / (x * mp.sqrt(2 * mp.pi))


def wide_log_delta(mu, epsilon):
    """log delta for any floats, in the form without e^epsilon.

    0 where no float is between the truth and 0, -inf where the truth is below all floats.
    """
    mu, epsilon = float(mu), float(epsilon)
    a = float(mp.mpf(epsilon) / mu - mp.mpf(mu) / 2)
    if not -40 < a < 1e155:
        return mp.mpf(0) if a < 0 else -mp.inf
    with mp.workdps(digits(mu, epsilon, 400 if mu < 1e20 else 700)):
        m, e = mp.mpf(mu), mp.mpf(epsilon)
        a, b = e / m - m / 2, e / m + m / 2
        if a < -1:
            return mp.log1p(-mp.exp(-a * a / 2) * (scaled_tail(-a) + scaled_tail(b)))
        return -a * a / 2 + mp.log(scaled_tail(a) - scaled_tail(b))


def cancelling(rng, count):
    """Where R(a) - R(b) is a tenth to a fifth of R(a)."""
    a, mu = rng.uniform(-1, 6, count), rng.uniform(0.12, 0.35, count)
    return mu, mu * (a + mu / 2)


PLACES = {
    "cancelling": cancelling,
    "ridge beyond products of floats": lambda rng, n: (
        mu := 10 ** rng.uniform(70, 150, n),
        mu * mu / 2 * (1 + rng.uniform(-1, 1, n) * 4e-16),
    ),
    "tiny": lambda rng, n: (
        mu := 10 ** rng.uniform(-300, -60, n),
        mu * 10 ** rng.uniform(-3, 1.5, n),
    ),
    "small epsilon": lambda rng, n: (
        10 ** rng.uniform(-8, 2, n),
        10 ** rng.uniform(-300, -5, n),
    ),
    "anywhere": lambda rng, n: (10 ** rng.uniform(-300, 150, n), 10 ** rng.uniform(-300, 300, n)),
}


@pytest.mark.parametrize("place", PLACES)
def test_delta_is_never_below_the_truth_anywhere(place):
    mus, values = PLACES[place](np.random.default_rng(11), 200)
    values = np.maximum(values, 0)
    answers = np.stack([mus, values, delta_gdp(mus, values), log_delta_gdp(mus, values)], axis=1)
    for mu, epsilon, delta, log_delta in answers.tolist():
        exact = wide_log_delta(mu, epsilon)
        assert mp.mpf(log_delta) >= exact or exact < -1.7e308
        if exact < -800:
            assert delta > 0  # the truth is below the least of them
            continue
        with mp.workdps(400):
            truth = mp.exp(exact)
            assert mp.mpf(delta) >= truth
            if exact > -690 and mu < 1e70:
                assert delta <= truth * (1 + mp.mpf(1e-12))


def test_delta_is_never_below_the_truth():
    rng = np.random.default_rng(3)
    for _ in range(600):
        mu = 10 ** rng.uniform(-8, 3)
        epsilon = mu * (rng.choice([rng.uniform(-9, 37), rng.uniform(-1.5, 1.5)]) + mu / 2)
        if 0 <= epsilon <= 1e6:
            exact = exact_delta(mu, epsilon)
            assert mp.mpf(float(delta_gdp(mu, epsilon))) >= exact
            with mp.workdps(DIGITS):
                assert mp.mpf(float(log_delta_gdp(mu, epsilon))) >= mp.log(exact)


@pytest.mark.parametrize("mu", MUS)
@pytest.mark.parametrize("log_delta", [-1e6, -1e4, -700.0, -30.0, -2.0])
def test_epsilon_to_twelve_digits(mu, log_delta):
    epsilon = float(epsilon_gdp(mu, log_delta=log_delta))
    if epsilon == 0:
        assert exact_log_delta(mu, 0.0) <= log_delta * (1 - 1e-14)
        return
    # Bracket the exact root: relative error below 1e-12, up to the rounding of delta itself.
    noise = 4e-16 * abs(log_delta)
    assert exact_log_delta(mu, epsilon * (1 + 1e-12)) <= log_delta + noise
    assert exact_log_delta(mu, epsilon * (1 - 1e-12)) >= log_delta - noise


@pytest.mark.parametrize("epsilon", [0.0, 1e-10, 1e-3, 0.5, 1.0, 30.0, 1e4, 1e6])
@pytest.mark.parametrize("log_delta", [-1e6, -1e4, -600.0, -30.0, -1.0, -1e-6])
def test_mu_to_twelve_digits(epsilon, log_delta):
    mu = float(mu_gdp(epsilon, log_delta=log_delta))
    if mu == 0:
        assert epsilon == 0
        assert log_delta < -744
        return
    noise = 4e-16 * abs(log_delta)
    assert exact_log_delta(mu * (1 - 1e-12), epsilon) <= log_delta + noise
    assert exact_log_delta(mu * (1 + 1e-12), epsilon) >= log_delta - noise


def test_reference_values():
    assert mu_gdp(1, 1e-5) == pytest.approx(0.268051123211, rel=1e-11)
    assert mu_gdp(0.5, 1 / 9728) == pytest.approx(0.170086801124, rel=1e-11)
    assert mu_gdp(1, 1 / 11264) == pytest.approx(0.311009115716, rel=1e-11)
    assert delta_gdp(0.5, 1) == pytest.approx(0.00682959498311, rel=1e-11)
    np.testing.assert_allclose(
        delta_gdp([1, 2], [0.5, 3]), [0.238421708135, 0.183813076544], rtol=1e-11
    )
    assert epsilon_gdp(0.464661207208, 1e-5) == pytest.approx(1.83665158725, rel=1e-11)


@given(
    st.floats(-8, 4).map(lambda x: 10**x),
    st.floats(-6, 6).map(lambda x: -(10**x)),
)
def test_epsilon_certifies_and_is_least(mu, log_delta):
    epsilon = epsilon_gdp(mu, log_delta=log_delta)
    assert log_delta_gdp(mu, epsilon) <= log_delta
    if epsilon > 0:
        less = log_delta_gdp(mu, epsilon * (1 - 1e-9))
        # Where delta(0) itself is within rounding of delta, epsilon is not determined.
        assert less > log_delta or less > log_delta - 1e-14 * max(1, -log_delta)


@given(
    st.floats(-8, 6).map(lambda x: 10**x),
    st.floats(-6, 6).map(lambda x: -(10**x)),
)
def test_mu_certifies_and_is_largest(epsilon, log_delta):
    mu = mu_gdp(epsilon, log_delta=log_delta)
    assert log_delta_gdp(mu, epsilon) <= log_delta
    assert log_delta_gdp(mu * (1 + 1e-9), epsilon) > log_delta


def test_epsilon_near_its_zero():
    """Where delta(0) hardly exceeds delta, Newton's steps do not settle and a bracket decides."""
    for mu in (1e-5, 1.0, 8.0):
        log_zero = float(log_delta_gdp(mu, 0.0))
        assert epsilon_gdp(mu, log_delta=log_zero) == 0
        for part in (1e-13, 1e-11, 1e-8):
            target = log_zero - part * max(1.0, -log_zero)
            epsilon = epsilon_gdp(mu, log_delta=target)
            assert epsilon > 0
            assert log_delta_gdp(mu, epsilon) <= target
            less = log_delta_gdp(mu, epsilon * (1 - 1e-9))
            assert less > target - 1e-14 * max(1.0, -log_zero)


def test_monotone_along_fine_grids():
    mu = np.logspace(-8, 4, 20001)
    for epsilon in (0.0, 1e-8, 0.1, 1.0, 100.0, 1e6):
        assert np.diff(log_delta_gdp(mu, epsilon)).min() >= 0
    epsilon = np.logspace(-12, 6, 20001)
    for m in (1e-8, 1e-3, 1.0, 100.0, 1e4):
        delta = delta_gdp(m, epsilon)
        assert np.all(np.diff(delta) <= 1e-14 * delta[1:])


def test_limits():
    assert delta_gdp(0, 0) == 0
    assert log_delta_gdp(0, 1) == -math.inf
    assert delta_gdp(math.inf, 5) == 1
    assert log_delta_gdp(math.inf, 5) == 0
    assert delta_gdp(3, math.inf) == 0
    assert delta_gdp(1e-300, 1.0) > 0
    assert delta_gdp(1e80, 1e150) == 1
    assert epsilon_gdp(1e80, 0.1) == pytest.approx(5e159, rel=1e-12)
    assert epsilon_gdp(0, 0.1) == 0
    assert epsilon_gdp(math.inf, 0.1) == math.inf
    assert epsilon_gdp(1e300, 0.1) == math.inf
    assert mu_gdp(0, np.nextafter(1, 0)) == pytest.approx(16.4, abs=0.3)
    assert mu_gdp(0, 1e-300) == pytest.approx(math.sqrt(2 * math.pi) * 1e-300, rel=1e-12)


def test_broadcasting_gives_the_scalar_values():
    mu, delta = np.array([[0.1], [2.0]]), np.array([1e-5, 1e-2, 0.4])
    grid = epsilon_gdp(mu, delta)
    assert grid.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            assert grid[i, j] == epsilon_gdp(mu[i, 0], delta[j])
    assert isinstance(epsilon_gdp(1, 0.1), float)


def curve_and_inverses(mu, epsilon, delta, log_delta):
    """All that is asked of the curve, of single numbers or of arrays."""
    return [
        delta_gdp(mu, epsilon),
        log_delta_gdp(mu, epsilon),
        epsilon_gdp(mu, delta),
        epsilon_gdp(mu, log_delta=log_delta),
        mu_gdp(epsilon, delta),
        mu_gdp(epsilon, log_delta=log_delta),
    ]


def spread(rng, count):
    """mu, epsilon, delta and log delta: the usual range, one in eight from the whole of it."""
    wide = rng.random(count) < 1 / 8
    mu = 10 ** np.where(wide, rng.uniform(-300, 150, count), rng.uniform(-6, 2, count))
    near = np.abs(mu * (rng.uniform(-9, 37, count) + mu / 2))
    epsilon = np.where(wide, 10 ** rng.uniform(-300, 300, count), np.minimum(near, 1e300))
    delta = 10 ** np.where(wide, rng.uniform(-323, -0.001, count), rng.uniform(-12, -0.3, count))
    return mu, epsilon, delta, -(10 ** rng.uniform(-5, 6, count))


def test_an_answer_does_not_depend_on_its_company(full):
    """In blocks of thousands, alone, a few together, and in another order: the same bits."""
    rng = np.random.default_rng(16)
    columns = spread(rng, 20_000)
    whole = np.array(curve_and_inverses(*columns))
    order = rng.permutation(20_000)[:12_345]
    mixed = np.array(curve_and_inverses(*(c[order] for c in columns)))
    same_bits(mixed, whole[:, order])
    some = order[: 400 if full else 100]
    for i in some.tolist():
        alone = curve_and_inverses(*(float(c[i]) for c in columns))
        same_bits(np.array(alone), whole[:, i], str([c[i] for c in columns]))
    for few in np.split(some, np.arange(7, some.size, 7)):
        several = curve_and_inverses(*(c[few] for c in columns))
        same_bits(np.array(several), whole[:, few])


def test_inverses_are_never_beyond_the_truth():
    """delta at the answers, in 60 digits, at single numbers and in arrays of them."""
    rng = np.random.default_rng(17)
    mu, delta = 10 ** rng.uniform(-6, 2, 120), 10 ** rng.uniform(-12, -0.3, 120)
    epsilon = 10 ** rng.uniform(-4, 4, 120)
    found = epsilon_gdp(mu, delta), mu_gdp(epsilon, delta)
    with mp.workdps(60):
        for m, e, d, eps, largest in zip(mu, epsilon, delta, *found, strict=True):
            assert wide_log_delta(m, eps) <= mp.log(mp.mpf(float(d)))
            assert wide_log_delta(largest, e) <= mp.log(mp.mpf(float(d)))
            if eps > 0:
                assert wide_log_delta(m, eps * (1 - 1e-9)) > mp.log(mp.mpf(float(d)))
            assert wide_log_delta(largest * (1 + 1e-9), e) > mp.log(mp.mpf(float(d)))
