"""The loop: reproducible trials, starts, runs, requests at the ends, invalid input."""

import numpy as np
import pytest

from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.schedule import DeletionSchedule, transport
from simulators.data.synthetic import two_gaussians
from simulators.domains import Ball
from simulators.engine.initial import gaussian
from simulators.losses.logistic import Logistic
from simulators.online.deletions import NAMES, deletions
from simulators.online.learners import run
from simulators.online.linear import Linear
from simulators.online.quadratics import Quadratics
from simulators.online.requests import Restart
from simulators.online.rows import Rows
from simulators.online.steps import Adaptive, LeastAdaptiveNoise, inverse_time
from tests.equality import same_bits

ROWS = Rows.of(Logistic(0.2), two_gaussians(40, 3, seed=4), Ball(1.0))
REQUESTS = DeletionSchedule([5, 11], [20, 30])
SETTINGS = {"steps": inverse_time(0.2), "sigmas": 0.3, "seed": 3}


def test_fewer_trials_are_a_prefix_and_runs_do_not_disturb_each_other():
    long = run(ROWS, REQUESTS, trials=300, block=128, **SETTINGS)
    short = run(ROWS, REQUESTS, trials=130, block=128, runs=(0,), **SETTINGS)
    same_bits(long.published[0, :130], short.published[0])
    same_bits(long.regret[:130], short.regret)
    assert len(np.unique(long.regret)) == 300


def test_blocks_are_near_the_number_of_trials_and_touch_last_digits_only():
    many, few = (run(ROWS, REQUESTS, trials=n, **SETTINGS) for n in (5000, 100))
    assert [found.settings["block"] for found in (many, few)] == [4096, 128]
    assert many.final[:, :100] == pytest.approx(few.final, abs=1e-14)


def test_seeds_and_claims_give_other_numbers():
    settings = {**SETTINGS, "trials": 5}
    first = run(ROWS, REQUESTS, **settings).regret
    same_bits(first, run(ROWS, REQUESTS, **settings).regret)
    assert (first != run(ROWS, REQUESTS, **{**settings, "seed": 4}).regret).all()
    assert (first != run(ROWS, REQUESTS, claim=1, **settings).regret).all()


def test_a_run_that_cannot_differ_is_computed_once():
    settings = {**SETTINGS, "sigmas": 0.0}
    many = run(ROWS, REQUESTS, trials=7, **settings)
    one = run(ROWS, REQUESTS, trials=1, block=64, **settings)
    assert many.settings["block"] == 1
    assert many.final.shape == (2, 7, 3)
    assert many.final[:, 6] == pytest.approx(one.final[:, 0], rel=1e-13)
    assert many.mean_regret()[1] == 0.0


def test_starts_are_given_drawn_and_projected():
    each = np.random.default_rng(0).normal(size=(4, 3)) * 0.3
    found = run(ROWS, DeletionSchedule(1, 2), steps=1e-9, initial=each, trials=4, runs=(1,))
    assert found.published[0, :, 0] == pytest.approx(each, abs=1e-15)
    drawn = run(ROWS, steps=1e-12, initial=gaussian(1.0), trials=500).final[0]
    norms = np.linalg.norm(drawn, axis=1)
    assert norms.max() <= 1 + 1e-12
    assert 0.5 < (norms > 1 - 1e-9).mean() < 0.95


def test_requests_after_the_last_round_and_at_one_moment():
    request = DeletionSchedule([1, 2, 3], [41, 41, 41])
    found = run(ROWS, request, trials=3000, **SETTINGS)
    assert (found.published[:, :, 2] == found.final).all()
    assert found.comparator_losses == pytest.approx(
        ROWS.losses(_points(found.comparators[:1]), slice(0, 40))[0].numpy()
    )
    assert found.regret == pytest.approx(found.constant_regret)
    free = Linear(np.zeros(4))
    twice = run(free, DeletionSchedule([1, 2], [3, 3]), steps=1.0, sigmas=[3.0, 4.0],
                trials=4000, compare=False).final[0, :, 0]  # fmt: skip
    assert twice.std() == pytest.approx(5.0, rel=5 / np.sqrt(8000))


def test_regret_is_counted_against_the_comparator_in_force():
    """z_{i(t)}* with i(t) = #{i: tau_i < t}: the round of the request still has the old one."""
    x = np.random.default_rng(3).normal(size=12)
    stream, request = Quadratics(x), DeletionSchedule([2, 4], [5, 5])
    found = run(stream, request, steps=inverse_time(1.0))
    stars = [x.mean(), np.delete(x, 1).mean(), np.delete(x, [1, 3]).mean()]
    against = np.r_[np.full(5, stars[0]), np.full(7, stars[2])]
    assert found.comparators[:, 0] == pytest.approx(stars)
    assert found.comparator_losses == pytest.approx((against - x) ** 2 / 2)
    assert found.regret[0] == pytest.approx(found.losses[0].sum() - ((against - x) ** 2 / 2).sum())
    fixed = ((stars[0] - x) ** 2 / 2).sum()
    assert found.constant_regret[0] == pytest.approx(found.losses[0].sum() - fixed)


