"""Values of hf's excess risk, deletion capacity, Newton steps and cost formulas."""

import math

import numpy as np
import pytest

import bounds
from accounting.curves.gaussian import mu_gdp
from bounds.hf.certificates import error_apriori
from bounds.pochhammer import log_pochhammer


def near(value, digits=10):
    return pytest.approx(value, rel=10.0 ** (1 - digits), abs=0)


@pytest.mark.parametrize(
    ("N", "paper", "corrected"),
    [(1, 16.0, 2.0), (30, 0.5333333333, 0.1290322581), (999, 0.01601601602, 0.004)],
)
def test_excess_risk_of_the_minimiser(N, paper, corrected):
    lemma = bounds.get("hf.lema4")
    inputs = {"L": 2, "lam": 1, "n": N + 3, "m": 3}
    assert float(lemma("printed", **inputs)) == near(paper)
    assert float(lemma("corrected", **inputs)) == near(corrected)
    assert float(lemma("tight", **inputs)) == near(corrected * (1 - 1 / (2 * (N + 1))))


@pytest.mark.parametrize(
    ("eta", "q", "lam", "M", "L", "T", "beta", "paper", "product", "corrected", "floor"),
    [
        (0.5, 0.5, 1, 1, 1, 3, 1, 0.25, 0.328125, 0.328125, 0.2887880951),
        (0.05, 0.995, 1e-6, 4, 10, 50, 1, 7999980.0, 0.9999977831, 9999977.831, 0.99999),
        (0.2, 0.99, 0.5, 4, 3, 200, 0.9, 1.128812657e-8, 0.0003345745026, 0.002007447015,
         9.982008784e-5),
    ],
)  # fmt: skip
def test_distance_from_the_minimiser(eta, q, lam, M, L, T, beta, paper, product, corrected, floor):
    lemma, limit = bounds.get("hf.lema5"), bounds.get("hf.lema5.limit")
    rho = max(abs(1 - eta * lam), abs(1 - eta * M))
    assert float(lemma("printed", rho=rho, T=T, lam=lam, M=M)) == near(paper, 7)
    inputs = {"eta": eta, "q": q, "T": T, "lam": lam, "M": M, "L": L, "beta": beta}
    assert float(lemma("corrected", **inputs)) == near(corrected)
    assert float(lemma("corrected", **inputs)) * lam / L == near(product)
    assert float(limit("tight", eta=eta, q=q, lam=lam, beta=beta)) == near(floor)
    run = bounds.get("hf.lema5.run")
    lists = {"steps": eta * q ** np.arange(T), "missing": np.full(T, 1 - beta)}
    found = run(
        "tight", **lists, sizes=np.ones(T), lam=lam, M=M, start=L / lam, residuals=np.zeros(T)
    )
    assert float(found) == near(corrected)


def test_pochhammer_on_both_sides_of_its_changes_of_method():
    import mpmath

    with mpmath.workdps(30):
        for a in (1e-3, 0.3, 0.5, 0.500001, 0.9, 1 - 1e-9):
            for q in (0.1, 0.5, 0.99) if a in (1e-3, 0.5, 1 - 1e-9) else (0.1, 0.5):
                exact = float(mpmath.log(mpmath.qp(a, q, maxterms=100_000)))
                assert log_pochhammer(a, q) == near(exact, 12)
    for a in (0.01, 0.05):  # the integral against the product, where the method changes
        for q in (math.exp(-0.99e-4), math.exp(-1.01e-4)):
            direct = math.fsum(np.log1p(-a * q ** np.arange(400_000)))
            assert log_pochhammer(a, q) == near(direct, 11)
    for a in (0.3, 0.500001, 0.9, 1 - 1e-9):  # of so many factors, in doubles
        for q, count in ((0.99, 4_000), (0.999, 40_000)):
            direct = math.fsum(np.log1p(-a * q ** np.arange(count)))
            assert log_pochhammer(a, q) == near(direct, 12)
    assert log_pochhammer(1.0, 0.5) == -math.inf
    assert log_pochhammer(0.0, 0.5) == 0.0


SETTINGS = {
    "point": (1, 1, 1e-5, 1000, 1, 0.5, 0.5, 1, 1, 1, 1, 0, 20),
    "middle": (20, 0.5, 1e-6, 1000, 10, 0.2, 0.999, 0.5, 2, 3, 3, 1, 200),
    "mnist": (7850, 1, 1e-5, 1000, 1, 0.05, 0.995, 0.1, 3, 10, 10, 0.5, 50),
}


