"""Numbers of sglu with projection, on the line, from the transfer operator."""

import itertools
import math

import numpy as np
import pytest

from simulators.exact import linear_chain
from simulators.exact.gaussian_divergence import hockey_stick_gauss
from simulators.exact.line_divergence import hockey_stick, renyi, total_variation
from simulators.exact.line_winf import winf
from simulators.exact.maps import batch_map, huber, logistic, quadratic
from simulators.exact.transfer import Atoms, Grid, Step, evolve, invariant


def learners(gradients, moved, eta, s, grid):
    """Steps of D and of D', which differ in the last batch only."""
    steps = [Step.make(grid, batch_map(batch, eta), s) for batch in gradients]
    last = Step.make(grid, batch_map(moved, eta), s)
    return steps, [*steps[:-1], last]


def convergent(radius, nodes=200):
    """eta = .8, m = .5, sigma = .3, J = 3, b = 1, d = .1, -.05, -.05 and .25 or -.25 added last."""
    grid = Grid.make(radius, nodes)
    gradients = [[quadratic(0.5, d)] for d in (0.1, -0.05, 0.2)]
    s = math.sqrt(1.6) * 0.3
    old, new = learners(gradients, [quadratic(0.5, -0.3)], 0.8, s, grid)
    start, target = invariant(old), invariant(new)
    return start, evolve(start, new, 1), target


def test_theorem_x_is_exact_when_the_walls_are_far_and_strict_when_near():
    gap = linear_chain.learn_then_unlearn(
        0.6, 0.4, math.sqrt(1.6) * 0.3, 3, 2, learning=math.inf, unlearning=1
    )
    bound = float(gap.renyi(3))
    Z = 0.4 / (1 - 0.6**3)
    start, unlearned, target = convergent(6.0)
    assert renyi(unlearned, target, 3) == pytest.approx(bound, rel=1e-10)
    assert hockey_stick(unlearned, target, 0.1) == pytest.approx(0.0535871590, abs=5e-11)
    assert hockey_stick(target, unlearned, 0.1) == pytest.approx(0.0535871590, abs=5e-11)
    assert hockey_stick_gauss(float(gap.mu), 1, 0, 1, 0.1) == pytest.approx(0.0535871590, abs=5e-11)
    assert winf(start, target) == pytest.approx(Z, rel=1e-10)
    for radius, ratio in ((1.2, 0.920), (0.6, 0.298)):
        start, unlearned, target = convergent(radius)
        assert renyi(unlearned, target, 3) / bound == pytest.approx(ratio, abs=5e-4)
        assert winf(start, target) < Z
        for epsilon in (0.0, 0.1, 0.5):
            delta = hockey_stick_gauss(float(gap.mu), 1, 0, 1, epsilon)
            assert hockey_stick(unlearned, target, epsilon) < delta


@pytest.mark.parametrize(("radius", "ratio"), [(1.2, 0.993), (0.6, 0.901)])
def test_lemma_3_5_nearly_attained_under_projection(radius, ratio):
    start, _, target = convergent(radius)
    assert winf(start, target) / (0.4 / (1 - 0.6**3)) == pytest.approx(ratio, abs=2e-3)


@pytest.mark.parametrize(
    "make",
    [lambda d: logistic(1.0, 1.0 if d > 0 else -1.0, 0.2), lambda d: huber(d, 0.3, 0.2)],
)
def test_theorem_x_bounds_nonlinear_losses(make):
    """Gradient differences are at most 2M = 1 (logistic) and .6 (Huber); c = 1 - eta m = .9."""
    eta, s, J, K = 0.5, 0.35, 2, 1
    twice = 1.0 if make(0.5)(np.zeros(1))[0] == -0.5 else 0.6
    breaks = [x + y for x in (-0.5, 0.5, 0.1) for y in (-0.3, 0.3)]
    grid = Grid.make(1.5, 200, breaks)
    old, new = learners([[make(0.1)], [make(0.5)]], [make(-0.5)], eta, s, grid)
    start, target = invariant(old), invariant(new)
    unlearned = evolve(start, new, K)
    gap = linear_chain.learn_then_unlearn(
        0.9, eta * twice, s, J, 1, learning=math.inf, unlearning=K
    )
    for alpha in (1.5, 4.0):
        assert 0.01 * gap.renyi(alpha) < renyi(unlearned, target, alpha) < gap.renyi(alpha)
    for epsilon in (0.0, 0.2):
        delta = hockey_stick_gauss(float(gap.mu), 1, 0, 1, epsilon)
        assert hockey_stick(unlearned, target, epsilon) < delta


