"""Values of hf's drift, error and noise formulas (independent high precision)."""

import numpy as np
import pytest

import bounds
from bounds.hf.certificates import error_aposteriori, error_apriori, gap_of_sum, hessian_change
from bounds.hf.drift import drift_capped, drift_smooth
from bounds.homogeneous import h2

# The paper's three configurations: (eta, C, q, B, b, b_u, E).
CONFIGS = {
    "P1": (0.05, 10.0, 0.995, 1, 1000, 0, 49),
    "P2": (0.05, 10.0, 0.995, 16, 64, 3, 19),
    "P3": (0.5, 0.5, 0.995, 16, 256, 5, 29),
}


def near(value, digits=9):
    return pytest.approx(value, rel=10.0 ** (1 - digits) / 2, abs=0)


def lists(name, m=1):
    eta, _, q, B, b, b_u, E = CONFIGS[name]
    T = (E + 1) * B
    missing = np.where(np.arange(T) % B == b_u, m, 0)
    return {"steps": eta * q ** np.arange(T), "missing": missing, "sizes": np.full(T, b)}


@pytest.mark.parametrize(
    ("name", "paper", "clip", "convex", "strong"),
    [
        ("P1", 44.33748859, 43.31631984, 0.02216874429, 0.01992311461),
        ("P2", 159.7824293, 155.7479439, 0.07977728852, 0.05433100198),
        ("P3", 90.9826535, 88.01056589, 0.01124333163, 0.001206792571),
    ],
)
def test_drift_in_the_papers_configurations(name, paper, clip, convex, strong):
    eta, C, q, B, b, b_u, E = CONFIGS[name]
    T, schedule = (E + 1) * B, lists(name)
    lemma = bounds.get("hf.lem4.1")
    assert float(lemma("printed", eta=eta, C=C, q=q, t=T)) == near(paper)
    sharp = lemma("tight", eta=eta, C=C, q=q, t=T, B=B, b=b, b_u=b_u)
    assert float(sharp) == near(clip)
    assert float(bounds.get("hf.lem4.1.clip")("tight", **schedule, C=C)) == near(clip)
    bound = bounds.get("hf.lem4.1.convex")("tight", eta=eta, C=C, q=q, E=E, B=B, b=b, b_u=b_u)
    assert float(bound) == near(convex)
    smooth = bounds.get("hf.lem4.1.smooth")
    assert float(smooth("tight", **schedule, C=C, lam=0.1, M=3)) == near(strong)
    # eta_t M <= 2 and lam = 0 is the convex case.
    assert float(smooth("tight", **schedule, C=C, lam=0, M=2 / eta)) == near(convex)


def test_convex_drift_is_2n_times_less_than_the_paper_as_q_tends_to_one():
    eta, C, _, B, b, _, E = CONFIGS["P2"]
    T, q = (E + 1) * B, 1 - 1e-9
    paper = bounds.get("hf.lem4.1")("printed", eta=eta, C=C, q=q, t=T)
    sharp = bounds.get("hf.lem4.1.convex")("tight", eta=eta, C=C, q=q, E=E, B=B, b=b, b_u=0)
    assert float(paper / sharp) == pytest.approx(2 * B * b, rel=1e-6)


TABLE_41 = [
    ("P1", 0.99, 40.89989988, 41.21185157, 0.01733064899),
    ("P1", 0.995, 44.33261609, 44.68461674, 0.01955559189),
    ("P1", 1, 48.20161582, 48.60065322, 0.02216874429),
    ("P2", 0.99, 191.8096992, 192.0862492, 0.01536389004),
    ("P2", 0.995, 323.8602152, 324.4286168, 0.03157786647),
    ("P2", 1, 636.0152507, 637.4512418, 0.07977728852),
    ("P3", 0.99, 625.4747536, 625.5717611, 0.0009898716008),
    ("P3", 0.995, 1350.498825, 1350.759022, 0.002655076112),
    ("P3", 1, 4126.514673, 4127.61652, 0.01124333163),
]


