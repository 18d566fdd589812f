"""The picture of a bound: axes with names, the hatched side, a title that the points show."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.collections import PolyCollection

from forgetproof.inequality import BoundMeasurements, Over, OwnBound, judge, picture


def drawn(values, text="2*c**K", relation="<=", **more):
    points = np.arange(1.0, len(values) + 1)
    nothing = np.zeros(len(values))
    found = {"basis": "exact", "error": nothing, "trials": nothing + np.inf, "rounding": nothing}
    found |= {"constants": {"K": points}, **more}
    run = BoundMeasurements("a run", "gap $ [loss]", points, np.array(values), **found)
    bound = OwnBound(text, relation, {"c": 0.5} if "c" in text else {})
    verdict = judge(bound, Over("K", 1, len(values)), run)
    return verdict, picture.draw(verdict)


def hatched(figure):
    (axes,) = figure.axes
    return [each for each in axes.collections if isinstance(each, PolyCollection)]


def entries(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize(("relation", "sides"), [("<=", 1), (">=", 1), ("==", 2)])
def test_the_side_that_breaks_the_bound_is_hatched_and_said(relation, sides):
    verdict, figure = drawn([0.5, 0.4, 0.3], "0.4 + 0*c*K", relation)
    (axes,) = figure.axes
    shapes = hatched(figure)
    assert len(shapes) == sides
    assert all(shape.get_hatch() == "///" for shape in shapes)
    assert "a point here breaks the bound" in entries(figure)
    low, high = axes.get_ylim()
    edges = {y for shape in shapes for path in shape.get_paths() for _, y in path.vertices}
    # From the bound to the edge of the axes on the sides where the relation fails, and no further.
    assert (high in edges) == (relation != ">=")
    assert (low in edges) == (relation != "<=")
    for x, y in zip(verdict.measurements.points, verdict.measurements.values, strict=True):
        inside = any(path.contains_point((x, y)) for s in shapes for path in s.get_paths())
        # A point that attains the bound lies on the shape's own edge.
        assert not inside or y == 0.4 or bool(verdict.failed[int(x) - 1])


def test_axes_title_and_crosses_are_of_the_points():
    _, figure = drawn([0.9, 0.6, 0.1])
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("K", r"gap \$ [loss]")
    title = figure.get_suptitle()
    assert title.startswith("measured <= 2*c**K: FALSE\n1 of 3 points lie above it")
    (cross,) = (line for line in axes.lines if line.get_marker() == "X")
    assert cross.get_xydata().tolist() == [[2.0, 0.6]]
    assert "measured, and breaks the bound" in entries(figure)
    _, figure = drawn([0.9, 0.5, 0.1])
    title = " ".join(figure.get_suptitle().split())
    assert "NOT REFUTED no point of 3 breaks it; the closest, at K = 2, is 100 % of it" in title
    assert not [line for line in figure.axes[0].lines if line.get_marker() == "X"]


def test_means_have_their_limits():
    verdict, figure = drawn([1.1, 0.5], basis="mean", error=np.full(2, 0.1))
    assert "limits wholly in here break the bound" in entries(figure)
    assert verdict.word == "not refuted"


@pytest.mark.parametrize("values", [[1e300, 1e-300], [-1.0, 2.0], [1e308, 1.0]])
@pytest.mark.filterwarnings("error")
def test_any_values_can_be_drawn(values):
    drawn(values)[1].canvas.draw()


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
@pytest.mark.filterwarnings("error")
def test_equal_verdicts_have_equal_files(tmp_path, suffix):
    verdict, _ = drawn([0.0])
    files = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for file in files:
        picture.save(verdict, file)
    assert files[0].read_bytes() == files[1].read_bytes() != b""
