"""The verdict in a picture: the violated side, counterexamples, and a legend that hides nothing."""

import dataclasses
import re

import pytest
from matplotlib.collections import PolyCollection
from matplotlib.mathtext import MathTextParser

import bounds
from verify import checks, plots, runner
from verify.plots import labels, lines, points
from verify.plots.names import joint_names, line_names
from verify.plots.picture import Curve, Picture

XS = (1.0, 2.0, 3.0)
FORMULA = re.compile(r"\$[^$]+\$")


def made(curves, relation="<=", log_y=True, **rest):
    drawn = tuple(Curve(name, XS, ys) for name, ys in curves.items())
    return Picture(
        "x.y",
        "made",
        "steps $x$ [steps]",
        "distance [-]",
        "",
        False,
        log_y,
        drawn,
        judged="printed",
        relation=relation,
        **rest,
    )


@pytest.mark.parametrize(
    ("relation", "side"),
    [("<=", "above"), (">=", "below"), ("==", "above and below")],
    ids=["le", "ge", "eq"],
)
def test_the_side_that_is_shaded_is_the_one_where_nothing_may_be_measured(relation, side):
    line = (2.0, 3.0, 4.0)
    picture = made({"printed": line, "experiment": (1.0, 5.0, 9.0)}, relation, log_y=False)
    assert picture.side == side
    crossed = {(x, y) for _, x, y in picture.violations()}
    picture = dataclasses.replace(picture, marks=tuple(sorted(crossed)))
    axes = plots.draw(picture).axes[0]
    shades = [c for c in axes.collections if isinstance(c, PolyCollection)]
    low, high = axes.get_ylim()
    spans = []
    for shade in shades:
        ys = shade.get_paths()[0].vertices[:, 1]
        spans.append((ys.min(), ys.max()))
    wanted = [(low, 4.0)] * ("below" in side) + [(2.0, high)] * ("above" in side)
    for (first, last), (bottom, top) in zip(spans, wanted, strict=True):
        assert bottom <= first < last <= top
        # Of an equality the line itself stays free.
        assert (first, last) == pytest.approx((bottom, top), abs=0.02 * (high - low))


def test_only_the_points_of_which_the_interpretation_speaks_are_hatched_and_marked():
    curves = {"printed": (2.0, 3.0, 4.0), "experiment": (9.0, 9.0, 9.0)}
    marks = ((2.0, 9.0), (3.0, 9.0))
    picture = made(curves, log_y=False, within=frozenset({2.0, 3.0}), marks=marks)
    assert [x for _, x, _ in picture.violations()] == [2.0, 3.0]
    (shade,) = plots.draw(picture).axes[0].collections
    assert shade.get_paths()[0].vertices[:, 0].min() == 2.0
    assert made(curves, within=frozenset()).side is None


def test_points_of_another_left_side_are_held_against_nothing():
    curves = {"printed": (2.0, 3.0, 4.0), "experiment": (9.0, 9.0, 9.0)}
    picture = made(curves, elsewhere=frozenset({"printed"}))
    assert picture.side is None
    assert picture.violations() == []
    assert joint_names(picture)["printed"] == "as printed (of another quantity)"


def test_violations_are_points_on_the_shaded_side_the_worst_first():
    curves = {"printed": (2.0, 3.0, 4.0), "experiment": (1.0, 6.0, 40.0)}
    assert [(x, y) for _, x, y in made(curves).violations()] == [(3.0, 40.0), (2.0, 6.0)]
    assert [(x, y) for _, x, y in made(curves, ">=").violations()] == [(1.0, 1.0)]
    assert [x for _, x, _ in made(curves, "==").violations()] == [3.0, 2.0, 1.0]


