"""What every picture has to show: axes with units, words apart, a title that its points support."""

import dataclasses
import itertools
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from matplotlib.text import Text

import bounds
from verify import plots, record
from verify.plots import axis_labels, description, facts, labels, marks, names, places, svg
from verify.plots.picture import Curve, Picture
from verify.plots.style import MARK, OTHERS, STYLES, VARIABLES, WORDS

SAMPLE = (
    "sglu.alg5",
    "sglu.thm3.2",
    "sglu.table3",
    "sglu.cor3.8",
    "sglu.appe",
    "olu.thm2",
    "olu.eq17.sum",
    "olu.lem9",
    "hf.eq59",
    "hf.table1.hessian",
    "mini.thm1",
    "safe.gamma",
    "safe.thm1.table",
    "safe.eq7",
    "own.opt",
)
WORD = re.compile(r"[A-Za-z]{3,}")
UNIT = re.compile(r"\[[^\]]+\]")
ROUNDING = 0.3  # points, to which the widths of letters are rounded
SVG = "{http://www.w3.org/2000/svg}"


def pytest_generate_tests(metafunc):
    if "id" in metafunc.fixturenames:
        all_of_them = metafunc.config.option.forgetproof_profile == "full"
        known = set(plots.plottable())
        ids = plots.plottable() if all_of_them else [id for id in SAMPLE if id in known]
        metafunc.parametrize("id", ids)


def words_of(figure):
    """Every text of the figure that is seen, with its box in points."""
    figure.set_dpi(288)
    figure.canvas.draw()
    axes = figure.axes[0]
    hidden = set()
    for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        low, high = sorted(limits)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            hidden.add(tick.label2)
            if not low <= tick.get_loc() <= high:
                hidden.add(tick.label1)
    shown = [
        text
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and text not in hidden
    ]
    boxes = [text.get_window_extent().extents / 4 for text in shown]
    return [
        (text.get_text(), tuple(map(float, box))) for text, box in zip(shown, boxes, strict=True)
    ]


def overlaps(first, second):
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    return wide > ROUNDING and high > ROUNDING


def test_every_picture_says_what_it_shows_and_shows_what_it_says(id, tmp_path):
    claim = bounds.get(id)
    picture = plots.picture(claim)
    for label in map(labels.plain, (picture.x_label, picture.y_label)):
        assert WORD.search(UNIT.sub("", label)), label
        assert UNIT.search(label), label
    headline = record.of_claim(claim).headline
    assert re.search(rf"\): {re.escape(headline.upper())}\b", plots.title(picture))
    assert 60 <= len(plots.alternative(picture)) <= 400
    looks = {
        (repr(style["linestyle"]), style.get("marker")) for style in marks.styles(picture).values()
    }
    assert len(looks) == len(picture.curves)
    figure = plots.draw(picture)
    crosses = {(x, y) for _, x, y in picture.violations()}
    assert crosses <= set(picture.marks)
    written = words_of(figure)
    for (text, box), (other, second) in itertools.combinations(written, 2):
        assert not overlaps(box, second), (text, other)
    wide, high = figure.get_size_inches() * 72
    for text, box in written:
        assert box[0] > -1, text
        assert box[1] > -1, text
        assert box[2] < wide + 1, text
        assert box[3] < high + 1, text
    assert figure.axes[0].get_position().height > 0.3
    path = tmp_path / "x.svg"
    plots.save(picture, path)
    assert path.stat().st_size <= 40_000
    assert len(plots.inline_svg(picture).encode()) <= 40_000


def made(curves, relation="<=", marks=(), **rest):
    drawn = tuple(Curve(name, (1.0, 2.0, 3.0), ys) for name, ys in curves.items())
    return Picture(
        "x.y",
        "made",
        "number of steps $x$ [steps]",
        "distance [-]",
        "",
        False,
        False,
        drawn,
        judged="printed",
        relation=relation,
        marks=marks,
        **rest,
    )


LINE = (2.0, 3.0, 4.0)


@pytest.mark.parametrize("show", [plots.draw, plots.inline_svg], ids=["alone", "page"])
def test_a_point_that_breaks_the_claim_without_a_cross_is_refused(show):
    wrong = made({"printed": LINE, "experiment": (1.0, 5.0, 1.0)})
    with pytest.raises(ValueError, match=r"marks of x\.y must hold what breaks the claim"):
        show(wrong)
    assert show(dataclasses.replace(wrong, marks=((2.0, 5.0),)))


