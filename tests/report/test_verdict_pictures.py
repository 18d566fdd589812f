"""The verdict in a picture: the violated side, counterexamples, and a legend that hides nothing."""

import dataclasses
import re

import pytest
from matplotlib.collections import PolyCollection
from matplotlib.mathtext import MathTextParser

import bounds
from verify import plots, runner
from verify.plots import labels
from verify.plots.picture import Curve, Picture, legend, near

XS = (1.0, 2.0, 3.0)
FORMULA = re.compile(r"\$[^$]+\$")


def made(curves, relation="<=", log_y=True, **rest):
    drawn = tuple(Curve(name, XS, ys) for name, ys in curves.items())
    return Picture(
        "x.y",
        "made",
        "$x$",
        "y",
        "",
        False,
        log_y,
        drawn,
        judged="printed",
        relation=relation,
        **rest,
    )


@pytest.mark.parametrize(
    ("relation", "side"), [("<=", "above"), (">=", "below"), ("==", None)], ids=["le", "ge", "eq"]
)
def test_the_side_that_is_shaded_is_the_one_where_nothing_may_be_measured(relation, side):
    line = (2.0, 3.0, 4.0)
    picture = made({"printed": line, "experiment": (1.0, 5.0, 9.0)}, relation, log_y=False)
    assert picture.side == side
    axes = plots.draw(picture).axes[0]
    shades = [c for c in axes.collections if isinstance(c, PolyCollection)]
    assert len(shades) == (side is not None)
    low, high = axes.get_ylim()
    for shade in shades:
        ys = shade.get_paths()[0].vertices[:, 1]
        assert ys.min() >= (2.0 if side == "above" else low)
        assert ys.max() <= (high if side == "above" else 4.0)


def test_violations_are_points_on_the_shaded_side_the_worst_first():
    curves = {"printed": (2.0, 3.0, 4.0), "experiment": (1.0, 6.0, 40.0)}
    assert [(x, y) for _, x, y in made(curves).violations()] == [(3.0, 40.0), (2.0, 6.0)]
    assert [(x, y) for _, x, y in made(curves, ">=").violations()] == [(1.0, 1.0)]
    assert [x for _, x, _ in made(curves, "==").violations()] == [3.0, 2.0, 1.0]


def test_lines_that_cannot_be_seen_are_named():
    names = legend(
        made(
            {
                "printed": (1.0, 2.0, 30.0),
                "corrected": (1.0, 2.001, 30.0),
                "tight": (0.0, 0.0, 0.0),
                "other": (0.0, 1.5, 3.0),
            }
        )
    )
    assert names["printed"] == "printed"
    assert names["corrected"] == "corrected (on printed)"
    assert names["tight"] == "tight (0)"
    assert names["other"] == "other (0 in part)"


def test_a_line_four_decades_away_gives_the_others_an_inset():
    far = {"printed": (1.0, 2.0, 3.0), "corrected": (3e4, 3e4, 3e4), "experiment": (1.0, 1.5, 4.0)}
    picture = made(far, marks=((3.0, 4.0),))
    assert set(near(picture)) == {"printed", "experiment"}
    box = plots.draw(picture).axes[0].child_axes[0]
    assert box.get_ylim()[1] < 10
    assert not near(made({"printed": (1.0, 2.0, 3.0), "experiment": (0.1, 1.5, 4.0)}))
    assert plots.inline_svg(picture).startswith("<svg")


@pytest.mark.parametrize("id", ["sglu.thm3.2", "sglu.sec4.10pct2pct", "sglu.alg6"])
def test_no_legend_is_cut_off(id):
    figure = plots.draw(plots.picture(bounds.get(id)))
    figure.canvas.draw()
    box = figure.axes[0].get_legend().get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
    assert box.y1 <= figure.bbox.y1


@pytest.fixture(scope="module")
def run():
    def picture(id):
        claim = bounds.get(id)
        return plots.picture(claim, told=plots.gathered(claim))

    return picture


@pytest.mark.parametrize(
    "id", ["sglu.cor3.8", "olu.thm3", "olu.thm4", "hf.thm4.3", "olu.cor7", "olu.eq46"]
)
def test_what_contradicts_a_claim_is_marked_on_its_shaded_side(run, id):
    found = run(id)
    bound = dict(zip(found.bound.x, found.bound.y, strict=True))
    assert found.marks
    assert "false" in found.verdict or "typo" in found.verdict
    for x, y in found.marks:
        assert x in bound
        assert (y > bound[x]) == (found.side == "above")


def test_a_count_is_followed_one_decade_above_what_contradicts(run):
    """What is drawn at a count takes as many steps, or their cube: two decades took minutes."""
    found = run("hf.alg1_stage2")
    (mark,) = (x for x, _ in found.marks)
    assert mark < max(found.bound.x) <= 10 * mark


def test_a_check_that_compares_at_one_entry_of_a_list_leaves_its_claim_a_picture():
    claim = bounds.get("sglu.lemg.1")
    outcome = runner.outcome_of(claim, *runner.run_claim(claim.id, runner.Settings()))
    assert plots.picture(claim, told=plots.told(claim, outcome)).bound.x


def test_the_title_says_the_verdict_by_reading():
    claim = bounds.get("sglu.cor3.8")
    assert plots.told(claim).verdict == "holds (false: literal; holds: convergent, aligned)"
    assert plots.told(bounds.get("sglu.lem3.4")).verdict == "holds"
    title = plots.draw(plots.picture(claim)).get_suptitle()
    assert "Corollary 3.8" in title
    assert "false: literal" in " ".join(title.split())


def test_a_mark_is_not_drawn_for_what_holds():
    claim = bounds.get("sglu.lem3.4")
    told = dataclasses.replace(plots.told(claim), refutes=False)
    assert not plots.picture(claim, told=told).marks


def test_every_label_is_one_that_matplotlib_and_a_page_can_show():
    parser, seen, formulas = MathTextParser("path"), set(), set()
    for claim in bounds.statements():
        texts = [labels.name(claim, symbol) for symbol in claim.symbols]
        texts += [labels.terms(s.meaning) for s in claim.symbols.values()]
        seen.update([*texts, labels.quantity(claim)])
    for text in sorted(seen):
        formulas.update(FORMULA.findall(text))
        assert not set(FORMULA.sub("", text)) & set("\\$"), text
        if text.startswith("$") and text.endswith("$"):
            assert not set(labels.plain(text)) & set("\\${}"), text
    for formula in sorted(formulas):
        parser.parse(formula)


@pytest.mark.parametrize(
    ("words", "label", "plain"),
    [
        ("d_alpha(first, second)", r"$d_{\alpha }$(first, second)", "d_α(first, second)"),
        ("W-infinity distance", r"$W_{\infty }$ distance", "W_∞ distance"),
        ("|w_T - w*|", "|$w_{T}$ - w*|", "|w_T - w*|"),
        ("epsilon at delta", r"$\epsilon$ at $\delta$", "ε at δ"),
        ("n gamma^n", r"n $\gamma^{n}$", "n γⁿ"),
    ],
    ids=["divergence", "wasserstein", "difference", "greek", "power"],
)
def test_words_become_formulas(words, label, plain):
    assert labels.terms(words) == label
    assert labels.plain(label) == plain
