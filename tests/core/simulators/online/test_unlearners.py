"""Unlearners: exactness, contraction, printed errors, gradient counts, and private baselines."""

import numpy as np
import pytest

from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.schedule import DeletionSchedule, transport
from simulators.data.synthetic import regression, two_gaussians
from simulators.domains import Ball, Box
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.online.learners import run
from simulators.online.linear import Linear
from simulators.online.named import ALGORITHMS, algorithm
from simulators.online.noise import active_noise, descent_on, newton_noise, passive_noise
from simulators.online.private import one_pass_noise, tree_noise
from simulators.online.quadratics import Quadratics
from simulators.online.requests import Descent, Newton, Restart, Retrain
from simulators.online.rows import Rows
from simulators.online.steps import Adaptive, LeastAdaptiveNoise, inverse_root, inverse_time
from tests.equality import same_bits

ROWS = Rows.of(Logistic(0.2), two_gaussians(80, 3, seed=4), Ball(1.0))
REQUESTS = DeletionSchedule([5, 31, 2], [30, 60, 60])
STEPS = inverse_time(0.2)


@pytest.mark.parametrize(
    ("stream", "steps", "requests"),
    [
        (ROWS, STEPS, DeletionSchedule([25, 31, 26], [30, 60, 60])),
        (ROWS, inverse_root(2.0, 3.0), DeletionSchedule([5, 31, 2], [30, 60, 81])),
        (Rows.of(LogCosh(0.3), regression(80, 3), Box(-1.0, 1.0)), 0.05, REQUESTS),
        (Rows.of(Huber(0.0, threshold=0.1), regression(80, 3), Ball(0.5)), 0.3, REQUESTS),
    ],
)
def test_coupled_runs_are_within_the_transported_shift(stream, steps, requests):
    """S_i >= the distance of the runs with and without u_1..u_i, for every trial and i."""
    totals = transport(descent_on(stream, steps), requests).totals
    found = run(stream, requests, steps=steps, sigmas=0.2, trials=64, runs=range(4))
    for i in range(1, 4):
        distances = found.distances(i)[:, i - 1]
        assert distances.max() <= totals[i - 1] * (1 + 1e-12)
        assert distances.max() > 1e-4 * totals[i - 1]


def test_linear_losses_attain_the_shift_and_skipping_the_wrong_index_does_not():
    stream = Linear(np.r_[np.zeros(4), 1.0, np.zeros(15)])
    request = DeletionSchedule(5, 12)
    found = run(stream, request, steps=0.25, compare=False)
    assert found.distances()[0, 0] == 0.25
    other = run(stream, DeletionSchedule(6, 12), steps=0.25, compare=False)
    assert other.distances()[0, 0] == 0.0


@pytest.mark.parametrize("convention", ["A", "B", "C"])
def test_conventions_use_the_loss_and_the_step_they_say(convention):
    """f_u first appears in z_u (A), or in z_{u+1} with eta_{u+1} (B) or eta_u (C)."""
    eta = 1.0 / np.arange(1, 12)
    slopes = np.random.default_rng(0).normal(size=10)
    z = [0.0]
    for t in range(1, 11):
        z.append(
            z[-1] - {"A": eta[t - 1], "B": eta[t], "C": eta[t - 1]}[convention] * slopes[t - 1]
        )
    # z[j] holds the first j losses: published at tau is z[tau] in A, z[tau - 1] in B and C.
    request = DeletionSchedule(2, 6, convention)
    found = run(Linear(slopes), request, steps=eta, compare=False)
    assert found.published[0, 0, 0, 0] == pytest.approx(z[6 if convention == "A" else 5])
    played = z[1:] if convention == "A" else z[:10]
    assert found.losses[0] == pytest.approx(np.array(played) * slopes)
    shift = {"A": eta[1], "B": eta[2], "C": eta[1]}[convention] * slopes[1]
    assert found.distances()[0, 0] == pytest.approx(abs(shift))


def test_retraining_is_the_run_without_the_losses_bit_for_bit():
    found = run(ROWS, REQUESTS, steps=STEPS, unlearner=Retrain(), runs=range(4))
    plain = run(ROWS, REQUESTS, steps=STEPS, runs=range(4))
    for i in range(1, 4):
        same_bits(found.published[0, 0, i - 1], plain.published[i, 0, i - 1])
    assert (found.published[0, 0, 0] != plain.published[0, 0, 0]).any()
    assert found.gradient_evaluations == {"learn": 80, "retrain": 28 + 57 + 56}
    adaptive = {"steps": Adaptive(2.0, shared=False), "runs": (0, 3)}
    one = run(ROWS, REQUESTS, unlearner=Retrain(), **adaptive)
    two = run(ROWS, REQUESTS, **adaptive)
    same_bits(one.published[0, 0, 2], two.published[1, 0, 2])


