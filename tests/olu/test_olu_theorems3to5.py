"""The experiments behind olu's Theorems 3, 4 and 5, against slower ones that say what they mean."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from verify.olu import huber_runs
from verify.olu.alternating import Alternating, blocks, pairs_and_drift, thirds
from verify.olu.closing_thirds import ClosingThirds
from verify.olu.theorem_3 import steps
from verify.olu.theorem_5 import expected_regret, least_over_steps


@pytest.mark.parametrize(
    ("n", "k", "T", "regret"),
    [(4000, 20, 160001, 2681.36743032667), (8000, 16, 256001, 2711.84372692753),
     (4000, 12, 96001, 1249.32333976083)],
)  # fmt: skip
def test_alternating_reference_values(n, k, T, regret):
    stream = blocks(n, k)
    assert (stream.rounds, stream.growth()) == (T, 1)
    assert stream.regret(steps(stream)) == pytest.approx(regret, rel=1e-9)


def slow_regret(stream: Alternating, step: Fraction) -> Fraction:
    """Equation 5 read aloud: losses, minimisers by trying both ends, the window of each request."""
    s = [Fraction(x) for x in stream.slopes]
    u, tau = stream.indices.tolist(), [0, *stream.times.tolist(), len(s)]
    best = []
    for i in range(len(u) + 1):
        left = [x for t, x in enumerate(s, 1) if t not in u[:i]]
        best.append(min((0, 1), key=lambda z, left=left: sum(x * z for x in left)))
    z, total = Fraction(1, 2), Fraction(0)
    for i in range(len(u) + 1):
        for t in range(tau[i] + 1, tau[i + 1] + 1):
            total += s[t - 1] * (z - best[i])
            z = min(Fraction(1), max(Fraction(0), z - step * s[t - 1]))
    return total


@pytest.mark.parametrize(
    "stream",
    [blocks(7, 4), blocks(5, 3, pairs=2), thirds(3, 3), pairs_and_drift(20)],
    ids=["blocks", "with pairs", "thirds", "drift"],
)
@pytest.mark.parametrize("step", [Fraction(1, 16), Fraction(1, 4), Fraction(3, 8)])
def test_alternating_regret_is_that_of_equation_5(stream, step):
    assert stream.regret(float(step)) == float(slow_regret(stream, step))
    assert (stream.indices < stream.times).all()
    assert len(set(stream.indices.tolist())) == stream.indices.size


def test_growth_is_that_of_every_prefix():
    for m, main in ((3, 3), (4, 5)):
        stream = thirds(m, main)
        ends = [0, *stream.times.tolist(), stream.rounds]
        found = [2 * abs(sum(stream.slopes[:b].tolist())) / (b - a) for a, b in pairwise(ends)]
        assert min(found) == stream.growth(to_the_end=True) == 1
    assert blocks(30, 4, pairs=30).growth() == 0.5


@pytest.mark.parametrize(("n", "k", "pairs"), [(20, 5, 40), (50, 4, 30), (10, 7, 100)])
def test_no_step_size_beats_the_lower_limit(n, k, pairs):
    stream = blocks(n, k, pairs)
    least = least_over_steps(n, k, pairs)
    found = [stream.regret(eta) for eta in np.geomspace(1e-6, 1e3, 400)]
    assert min(found) >= least * (1 - 1e-12)
    assert min(found) <= 2.5 * least


def spelled_out(stream: ClosingThirds) -> Alternating:
    """The same losses one by one, with the requests as `alternating.thirds` makes them."""
    slopes, times, indices, tail = [], [], [], iter(range(1, stream.m + 1))
    for group in stream.groups():
        for run in group:
            slopes += [-run.slope, run.slope] * run.count if run.pairs else [run.slope] * run.count
        times.append(len(slopes))
        indices.append(len(slopes) - 2 * stream.pairs - 1 if group[-1].pairs else next(tail))
    return Alternating(
        np.array([float(s) for s in slopes]), np.array(indices[:-1]), np.array(times[:-1])
    )


@pytest.mark.parametrize("sizes", [(3, 3, 0), (3, 3, 5), (2, 5, 40)])
def test_runs_are_the_stream_one_loss_at_a_time(sizes):
    stream = ClosingThirds(*sizes)
    slow = spelled_out(stream)
    if not stream.pairs:
        assert (slow.slopes == thirds(stream.m, stream.main).slopes).all()
        assert (slow.times == thirds(stream.m, stream.main).times).all()
    assert stream.ends() == [*slow.times, slow.rounds]
    assert stream.growth() == pytest.approx(slow.growth(to_the_end=True))
    for step in (Fraction(1, 64), Fraction(1, 16), Fraction(3, 8), Fraction(2, 3), Fraction(5, 2)):
        assert stream.regret(step) == slow_regret(slow, step)
        assert float(stream.regret(step)) >= stream.least_over_steps()


def test_theorem_5_fails_with_growth_at_the_end_too():
    stream = ClosingThirds(12, 9, 3**12 // 2)
    assert (stream.ends()[-1], len(stream.ends()) - 1) == (9_565_940, 20)
    assert Fraction(1, 2) < stream.growth() < Fraction(500_001, 1_000_000)
    steps = [Fraction(float(eta)) for eta in np.geomspace(1e-8, 100, 100)]
    found = min(stream.regret(eta) for eta in (*steps, Fraction(1, 719)))
    assert stream.least_over_steps() <= found
    assert int(found) == 6656
    assert int(stream.least_over_steps()) == 6655


@pytest.mark.parametrize("case", [(0.4, 0.7, 9, 5, 1.5, 2.0), (0.05, 3.0, 12, 2, 1.0, 1.0),
                                  (2.0, 0.1, 7, 7, 0.8, 3.0)])  # fmt: skip
def test_expected_regret_by_quadrature(case):
    eta, sigma, T, tau, L, D = case

    def run(x):
        z, total = 0.0, 0.0
        for t in range(1, T + 1):
            total += L * (D - z)
            z = min(D, max(0.0, z + eta * L + (x if t == tau - 1 else 0.0)))
        return total

    kinks = [a * D - b * eta * L for a in (0, 1) for b in range(T + 1)]
    cuts = sorted({c for c in kinks if abs(c) < 9 * sigma} | {-9 * sigma, 9 * sigma})
    density = lambda x: np.exp(-((x / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * np.pi))  # noqa: E731
    found = sum(
        quad(lambda x: run(x) * density(x), a, b, epsabs=1e-13)[0] for a, b in pairwise(cuts)
    )
    assert expected_regret(*case) == pytest.approx(found, rel=1e-9)


def test_huber_runs_against_one_value_of_the_noise_at_a_time():
    rng = np.random.default_rng(3)
    T, k = 12, 2
    runs = huber_runs.draw(rng, 6, T, k)
    epsilon = np.exp(rng.normal(size=6))
    stars = runs.comparators()
    for adaptive, noise, omega in ((False, "least", 1.2), (True, "paper", 1.5)):
        eta = runs.diameter / runs.lipschitz / np.sqrt(np.arange(1, T + 1))[:, None]
        played = runs.play(None if adaptive else eta, epsilon, noise, omega)
        regret, cost = played.regret(stars), played.noise_cost()
        nodes, weights = huber_runs._law(k)
        assert weights.sum() == pytest.approx(1)
        assert nodes @ weights == pytest.approx(0, abs=1e-14)
        assert (nodes[:, None] * nodes) @ weights == pytest.approx(np.eye(k), abs=1e-13)
        for c in range(6):
            found = [
                one_run(
                    runs,
                    c,
                    stars[:, c],
                    None if adaptive else eta[:, c],
                    epsilon[c],
                    noise,
                    omega,
                    x,
                )
                for x in nodes.T
            ]
            assert regret[c] == pytest.approx(np.dot(weights, [f[0] for f in found]), rel=1e-10)
            assert cost[c] == pytest.approx(np.dot(weights, [f[1] for f in found]), rel=1e-10)


def one_run(runs, c, stars, eta, epsilon, noise, omega, x):
    """Regret and noise cost of instance c at one value of the standard noise."""
    L, D, w = runs.lipschitz[c], runs.diameter[c], runs.width[c]
    u, tau = runs.indices[:, c], runs.times[:, c]

    def f(t, z):
        y = abs(z - runs.centres[t - 1, c])
        return L * (y * y / (2 * w) if y < w else y - w / 2)

    z, p, used, total, cost = runs.start[c], 0.0, [], 0.0, 0.0
    for t in range(1, runs.rounds + 1):
        total += f(t, z) - f(t, stars[np.sum(tau < t)])
        g = L * np.clip((z - runs.centres[t - 1, c]) / w, -1, 1)
        p += g * g
        used.append(D / np.sqrt(p) if eta is None else eta[t - 1])
        moved = z - used[-1] * g
        for i in range(len(u)):
            if tau[i] == t + 1:
                a = [L * used[r - 1] for r in u[: i + 1]]
                least = (sum(a) ** 2 - sum(a[:-1]) ** 2) / (2 * epsilon)
                paper = omega * (i + 1) ** omega * a[-1] ** 2 / (2 * (omega - 1) * epsilon)
                variance = least if noise == "least" else paper
                cost += variance / (2 * used[-1])
                moved += np.sqrt(variance) * x[i]
        z = min(D, max(0.0, moved))
    return total, cost


def test_comparators_minimise_what_is_left():
    rng = np.random.default_rng(5)
    runs = huber_runs.draw(rng, 20, 15, 3)
    stars = runs.comparators()
    for c in range(20):
        grid = np.linspace(0, runs.diameter[c], 2001)
        y = np.abs(grid[:, None] - runs.centres[:, c])
        w = runs.width[c]
        losses = np.where(y < w, y**2 / (2 * w), y - w / 2)
        for i in range(4):
            keep = np.ones(15)
            keep[runs.indices[:i, c] - 1] = 0
            at = np.abs(stars[i, c] - runs.centres[:, c])
            value = keep @ np.where(at < w, at**2 / (2 * w), at - w / 2)
            assert value <= (losses @ keep).min() + 1e-9
