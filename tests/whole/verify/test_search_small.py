"""What a search must not overlook: small values, corners of domains, inputs that checks know."""

import mpmath
import numpy as np
import pytest

import bounds
from verify import checks
from verify.hf.radial_noise import hockey_stick
from verify.olu import algorithm_1, index_conventions
from verify.search.domain import of_form
from verify.search.run import Budget, search, search_target
from verify.search.slack import slack
from verify.search.targets import expected_to_hold, targets

KNOWN = [
    ("mini.thm1", "literal", "printed"),
    ("hf.eq3", "literal", "printed"),
    ("hf.tightness", "literal", "printed"),
]
SLOW = [  # violated at horizons of thousands of rounds only
    ("olu.intro", "literal", "printed"),
    ("olu.eq18", "valid", "printed"),
    ("olu.cor7", "literal", "printed"),
    ("olu.thm2", "valid", "printed"),
]
# Evaluations of exact sides that take long.
FEW = {"hf.tightness": 4, "mini.rewind.prior": 10, "safe.phi": 10}


@pytest.mark.parametrize(("id", "interpretation", "form"), KNOWN)
def test_false_forms_that_only_the_check_knows_where_to_look_for(id, interpretation, form):
    budget = Budget(evaluations=60, seconds=600.0)
    found = [
        f
        for f in search(id, interpretation=interpretation, form=form, budget=budget)
        if f.interpretation == interpretation
    ]
    assert [f.kind for f in found] == ["counterexample"]
    assert not found[0].surprising


@pytest.mark.parametrize(("id", "interpretation", "form"), SLOW)
def test_starts_violate_forms_that_fail_at_long_horizons_only(id, interpretation, form):
    found = next(
        t for t in targets(bounds.get(id)) if (t.interpretation, t.form) == (interpretation, form)
    )
    assert found.starts
    assert any(found.fails(found.sides(point), 1e-6) for point in found.starts[-3:])


def test_ratios_of_small_numbers_count():
    assert slack(2e-12, 1e-12, "<=") == pytest.approx(np.log(2))
    target = next(
        t
        for t in targets(bounds.get("hf.tightness"))
        if (t.interpretation, t.form) == ("literal", "printed")
    )
    tiny = {"rho": 0.1, "q": 0.16, "E": 7, "B": 2}
    measured, bound = target.sides(tiny)
    assert bound < measured < 1e-9
    assert target.fails((measured, bound), 1e-6)


def test_limits_of_exact_sides_name_interpretations_that_exist():
    for statement in bounds.statements():
        limited = checks.check(statement).limits.keys()
        assert limited <= {r.name for r in statement.interpretations}, statement.id


@pytest.mark.parametrize(
    ("id", "interpretation", "form"),
    [
        ("safe.phi", "literal", "corrected"),
        ("safe.gamma", "unit", "printed"),
        ("safe.thm1.log", "normalised", "printed"),
        ("safe.thm2i", "silent", "printed"),
        ("mini.rewind.prior", "literal", "tight"),
        ("guo.delta", "small", "printed"),
        ("hf.tightness", "slow", "printed"),
        ("hf.def2.1.scale", "literal", "tight"),
    ],
)
def test_true_interpretations_survive(id, interpretation, form):
    target = next(
        t for t in targets(bounds.get(id)) if (t.interpretation, t.form) == (interpretation, form)
    )
    found = search_target(target, Budget(evaluations=FEW.get(id, 40), seconds=600.0))
    assert found.kind == "none", found


def test_noise_is_relative_to_what_an_exact_side_subtracts():
    target = next(t for t in targets(bounds.get("safe.eq3")) if t.form == "printed")
    point = {"kept": [1.0, 2.0], "gone": [4.0], "w": 1.5, "lam": 1.0}
    size = target.noise(point)
    assert 0 < size < 1e-12
    assert target.noise({**point, "w": 1e3}) == pytest.approx(size * 1e6 / 16)


def test_starts_are_admissible_and_their_coordinates_lead_back():
    for id in ("olu.cor7", "mini.thm1", "hf.tightness"):
        for target in targets(bounds.get(id)):
            assert target.starts
            for point in target.starts[:5]:
                assert target.domain.admits(point)
                unit = target.domain.encode(point)
                assert len(unit) == target.domain.size
                again = target.domain.decode(unit)
                for name, value in point.items():
                    if isinstance(value, float) and 0.01 < abs(value) < 10:
                        assert again[name] == pytest.approx(value, rel=1e-3), name


@pytest.mark.parametrize("seed", range(3))
def test_coordinates_of_decoded_points_are_found_again(seed):
    rng = np.random.default_rng(seed)
    for id in ("olu.alg1", "sglu.lem3.5", "mini.thm1", "safe.eq3"):
        for form in bounds.get(id).forms.values():
            where = of_form(form)
            point = where.decode(where.sample(rng))
            again = where.decode(where.encode(point))
            for name, value in point.items():
                if isinstance(value, dict):
                    assert again[name] == value
                else:
                    assert again[name] == pytest.approx(value, rel=1e-6, abs=1e-9)


def test_algorithm_1_serves_requests_that_come_at_once():
    """Both shifts arrive together: the second pays (a_2 (a_2 + 2 a_1)/(2 eps))^(1/2)."""
    at = {"mu": 1.0, "beta": 3.0, "L": 1.0, "u": [3, 4], "tau": [6, 6], "epsilon": 1.0}
    tight = float(bounds.get("olu.alg1")("tight", **at))
    assert algorithm_1.measure(**at) == pytest.approx(tight, rel=1e-9)
    # the runs part by L/(mu u) and shrink by 1 - 1/t from then on: 1/3 * 3/4 * 4/5, 1/4 * 4/5
    first, second = 1 / 3 * max(3 / 4, 1 / 4) * 4 / 5, 1 / 4 * 4 / 5
    wanted = np.sqrt(second * (second + 2 * first) / 2)
    assert algorithm_1.measure(**at) == pytest.approx(wanted, rel=1e-9)
    # A later round asked for first: its own worst losses have nothing at the other round yet.
    late = {**at, "beta": 1.0, "u": [3, 1], "tau": [4, 4]}
    assert algorithm_1.measure(**late) == pytest.approx(np.sqrt(1 / 6), rel=1e-9)