@pytest.mark.parametrize(
    ("mark", "relation"),
    [((2.0, 1.0), "<="), ((2.0, 5.0), ">="), ((2.0, 3.0), "=="), ((2.5, 9.0), "<=")],
    ids=["below", "above", "on the line", "beside nothing"],
)
def test_a_cross_anywhere_else_is_refused(mark, relation):
    wrong = made({"printed": LINE}, relation, (mark,))
    with pytest.raises(ValueError, match="must lie on the side that breaks the claim"):
        plots.draw(wrong)


def test_a_mean_breaks_a_claim_with_all_of_its_band():
    x = (1.0, 2.0, 3.0)
    band = Curve("experiment", x, LINE, tuple(y - 1 for y in LINE), tuple(y + 1 for y in LINE))
    printed = Curve("printed", x, (0.5, 2.5, 4.5))
    for relation, broken in (("<=", [1.0]), (">=", []), ("==", [1.0])):
        picture = dataclasses.replace(made({}, relation), curves=(printed, band))
        assert [x for _, x, _ in picture.violations()] == broken


@pytest.mark.parametrize(
    ("headline", "refutes", "ys", "relation", "fact"),
    [
        ("false", True, (1.0, 6.0, 1.0), "<=", "at most 3 claimed, 6 measured at x = 2"),
        ("holds", True, (1.0, 6.0, 1.0), "<=", "but not as read here: at most 3 claimed"),
        ("holds", False, (1.0, 6.0, 1.0), "<=", "contradicted here: at most 3 claimed"),
        ("false", True, (1.0, 1.0, 1.0), "<=", "fails elsewhere: see x.y"),
        ("holds", False, (1.0, 1.5, 1.0), "<=", "points come to 50 % of the bound"),
        ("holds", False, (1.0, 3.0, 1.0), "<=", "a point attains it"),
        ("holds", False, (4.0, 9.0, 16.0), ">=", "points stay above 2 times the bound"),
        ("holds", False, LINE, "==", "all points lie on the line"),
        ("false", True, (2.0, 2.0, 4.0), "==", "exactly 3 claimed, 2 measured at x = 2"),
    ],
)
def test_the_title_says_what_the_drawn_points_show(headline, refutes, ys, relation, fact):
    claim = bounds.get("sglu.lem3.4")
    told = dataclasses.replace(
        plots.told(claim), headline=headline, refutes=refutes, recorded_run="r"
    )
    picture = made({"printed": LINE, "experiment": ys}, relation, variable="$x$")
    crossed = tuple((x, y) for _, x, y in picture.violations())
    found = facts.finished(dataclasses.replace(picture, marks=crossed), claim, told)
    assert found.fact.startswith(fact)
    assert plots.title(found).startswith(f"made (x): {headline.upper()}, {fact}")


def test_a_verdict_that_is_only_expected_is_said_to_be():
    claim = bounds.get("sglu.lem3.4")
    told = dataclasses.replace(plots.told(claim), recorded_run="", headline="false")
    assert told.said == "expected: false, not run"
    found = dataclasses.replace(made({"printed": LINE}), verdict=told.said, fact="why")
    assert plots.title(found) == "made (x): expected FALSE, not run, why"
    assert dataclasses.replace(told, headline="").said == "not run"


def test_the_alternative_text_says_axes_courses_cross_and_verdict():
    picture = made(
        {"printed": LINE, "tight": (3.0, 2.0, 1.0), "experiment": (1.0, 6.0, 1.0)},
        marks=((2.0, 6.0),),
        verdict="false",
    )
    assert plots.alternative(picture) == (
        "Distance [-] against number of steps x [steps]. As printed: rises from 2 to 4. "
        "Best possible: falls from 3 to 1. Measured: between 1 and 6. "
        "A cross at 2: at most 3 claimed, 6 measured. Verdict: false."
    )
    many = {f"line {i}": LINE for i in range(40)}
    long = made({"printed": LINE, **many}, verdict="holds")
    assert 60 <= len(plots.alternative(long)) <= 400
    assert plots.alternative(long).endswith("Verdict: holds.")
    wide = dataclasses.replace(picture, y_label="words " * 200 + "[-]")
    assert len(plots.alternative(wide)) <= 400
    assert plots.alternative(wide).endswith("Verdict: false.")


