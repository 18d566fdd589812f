"""What runs of SAFE on data measure round by round, against loops over the rows by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import norm

from bounds.declared import EXPERIMENTS
from simulators.experiments.cells import Cells
from simulators.experiments.mean_world import MeanWorld

MU = 0.05


@pytest.fixture(scope="module")
def run():
    settings = {"data": "wine", "rounds": 4, "share": 0.03, "regularisation": MU, "trials": 1}
    return EXPERIMENTS.get("safe")(**settings, weight=0.0, noise=False).run()


@pytest.fixture(scope="module")
def world(run):
    """Rows, labels, w_0*..w_T*, who is left after each round, and what SAFE published."""
    train, deletions = run.problem.train, run.problem.deletions
    kept = [deletions.kept(t)[0] for t in range(5)]
    return train.features, train.targets.astype(int), run.problem.optimal[:, 0], kept


def risk(w, x, y):
    scores = x @ w
    data = (logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]).mean()
    return float(data + MU / 2 * (w * w).sum())


def slope(w, x, y):
    scores = x @ w
    shares = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    shares[np.arange(len(y)), y] -= 1
    return x.T @ shares / len(y) + MU * w


@pytest.fixture(scope="module")
def published(run, world):
    """w_t = w_0 - gamma g/|g|, g the gradient of R_t at w_0, and the directions."""
    x, y, best, kept = world
    units = [slope(best[0], x[m], y[m]) for m in kept[1:]]
    units = [g / np.linalg.norm(g) for g in units]
    return [best[0] - run.problem.stream.gamma * g for g in units], units


def test_directions_and_errors_of_rounds(run, world, published):
    x, y, best, kept = world
    models, units = published
    gamma, U = run.constants["gamma"], run.constants["U"]
    turns = [b - a for a, b in itertools.pairwise(units)]
    assert run["turn"].values == pytest.approx([gamma**2 * (v * v).sum() for v in turns], rel=1e-5)
    errors = [
        risk(w, x[m], y[m]) - risk(b, x[m], y[m])
        for w, b, m in zip(models, best[1:], kept[1:], strict=True)
    ]
    assert run["round_regret"].values == pytest.approx(errors, rel=1e-5)
    found = run["turned_error"]
    assert found.values == pytest.approx(errors[:-1], rel=1e-5)
    gaps = [w - b for w, b in zip(models, best[1:], strict=True)]
    products = [U * abs((v * gap).sum()) for v, gap in zip(turns, gaps, strict=False)]
    assert found.at["printed"] == pytest.approx(products, rel=1e-4)
    lengths = [U * np.linalg.norm(gap) for gap in gaps[:-1]]
    assert found.at["corrected"] == pytest.approx(lengths, rel=1e-6)
    later = sum((v * gap).sum() for v, gap in zip(turns, gaps, strict=False))
    assert run["turned_regret"].values == pytest.approx(U * later, rel=1e-4)


def test_the_retention_gradient_row_by_row(run, world):
    x, y, best, kept = world
    found = run["retention_gradient"]
    g = slope(best[0], x[kept[4]], y[kept[4]])
    size = np.linalg.norm(g)
    assert found.values == pytest.approx(size, rel=1e-9)
    before = slope(best[0], x[kept[3]], y[kept[3]])
    assert found.at["G"] == pytest.approx((before * g).sum() / size, rel=1e-9)
    gone = np.flatnonzero(kept[3] & ~kept[4])
    each = [(slope(best[0], x[[i]], y[[i]]) * g).sum() / size for i in gone]
    assert found.at["gradients"] == pytest.approx(each, rel=1e-9)
    assert found.at["n"] == kept[3].sum()


def test_projected_descent_step_by_step(run, world):
    x, y, best, kept = world
    k = run.constants
    moves = [np.linalg.norm(b - a) for a, b in itertools.pairwise(best)]
    tuned = math.sqrt(4 * k["W"] * (k["W"] + sum(moves)) / 4)
    for name, step in (("descent_regret", k["gamma"]), ("tuned_descent_regret", tuned)):
        u, total = best[0], 0.0
        for m, b in zip(kept[1:], best[1:], strict=True):
            total += risk(u, x[m], y[m]) - risk(b, x[m], y[m])
            g = slope(u, x[m], y[m])
            u = u - step * g / np.linalg.norm(g)
            u = u * min(1.0, k["W"] / np.linalg.norm(u))
        assert run[name].values == pytest.approx(total, rel=1e-5)
        assert run[name].at["gamma"] == pytest.approx(step, rel=1e-6)
        assert run[name].at["v"] == pytest.approx(moves)
        assert run[name].at["U"] == pytest.approx(k["L_h"] + MU * k["W"])


def delta(mu, epsilon):
    far = math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    return norm.cdf(mu / 2 - epsilon / mu) - far


def test_least_noise_of_what_is_published(run, world, published):
    _, _, best, _ = world
    apart = [np.linalg.norm(w - b) for w, b in zip(published[0], best[1:], strict=True)]
    for far, sigma in zip(apart, run["least_sigma"].values, strict=True):
        assert delta(far / sigma, 1.0) == pytest.approx(1e-5, rel=1e-4)
    sigma = run["joint_delta"].at["sigma"]
    assert sigma == pytest.approx(run["least_sigma"].values[0], rel=1e-9)
    joint = delta(math.sqrt(4) * apart[0] / sigma, 1.0)
    assert run["joint_delta"].values == pytest.approx(joint, rel=1e-4)
    found = run["least_variance"]
    for epsilon, variance in zip(found.at["epsilon"], found.values, strict=True):
        assert delta(max(apart) / math.sqrt(variance), epsilon) == pytest.approx(1e-5, rel=1e-4)


def test_the_mean_of_the_rows_in_closed_form(run, world):
    x, y, _, _ = world
    own = MeanWorld(x, y == 0, seed=0)
    at = run["mean_regret_of_safe"].at
    assert at["gamma"] == pytest.approx(3 * own.radius / math.sqrt(own.rounds))
    assert run["mean_regret_of_safe"].values == pytest.approx(own.regret(at["gamma"]))
    assert at["U"] == pytest.approx(2 * own.radius + at["gamma"])
    assert at["W"] == own.radius
    found = run["mean_least_variance"]
    for epsilon, variance in zip(found.at["epsilon"], found.values, strict=True):
        mu = own.published(at["gamma"]).max() / math.sqrt(variance)
        assert delta(mu, epsilon) == pytest.approx(1e-5, rel=1e-6)


def test_aligned_rows_leave_first(run):
    settings = {**run.experiment.settings, "schedule": "aligned", "weight": 0.0}
    other = EXPERIMENTS.get("safe")(**settings).run().problem
    x, y = other.train.features, other.train.targets.astype(int)
    pulls = np.array(
        [slope(np.zeros((x.shape[1], 3)), x[[i]], y[[i]]).ravel() for i in range(len(y))]
    )
    along = pulls @ np.linalg.eigh(pulls.T @ pulls)[1][:, -1]
    order = np.argsort(-along * np.sign(along.sum()))
    m = max(1, round(0.03 * len(y)))
    for t in range(1, 5):
        gone = np.flatnonzero(other.deletions.forgotten(t)[0])
        assert gone.tolist() == sorted(order[(t - 1) * m : t * m])


def test_surrogates_in_cells_by_divergences(run, world):
    x, y, _, _ = world
    table = Cells(x, (y > 0).astype(int))
    found, i = run["surrogate_gap"], 0
    for cell in range(len(table.table)):
        for label in (0, 1):
            a, b = table.shifted(table.without(cell, label), cell)
            t = a / a.sum()
            for share in (0.5, 0.02, 0.98):
                f = np.array([share, 1 - share])
                gap = abs((f * np.log(f / t)).sum() - (f * np.log(f / b)).sum())
                assert found.values[i] == pytest.approx(gap, rel=1e-9)
                assert found.at["M"][i] == table.table[cell, label] // 2
                assert found.at["M"][i] + found.at["kept"][i] == len(y)
                assert gap <= found.at["oscillation"][i] * (1 + 1e-12)
                i += 1
    assert i == len(found.values)


def test_errors_of_fitted_densities_in_cells(run, world):
    x, y, _, _ = world
    table = Cells(x, (y > 0).astype(int))
    found, z = run["density_error"], table.values
    values, i = [], 0
    for cell in range(len(z)):
        for label in (0, 1):
            old, new = (table.moments(t) for t in (table.table, table.without(cell, label)))
            logs = [norm.logpdf(z, m[label], s[label]) for m, s in (old, new)]
            values += np.abs(logs[1] - logs[0]).tolist()
            i += len(z)
    assert found.values == pytest.approx(values, rel=1e-9, abs=1e-12)
