"""Plots: the numbers drawn, and files that do not depend on when or after what they are drawn."""

import re

import pytest

import bounds
from bounds import Plot
from tests.forks import forked
from verify import checks, plots

LEMMA = bounds.get("sglu.lem3.4")


def test_the_curves_are_the_forms_and_the_experiment_attains_the_tight_one():
    drawn = {c.name: c for c in plots.picture(LEMMA).curves}
    assert list(drawn) == ["printed", "tight", "experiment"]
    inputs = LEMMA.plot.inputs
    for x, y in zip(drawn["printed"].x, drawn["printed"].y, strict=True):
        assert y == float(bounds.get(LEMMA.id)("printed", K=x, **inputs))
    tight = dict(zip(drawn["tight"].x, drawn["tight"].y, strict=True))
    for x, y in zip(drawn["experiment"].x, drawn["experiment"].y, strict=True):
        assert y == pytest.approx(tight[x], rel=1e-9)


@pytest.mark.parametrize("id", plots.plottable())
def test_every_claim_that_can_be_drawn_shows_what_was_measured_beside_its_forms(
    id, monkeypatch, full
):
    monkeypatch.setattr(plots.evidence, "FIRST", 4)
    monkeypatch.setattr(plots.curves, "MEASURED_POINTS", 20 if full else 2)
    claim = bounds.get(id)
    picture = plots.picture(claim)
    drawn = {c.name for c in picture.curves if c.x}
    assert picture.judged in drawn or not claim.forms
    assert "experiment" in drawn
    if checks.check(claim).exact_side is not None:
        assert set(claim.forms) <= drawn
        assert all(len(c.x) > 1 for c in picture.curves if c.name in claim.forms)
    assert picture.x_label
    assert picture.y_label
    assert picture.verdict
    texts = (picture.x_label, picture.y_label, picture.fixed)
    assert not [t for t in texts if re.search(r"[Dd]_alpha|W-inf|\bs2\b", t)]


def test_every_bound_can_be_drawn():
    kinds = {"inequality", "asymptotic", "recursion", "algorithm"}
    bound = {c.id for c in bounds.statements() if c.kind in kinds}
    assert bound <= set(plots.plottable())
    assert len(bound) >= 233


def test_a_plot_that_stands_alone_names_the_paper():
    found = plots.picture(bounds.get("sglu.lem3.4"))
    assert found.paper == bounds.paper("sglu").cited
    *_, note = plots.draw(found).texts
    assert f"{found.paper}. forgetproof " in " ".join(note.get_text().split())


def test_the_experiment_keeps_both_ends():
    drawn = {c.name: c for c in plots.picture(LEMMA).curves}
    assert len(drawn["experiment"].x) == 20
    assert {LEMMA.plot.values[0], LEMMA.plot.values[-1]} <= set(drawn["experiment"].x)


def test_inputs_and_points_may_be_replaced():
    picture = plots.picture(LEMMA, ["tight"], {"c": 1.0, "K": [1, 2, 4]})
    assert picture.curves[0].x == (1.0, 2.0, 4.0)
    assert picture.curves[0].y == pytest.approx([1.0, 0.5, 0.25])
    assert "$c$ = 1," in picture.fixed + ","


@pytest.mark.parametrize(
    ("forms", "inputs", "message"),
    [
        (["best"], {}, "form must be one of printed, tight"),
        (None, {"nonsense": 1}, "nonsense is not an input"),
        (None, {"K": 3}, "list of at least two"),
        (None, {"alpha": 0.5}, "alpha must be"),
    ],
)
def test_what_cannot_be_drawn_is_named(forms, inputs, message):
    with pytest.raises(ValueError, match=message):
        plots.picture(LEMMA, forms, inputs)


def test_a_bound_without_a_variable_is_drawn_over_any_symbol_inside_its_hypotheses():
    bare = LEMMA.changed(plot=None)
    where = bare.interpretations[0].where
    for symbol in ("K", "alpha", "Z", "s2", "c"):
        found = plots.picture(bare, over=symbol)
        assert f" ${bare.symbols[symbol].tex}$ [" in found.x_label
        assert len(found.curves[0].x) >= 3
        for x in found.curves[0].x:
            bare.symbols[symbol].validate(x)
    assert not where
    with pytest.raises(ValueError, match=r"over must be one of alpha, .*, got 'nonsense'"):
        plots.picture(bare, over="nonsense")


def test_points_outside_the_hypotheses_are_left_out():
    natural = Plot("c", (0.5, 0.9, 1.5), {"alpha": 2.0, "Z": 1.0, "s2": 1.0, "K": 3.0})
    picture = plots.picture(LEMMA.changed(plot=natural))
    assert picture.curves[0].x == (0.5, 0.9)