def test_lines_that_cannot_be_seen_are_named():
    picture = made(
        {
            "printed": (1.0, 2.0, 30.0),
            "corrected": (1.0, 2.001, 30.0),
            "tight": (0.0, 0.0, 0.0),
            "other": (0.0, 1.5, 3.0),
        }
    )
    assert joint_names(picture) == {
        "printed": "as printed and corrected",
        "other": "other (0 where not drawn)",
    }
    assert line_names(picture)["tight"].text == "best possible: 0 everywhere"
    assert not line_names(picture)["tight"].seen


@pytest.mark.parametrize("id", ["sglu.thm3.2", "sglu.sec4.10pct2pct", "sglu.alg6"])
def test_no_legend_is_cut_off(id):
    figure = plots.draw(plots.picture(bounds.get(id)))
    figure.canvas.draw()
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= 0


@pytest.fixture(scope="module")
def run():
    def picture(id):
        claim = bounds.get(id)
        return plots.picture(claim, told=plots.gathered(claim))

    return picture


SAMPLE = ("sglu.cor3.8", "olu.thm3", "olu.thm4", "hf.thm4.3", "olu.cor7", "olu.eq46", "sglu.alg6")
SAMPLE += (
    "hf.alg1.noise.std",
    "hf.alg1.noise",
    "sglu.cor3.12",
    "olu.cor1a",
    "hf.eq59",
    "mini.alg1",
)


# Their checks, or what is drawn through what contradicts them, take many seconds.
DEAR = ("olu.thm3", "hf.thm4.3")


@pytest.mark.parametrize("id", SAMPLE)
def test_what_contradicts_a_claim_is_marked_on_its_shaded_side(run, id, full, monkeypatch):
    if id in DEAR and not full:
        pytest.skip("dear: in the full profile")
    monkeypatch.setattr(plots.curves, "MEASURED_POINTS", 20 if full else 4)
    claim = bounds.get(id)
    found = run(id)
    assert found.marks
    assert faults(found, claim, plots.told(claim)) == []
    assert " claimed, " in found.fact
    assert found.verdict in ("holds", "false", "typo", "mixed")


def faults(picture, claim, told):
    """Where marks, side, relation and verdict of a picture do not belong together."""
    bound, said = picture.bound, []
    known = dict(zip(bound.x, bound.y, strict=True)) if bound else {}
    for x, y in picture.marks:
        if picture.side is None or x not in known:
            said.append(f"a cross at {x} beside nothing")
        elif not {"above": y > known[x], "below": y < known[x]}.get(picture.side, y != known[x]):
            said.append(f"a cross at ({x}, {y}) that is not {picture.side} {known[x]}")
    missing = {(x, y) for _, x, y in picture.violations()} - set(picture.marks)
    said += [f"a violation at {point} without a cross" for point in missing]
    if told.refutes and not (picture.marks or picture.note):
        said.append("a verdict that contradicts without a cross, or why there is none")
    if picture.marks and not told.refutes:
        said.append("a cross in spite of the verdict")
    return said


def test_what_a_interpretation_holds_is_not_contradicted_by_a_picture(full, monkeypatch):
    """Crosses stand where the verdicts say; no experiment contradicts a form that is to hold.

    Of a sample of the claims by default; of all, with what their checks compare, in the full
    profile.
    """
    from verify.expectation import load

    monkeypatch.setattr(plots.curves, "MEASURED_POINTS", 20 if full else 4)
    expected, said = load(), {}
    for id in plots.plottable()[:: 1 if full else 8]:
        claim = bounds.get(id)
        drawable = full or (claim.plot and checks.check(claim).exact_side)
        if not drawable:
            continue
        told = plots.gathered(claim) if full else plots.told(claim)
        picture = plots.picture(claim, told=told)
        said[id] = faults(picture, claim, told)
        if picture.within is None:  # comparisons side by side, each with inputs of its own
            continue
        for form, relation in claim.interpretation(told.interpretation).relations.items():
            word = expected[id].get(f"{told.interpretation}.{form}")
            lines = {c.name for c in picture.curves} - picture.elsewhere
            if word in ("holds", "not refuted", "consistent") and form in lines - {picture.judged}:
                held = dataclasses.replace(picture, judged=form, relation=relation, marks=())
                said[id] += [f"{form} is contradicted at {x}" for _, x, _ in held.violations()]
    assert {id: lines for id, lines in said.items() if lines} == {}
    assert len(said) > 20