@pytest.mark.parametrize(
    ("name", "paper", "batch", "kept", "optimisation"),
    [
        ("point", 0.004429538464, 0.2902528209, 0.2902525737, 0.2892525737),
        ("middle", 337976.2551, 0.08224245723, 0.04579219781, 1.213959993e-7),
        ("mnist", 1873806.135, 801.951476, 801.9487362, 800.9471885),
    ],
)
def test_excess_risk_of_the_unlearned_model(name, paper, batch, kept, optimisation):
    d, eps, delta, n, m, eta, q, lam, M, L, C, Lam, T = SETTINGS[name]
    rho = max(abs(1 - eta * lam), abs(1 - eta * M))
    model = {
        "rho": rho,
        "E": T - 1,
        "B": 1,
        "lam": lam,
        "M": M,
        "L": L,
        "d": d,
        "epsilon": eps,
        "delta": delta,
        "eta": eta,
        "q": q,
        "C": C,
        "n": n,
        "m": m,
    }
    assert float(bounds.get("hf.eq60")("printed", **model)) == near(paper)
    beta = 1 - m / n
    distance = float(
        bounds.get("hf.lema5")("corrected", eta=eta, q=q, T=T, lam=lam, M=M, L=L, beta=beta)
    )
    assert L * distance == near(optimisation)
    schedule = (eta * q ** np.arange(T), np.full(T, m), np.full(T, n))
    for hessian, value in (("batch", batch), ("kept", kept)):
        error = float(error_apriori(*schedule, C, lam, M, Lam, hessian)[-1])
        inputs = {"L": L, "lam": lam, "M": M, "d": d, "n": n, "m": m, "distance": distance}
        inputs |= {"error": error, "sigma": error / float(mu_gdp(eps, delta))}
        assert float(bounds.get("hf.thm4.5")("corrected", **inputs)) == near(value)
        assert float(bounds.get("hf.eq60")("corrected", **inputs)) == near(value)


def test_operations_of_the_papers_logistic_regression():
    table = bounds.get("hf.table1")
    assert float(table("corrected", n=1000, d=7850, E=49)) == 1.57e12
    steps = bounds.get("hf.table1.steps")
    assert float(steps("printed", n=1000, d=7850, E=49, B=1, K=1)) == pytest.approx(3.9e8, rel=0.01)


@pytest.mark.parametrize(
    ("n", "gamma", "capacity"), [(100, 0.25, 36), (1000, 0.25, 399), (10_000, 0.25, 4095)]
)
def test_deletion_capacity_of_exact_retraining(n, gamma, capacity):
    assert float(bounds.get("hf.defc1")("printed", n=n, gamma=gamma)) == capacity


def test_share_of_deletions():
    constant = bounds.get("hf.thmc2.constant")
    inputs = {"epsilon": 1, "delta": 0.005, "gamma": 0.01}
    assert float(constant("corrected", **inputs)) == pytest.approx(0.262844, abs=5e-7)
    assert float(constant("tight", **inputs)) == pytest.approx(0.187763, abs=5e-7)
    t = np.linspace(0.24, 1, 200_001)
    grid = (t + np.sqrt(0.02 / (1 - 0.02 * math.e / t**2 - 0.005))) / 2
    assert float(constant("corrected", **inputs)) == near(grid.min(), 9)
    assert t[grid.argmin()] == pytest.approx(0.30625, abs=1e-5)


@pytest.mark.parametrize(
    ("n", "gamma", "L", "paper", "blind", "worst"),
    [
        (1000, 0.25, 2, 936.0, 985.0, 61.500999),
        (10_000, 0.01, 2, 8400.0, 9601.0, 24.00009999),
        (100_000, 0.01, 4, 93600.0, 98401.0, 61.50001),
    ],
)
def test_capacity_bounds(n, gamma, L, paper, blind, worst):
    inputs = {"n": n, "gamma": gamma, "L": L, "lam": 1}
    assert float(bounds.get("hf.thmc3")("printed", **inputs)) == near(paper)
    assert float(bounds.get("hf.thmc3")("corrected", **inputs)) == math.floor(worst)
    assert n * gamma / L**2 - n / (n + 1) == near(worst, 9)
    assert float(bounds.get("hf.thmc3.independent")("corrected", **inputs)) == near(blind)


@pytest.mark.parametrize(("n", "gamma"), [(1, 2.0), (1, 1.0), (3, 50.0), (40, 1e9)])
@pytest.mark.parametrize("id", ["hf.thmc3", "hf.thmc3.independent"])
def test_one_sample_at_least_is_kept(id, n, gamma):
    """However generous gamma, n deletions leave nothing to retrain on."""
    assert float(bounds.get(id)("corrected", n=n, gamma=gamma, L=1, lam=1)) == n - 1


def test_error_with_small_steps():
    step = bounds.get("hf.table4_7.step")
    assert float(step("tight", tau=2, T=4)) == near(0.21484375)
    assert float(step("tight", tau=2, T=4000)) == near(0.19980035, 7)
    limit = 1 - math.exp(-1) - (1 - math.exp(-2)) / 2
    assert limit == near(0.1997882004)
    assert float(step("tight", tau=2, T=1e9)) == near(limit, 8)
