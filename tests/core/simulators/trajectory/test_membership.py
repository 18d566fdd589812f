"""Attacks, their controls, and the Gaussian mean in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from simulators.trajectory.membership import (
    Shadows,
    auc,
    gaussian_mean_auc,
    loss_scores,
    mini_mean_weights,
    rates,
    shadow_models,
)
from tests.equality import same_bits

SMALL = st.lists(st.integers(-3, 3), min_size=1, max_size=12)


@given(members=SMALL, others=SMALL)
def test_auc_counts_pairs(members, others):
    a, b = np.array(members), np.array(others)
    wins = (a[:, None] > b).sum() + 0.5 * (a[:, None] == b).sum()
    assert auc(a, b) == pytest.approx(wins / (len(a) * len(b)), rel=1e-12)
    assert auc(a, b) + auc(b, a) == pytest.approx(1.0)


def test_rates():
    found = rates([3, 2, 0], [1, 2.5, -1, -1, 0], 1.5)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.false_positive_rate == pytest.approx(1 / 5)
    assert found.prevalence == pytest.approx(3 / 8)
    assert found.advantage == pytest.approx(7 / 15)
    assert rates([0.0], [0.0], 5.0).precision is None
    assert rates([0.0], [1.0], 0.5).advantage == 1.0
    with pytest.raises(ValueError, match="members must be"):
        auc([], [1.0])
    with pytest.raises(ValueError, match="others must be"):
        auc([1.0], [np.nan])


REFERENCE = [  # n, forgotten, d, r, k; normal limit for forgotten and kept points
    (50, 5, 200, 0.9, 0, 0.9203152263, 0.9203152263),
    (50, 5, 200, 0.9, 10, 0.6849550139, 0.9297539992),
    (50, 5, 200, 0.9, 50, 0.5027598891, 0.9308959333),
    (1000, 100, 2000, 0.99995, 10, 0.8411633372, 0.8412976979),
]


@pytest.mark.parametrize(("n", "u", "d", "r", "k", "gone", "kept"), REFERENCE)
def test_the_gaussian_mean_after_mini(n, u, d, r, k, gone, kept):
    """mini.kpriv: the printed formula is the normal limit, with the point's own weight twice."""
    weights = mini_mean_weights(n, u, r, k)
    assert weights[0] == pytest.approx(r**k / n, rel=1e-12)
    assert u * weights[0] + (n - u) * weights[1] == pytest.approx(1.0, rel=1e-12)
    total = u * weights[0] ** 2 + (n - u) * weights[1] ** 2
    for a, expected in zip(weights, (gone, kept), strict=True):
        limit = norm.cdf(a * np.sqrt(d) / np.sqrt(2 * total + a**2))
        assert limit == pytest.approx(expected, rel=1e-9)
        exact = gaussian_mean_auc(a, total - a**2, d)
        assert exact == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(("weights", "d"), [((0.5, 0.3, 0.2), 3), ((0.05,) * 20, 10), ((1.0,), 2)])
def test_the_closed_form_against_simulation(weights, d):
    """Student's law, to five standard errors; 20,000 problems."""
    random, trials = np.random.default_rng(d), 20_000
    x = random.standard_normal((trials, len(weights), d))
    w = np.einsum("i,tid->td", np.array(weights), x)
    fresh = random.standard_normal((trials, d))
    wins = (x[:, 0] * w).sum(axis=1) > (fresh * w).sum(axis=1)
    exact = gaussian_mean_auc(weights[0], np.square(weights[1:]).sum(), d)
    assert abs(wins.mean() - exact) < 5 * np.sqrt(exact * (1 - exact) / trials)


