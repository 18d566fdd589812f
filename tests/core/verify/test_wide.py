"""Floats, many digits and symbols agree where arguments are of all sizes, not of order 1 alone."""

import zlib

import pytest
from mpmath import mp

import bounds
from accounting.curves.gaussian import mu_gdp
from bounds.namespaces import far, precise
from bounds.namespaces.implicit import root
from verify.wide import disagreements

SHARES = 24
"""The default profile substitutes in the expressions of one form of so many."""


@pytest.mark.parametrize("paper", [paper.key for paper in bounds.papers()])
def test_forms_agree_with_their_digits_at_all_sizes(paper, full):
    found = []
    for claim in bounds.statements():
        if claim.paper == paper:
            for name, form in claim.forms.items():
                symbols = full or not zlib.crc32(f"{claim.id} {name}".encode()) % SHARES
                found += disagreements(claim, form, 40 if full else 1, symbols)
    assert found == []


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        (200, 1e-3),
        (300, 1 / 18),
        (980, 1 / 18),
        (0, 1e-12),
        (1e-9, 1e-9),
        (1e9, 1e-12),
        (5, 1e-300),
    ],
)
def test_mu_star_is_one_number_with_any_digits_and_in_floats(epsilon, delta):
    values = []
    for digits in (15, 30, 60):
        with mp.workdps(digits):
            values.append(precise.mu_star(mp.mpf(epsilon), mp.mpf(delta)))
    with mp.workdps(60):
        assert abs(values[0] / values[2] - 1) < mp.mpf(10) ** -13
        assert abs(values[1] / values[2] - 1) < mp.mpf(10) ** -28
        for side, sign in ((1 - mp.mpf(10) ** -55, -1), (1 + mp.mpf(10) ** -55, 1)):
            moved = precise.gaussian_delta(mp.mpf(epsilon), values[2] * side)
            assert sign * (moved - mp.mpf(delta)) > 0
    assert float(mu_gdp(epsilon, delta)) == pytest.approx(float(values[2]), rel=1e-11)


def test_a_root_that_is_none_is_not_given():
    with mp.workdps(30):
        assert abs(root(lambda x: (x**3 - 2, 3 * x**2), mp.one) ** 3 - 2) < mp.mpf(10) ** -28
        steep = lambda x: (mp.log(x) * 10**6 - 1, mp.zero)  # noqa: E731
        assert abs(mp.log(root(steep, mp.mpf(10) ** 9)) * 10**6 - 1) < mp.mpf(10) ** -20
        with pytest.raises(ArithmeticError, match="no change of sign"):
            root(lambda x: (-mp.one, mp.one), mp.one)


@pytest.mark.parametrize(("a", "q"), [(0.5, 0.96), (0.999, 0.97), (1e-9, 0.97)])
def test_a_product_near_one_is_that_of_its_factors(a, q):
    with mp.workdps(40):
        direct = mp.fprod(1 - a * mp.mpf(q) ** t for t in range(6000))
        assert abs(far.pochhammer(mp.mpf(a), mp.mpf(q)) / direct - 1) < mp.mpf(10) ** -37


@pytest.mark.parametrize(("a", "x"), [(250, 260), (300, 900), (5000, 5002)])
def test_an_upper_gamma_function_is_what_the_lower_one_leaves(a, x):
    with mp.workdps(30):
        below = mp.quad(lambda t: mp.exp(a * mp.log(t / a) + a - t) / t, [0, a, x])
        whole = mp.gamma(a) * mp.exp(a) / mp.mpf(a) ** a
        left = 1 - below / whole
        found = far.gamma_above(mp.mpf(a), mp.mpf(x))
        assert abs(found - left) < mp.mpf(10) ** -24


@pytest.mark.parametrize(("d", "x"), [(5, 1.0), (5, -9.0), (4, 2.0), (41, -3.0), (41, 8.0)])
def test_students_law_is_the_integral_of_its_density(d, x):
    with mp.workdps(30):
        scale = mp.gammaprod([mp.mpf(d + 1) / 2], [mp.mpf(d) / 2]) / mp.sqrt(d * mp.pi)
        density = lambda t: scale * (1 + t**2 / d) ** (-mp.mpf(d + 1) / 2)  # noqa: E731
        assert (
            abs(far.student(mp.mpf(d), mp.mpf(x)) - mp.quad(density, [-mp.inf, -9, 0, x])) < 1e-22
        )