@pytest.mark.parametrize(("name", "rho", "eq41", "eq42", "nothing"), TABLE_41)
def test_equations_41_and_42(name, rho, eq41, eq42, nothing):
    eta, C, q, B, b, b_u, E = CONFIGS[name]
    inputs = {"eta": eta, "C": C, "q": q, "rho": rho, "E": E, "B": B, "b": b, "b_u": b_u}
    assert float(bounds.get("hf.eq41")("printed", **inputs)) == near(eq41)
    assert float(bounds.get("hf.eq42")("printed", **inputs)) == near(eq42)
    assert float(bounds.get("hf.eq42")("corrected", **inputs)) == near(eq41)
    both = [float(bounds.get("hf.eq41")("corrected", **inputs, m=m)) for m in (0, 1)]
    assert (both[1] - both[0]) / 2 == pytest.approx(nothing, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "batch", "kept"),
    [
        ("P1", 0.0001340889996, 7.134480146e-5),
        ("P2", 0.002534906571, 0.002006771418),
        ("P3", 1.193227007e-5, 3.73007904e-6),
    ],
)
def test_corrected_errors_in_the_papers_configurations(name, batch, kept):
    inputs = {**lists(name), "C": CONFIGS[name][1], "lam": 0.1, "M": 3.0, "Lam": 0.5}
    assert float(bounds.get("hf.thm4.3")("corrected", **inputs)) == near(batch)
    assert float(bounds.get("hf.thm4.3.kept")("tight", **inputs)) == near(kept)


@pytest.mark.parametrize(
    ("n", "m", "eta", "lam", "M", "Lam", "C", "T", "drift", "kept", "limit", "extra"),
    [
        (100, 1, 0.1, 0.5, 4, 1, 2, 10, 0.01605052243, 3.791019406e-5, 0.0016, None),
        (100, 10, 0.1, 0.5, 4, 1, 2, 1000, 0.4, 0.16, 0.16, 0.32),
        (1000, 50, 0.05, 0.01, 2, 0.3, 5, 500, 5.531197667, 36.27682272, 9375.0, 6.615622663),
    ],
)
def test_whole_batches_and_constant_steps(n, m, eta, lam, M, Lam, C, T, drift, kept, limit, extra):
    inputs = {"eta": eta, "n": n, "m": m, "lam": lam, "M": M, "Lam": Lam, "C": C, "T": T}
    schedule = ([eta] * T, [m] * T, [n] * T)
    assert drift_smooth(*schedule, C, lam, M)[-1] == near(drift)
    assert float(bounds.get("hf.thm4.3.constant")("corrected", **inputs)) == near(kept)
    reach = m * C / (n * lam)
    assert Lam / (2 * lam) * reach**2 == pytest.approx(limit, rel=1e-9)
    first_order = {**inputs, "Lam": 0}
    found = bounds.get("hf.thm4.3.constant.batch")("corrected", **first_order)
    assert float(found) == near(0.0002756427389 if extra is None else extra)


def test_many_constant_steps_reach_the_limit():
    inputs = {"n": 10, "m": 3, "lam": 0.5, "M": 2.0, "Lam": 0.7, "C": 1.3}
    limit = bounds.get("hf.thm4.3.limit")("corrected", **inputs)
    found = bounds.get("hf.thm4.3.constant.batch")("corrected", **inputs, eta=0.4, T=5000)
    assert float(found) == pytest.approx(float(limit), rel=1e-9)
    reach = 3 * 1.3 / (10 * 0.5)
    kept = bounds.get("hf.thm4.3.constant")("corrected", **inputs, eta=0.4, T=5000)
    assert float(kept) == pytest.approx(0.7 / (2 * 0.5) * reach**2, rel=1e-9)