def test_files_are_images_with_a_title_and_a_description(tmp_path):
    picture = plots.picture(bounds.get("sglu.lem3.4"))
    files = plots.save(picture, tmp_path / "x.svg", ["pdf", "png"])
    assert [file.suffix for file in files] == [".svg", ".pdf", ".png"]
    root = ET.parse(files[0]).getroot()
    assert root.get("role") == "img"
    title, text = root[0], root[1]
    assert (title.tag, title.text) == (f"{SVG}title", plots.title(picture))
    assert (text.tag, text.text) == (f"{SVG}desc", plots.alternative(picture))
    assert root.get("aria-labelledby").split() == [title.get("id"), text.get("id")]
    # Letters in a PDF are those of a TrueType font: they can be searched and edited.
    assert b"/Type0" in files[1].read_bytes()
    assert b"/Type3" not in files[1].read_bytes()
    page = ET.fromstring(plots.inline_svg(picture).replace("xlink:", ""))
    assert page.get("role") == "img"
    assert page[1].text == plots.alternative(picture)


def test_a_caption_says_how_it_was_measured_and_how_to_cite_it():
    claim = bounds.get("mini.thm1")
    picture = plots.picture(claim)
    text = plots.caption(picture, "forgetproof plot mini.thm1 --out x.svg")
    assert text.startswith(f"{plots.title(picture)}.\n")
    for part in (
        "as printed, corrected",
        "A point in the hatched part, above the line that is judged, breaks the claim",
        "Measured: exact",
        f"Held fixed: {labels.plain(picture.fixed)}.",
        f"Verdict: false (run of {record.of_claim(claim).date}",
        bounds.paper("mini").cited,
        f"{description.source(picture)}: forgetproof plot mini.thm1 --out x.svg",
    ):
        assert part in text
    assert "$" not in text


@pytest.mark.parametrize(
    ("symbol", "label"),
    [
        ("sigma", "noise scale σ [√loss]; a step adds N(0, 2 η σ²)"),
        ("K", "unlearning epochs K [epochs]"),
        ("eta", "step size η [parameter²/loss]"),
        ("alpha", "Rényi order α [-]"),
        ("rows", "setting rows [-]"),
    ],
)
def test_an_axis_says_words_symbol_and_unit(symbol, label):
    assert labels.plain(axis_labels.of_symbol(bounds.get("sglu.thm3.2"), symbol)) == label


def test_what_is_measured_has_the_unit_of_its_form_or_the_listed_one():
    for id, unit in (("sglu.alg5", "[epochs]"), ("hf.eq41", "[parameter]"), ("olu.eq35", "[loss]")):
        assert axis_labels.of_measured(bounds.get(id)).endswith(unit)
    wordless = bounds.get("hf.eq41").changed(quantity="|v_T - w_T|")
    assert labels.plain(axis_labels.of_measured(wordless)) == "size |v_T - w_T| [parameter]"


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_words_about_a_line_have_enough_contrast_and_a_colour_in_pages():
    lines = {style["color"] for style in (*STYLES.values(), *OTHERS, MARK)}
    assert lines <= WORDS.keys()
    for colour in WORDS.values():
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5
        assert colour in VARIABLES


def test_lines_on_each_other_share_a_name_and_points_on_a_line_its_name():
    picture = made({"printed": LINE, "tight": (1.0, 2.0, 3.0), "experiment": (1.0, 2.0, 3.0)})
    assert names.joint_names(picture) == {
        "printed": "as printed",
        "tight": "best possible and measured",
    }
    crossed = made({"printed": LINE, "experiment": (9.0, 8.0, 7.0)}, marks=())
    crossed = dataclasses.replace(crossed, marks=((1.0, 9.0), (2.0, 8.0), (3.0, 7.0)))
    assert "experiment" not in names.line_names(crossed)


def test_words_find_a_place_that_touches_nothing_or_none():
    line = places.close(np.array([[0.0, 50.0], [100.0, 50.0]]))
    surface = places.Surface((0.0, 0.0, 100.0, 100.0), {"line": line})
    box = surface.beside("line", 30.0, 10.0)
    assert box in surface.taken
    assert box[1] >= 53.0 or box[3] <= 47.0
    other = surface.beside("line", 30.0, 10.0)
    assert not overlaps(box, other)
    assert surface.beside("line", 120.0, 10.0) is None
    tight = places.Surface(
        (0.0, 0.0, 100.0, 56.0), {"line": line, "next": line - np.array([0.0, 4.0])}
    )
    assert tight.beside("next", 30.0, 10.0, 1.0) is None or tight.taken[-1][3] < 46.0
    low, high = line, line + np.array([0.0, 45.0])
    inside = surface.within(40.0, 10.0, low, high)
    assert inside[1] >= 53.0
    assert inside[3] <= 92.0


def test_places_in_a_file_are_short_and_numbers_in_words_stay():
    text = '<path d="M 1.23456 2.5 L 3.98765 1"/><text x="1.23456">1.23456</text>'
    assert svg.short(text) == '<path d="M 1.23 2.5 L 3.98 1"/><text x="1.23">1.23456</text>'