@pytest.mark.parametrize(
    "id", ["sglu.claim20x", "olu.eq59", "olu.alg3.shift", "mini.not", "safe.gamma"]
)
def test_a_curve_of_another_left_side_is_called_so(id):
    picture = plots.picture(bounds.get(id))
    assert picture.elsewhere
    assert not picture.marks
    names = line_names(picture)
    drawn = [form for form in picture.elsewhere if names[form].seen]
    assert drawn
    assert all("of another quantity" in names[form].text for form in drawn)


def test_a_limit_is_not_contradicted_by_what_is_near_it():
    claim = bounds.get("mini.kpriv.retained")
    picture = plots.picture(claim, told=plots.gathered(claim))
    assert picture.side == "above and below"
    assert not picture.marks
    assert dataclasses.replace(picture, tolerance=picture.tolerance / 4).violations()


def test_a_comparison_at_other_inputs_is_not_drawn_beside_a_curve():
    """Inputs that a comparison does not name are no inputs of the curve."""
    claim = bounds.get("hf.alg1.noise.std")
    line = lines.declared(claim, {})
    told = plots.gathered(claim)
    (worst, *_) = told.against
    at = {**line.at(line.points[0]), "epsilon": line.points[0]}
    on = dataclasses.replace(worst, inputs=at, bound=float(claim("printed", **at)))
    assert points.lies_on(claim, line, on)
    assert not points.lies_on(claim, line, dataclasses.replace(on, bound=2 * on.bound))
    for name in set(claim["printed"].arguments) - {line.symbol}:
        less = {k: v for k, v in at.items() if k != name}
        assert not points.lies_on(claim, line, dataclasses.replace(on, inputs=less))
        other = {**at, name: 2 * at[name]}
        assert not points.lies_on(claim, line, dataclasses.replace(on, inputs=other))


def test_a_refuted_form_that_is_expected_to_hold_is_drawn_with_its_crosses():
    claim = bounds.get("hf.alg1.noise.std")
    told = dataclasses.replace(plots.told(claim), headline="holds", refutes=False, recorded_run="")
    picture = plots.picture(claim, told=told)
    assert picture.verdict == "expected: holds, not run"
    assert picture.fact.startswith("contradicted here: ")
    assert len(picture.marks) > 10


def test_a_count_is_followed_one_decade_above_what_contradicts():
    """What is drawn at a count takes as many steps, or their cube: two decades took minutes."""
    claim = bounds.get("hf.alg1_stage2")
    found = plots.gathered(claim)
    drawn = list(lines.through(claim, found, found.against, "T"))
    assert drawn
    for compared, line in zip(found.against, drawn, strict=False):
        count = compared.inputs["T"]
        assert line.symbol == "T"
        assert count < max(line.points) <= 10 * count


def test_a_check_that_compares_at_one_entry_of_a_list_leaves_its_claim_a_picture():
    claim = bounds.get("sglu.lemg.1")
    outcome = runner.fresh_outcome(claim, runner.Settings())
    assert plots.picture(claim, told=plots.told(claim, outcome)).bound.x


def test_the_title_says_the_headline_and_that_an_interpretation_differs():
    claim = bounds.get("sglu.cor3.8")
    assert plots.told(claim).verdict == "holds (false: literal; holds: convergent, aligned)"
    assert plots.told(bounds.get("sglu.lem3.4")).verdict == "holds"
    title = plots.title(plots.picture(claim))
    assert title == "Corollary 3.8 (sglu): HOLDS, but not as read here: see sglu.cor3.8"


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
