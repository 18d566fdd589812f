"""Values of safe, equations (17) to (27) and Algorithm 1 (independent precision)."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.safe.algorithm_1 import rounds
from verify.safe.tables import Table, three_features
from verify.safe.two_classes import TOY


def value(id, form, **inputs):
    return float(bounds.get(id)(form, **inputs))


def near(number, digits=10):
    return pytest.approx(number, rel=10.0 ** (1 - digits) / 2, abs=0)


# N, m -> marginal, label and conditional ratio at (0, A), the posterior, and its Gaussian plug-in
POSTERIORS = [
    (3, 1, 1.133333333, 0.9411764706, 0.7500000000, 0.4000000000, 0.4559458938),
    (100, 50, 1.222222222, 0.9090909091, 0.6000000000, 0.3333333333, 0.4320523874),
    (30, 20, 1.333333333, 0.8750000000, 0.4285714286, 0.2500000000, 0.4068575072),
]


@pytest.mark.parametrize(
    ("N", "m", "marginal", "label", "conditional", "posterior", "plugged"), POSTERIORS
)
def test_posteriors(N, m, marginal, label, conditional, posterior, plugged):
    table = three_features(N, m)
    assert float(table.marginal(1)) == near(marginal)
    assert float(table.label(0)) == near(label)
    assert float(table.conditional(1, 0)) == near(conditional)
    assert table.posterior(1, 0) == Fraction(N - m, 2 * N - m)
    ratios = {"marginal": marginal, "label": label, "conditional": conditional, "p0": 0.5}
    assert value("safe.eq17", "printed", **ratios) == near(posterior, 9)
    lists = table.lists(1, 0, "prior")
    assert value("safe.eq18", "printed", **lists) == near(posterior)
    lists["model"] = lists.pop("prior")
    assert value("safe.eq19", "printed", **lists) == near(posterior)
    moments = {"mean_t": 0, "var_t": 2 * N / (3 * N - m), "mean_0": 0, "var_0": 2 / 3}
    counts = {"n0y": 3 * N, "nt": 6 * N - m, "n0": 6 * N}
    q = [
        value("safe.eq24", "printed", z=0, nty=3 * N - m, **counts, **moments),
        value("safe.eq24", "printed", z=0, nty=3 * N, **counts, **{**moments, "var_t": 2 / 3}),
    ]
    factors = {"logits0": [0, 0], "log_factors": np.log(q)}
    assert value("safe.eq24.target", "corrected", **factors) == near(plugged)
    odds = (1 - m / (3 * N)) ** 1.5
    assert value("safe.eq24.target", "corrected", **factors) == near(odds / (1 + odds))


def test_counts_that_cannot_be():
    formula = bounds.get("safe.eq20")
    for counts in ((5, 4, 10, 12), (4, 5, 3, 12), (4, 5, 12, 12), (4, 9, 5, 8)):
        names = ("nty", "n0y", "nt", "n0")
        with pytest.raises(ValueError, match="nty must satisfy"):
            formula("printed", **dict(zip(names, counts, strict=True)))
    with pytest.raises(ValueError, match="p0 <= 1"):
        bounds.get("safe.eq17")("printed", marginal=2, label=2, conditional=1, p0=0.5)


def test_standardising_anew_changes_the_ratio():
    moments = {"x": 1, "mean_t": 0, "var_t": 1, "mean_0": 0, "var_0": 2 / 3}
    assert value("safe.eq21.ratio", "corrected", **moments) == near(1.048402363)
    assert value("safe.eq21.ratio", "printed", **moments) == near(1.284025417)
    # The ratio of the counts themselves: of the class {-1, 0, 1}, 0 is deleted.
    assert Table([[1, 1]] * 3, [[1, 1], [0, 1], [1, 1]]).conditional(2, 0) == Fraction(3, 2)


@given(
    st.floats(-3, 3),
    st.floats(-1, 1),
    st.floats(0.2, 3),
    st.floats(-1, 1),
    st.floats(0.2, 3),
    st.floats(0.1, 9),
    st.floats(-5, 5),
)
def test_the_ratio_is_the_same_in_every_frozen_coordinate(x, mean_t, var_t, mean_0, var_0, a, c):
    there = {"x": x, "mean_t": mean_t, "var_t": var_t, "mean_0": mean_0, "var_0": var_0}
    here = {k: a * a * v if k.startswith("var") else a * v + c for k, v in there.items()}
    formula = bounds.get("safe.eq21.ratio")
    for sign in (1, -1):
        turned = {k: v if k.startswith("var") else sign * v for k, v in here.items()}
        assert float(formula("corrected", **turned)) == pytest.approx(
            float(formula("corrected", **there)), rel=1e-9
        )


@pytest.mark.parametrize(
    ("n", "kept", "mean", "gone_mean", "after"),
    [(3, 2, 2, 4, 1.0), (4, 2, 0, 0, 0.0), (100, 90, 0.3, -0.4, 0.3777777778)],
)
def test_mean_after_a_deletion(n, kept, mean, gone_mean, after):
    moments = {"n": n, "m": n - kept, "mean": mean, "gone_mean": gone_mean}
    assert value("safe.eq22", "printed", **moments) == near(after)
    assert value("safe.eq22.removed", "corrected", before=n, after=kept) == n - kept
    assert value("safe.eq22.removed", "printed", before=n, after=kept) == kept - n


def test_a_class_that_runs_out_is_refused():
    with pytest.raises(ValueError, match="m must satisfy m <= n - 1"):
        bounds.get("safe.eq22")("printed", n=3, m=3, mean=0, gone_mean=0)
    with pytest.raises(ValueError, match="two samples stay"):
        bounds.get("safe.eq23")("printed", n=3, m=2, var=1, gone_var=1, mean=0, gone_mean=0)
    with pytest.raises(ValueError, match="moments of m of n samples"):
        bounds.get("safe.eq23")("printed", n=4, m=2, var=1, gone_var=9, mean=0, gone_mean=0)


@pytest.mark.parametrize(
    ("n", "m", "factor"),
    [(12, 4, -0.2727272727), (6000, 400, -0.06651108518), (5000, 250, -0.04980996199)],
)
def test_mean_factor(n, m, factor):
    assert value("safe.eq23.mean", "printed", n=n, m=m, var=1) == near(factor)
    assert value("safe.eq23.mean", "corrected", n=n, m=m, var=2.5) == 2.5


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=30), st.data())
def test_variance_of_any_deletion(data, draw):
    m = draw.draw(st.integers(1, len(data) - 2))
    gone, kept = np.array(data[:m], float), np.array(data[m:], float)
    everyone = np.array(data, float)
    for ddof, id, form in ((1, "safe.eq23", "corrected"), (0, "safe.eq23.ml", "tight")):
        moments = {
            "n": len(data),
            "m": m,
            "mean": everyone.mean(),
            "var": everyone.var(ddof=ddof),
            "gone_mean": gone.mean(),
            "gone_var": gone.var(ddof=ddof) if m > 1 else 0.0,
        }
        scale = 1 + everyone.var() * len(data)
        assert value(id, form, **moments) == pytest.approx(kept.var(ddof=ddof), abs=1e-12 * scale)


@pytest.mark.parametrize(("N", "m"), [(10, 1), (100, 3), (1000, 1)])
def test_the_plug_in_misses_a_class_of_two_points_in_third_order(N, m):
    # Points +-1, N each, m of +1 leave; u = m/(2N - m).
    u = Fraction(m, 2 * N - m)
    found = value(
        "safe.eq24",
        "printed",
        z=1,
        nty=2 * N - m,
        n0y=2 * N,
        nt=2 * N - m,
        n0=2 * N,
        mean_t=float(-u),
        var_t=float(1 - u * u),
        mean_0=0,
        var_0=1,
    )
    u = float(u)
    assert math.log(found) == pytest.approx(-math.log1p(-u * u) / 2 - u / (1 - u), rel=1e-9)
    assert math.log(found) - math.log1p(-u) == pytest.approx(-2 / 3 * u**3, rel=3 * u + 1e-4)


# x, w0, w, log q of both classes, lambda -> eq (25) normalised, eq (26); logits (w x, 0)
FORGETTING = [
    (1, 0, 0.3, -0.2, 0.1, 1, 0.04466551009, 0.07500000000),
    (2, 0.5, 0.1, -0.4, 0, 1000, 19.41548218, 157.2895466),
    (-1.5, 0.7, 0.9, 0.3, -0.1, 0.7, 0.03180625285, 0.08065152813),
]


@pytest.mark.parametrize(("x", "w0", "w", "a", "b", "lam", "term", "slope"), FORGETTING)
def test_forgetting_term_and_gradient(x, w0, w, a, b, lam, term, slope):
    inputs = {"lam": lam, "logits0": [w0 * x, 0], "log_factors": [a, b]}
    moved = {**inputs, "logits": [w * x, 0]}
    assert value("safe.eq25", "corrected", **moved) == near(term)
    f0 = 1 / (1 + math.exp(-w0 * x))
    weight = math.log(f0 * math.exp(a) + (1 - f0) * math.exp(b))
    assert value("safe.eq25", "printed", **moved) == pytest.approx(term - lam * weight, rel=1e-9)
    assert value("safe.eq26", "printed", **inputs, slopes=[x, 0]) == near(slope)


def test_forgetting_term_keeps_its_digits():
    """A target next to the model, and laws that underflow."""
    with mpmath.workdps(60):
        shift = mpmath.mpf(2) ** -30
        p = mpmath.mpf(1) / 2
        q = mpmath.exp(shift) / (mpmath.exp(shift) + 1)
        exact = float(p * mpmath.log(p / q) + p * mpmath.log(p / (1 - q)))
    close = {"lam": 1, "logits": [0, 0], "logits0": [0, 0], "log_factors": [2.0**-30, 0]}
    assert value("safe.eq25", "corrected", **close) == pytest.approx(exact, rel=1e-8)
    far = {"lam": 1, "logits": [-2000, 0], "logits0": [0, 0], "log_factors": [900, 0]}
    assert value("safe.eq25", "corrected", **far) == pytest.approx(900, rel=1e-12)
    assert (
        value("safe.eq26", "printed", lam=1, logits0=[0, 0], log_factors=[3, 3], slopes=[1, 2]) == 0
    )


@pytest.mark.parametrize(
    ("W", "K", "T", "w0", "g", "b", "gamma", "w"),
    [
        (1, 1, 100, 0, -1, 0, 0.1000000000, 0.1000000000),
        (4, 2.5, 20, 1.5, 0.3, 0.01, 0.1788854382, 1.311114562),
        (9, 8, 20, -2, -7, -0.2, 0.08385254916, -1.716147451),
    ],
)
def test_step(W, K, T, w0, g, b, gamma, w):
    length = math.sqrt(W) / (K * math.sqrt(T))
    assert length == near(gamma)
    for form in ("printed", "corrected"):
        assert value("safe.eq27", form, w0=w0, g=[g], gamma=length, b=b) == near(w)


def test_no_step_where_the_gradient_vanishes():
    still = {"w0": 1.5, "g": [0, 0], "gamma": 1, "b": 0.25}
    assert value("safe.eq27", "corrected", **still) == 1.25
    with pytest.raises(ValueError, match=r"safe\.eq27 \(printed\) is undefined"):
        bounds.get("safe.eq27")("printed", **still)


TOY_ROUNDS = {
    "corrected": [
        (1.166666667, 0.5833333333, -0.5, 0.25, -0.1639399200, -0.3125557176, 2.2),
        (1.5, 0.5, -0.5, 0.25, -0.1612935346, -0.3483222853, 2.2),
    ],
    "printed": [
        (1.166666667, 1.659722222, -0.5, 1.048611111, -0.1639399200, 0.2635752331, 0.2),
        (1.5, 1.163194444, -0.5, 1.048611111, -0.1612935346, 0.1158823229, 2.2),
    ],
}


@pytest.mark.parametrize("form", TOY_ROUNDS)
def test_algorithm_1_end_to_end(form):
    problem = {k: np.array(v) if isinstance(v, list) else v for k, v in TOY.items()}
    found = rounds(**problem, t=2, update=bounds.get("safe.eq23")[form])
    gamma = math.sqrt(2) / (1 * math.sqrt(2))
    for t, (state, row) in enumerate(zip(found, TOY_ROUNDS[form], strict=True), start=1):
        mean_a, var_a, mean_b, var_b, retention, forgetting, w = row
        assert (state.means[0], state.variances[0]) == (near(mean_a), near(var_a))
        assert (state.means[1], state.variances[1]) == (near(mean_b), near(var_b))
        assert (state.retention, state.forgetting) == (near(retention), near(forgetting))
        assert state.counts == (4 - t, 3)
        g = value("safe.alg1", form, **TOY, t=t)
        assert g == near(retention + forgetting, 8)
        assert value("safe.eq27", "printed", w0=1.2, g=[g], gamma=gamma, b=0) == near(w)


def test_algorithm_1_refuses_what_it_cannot_do():
    formula = bounds.get("safe.alg1")
    with pytest.raises(ValueError, match="two different samples"):
        formula("corrected", **{**TOY, "leave_A": [1, 1, 1, 2]}, t=2)
    with pytest.raises(ValueError, match="one round for every sample"):
        formula("corrected", **{**TOY, "leave_A": [1, 1, 1]}, t=1)
    negative = {
        "A": [-1, 1, -1, 1], "leave_A": [9, 9, 1, 1], "B": [0, 1, 2], "leave_B": [9, 9, 9],
        "w0": 1, "lam": 1, "t": 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match="var must stay > 0"):
        formula("printed", **negative)
    assert math.isfinite(value("safe.alg1", "corrected", **negative))
