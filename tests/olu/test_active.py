"""Values (40-digit arithmetic) of Section 4 and Appendix C of olu"""

import mpmath
import numpy as np
import pytest

import bounds


def value(id, form, **inputs):
    return float(bounds.get(f"olu.{id}")(form, **inputs))


def near(expected):
    return pytest.approx(expected, rel=1e-9)


NOISE = pytest.mark.parametrize(
    ("i", "I1", "I2", "mu", "beta", "L", "tau", "u", "eps", "printed", "shift", "without"),
    [
        (1, 7, 7, 1, 3, 1, 40, 4, 1, 0.00202974704012, 0.000275134627079, 0.0001381067932),
        (2, 5, 3, 1, 9, 2, 100, 60, 0.5, 0.456220699052, 0.0308936704, 0.01024),
        (3, 10, 0, 0.5, 1, 1, 30, 20, 2, 2.84118602131, 0.199997177485, 1 / 30),
    ],
)


@NOISE
def test_printed_noise_and_corrected_sensitivity(
    i, I1, I2, mu, beta, L, tau, u, eps, printed, shift, without
):
    earlier = list(range(9, 9 + i - 1))
    found = value(
        "eq40",
        "printed",
        u=[*earlier, u],
        tau=[12] * (i - 1) + [tau],
        I2=I2,
        mu=mu,
        beta=beta,
        L=L,
        epsilon=eps,
    )
    assert found == pytest.approx(printed, rel=1e-9)
    # The references write m for tau.
    for steps, expected in ((I1, shift), (0, without)):
        s = value("thm6.shift", "corrected", i=i, I1=steps, I2=I2, m=tau, mu=mu, beta=beta, L=L)
        assert s / np.sqrt(2 * eps) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("i", "I1", "I2", "m", "mu", "beta", "L", "printed", "corrected"),
    [
        (1, 7, 7, 40, 1, 3, 1, 0.00078125, 0.000389099121094),
        (2, 5, 3, 100, 1, 9, 2, 0.06144, 0.0308936704),
        (3, 10, 0, 30, 0.5, 1, 1, 0.533333333333, 0.399994354971),
    ],
)
def test_phases(i, I1, I2, m, mu, beta, L, printed, corrected):
    shared = {"i": i, "I2": I2, "m": m, "mu": mu, "beta": beta, "L": L}
    assert value("eq43", "printed", **shared) == near(printed)
    total = value("thm6.shift", "corrected", I1=I1, **shared)
    assert total == near(corrected)
    rho = (beta - mu) / (beta + mu)
    online = rho ** (I1 + I2) * L / (mu * m)
    assert value("eq43", "corrected", I1=I1, **shared) == near(total - online)
    assert value("eq42", "corrected", I1=I1, I2=I2, tau_i=m + 1, mu=mu, beta=beta, L=L) == near(
        online
    )


def test_one_step_of_algorithm_2():
    assert value("alg2", "corrected", mu=1, beta=3) == 0.75
    assert value("alg2", "printed", mu=1, beta=3) == 0.5


@pytest.mark.parametrize(
    ("sigma", "d", "expected"),
    [(1, 1, 0.797884560803), (1, 2, 1.25331413732), (0.5, 10, 1.5421638799)],
)
def test_norm_of_the_noise(sigma, d, expected):
    assert value("eq47.norm", "tight", sigma=sigma, d=d) == near(expected)
    assert value("eq47.norm", "printed", sigma=sigma) == sigma
    by_density = mpmath.quad(
        lambda r: sigma * r**d * mpmath.exp(-r * r / 2), [0, mpmath.sqrt(d), 30]
    ) / (2 ** (mpmath.mpf(d) / 2 - 1) * mpmath.gamma(mpmath.mpf(d) / 2))
    assert value("eq47.norm", "tight", sigma=sigma, d=d) == near(float(by_density))


@pytest.mark.parametrize(
    ("gamma", "n", "product", "cap"),
    [
        (0.5, 2, 0.5, 0.530737845423),
        (0.9, 10, 3.486784401, 3.49162529126),
        (0.99, 100, 36.6032341273, 36.6036962877),
    ],
)
def test_cap_of_n_gamma_n(gamma, n, product, cap):
    assert n * gamma**n == near(product)
    assert value("eq55.cap", "printed", gamma=gamma) == near(cap)