def test_losses_are_kept_only_where_asked_or_small():
    assert run(ROWS, steps=0.1, keep_losses=False).losses is None
    found = run(ROWS, steps=0.1, keep_gradients=True)
    assert found.losses.shape == found.squared_gradients.shape == (1, 40)
    assert found.total_loss[0] == pytest.approx(found.losses.sum())


def test_progress_and_interruption():
    seen = []
    run(ROWS, REQUESTS, trials=130, block=64, progress=lambda *x: seen.append(x), **SETTINGS)
    assert seen[-1] == (120, 120)
    assert seen == sorted(seen)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(ROWS, REQUESTS, progress=stop, **SETTINGS)


def _points(array):
    import torch

    return torch.tensor(array)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("rounds", "k", "first"), [(50, 7, 1), (50, 7, 12), (9, 8, 1), (9, 4, 5)])
def test_schedules_fit(name, rounds, k, first):
    descent = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))
    schedule = deletions(name, rounds, k, first=first, descent=descent)
    if name == "none":
        assert schedule is None
        return
    u, tau = schedule.indices, schedule.times
    assert len(u) == len(np.unique(u)) == k
    assert u.min() >= first
    assert tau.max() <= rounds
    assert (u <= tau - 1).all()
    again = deletions(name, rounds, k, first=first, descent=descent)
    assert (again.indices == u).all()
    moments = {"simultaneous": 1, "adversarial": 1, "bursts": min(3, k)}
    assert len(np.unique(tau)) <= moments.get(name, k)


@pytest.mark.parametrize("steps", [inverse_time(1.0), 0.1, 0.5, inverse_time(0.5)])
def test_adversarial_deletions_reach_the_largest_shift(steps):
    """Against every choice of k = 2 losses at every moment, T = 9."""
    from itertools import combinations

    descent = OnlineDescent(1.0, 4.0, 1.0, steps)
    found = transport(descent, deletions("adversarial", 9, 2, descent=descent)).totals[-1]
    best = max(
        transport(descent, DeletionSchedule(pair, [tau, tau])).totals[-1]
        for tau in range(3, 10)
        for pair in combinations(range(1, tau), 2)
    )
    assert found == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"stream": 3}, "stream"),
        ({"steps": 0.0}, "step_size"),
        ({"steps": [0.1] * 39}, "step_size"),
        ({"steps": lambda t: np.nan * t}, "step_size"),
        ({"sigmas": -1.0}, "sigmas"),
        ({"sigmas": [1.0]}, "sigmas"),
        ({"sigmas": LeastAdaptiveNoise(1.0, 1.0)}, "sigmas"),
        ({"requests": [1, 2]}, "requests"),
        ({"requests": DeletionSchedule(1, 42)}, "times"),
        ({"requests": DeletionSchedule(41, 41, "A")}, "times"),
        ({"unlearner": Restart}, "unlearner"),
        ({"runs": (3,)}, "runs"),
        ({"runs": ()}, "runs"),
        ({"projection": "never"}, "projection"),
        ({"sums": "tree"}, "sums"),
        ({"step_noise": np.inf}, "step_noise"),
        ({"initial": np.zeros(2)}, "initial"),
        ({"trials": 0}, "trials"),
        ({"seed": -1}, "seed"),
        ({"compare": 1}, "compare"),
        ({"device": "tpu"}, "device"),
        ({"block": 0}, "block"),
        ({"threads": 0}, "threads"),
    ],
)
def test_invalid_input(arguments, message):
    settings = {"stream": ROWS, "requests": REQUESTS, **SETTINGS, **arguments}
    with pytest.raises(ValueError, match=message):
        run(settings.pop("stream"), settings.pop("requests"), **settings)


def test_runaway_iterates_are_refused():
    with pytest.raises(ValueError, match="finite"):
        run(Quadratics(np.ones(400), 10.0), steps=1e3)
    with pytest.raises(ValueError, match="diameter"):
        Adaptive(np.inf)
    for arguments in (("late", 9, 9), ("sometimes", 9, 1), ("late", 0, 1), ("random", 9, 0)):
        with pytest.raises(ValueError, match="must be"):
            deletions(*arguments)
    with pytest.raises(ValueError, match="descent"):
        deletions("adversarial", 9, 1)