def test_restarting_forgets_everything_and_starts_the_steps_again():
    start = np.array([0.1, 0.2, -0.1])
    found = run(ROWS, REQUESTS, steps=STEPS, unlearner=Restart(), initial=start)
    assert (found.published == start).all()
    tail = Rows(Logistic(0.2), ROWS.rows[59:], domain=Ball(1.0))
    again = run(tail, steps=STEPS, initial=start)
    same_bits(found.final[0], again.final[0])
    assert found.gradient_evaluations == {"learn": 80}


def test_active_descent_contracts_isotropic_quadratics_not_at_all_and_others_by_rho():
    """On (h/2)|z - x|^2 with mu = h_min, beta = h_max, mean curvature c: factor |1 - 2c/(mu+beta)|;
    with every retained curvature mu it is rho^I exactly."""
    points = np.random.default_rng(1).normal(size=20)
    h = np.r_[3.0, np.ones(19)]
    stream = Quadratics(points, h)
    request = DeletionSchedule(1, 12)
    plain = run(stream, request, steps=inverse_time(1.0), runs=(0,))
    kept = points[1:11].mean()
    for steps in (0, 1, 4):
        found = run(stream, request, steps=inverse_time(1.0), unlearner=Descent(steps), runs=(0,))
        before = plain.published[0, 0, 0, 0] - kept
        after = found.published[0, 0, 0, 0] - kept
        assert after == pytest.approx(0.5**steps * before, rel=1e-12)
        assert found.gradient_evaluations["unlearn"] == steps * 10
    slow = run(
        stream,
        request,
        steps=inverse_time(1.0),
        unlearner=Descent.printed(stream, 0, 4),
        runs=(0,),
    )
    assert slow.published[0, 0, 0, 0] - kept == pytest.approx(0.75**4 * before, rel=1e-12)


def test_descending_the_printed_sum_diverges():
    stream = Quadratics(np.r_[np.zeros(5), 1.0, np.zeros(20)])
    mean, total = (
        run(
            stream,
            DeletionSchedule(6, 7),
            steps=inverse_time(1.0),
            runs=(0,),
            unlearner=Descent.printed(stream, 0, 8, mean=flag),
        ).published[0, 0, 0, 0]
        for flag in (True, False)
    )
    assert abs(total) == pytest.approx(1.5**8 / 6, rel=1e-12)
    assert abs(mean) == pytest.approx(0.5**8 / 6, rel=1e-12)


def test_newton_is_exact_on_quadratics_and_the_printed_sign_is_wrong():
    stream = Quadratics([0.0, 0.0, 0.0, 1.0, 0.0])
    found = {
        form: run(
            stream,
            DeletionSchedule(4, 5),
            steps=inverse_time(1.0),
            unlearner=Newton(form),
            runs=(0,),
        )
        for form in ("retained", "removed", "printed")
    }
    at = {form: result.published[0, 0, 0, 0] for form, result in found.items()}
    assert at == {"retained": 0.0, "removed": 0.0, "printed": 0.5}
    assert found["retained"].gradient_evaluations == {"learn": 5, "unlearn": 6}


def test_newton_squares_the_distance_to_the_retained_minimiser():
    from simulators.online.comparators import comparators

    data = regression(60, 3)
    stream = Rows.of(LogCosh(0.2), data, Ball(5.0))
    prefix = Rows.of(LogCosh(0.2), data, Ball(5.0), rounds=40)
    (best,) = comparators(prefix, [7])[1:]
    c = stream.constants
    gaps = []
    for unlearner in (Descent(0), Newton()):
        result = run(
            stream,
            DeletionSchedule(7, 41),
            steps=inverse_time(0.2),
            unlearner=unlearner,
            runs=(0,),
        )
        gaps.append(np.linalg.norm(result.published[0, 0, 0] - best))
    assert gaps[1] <= c.hessian_lipschitz / (2 * c.strong_convexity) * gaps[0] ** 2
    assert 0 < gaps[1] < 0.2 * gaps[0]


