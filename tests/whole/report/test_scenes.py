"""Wider pictures: regret over rounds, deletions, and gap, with every baseline."""

import pytest

import bounds
from verify import checks, plots
from verify.olu import regret_pictures
from verify.plots.marks import styles

SMALL = {"T": 400, "k": 3, "gap": 5}
LISTS = {"T": [200, 400, 800], "k": [1, 2, 4], "gap": [1, 5, 20]}


def curves(id, over, **changed):
    fixed = {name: value for name, value in SMALL.items() if name != over}
    picture = plots.scene(bounds.get(id), over, {**fixed, over: LISTS[over], **changed})
    return {c.name: c for c in picture.curves}


@pytest.mark.parametrize("over", LISTS)
@pytest.mark.parametrize(
    ("id", "own"),
    [
        ("olu.thm2", {"printed", "corrected", "tight", "active"}),
        ("olu.thm3", {"printed", "corrected", "fixed comparator"}),
    ],
)
def test_every_bound_and_baseline_is_drawn_at_every_point(id, own, over):
    drawn = curves(id, over)
    assert set(drawn) == own | {"restart", "retraining", "online DP", "experiment"}
    assert all(c.x == tuple(map(float, LISTS[over])) for c in drawn.values())


@pytest.mark.parametrize("id", ["olu.thm2", "olu.thm3"])
def test_the_experiment_stays_below_the_best_bound(id):
    drawn = curves(id, "T")
    best = drawn["tight" if id == "olu.thm2" else "fixed comparator"]
    for found, bound in zip(drawn["experiment"].y, best.y, strict=True):
        assert found <= bound


def test_the_numbers_are_the_formulas():
    drawn = curves("olu.thm2", "T")
    u, tau = regret_pictures.schedule(400, 3, 5, 4)
    assert (u, tau) == ([95, 195, 295], [100, 200, 300])
    wanted = bounds.get("olu.thm2")("tight", T=400, d=10, epsilon=1.0, L=1.0, mu=1.0, tau=tau)
    assert drawn["tight"].y[1] == float(wanted)


@pytest.mark.parametrize(
    ("id", "over", "inputs", "message"),
    [
        ("olu.lem5", "T", {}, "over needs a claim with pictures of its own .olu.thm2"),
        ("hf.thm4.3", "k", {}, "over must be one of ratio, eta, epochs"),
        ("mini.thm1", "eta", {}, "over must be one of k, ratio, steps"),
        ("mini.thm1", "k", {"colour": 1}, "colour is not an input"),
        ("hf.thm4.3", "ratio", {"ratio": 0.1}, "ratio must be a list"),
        ("olu.thm2", "d", {}, "over must be one of T, k, gap"),
        ("olu.thm2", "T", {"colour": 1}, "colour is not an input"),
        ("olu.thm2", "T", {"T": 5}, "T must be a list"),
        ("olu.thm2", "k", {"k": [100, 200], "T": 50}, "T must hold"),
    ],
)
def test_what_cannot_be_drawn_is_named(id, over, inputs, message):
    with pytest.raises(ValueError, match=message):
        plots.scene(bounds.get(id), over, inputs)


def test_nothing_heavy_is_imported_for_the_list_of_pictures():
    assert checks.check(bounds.get("olu.thm2")).pictures.startswith("verify.olu.")


def test_stored_statistics_stay_below_their_certificate_and_above_the_exact_hessian():
    changed = {"ratio": [0.05, 0.2], "n": 120, "epochs": 20}
    drawn = {c.name: c.y for c in plots.scene(bounds.get("hf.thm4.3"), "ratio", changed).curves}
    for exact, paper, bound in zip(
        drawn["exact Hessian"], drawn["paper"], drawn["certified"], strict=True
    ):
        assert exact < paper < bound


def test_rewind_stays_below_its_bound_and_following_more_steps_helps():
    changed = {"k": [1, 20, 60], "steps": 80}
    drawn = {c.name: c.y for c in plots.scene(bounds.get("mini.thm1"), "k", changed).curves}
    assert all(a <= b for a, b in zip(drawn["Rewind"], drawn["rewind's bound"], strict=True))
    assert drawn["Mini"][0] > drawn["Mini"][1] > drawn["Mini"][2]


def test_the_regret_of_safe_crosses_what_it_claims_and_descent_stays_below_its_bound():
    from verify.safe import pictures

    for over, points in (("T", [16, 100, 400]), ("W", [0.5, 1.0]), ("K", [0.5, 2.0])):
        drawn = {c.name: c for c in pictures.regrets(over, {over: points}).curves}
        assert len(drawn) == 8
        assert all(c.x == tuple(map(float, points)) for c in drawn.values())
    drawn = {c.name: c for c in pictures.regrets("T", {"T": [100, 1600]}).curves}
    assert drawn["SAFE, bias"].y == pytest.approx((90.0, 1560.0))
    assert drawn["SAFE, noise"].y == pytest.approx((175.6217191, 2809.947506))
    assert drawn["printed"].y == pytest.approx((50.5, 200.5))
    assert drawn["corrected"].y[0] >= 90
    for found, bound in zip(drawn["descent"].y, drawn["descent's bound"].y, strict=True):
        assert found <= bound


def test_axes_of_wider_pictures_have_units_and_their_lines_differ_without_colour():
    picture = plots.scene(bounds.get("olu.thm2"), "T", {"k": 3, "gap": 5, "T": LISTS["T"]})
    assert picture.x_label == "number of rounds $T$ [rounds]"
    assert picture.y_label == "regret [loss]"
    assert "Hu et al." in picture.paper
    looks = {(repr(s["linestyle"]), s.get("marker")) for s in styles(picture).values()}
    assert len(looks) == len(picture.curves) == 8
    assert plots.inline_svg(picture).startswith("<svg")