def test_theorem_3_1_mixes_at_the_doeblin_rate():
    """R = 1, s = .8, eta G = .45: kappa = 9.1674e-3."""
    eta, m, d, R, s = 0.4, 0.5, 0.625, 1.0, 0.8
    reach = eta * (m * R + d)

    def doeblin(R, reach, s):
        return (
            2 * R / math.sqrt(2 * math.pi * s * s) * math.exp(-((2 * R + reach) ** 2) / (2 * s * s))
        )

    kappa = doeblin(R, reach, s)
    assert kappa == pytest.approx(9.1674e-3, rel=1e-4)
    assert doeblin(0.5, 0.4, 0.5) == pytest.approx(1.583e-2, rel=1e-3)
    step = [Step.make(Grid.make(R, 60), batch_map([quadratic(m, d)], eta), s)]
    limit = invariant(step)
    distances = np.array(
        [
            max(total_variation(evolve(Atoms.at(x), step, t), limit) for x in (-R, R))
            for t in range(1, 15)
        ]
    )
    powers = np.arange(1, 15)
    assert (distances <= (1 - kappa) ** powers).all()
    assert not (distances <= (1 - 100 * kappa) ** powers).all()
    assert (1 - kappa) ** 14 == pytest.approx(0.879, abs=5e-4)
    assert distances[-1] == pytest.approx(2.5e-4, rel=0.02)
    # Lemma 3.6: W_inf contracts by c at each step of the projected chain.
    gaps = [winf(evolve(Atoms.at(R), step, t), limit) for t in (1, 2, 3)]
    assert all(b <= 0.8 * a for a, b in itertools.pairwise(gaps))


def test_corollary_3_8_counterexample_inside_the_papers_hypotheses():
    """C = [-4, 4], f = x^2/2 - dx, eta = 1/2, sigma = 1, T = 1, alpha = 2 (printed .125, 1e-10)."""
    grid = Grid.make(4.0, 120)
    old, new = ([Step.make(grid, batch_map([quadratic(1.0, d)], 0.5), 1.0)] for d in (0.0, 1.0))
    start = invariant(old)
    target = evolve(start, new, 1)
    for K, unclipped, published, printed in (
        (5, 0.164435, 0.1644306, 0.125),
        (20, 0.186877, 0.1868727, 1.16e-10),
    ):
        unlearned = evolve(start, new, K)
        before = renyi(target.unprojected(), unlearned.unprojected(), 2)
        assert before == pytest.approx(unclipped, abs=5e-7)
        assert renyi(target, unlearned, 2) == pytest.approx(published, abs=5e-8)
        assert renyi(unlearned, target, 2) > printed
        formula = 2 * 8**2 * 4.0**-K / (2 * 0.5)
        assert formula == pytest.approx(printed, rel=5e-3)


def test_corollary_3_10_convex_linear_losses():
    """Means .02 and -.02 +- .06 per step on [-1, 1], s^2 = .1, J = 2, alpha = 2."""
    grid, s = Grid.make(1.0, 120), math.sqrt(0.1)
    old, new = learners(
        [[quadratic(0.0, -0.02)], [quadratic(0.0, 0.08)]], [quadratic(0.0, -0.04)], 1.0, s, grid
    )

    def larger(p, q):
        return max(renyi(p, q, 2), renyi(q, p, 2))

    start, limit = invariant(old), invariant(new)
    exact = [larger(evolve(start, new, K), limit) for K in (1, 4)]
    finite = evolve(evolve(Atoms.at(0.0), old, 5), new, 1)
    exact.append(larger(finite, evolve(Atoms.at(0.0), new, 6)))
    np.testing.assert_allclose(exact, [0.444377, 0.164503, 0.210729], atol=5e-7)
    q, R, J = 0.12, 1.0, 2

    def corrected(K):
        tau = np.arange(200)
        return float(((2 * R + tau * q) ** 2 / (s * s * (tau + K) * J)).min())

    assert corrected(1) == pytest.approx(4.5125, rel=1e-4)
    assert corrected(4) == pytest.approx(3.6486, rel=1e-4)
    assert (5 * q) ** 2 / (s * s * (6 * J - 1)) == pytest.approx(0.3273, rel=1e-4)
    assert (np.array(exact) < [corrected(1), corrected(4), 0.3273]).all()


def test_no_unlearning_epoch_breaks_the_closed_form_for_the_papers_target():
    """c = 1, J = 8, j0 = 7, T = 1, K = 0, R = 1, q = 2, s = 3: D exceeds mu = 4/(3 sqrt 8)."""
    grid = Grid.make(1.0, 60)
    stay, up, down = (Step.make(grid, lambda x, t=t: x + t, 3.0) for t in (0.0, 1.0, -1.0))
    with_point, without = (evolve(Atoms.at(0.0), [stay] * 7 + [end]) for end in (up, down))
    squared = (2 * 1 + 2) ** 2 / (9 * 8)
    ratios = [
        renyi(with_point.unprojected(), without.unprojected(), alpha) / (alpha * squared / 2)
        for alpha in (1.5, 2.0, 3.0, 5.0)
    ]
    np.testing.assert_allclose(ratios, [1.833424, 1.836448, 1.845608, 1.872208], rtol=1e-6)
    published = [renyi(with_point, without, a) / (a * squared / 2) for a in (1.5, 2.0, 3.0)]
    np.testing.assert_allclose(published, [1.353823, 1.290928, 1.140449], rtol=1e-6)
    # One unit of shift in the last noisy step is what X2 allows: mu = q/s.
    assert renyi(with_point.unprojected(), without.unprojected(), 2.0) <= (2 / 3) ** 2
