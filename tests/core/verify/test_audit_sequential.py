"""The e-process: an exact e-variable, a wealth that rarely grows under the claim, early stops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.audit import ApproximateDP, EProcess, GaussianDP, claim_of, sequential_test
from verify.audit.bets import best_bet

CLAIMS = [ApproximateDP(0.8, 0.02), GaussianDP(1.0), claim_of(renyi=0.4), ApproximateDP(0.0, 0.0)]
chances = st.floats(0.001, 0.999)


def source(mu, seed):
    rng = np.random.default_rng(seed)
    return lambda n: (rng.normal(size=(n, 1)), rng.normal(size=(n, 1)) + mu)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.describe()["kind"])
@given(p=chances, q=chances, where=chances, depth=chances)
def test_a_bet_expects_at_most_one_under_the_claim(claim, p, q, where, depth):
    """The expectation over the four outcomes, at pairs inside and on the edge of the claim."""
    bet = best_bet(claim, p, q)
    if bet is None:
        return
    assert bet.growth(p, q) > 0
    x, y = np.exp(bet.log_x), np.exp(bet.log_y)
    for b in (float(claim.most(where)), depth * float(claim.most(where))):
        expected = (where * x[1] + (1 - where) * x[0]) * (b * y[1] + (1 - b) * y[0])
        assert expected <= 1 + 1e-8


def test_the_bet_grows_at_the_divergence_from_the_claim():
    """A dense search over the claim's edge finds the same least divergence."""
    claim, p, q = GaussianDP(0.5), 0.3, 0.7
    edge = np.linspace(p, q, 20_001)

    def kl(a, b):
        return a * np.log(a / b) + (1 - a) * np.log((1 - a) / (1 - b))

    least = np.min(kl(p, edge) + kl(q, np.minimum(claim.most(edge), q)))
    assert best_bet(claim, p, q).growth(p, q) == pytest.approx(least, rel=1e-3)


@pytest.mark.parametrize("claim", CLAIMS[:2], ids=lambda c: c.describe()["kind"])
def test_optional_stopping_keeps_the_level(claim, full):
    """Two-point laws on the edge of the claim, stopped at the best moment: at most alpha of the
    runs.

    Expected at most a fifth of them at alpha = 1/5, with 4 standard errors on top.
    """
    runs = 120 if full else 60
    rng = np.random.default_rng(5)
    p = 0.3
    q = float(claim.most(p))
    crossed = 0
    for _ in range(runs):
        process = EProcess(claim)
        for _ in range(6):
            process.update(1.0 * (rng.random((60, 1)) < p), 1.0 * (rng.random((60, 1)) < q))
        crossed += process.log_peak >= math.log(5)
    assert crossed <= 0.2 * runs + 4 * math.sqrt(0.16 * runs)


def test_null_data_are_hardly_ever_refuted(full):
    for seed in range(40 if full else 8):
        found = sequential_test(
            source(0.0, seed), GaussianDP(0.0), alpha=0.01, most=1500, block=150
        )
        assert not found.refuted
        assert found.p_value > 0.01


@pytest.mark.parametrize(
    ("claim", "within"),
    [(GaussianDP(0.8), 8000), (ApproximateDP(0.5, 0.01), 3000), (claim_of(renyi=0.15), 4000)],
)
def test_power_and_early_stopping(claim, within):
    """Gaussians 1 apart at error 1e-6: refuted within so many pairs, and most are never drawn."""
    found = sequential_test(source(1.0, 0), claim, most=40_000)
    assert found.refuted
    assert found.stopped <= within
    assert found.pairs <= found.stopped + 500
    assert found.p_value <= 1e-6


def test_reversed_laws_are_caught_too():
    draw = source(1.0, 0)
    found = sequential_test(lambda n: draw(n)[::-1], GaussianDP(0.7), most=20_000)
    assert found.refuted


def test_the_first_block_is_never_bet_on():
    process = EProcess(GaussianDP(0.1))
    assert (process.update(np.zeros((300, 1)), np.ones((300, 1))) == 0).all()
    assert process.update(np.zeros((300, 1)), np.ones((300, 1)))[-1] > 100


def test_bets_do_not_look_ahead():
    """The wealth after ten pairs is the same whatever the rest of the block holds."""
    rng = np.random.default_rng(0)
    history = [(rng.normal(size=(200, 1)), rng.normal(size=(200, 1)) + 1) for _ in range(3)]
    start, paths = (rng.normal(size=(10, 1)), rng.normal(size=(10, 1)) + 1), []
    for rest in (0.0, 5.0):
        process = EProcess(GaussianDP(0.3))
        for block in history:
            process.update(*block)
        tail = np.full((400, 1), rest)
        paths.append(process.update(np.vstack([start[0], -tail]), np.vstack([start[1], tail])))
    assert paths[0][0] != 0
    np.testing.assert_array_equal(paths[0][:10], paths[1][:10])


def test_refuses_bad_input():
    process = EProcess(GaussianDP(1.0))
    process.update(np.zeros((5, 2)), np.zeros((5, 2)))
    with pytest.raises(ValueError, match="keep their shape"):
        process.update(np.zeros((5, 1)), np.zeros((5, 1)))
    with pytest.raises(ValueError, match="first must be"):
        process.update([math.nan], [0.0])
    with pytest.raises(ValueError, match="alpha must be"):
        sequential_test(source(0, 0), GaussianDP(1.0), alpha=0.0)
    with pytest.raises(ValueError, match="block must be"):
        sequential_test(source(0, 0), GaussianDP(1.0), block=0)