def test_lemma_10():
    assert value("lem10", "corrected", cb=1, ac=1) == 2
    assert value("lem10", "corrected", cb=0, ac=0.5) == 0.5
    assert value("lem10", "printed", cb=0, ac=0.5) == 0.25


REGRET = pytest.mark.parametrize(
    ("T", "d", "eps", "L", "mu", "beta", "I2", "tau", "r", "q", "expected"),
    [
        (1000, 10, 1, 1, 1, 3, 3, [500], [0.01], [0.1], 4.80418871184),
        (10**4, 5, 0.5, 2, 0.5, 2, 5, [100, 1000, 5000], [0.02, 0.002, 4e-4], [0.1] * 3,
         58.5939347176),
        (500, 100, 10, 1, 2, 8, 0, [20, 40], [0, 0], [0, 0], 2.80014917734),
    ],
)  # fmt: skip


@REGRET
def test_regret_for_every_stream(T, d, eps, L, mu, beta, I2, tau, r, q, expected):
    D, mp = 1.5, mpmath.mpf
    rho = (mp(beta) - mp(mu)) / (mp(beta) + mp(mu))
    power, last, total = rho**I2, mp(0), mp(L) ** 2 / (2 * mp(mu)) * mpmath.harmonic(T)
    for i, t in enumerate(tau, start=1):
        if I2:
            total += mp(mu) * (t - 1) / 2 * D**2 * power**2 / (1 - power**2) + i * mp(L) * D
        total += d * mp(L) ** 2 / (4 * mp(eps) * mp(mu)) * power**2 * (1 + 2 * last) / (t - 1)
        total += mp(L) ** 2 / mp(mu) * (1 - mp(t) / T)
        last = power * (1 + last)
    found = value(
        "thm6.regret",
        "corrected",
        T=T,
        d=d,
        epsilon=eps,
        L=L,
        mu=mu,
        beta=beta,
        D=D,
        I2=I2,
        tau=tau,
    )
    assert found == near(float(total))


@pytest.mark.parametrize("tau", [[500], [100, 1000, 5000], [20, 40, 60, 80, 100]])
def test_no_steps_leave_theorem_2(tau):
    T, d, eps, L, mu = 10**4, 7, 0.3, 2.0, 0.5
    theorem_2 = L**2 / (2 * mu) * float(mpmath.harmonic(T)) + L**2 / mu * sum(
        1 - t / T for t in tau
    )
    theorem_2 += d * L**2 / (4 * eps * mu) * sum((2 * i + 1) / (t - 1) for i, t in enumerate(tau))
    zero = [0.0] * len(tau)
    shared = {"T": T, "d": d, "epsilon": eps, "L": L, "mu": mu, "beta": 2, "I2": 0, "tau": tau}
    ours = value("thm2", "tight", T=T, d=d, epsilon=eps, L=L, mu=mu, tau=tau)
    assert ours == pytest.approx(theorem_2, rel=1e-13)
    assert value("thm6.regret", "corrected", D=3, **shared) == pytest.approx(theorem_2, rel=1e-13)
    assert value("thm6.regret", "tight", r=zero, q=zero, **shared) == pytest.approx(
        theorem_2, rel=1e-13
    )


@pytest.mark.parametrize(
    ("mu", "beta", "L", "D", "tau", "at_gamma", "at_the_rate"),
    [
        (1, 3, 1, 1, 100, 6.64385618977, 16.0078455593),
        (1, 9, 2, 2, 1000, 30.9565534755, 65.5630359803),
        (0.5, 1, 0.5, 1, 50, 3.56087679501, 9.64823588318),
    ],
)
def test_steps_until_phase_1_is_within_l_over_mu_tau(mu, beta, L, D, tau, at_gamma, at_the_rate):
    for form, expected in (("printed", at_gamma), ("corrected", at_the_rate)):
        rate = value("alg2", form, mu=mu, beta=beta)
        assert np.log(mu * D * tau / L) / -np.log(rate) == near(expected)


def test_the_running_mean_multiplies_the_promise():
    from verify.olu.theorem_6 import measure

    for I2, ratio in ((6, 0.6007), (7, 1.3515), (20, 51191)):
        found = measure(alpha=3, epsilon=0.25, I1=6, I2=I2, beta=3, u=4, tau=40) / 0.75
        exact = (9 / 4) ** I2 / 6 / (6 + 2.0**-36 / 4) ** 2
        assert found == pytest.approx(exact, rel=1e-13)
        assert found == pytest.approx(ratio, rel=1e-4)