@pytest.mark.parametrize("indices", [[5, 31, 60], [5, 29, 3]], ids=["ordered", "interleaved"])
@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 3), (2, 3), (5, 0)])
def test_active_runs_are_within_the_shifts_behind_the_noise(first, second, indices):
    """S_i of the noise, reassembled from V_i = S_i^2/(2 rho), bounds the coupled distance."""
    requests = DeletionSchedule(indices, [30, 60, 70])
    rho = 0.5
    sigmas = active_noise(ROWS, requests, STEPS, rho, first=first, second=second)
    moved = transport(descent_on(ROWS, STEPS), requests)
    c = ROWS.constants
    r = (c.smoothness - c.strong_convexity) / (c.smoothness + c.strong_convexity)
    found = run(
        ROWS,
        requests,
        steps=STEPS,
        sigmas=sigmas,
        unlearner=Descent(second, first),
        trials=32,
        runs=range(4),
    )
    variance = 0.0
    for i in range(1, 4):
        factor = r ** (first + second) * moved.factors[i - 1]
        variance = sigmas[i - 1] ** 2 + factor**2 * variance
        bound = np.sqrt(2 * rho * variance)
        assert found.distances(i)[:, i - 1].max() <= bound * (1 + 1e-9)


def test_active_noise_by_hand():
    """L/(mu m) (2 i (1 - rho^{I_1}) + rho^{I_1}) rho^{I_2}, with 1/(mu t) steps and beta = 3 mu."""
    stream = Quadratics(np.r_[np.ones(99), 0.0], np.r_[np.ones(99), 3.0], Box(0.0, 1.0))
    L = stream.constants.lipschitz
    sigma = active_noise(stream, DeletionSchedule(4, 41), inverse_time(1.0), 1.0, first=7, second=7)
    shift = 0.5**7 * L / 40 * (2 * (1 - 0.5**7) + 0.5**7)
    assert sigma[0] == pytest.approx(shift / np.sqrt(2.0), rel=1e-12)
    zero = active_noise(stream, DeletionSchedule(4, 41), inverse_time(1.0), 1.0, second=0)
    assert zero == pytest.approx(
        least_deletion_noise(descent_on(stream, inverse_time(1.0)), DeletionSchedule(4, 41), 1.0)
    )


def test_newton_noise_covers_coupled_runs():
    data = regression(80, 3)
    stream = Rows.of(LogCosh(0.5), data, Ball(5.0))
    sigmas = newton_noise(stream, REQUESTS, 0.5, first=10)
    found = run(
        stream,
        REQUESTS,
        steps=inverse_time(0.5),
        sigmas=sigmas,
        trials=16,
        runs=range(4),
        unlearner=Newton("retained", 10),
    )
    for i in range(1, 4):
        assert found.distances(i)[:, i - 1].max() <= sigmas[i - 1] * (1 + 1e-9)
    assert newton_noise(Quadratics(np.ones((9, 2)), domain=Ball(1.0)), DeletionSchedule(1, 5), 1.0,
                        first=0)[0] == 0.0  # fmt: skip


def test_the_projection_follows_the_noise_unless_printed():
    settings = {"steps": 0.1, "sigmas": 5.0, "trials": 200, "runs": (0,)}
    stream, request = Linear(np.zeros((5, 2)), domain=Ball(1.0)), DeletionSchedule(1, 3)
    inside = np.linalg.norm(run(stream, request, **settings).published[0, :, 0], axis=1)
    outside = np.linalg.norm(
        run(stream, request, projection="before", **settings).published[0, :, 0], axis=1
    )
    assert inside.max() <= 1 + 1e-12
    assert outside.max() > 5


def test_adaptive_steps_and_their_noise():
    """eta_t = D/sqrt(p(t)); sigma_i^2 = a_i (a_i + 2 S_{i-1})/(2 rho), a repeated index shifting
    nothing."""
    slopes = np.array([3.0, -4.0, 0.0, 12.0, 5.0])
    requests = DeletionSchedule([2, 4, 4], [3, 5, 6])
    noise = LeastAdaptiveNoise(12.0, 0.5)
    found = run(
        Linear(slopes),
        requests,
        steps=Adaptive(2.0),
        sigmas=noise,
        compare=False,
        keep_gradients=True,
        trials=4000,
        runs=(0,),
    )
    assert (found.squared_gradients == slopes**2).all()
    eta = 2.0 / np.sqrt(np.cumsum(slopes**2))
    a, b = eta[1] * 12, eta[3] * 12
    assert found.noise_variance == pytest.approx(a * a + b * (b + 2 * a), rel=1e-12)
    drift = -(eta[0] * 3 - eta[1] * 4)
    sample = found.published[0, :, 0, 0] - drift
    assert abs(sample.mean()) < 5 * a / np.sqrt(4000)
    assert sample.std() == pytest.approx(a, rel=5 / np.sqrt(8000))
    flat = run(Linear(np.zeros(3)), steps=Adaptive(1.0), compare=False)
    assert flat.final[0, 0, 0] == 0.0