def test_more_steps_leave_less_of_the_forgotten_point():
    """mini.kpriv: the AUC on forgotten points falls with k, to 1/2; retraining gives it at once."""
    found = []
    for k in range(0, 200, 10):
        a, b = mini_mean_weights(50, 5, 0.9, k)
        found.append(float(gaussian_mean_auc(a, 4 * a**2 + 45 * b**2, 200)))
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.9
    assert found[-1] == pytest.approx(0.5, abs=1e-6)
    assert gaussian_mean_auc(0.0, 45 / 45**2, 200) == pytest.approx(0.5, rel=1e-12)
    with pytest.raises(ValueError, match="weight must be > 0 where others_square is 0"):
        gaussian_mean_auc(0.0, 0.0, 3)
    with pytest.raises(ValueError, match="forgotten must be"):
        mini_mean_weights(5, 5, 0.9, 1)


def test_exact_retraining_is_the_control(problems):
    """Over many random forget sets: AUC 1/2 and precision = prevalence, for a retrained model."""
    random, d, n, u, trials = np.random.default_rng(0), 40, 12, 4, 3000
    areas, hits, false = [], 0, 0
    for _ in range(trials):
        x = random.standard_normal((n, d))
        gone = random.permutation(n)[:u]
        retrained = np.delete(x, gone, axis=0).mean(axis=0)
        fresh = random.standard_normal((2 * u, d))
        inside, outside = x[gone] @ retrained, fresh @ retrained
        areas.append(auc(inside, outside))
        hits += (inside > 0.5).sum()
        false += (outside > 0.5).sum()
    assert abs(np.mean(areas) - 0.5) < 5 * np.std(areas) / np.sqrt(trials)
    precision, accused = hits / (hits + false), hits + false
    assert abs(precision - 1 / 3) < 6 * np.sqrt(2 / 9 / accused)


@given(
    losses=st.lists(st.integers(0, 6), min_size=6, max_size=6),
    inside=st.lists(st.booleans(), min_size=6, max_size=6).filter(lambda m: 0 < sum(m) < 6),
)
def test_the_threshold_is_the_best_of_all_cuts(losses, inside):
    """Against every cut between, above and below the scores."""
    held, member = np.array(losses, dtype=float), np.array(inside)
    shadows = Shadows(held.reshape(2, 3), member.reshape(2, 3))
    members, others = -held[member], -held[~member]

    def gain(cut):
        found = rates(members, others, cut)
        return found.recall - found.false_positive_rate

    best = max(gain(cut) for cut in np.arange(-7, 1) + 0.5 if (-held > cut).any())
    assert gain(shadows.threshold()) == pytest.approx(best, abs=1e-12)


def test_a_shadow_attack_needs_members_and_others():
    with pytest.raises(ValueError, match="member must have True and False"):
        Shadows(np.zeros((2, 2)), np.ones((2, 2), dtype=bool)).threshold()


def test_shadow_models_and_likelihood_ratios(problems):
    """Members of the attacked model score higher than others; half the rows are in each shadow."""
    problem = problems.logistic(n=24, d=30, ridge=0.01, batch=24, epochs=40, step=1.0)
    shadows = shadow_models(problem.model, problem.training, 24, seed=1)
    assert (shadows.member.sum(axis=1) == 12).all()
    inside = np.random.default_rng(99).permutation(24)[:12]
    outside = np.setdiff1d(np.arange(24), inside)
    w = problem.training.run(problem.model, outside, "mean").last
    losses = -loss_scores(problem.model, w, np.arange(24))
    scores = shadows.likelihood_ratios(losses)
    assert auc(scores[inside], scores[outside]) > 0.9
    assert auc(-losses[inside], -losses[outside]) > 0.9
    attack = rates(-losses[inside], -losses[outside], shadows.threshold())
    assert attack.recall > 0.8
    assert attack.precision >= 0.8
    again = shadow_models(problem.model, problem.training, 24, seed=1)
    same_bits(again.losses, shadows.losses)
    row, member = 3, shadows.member[:, 3]
    expected = sum(
        sign * norm.logpdf(losses[row], part.mean(), part.std(ddof=1))
        for sign, part in ((1, shadows.losses[member, row]), (-1, shadows.losses[~member, row]))
    )
    assert scores[row] == pytest.approx(expected, rel=1e-9)
    few = Shadows(shadows.losses[:2], shadows.member[:2])
    with pytest.raises(ValueError, match="shadows must be enough"):
        few.likelihood_ratios(losses)