@pytest.mark.parametrize(
    ("id", "form", "good", "bad", "message"),
    [
        ("olu.alg1", "tight", {"u": [3, 4]}, {"u": [3, 3]}, "u_i all different"),
        ("hf.eq9", "corrected", {"m": 2, "c_U": 0.5}, {"m": 2, "c_U": 1.0}, "c_U = cbar where m"),
        ("hf.thm3.1", "printed", {"m": 2, "c_U": 0.5}, {"m": 2, "c_U": 1.0}, "c_U = cbar where m"),
    ],
)
def test_holes_of_domains_are_closed(id, form, good, bad, message):
    rest = {
        "olu": {"mu": 1.0, "beta": 2.0, "L": 1.0, "tau": [6, 7], "epsilon": 1.0},
        "hf": {"eta": 0.5, "h": 1.0, "n": 2, "T": 3, "cbar": 0.5, "w0": 2.0},
    }[id.split(".")[0]]
    assert np.isfinite(bounds.get(id)(form, **rest, **good))
    with pytest.raises(ValueError, match=message):
        bounds.get(id)(form, **rest, **bad)


def test_the_rounds_of_every_schedule_of_olu_differ():
    for id in bounds.ids("olu"):
        formula = bounds.get(id)
        if "u" in formula.symbols and formula.symbols["u"].kind == "list":
            assert any(r.text == "u_i all different" for r in formula.requires), id


def test_nothing_kept_is_exact_where_the_means_agree():
    from verify.hf import equation_9

    at = {"eta": 0.5, "h": 1.0, "n": 2, "m": 2, "T": 3, "cbar": 0.5, "c_U": 0.5, "w0": 2.0}
    assert equation_9.measure(**at) == 1.5 * (1 - 0.5**3)  # v stays at w0, w goes to the mean
    assert float(bounds.get("hf.eq9")("corrected", **at)) == 1.5 * (1 - 0.5**3)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_a_loss_removed_as_it_comes_needs_noise_without_end(gamma):
    at = {"gamma": gamma, "eta": 0.5, "L": 1.0, "u": 4, "tau": 4}
    assert index_conventions.measure(**at) == np.inf
    assert float(bounds.get("olu.index")("corrected", **at)) == np.inf
    for tau in (5, 7):
        found = index_conventions.measure(**{**at, "tau": tau})
        assert found == float(bounds.get("olu.index")("corrected", **{**at, "tau": tau}))


@pytest.mark.parametrize(
    ("epsilon", "d", "ratio"),
    [
        (1.0, 1.0, 0.002), (1.0, 1.0, 500.0), (0.01, 3.0, 0.999), (2.5, 40.0, 1.3),
        (0.1, 7850.0, 1.01), (5.0, 1.0, 1.1), (1e-3, 200.0, 0.05),
    ],
)  # fmt: skip
def test_unequal_scales_against_incomplete_gamma_functions(epsilon, d, ratio):
    with mpmath.workdps(60):
        e, half, ways = mpmath.mpf(epsilon), mpmath.mpf(d) / 2, []
        for s in (mpmath.mpf(ratio), 1 / mpmath.mpf(ratio)):
            k = (e + 2 * half * mpmath.log(s)) / (1 - 1 / s**2)
            ends = (k, mpmath.inf) if s > 1 else (0, max(k, 0))
            far, near = (
                mpmath.gammainc(half, *(x / c for x in ends), regularized=True) for c in (s**2, 1)
            )
            ways.append(far - mpmath.exp(e) * near)
        exact = float(max(ways))
    assert hockey_stick(epsilon, d, ratio) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    ("id", "point"),
    [
        ("sglu.def2.1", {"m0": 1.0, "v0": 3.0, "m1": 1.0, "v1": 3.0, "a": 1.001}),
        ("sglu.def2.1", {"m0": 800.0, "v0": 0.05, "m1": 800.0, "v1": 0.05, "a": 1.008}),
        ("sglu.def2.1", {"m0": 0.025, "v0": 0.04, "m1": 9800.0, "v1": 0.04, "a": 9801.0}),
        ("olu.def4", {"m0": -7500.0, "v0": 0.001, "m1": -7500.0, "v1": 0.001, "alpha": 0.001}),
        ("olu.def4", {"m0": -4.0, "v0": 300.0, "m1": -4.0, "v1": 300.0, "alpha": 1900.0}),
        (
            "sglu.lem3.5",
            {"eta": 1.0, "m": 1.0, "M": 0.03935937190474061, "b": 8, "J": 36, "T": 36, "j0": 0}
            | {"R": 0.0024801374948024346},
        ),
        ("mini.eq7.norm", {"eta": 1.0, "beta": 0.1, "Gm": 0.0}),
    ],
    ids=[
        "order-near-1",
        "far-from-0",
        "order-large",
        "order-near-0",
        "equal-laws",
        "small-ball",
        "no-gradients",
    ],
)
def test_rounding_of_an_exact_side_violates_nothing(id, point):
    for target in expected_to_hold(bounds.get(id)):
        try:
            sides = target.sides(point)
        except ValueError:
            continue
        assert not target.fails(sides, 1e-6)