def test_infinite_values_are_left_out():
    inputs = {"m0": 0.0, "v0": 2.0, "m1": 0.0, "v1": 1.0, "a": [1.2, 1.5, 2.0, 3.0]}
    drawn = plots.picture(bounds.get("sglu.def2.1"), ["printed"], inputs)
    assert [c.x for c in drawn.curves] == [(1.2, 1.5), (1.2, 1.5)]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_equal_pictures_give_equal_files(tmp_path, suffix):
    picture = plots.picture(LEMMA)
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    plots.save(picture, first)
    plots.save(MADE[2], tmp_path / f"c.{suffix}")
    plots.save(picture, second)
    assert first.read_bytes() == second.read_bytes()


def test_pyplot_is_never_imported(tmp_path):
    code = (
        "import sys; from pathlib import Path; import bounds; from verify import plots;"
        "plots.save(plots.picture(bounds.get('sglu.lem3.4')), Path(sys.argv[1]));"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    done = forked(["-c", code, str(tmp_path / "x.svg")], cwd=".")
    assert done.returncode == 0, done.stderr


def test_other_suffixes_and_folders_that_are_missing_are_refused(tmp_path):
    picture = plots.picture(LEMMA)
    with pytest.raises(ValueError, match=r"must end in \.svg, \.png, \.pdf"):
        plots.save(picture, tmp_path / "x.jpg")
    with pytest.raises(ValueError, match="must be writable"):
        plots.save(picture, tmp_path / "no" / "x.svg")


def test_the_inline_plot_takes_its_colours_from_the_page_and_styles_nothing_else():
    svg = plots.inline_svg(plots.picture(LEMMA))
    assert svg.startswith("<svg")
    assert not re.search(r"#[0-9a-f]{6}\b(?!\))", re.sub(r'(url\(|href=")#[^)"]*', "", svg))
    assert "<style" not in svg
    assert "DejaVu" not in svg
    assert "number of steps K [steps]</text>" in svg
    assert len(svg) < 40_000


def made(name, log_x, log_y, xs, ys, label="value"):
    return plots.Picture(
        f"made.{name}", name, "x", label, "", log_x, log_y, (plots.Curve("printed", xs, ys),)
    )


MADE = (
    made("linear", False, False, (1.0, 2.0, 3.0), (0.1, 0.2, 0.5)),
    made("fractions", False, False, (0.1, 0.25, 3.0), (1e-7, 2e-7, 9e-7)),
    made("powers", True, True, (1.0, 10.0, 1e5), (1e-9, 1e-3, 1.0), "two\nlines" * 20),
    made("half a decade", True, False, (3e3, 4e3, 8e3), (-5.0, 0.0, 1e4)),
    made("one and a bit", False, True, (1.0, 2.0, 4.0), (0.3, 0.9, 2.5)),
)


@pytest.mark.parametrize("order", [(4, 3, 2, 1, 0), (0, 0, 3, 3, 1, 4, 2), (2, 0, 4, 1, 3)])
def test_an_inline_plot_does_not_depend_on_those_drawn_before(order):
    first = [plots.inline_svg(p) for p in MADE]
    assert [plots.inline_svg(MADE[i]) for i in order] == [first[i] for i in order]


def test_ticks_of_inline_plots_are_those_of_matplotlib_as_plain_text():
    drawn = plots.inline_svg(made("powers", True, True, (1.0, 10.0, 1e5), (1e-9, 1e-3, 1.0)))
    for text in ("10⁰", "10⁵", "10⁻⁸"):
        assert f">{text}</text>" in drawn
    narrow = plots.inline_svg(made("narrow", True, True, (3e3, 4e3, 8e3), (0.3, 0.9, 2.5)))
    assert ">3 × 10³</text>" in narrow
    assert ">2 × 10⁰</text>" in narrow
    assert "$" not in drawn + narrow


def test_labels_between_powers_are_left_out_where_they_would_overlap():
    few = plots.inline_svg(made("few", True, False, (3e3, 4e3, 8e3), (1.0, 2.0, 3.0)))
    crowded = plots.inline_svg(made("many", True, False, (1.2e-13, 1.9e-13), (1e-9, 2.0)))
    assert "3 × 10³" in few
    assert "× 10⁻¹³" not in crowded


@pytest.mark.parametrize(
    ("id", "changes", "message"),
    [
        ("sglu.cor3.9", {"J": [1, 2]}, "J must be a single number"),
        ("sglu.sec4.10pct2pct", {"n": []}, "n must be a single number"),
        ("sglu.claim20x", {"n": {0: 1}}, "n must be a single number"),
        ("sglu.thml.2", {"L": 1e308}, "."),
        ("sglu.eq18_20", {"sigma": 1e308}, "."),
    ],
)
def test_invalid_values_held_fixed_are_refused_by_name(id, changes, message):
    with pytest.raises(ValueError, match=message):
        plots.picture(bounds.get(id), inputs=changes)


def test_six_curves_fit_their_figure(recwarn):
    claim = bounds.get("sglu.sec4.10pct2pct")
    plots.inline_svg(plots.picture(claim))
    assert not [w for w in recwarn if issubclass(w.category, UserWarning)]