def test_both_runs_step_with_the_learners_sizes():
    slopes = np.array([3.0, 4.0, 1.0, 1.0])
    request = DeletionSchedule(1, 4)
    shared, own = (
        run(Linear(slopes), request, steps=Adaptive(1.0, flag), compare=False).published[:, 0, 0, 0]
        for flag in (True, False)
    )
    eta = 1 / np.sqrt(np.cumsum(slopes**2))
    assert shared == pytest.approx([-(eta[:3] @ slopes[:3]), -(eta[1:3] @ slopes[1:3])])
    alone = 1 / np.sqrt(np.cumsum(slopes[1:3] ** 2))
    assert own[1] == pytest.approx(-(alone @ slopes[1:3]))


def test_tree_noise_has_the_variance_of_the_bits_set():
    """Lazy steps on zero losses: w_{t+1} = -eta Z_t, Var Z_t = s^2 popcount(t), to 5 sigma."""
    request = DeletionSchedule(np.ones(16, dtype=int), np.arange(2, 18))
    found = run(
        Linear(np.zeros(16)),
        request,
        steps=1.0,
        step_noise=0.5,
        sums="lazy",
        trials=20_000,
        runs=(0,),
        compare=False,
    )
    z = found.published[0, :, :, 0]
    bits = np.array([t.bit_count() for t in range(1, 17)])
    assert z.var(axis=0) == pytest.approx(0.25 * bits, rel=5 * np.sqrt(2 / 20_000))
    # Z_7 = node(4) + node(2) + node(1) shares node(4) with Z_5, and nothing with Z_8.
    covariance = np.cov(z[:, 6], z[:, 4])[0, 1]
    assert covariance == pytest.approx(0.25, abs=5 * 0.25 * np.sqrt(7 / 20_000))
    assert abs(np.cov(z[:, 6], z[:, 7])[0, 1]) < 5 * 0.25 * np.sqrt(3 / 20_000)


def test_following_the_regularised_leader_without_noise_is_online_descent():
    stream = Rows(Logistic(0.2), ROWS.rows)
    one = run(stream, steps=STEPS, compare=False)
    two = run(stream, steps=STEPS, sums="mean", compare=False)
    assert two.losses == pytest.approx(one.losses, rel=1e-12)


def test_one_pass_noise_costs_what_it_is_said_to():
    """Running means with s on every gradient: extra regret k d L^2/(4 eps mu) H_{T-1}, to 5 sigma,
    and a removed loss keeps its noise."""
    T, trials = 60, 20_000
    points = np.random.default_rng(2).uniform(-0.5, 0.5, (T, 2))
    stream = Quadratics(points)
    s = one_pass_noise(1.0, 3, 0.7)
    assert s**2 == pytest.approx(3 / 1.4)
    settings = {"steps": inverse_time(1.0), "initial": points[0]}
    calm = run(stream, **settings).regret[0]
    noisy = run(stream, step_noise=s, trials=trials, **settings)
    mean, error = noisy.mean_regret()
    exact = s * s * 2 / 2 * (1 / np.arange(1, T)).sum()
    assert abs(mean - calm - exact) < 5 * error
    pair = run(stream, DeletionSchedule(5, 9), step_noise=s, trials=50, **settings)
    before = run(stream, DeletionSchedule(4, 5), step_noise=s, trials=50, **settings)
    gap = points[4] - before.published[0, :, 0]
    assert pair.distances()[:, 0] == pytest.approx(np.linalg.norm(gap, axis=1) / 8, rel=1e-9)


def test_tree_noise_of_one_and_of_many_removals():
    assert tree_noise(2.0, 1, 0.5, 16) == pytest.approx(2.0 * np.sqrt(5.0))
    assert tree_noise(1.0, 1, 0.5, 15) == pytest.approx(np.sqrt(4.0))
    assert tree_noise(1.0, 4, 0.5, 16) == pytest.approx(np.sqrt(4 * (1 + 2 + 4 + 4 + 4)))