@pytest.mark.parametrize(
    ("rho", "q", "T", "B", "zeta", "core", "scaled"),
    [
        (0.9, 0.995, 50, 1, 1.466848275, 8.138513493, 293.369655),
        (0.995, 0.995, 320, 16, 32.37970595, 4.357591773, 6475.941189),
        (0.990025, 0.995, 480, 16, 12.5485702, 1.153424148, 2509.714039),
        (1, 0.995, 50, 1, 4.815727833, 44.33748859, 963.1455667),
        (0.5, 0.9, 10, 2, 0.4802221389, 0.62089621, 4.802221389),
    ],
)
def test_zeta(rho, q, T, B, zeta, core, scaled):
    found = float(bounds.get("hf.zeta")("tight", rho=rho, q=q, T=T))
    assert found == near(zeta)
    assert found / (1 - q) == pytest.approx(scaled, rel=1e-8)
    assert float(h2(rho**B, q**B, T // B - 1)) == near(core)


def test_zeta_is_refused_in_its_printed_form_at_a_removable_singularity():
    with pytest.raises(ValueError, match="undefined at"):
        bounds.get("hf.zeta")("printed", rho=0.5, q=0.5, T=4)


def test_tightness():
    assert float(h2(0.5, 0.9, 9)) == near(0.8692546940)
    inputs = {"rho": 0.9, "q": 0.9, "E": 9, "B": 1}
    assert float(bounds.get("hf.tightness")("corrected", **inputs)) == near(2 * 3.874204890)
    inputs = {"rho": 0.5, "q": 0.9, "E": 9, "B": 1}
    assert float(bounds.get("hf.tightness")("printed", **inputs)) == 2 * 0.01953125


def test_change_of_the_hessian_along_a_segment():
    d, spread, rate = np.array([0.0, 0.5, 2.0, 8.0]), np.array(1.0), np.array(0.5)
    s = (np.arange(200_000) + 0.5) / 200_000
    exact = [np.minimum(rate * s * x, spread).mean() for x in d]
    np.testing.assert_allclose(hessian_change(d, spread, rate), exact, rtol=1e-9, atol=1e-12)
    assert hessian_change(np.array(3.0), spread, np.array(np.inf)) == 1.0
    assert hessian_change(np.array(0.0), spread, np.array(np.inf)) == 0.0
    assert hessian_change(np.array(3.0), np.array(0.0), rate) == 0.0


def test_constants_may_be_arrays_over_problems():
    rng = np.random.default_rng(5)
    steps, missing, sizes = rng.uniform(0.1, 1, (3, 6)), rng.integers(0, 3, (3, 6)), np.full(6, 4)
    lam, M, Lam, C = rng.normal(size=3), rng.uniform(3, 4, 3), rng.uniform(size=3), np.ones(3)
    norms = rng.uniform(size=(3, 6))
    for hessian in ("kept", "batch"):
        whole = error_apriori(steps, missing, sizes, C, lam, M, Lam, hessian)
        stored = error_aposteriori(steps, missing, sizes, norms, lam, M, Lam, hessian)
        for i in range(3):
            own = (steps[i], missing[i], sizes)
            one = error_apriori(*own, C[i], lam[i], M[i], Lam[i], hessian)
            np.testing.assert_allclose(whole[i], one, rtol=1e-14)
            one = error_aposteriori(*own, norms[i], lam[i], M[i], Lam[i], hessian)
            np.testing.assert_allclose(stored[i], one, rtol=1e-14)


def test_the_smaller_of_contraction_and_clipping():
    steps, missing, sizes = [1.0] * 4, [1, 0, 0, 1], [2] * 4
    both = drift_capped(steps, missing, sizes, 1.0, 0.1, -1.0, 1.0)
    assert (both <= drift_smooth(steps, missing, sizes, 1.0, -1.0, 1.0)).all()
    np.testing.assert_allclose(both, [0, 0.5, 0.7, 0.9, 0.9 + 0.1 + 0.5])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lam": 2.0}, "lam must be <= M"),
        ({"lam": float("nan")}, "lam must be"),
        ({"M": -1.0}, "M must be"),
        ({"C": -1.0}, "C must be"),
        ({"Lam": float("nan")}, "Lam must be"),
        ({"missing": [3, 0]}, "missing must be <= sizes"),
        ({"steps": [0.0, 1.0]}, "steps must be"),
        ({"steps": 1.0, "missing": 0, "sizes": 1}, "steps must be a list"),
        ({"hessian": "both"}, "hessian must be one of"),
        ({"branch": "rho"}, "branch must be one of"),
    ],
)
def test_invalid_certificates(change, message):
    inputs = {"steps": [0.1, 0.1], "missing": [1, 0], "sizes": [2, 2], "C": 1.0, "lam": 0.1,
              "M": 1.0, "Lam": 1.0}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        error_apriori(**{**inputs, **change})


def test_gap_of_a_sum_of_leave_one_out_vectors():
    # n = 3, U = {1, 2}, l = (w - c)^2/2, eta = 1/2, w_0 = 0, two steps on the whole batch:
    # A^u_1 = -eta c_u/3, gap = (eta/3) sum |A^u_1| = eta^2 (|c_1| + |c_2|)/9.
    eta, c = 0.5, np.array([1.0, 2.0])
    first = eta * c / 3
    norms = np.stack((np.zeros(2), first), axis=1)
    bound = gap_of_sum([eta] * 2, [2, 2], [3, 3], np.ones((2, 2)), norms, 1.0, 1.0)
    assert bound[-1] == pytest.approx(0.08333333333, rel=1e-9)


def test_bounds_beyond_the_floats_are_infinite_and_never_undefined():
    steps, none, sizes = [1e200, 1e200, 1e200, 1.0], [1, 1, 0, 0], [2] * 4
    drift = drift_smooth(steps, none, sizes, 1.0, 1.0, 1.0)
    assert np.isposinf(drift[-1])
    for hessian in ("kept", "batch"):
        error = error_apriori(steps, none, sizes, 1.0, 1.0, 1.0, 1.0, hessian)
        assert not np.isnan(error).any()
