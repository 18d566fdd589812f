"""Forms of olu as expressions in free symbols: the noise of the last request is one formula."""

import numpy as np
import pytest
from mpmath import mp

import bounds
from bounds.draws import admissible
from bounds.namespaces.free import lengths, substitute

NESTED = [
    ("olu.alg1", "tight"),
    ("olu.eq40", "tight"),
    ("olu.eq7", "printed"),
    ("olu.thm4", "corrected"),
    ("olu.thm6.regret", "tight"),
]


@pytest.mark.parametrize(("id", "name"), NESTED)
def test_sums_within_sums_have_the_values_of_the_body(id, name):
    statement = bounds.get(id)
    form = statement[name]
    found = form.symbolic()
    symbols = statement.symbols
    known = {*symbols, *map(str, lengths(symbols).values())}
    assert {str(s) for s in found.free_symbols if s.is_Symbol} <= known  # no index escapes
    inputs = admissible(statement, form, np.random.default_rng(11))
    value = substitute(found, symbols, form.validate(inputs), digits=30)
    assert mp.almosteq(value, form.exact(30, **inputs), 1e-30)
    assert float(value) == pytest.approx(float(form(**inputs)), rel=1e-11)


def test_the_least_noise_in_the_regime_of_theorem_2():
    form = bounds.get("olu.alg1")["tight"]
    inputs = {"mu": 0.5, "beta": 2.0, "L": 3.0, "u": [3, 5, 4], "tau": [7, 9, 12], "epsilon": 0.25}
    with mp.workdps(40):
        wanted = mp.sqrt(mp.mpf(5) / (2 * 0.25)) * 3 / (mp.mpf(0.5) * 11)
        assert mp.almosteq(form.exact(40, **inputs), wanted, 1e-38)


def test_what_is_left_out_has_its_default_everywhere():
    statement = bounds.get("olu.thm1")
    form = statement["tight"]
    inputs = {"alpha": 2.0, "epsilon": 0.5, "i": 7}
    given = form.exact(30, **inputs, omega=1.2)
    assert form.exact(30, **inputs) == given
    found = substitute(form.symbolic(), statement.symbols, form.validate(inputs), 30)
    assert mp.almosteq(found, given, 1e-28)
    assert float(form(**inputs)) == pytest.approx(float(given), rel=1e-13)


def test_alternating_quadratics_are_known_for_any_number_of_rounds():
    form = bounds.get("olu.oracles.alternating")["tight"]
    t = np.arange(1.0, 1002)
    sums = np.cumsum(np.where(t % 2 == 1, 1 / t, t / np.maximum(t - 1, 1) ** 2))
    np.testing.assert_allclose(form(mu=2.0, X=1.0, T=t), sums, rtol=1e-13)
    far = form(mu=2.0, X=1.0, T=10**9) - form(mu=2.0, X=1.0, T=10**8)
    assert float(far) == pytest.approx(np.log(10), rel=1e-6)