def test_no_removal_shifts_the_nodes_of_the_tree_by_more():
    """sum_v n_v^2 over all sets of k of 12 rounds, by enumeration; attained for k = 1."""
    from itertools import combinations

    T = 12
    spans = [range(t - (t & -t) + 1, t + 1) for t in range(1, T + 1)]
    for k in (1, 2, 3, 4):
        worst = max(
            sum(len(set(chosen) & set(span)) ** 2 for span in spans)
            for chosen in combinations(range(1, T + 1), k)
        )
        bound = tree_noise(1.0, k, 0.5, T) ** 2
        assert worst <= bound + 1e-9
        if k == 1:
            assert worst == pytest.approx(bound)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("printed", [False, True])
def test_algorithms_by_name_run(name, printed):
    requests = DeletionSchedule([5, 31], [30, 60])
    settings = algorithm(name, ROWS, requests, STEPS, rho=0.5, first=3, printed=printed)
    found = run(ROWS, requests, trials=8, **settings)
    assert np.isfinite(found.regret).all()
    exact = name in ("restart", "retrain")
    assert (found.noise_variance == 0) == (exact or name in ("dp", "tree"))


def test_printed_and_passive_noise():
    sigma = passive_noise(ROWS, REQUESTS, STEPS, 0.5)
    assert sigma == pytest.approx(least_deletion_noise(descent_on(ROWS, STEPS), REQUESTS, 0.5))
    assert isinstance(passive_noise(ROWS, REQUESTS, Adaptive(2.0), 0.5), LeastAdaptiveNoise)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: active_noise(ROWS, REQUESTS, STEPS, 1.0, second=-1), "second must be"),
        (lambda: active_noise(ROWS, DeletionSchedule(1, 2, "A"), STEPS, 1.0, second=1), "conven"),
        (lambda: newton_noise(Linear([1.0], domain=Ball(1.0)), REQUESTS, 1.0, first=1), "strong"),
        (lambda: descent_on(ROWS, Adaptive(1.0)), "steps"),
        (lambda: descent_on(Quadratics([1.0]), 1.0), "domain"),
        (lambda: algorithm("sgd", ROWS, REQUESTS, STEPS), "algorithm"),
        (lambda: algorithm("dp", ROWS, REQUESTS, STEPS, rho=1.0, sigma=1.0), "sigma and rho"),
        (lambda: Descent(-1), "second"),
        (lambda: Newton("best"), "form"),
        (lambda: tree_noise(1.0, 0, 1.0, 3), "k must"),
        (lambda: one_pass_noise(np.nan, 1, 1.0), "lipschitz"),
        (lambda: Adaptive(0.0), "diameter"),
        (
            lambda: run(
                Linear([1.0]),
                DeletionSchedule(1, 2),
                steps=1.0,
                compare=False,
                unlearner=Descent(1),
            ),
            "smoothness",
        ),
    ],
)
def test_invalid_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_noise_of_several_requests_by_hand():
    """s_i and factors r^(I_1 + I_2) m_{i-1}/m_i for 1/(mu t) steps: S_i, then its increments."""
    stream = Quadratics(np.r_[np.ones(99), 0.0], np.r_[np.ones(99), 3.0], Box(0.0, 1.0))
    L, m = stream.constants.lipschitz, (30, 60)
    sigma = active_noise(
        stream, DeletionSchedule([9, 35], [31, 61]), inverse_time(1.0), 2.0, first=1, second=2
    )
    first, second = (0.25 * L / m[i] * (2 * (i + 1) * 0.5 + 0.5) for i in range(2))
    carried = 0.5**3 * m[0] / m[1] * first
    assert sigma**2 == pytest.approx([first**2 / 4, second * (second + 2 * carried) / 4])


def test_newton_noise_by_hand():
    rows = Rows(LogCosh(0.5), np.ones((20, 1)), 0.0, 1.0, Box(-1.0, 1.0))
    c, q = rows.constants, 2.0 * (1.0 / 2.0) ** 3
    assert (c.smoothness, c.diameter) == (pytest.approx(1.5), 2.0)
    sigma = newton_noise(rows, DeletionSchedule([2, 3], [11, 11]), 2.0, first=3)
    for i in (1, 2):
        far = q + i * c.lipschitz / (0.5 * 10)
        assert sigma[i - 1] == pytest.approx(c.hessian_lipschitz * (far**2 + q**2) / 2, rel=1e-9)
