"""Plots of the report: the same however they are drawn, and drawn again only where needed."""

import pickle

import pytest

import bounds
from verify import plots, report, runner
from verify.outcome import outcome_of
from verify.report import drawing

IDS = ("sglu.lem3.4", "sglu.lem3.6", "sglu.alg6")


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """What a picture measures is tested elsewhere; here it is drawn several times."""
    monkeypatch.setattr(plots.curves, "MEASURED_POINTS", 3)


@pytest.fixture
def outcomes():
    return [outcome_of(bounds.get(id), [], 0.0, None) for id in IDS]


def test_several_processes_are_given_what_one_draws(outcomes, tmp_path, monkeypatch):
    """The pool itself is tested with the runner; here tasks and results only have to travel."""

    def pool(jobs, ids, task, record):
        for id in ids:
            record(id, pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(task))(id))))

    here = drawing.Drawer(tmp_path).drawings(outcomes)
    monkeypatch.setattr(drawing, "WORTH", 1)
    monkeypatch.setattr(drawing.executors, "in_processes", pool)
    assert drawing.Drawer(tmp_path).drawings(outcomes, 2) == here
    assert here.keys() == {o.claim.id for o in outcomes if o.claim.plot}


def test_plots_are_drawn_while_checks_run_and_not_again(outcomes, tmp_path, monkeypatch):
    """Checks and plots travel through one pool; the report then has nothing left to draw."""
    made, wanted = [], drawing.Drawer(tmp_path).drawings(outcomes)

    def pool(jobs, ids, task, record, kin):
        waiting = list(ids)
        for id in waiting:
            made.append(str(id))
            waiting += record(id, pickle.loads(pickle.dumps(task))(pickle.loads(pickle.dumps(id))))

    monkeypatch.setattr(runner.executors, "in_processes", pool)
    monkeypatch.setattr(runner, "run_claim", nothing_found)
    drawer = drawing.Drawer(tmp_path)
    found = runner.run(IDS, jobs=2, sequel=drawer)
    assert made == [*IDS, *(f"the plot of {id}" for id in wanted)]
    monkeypatch.setattr(drawing, "draw", None)
    assert drawer.drawings(found) == wanted


def nothing_found(id, settings):
    return [], 0.0, None


def test_a_plot_is_taken_over_from_a_page_of_the_same_code(
    outcomes, manifest, tmp_path, monkeypatch
):
    outcomes = outcomes[:2]
    report.write(outcomes, [], manifest, tmp_path)
    before = (tmp_path / "claims" / f"{IDS[0]}.html").read_text("utf-8")
    drawn = []
    draw = drawing.draw
    monkeypatch.setattr(
        drawing, "draw", lambda claim, told: drawn.append(claim.id) or draw(claim, told)
    )
    report.write(outcomes, [], manifest, tmp_path)
    assert drawn == []
    assert (tmp_path / "claims" / f"{IDS[0]}.html").read_text("utf-8") == before
    code = drawing.formula_hash
    edited = IDS[1]
    monkeypatch.setattr(
        drawing, "formula_hash", lambda claim: "edited" if claim.id == edited else code(claim)
    )
    report.write(outcomes, [], manifest, tmp_path)
    assert drawn == [edited]


def test_two_plots_have_no_id_in_common(outcomes, tmp_path):
    figures = [d.figure for d in drawing.Drawer(tmp_path).drawings(outcomes[:2]).values()]
    assert all('id="sglu-lem3-' in f for f in figures)
    assert 'id="sglu-lem3-4-' not in figures[1]


def test_a_page_that_is_not_ours_is_no_plot(outcomes, tmp_path):
    page = tmp_path / "claims" / f"{IDS[0]}.html"
    page.parent.mkdir()
    page.write_bytes(b"\xff\xfe")
    assert "<svg" in drawing.Drawer(tmp_path).drawings(outcomes[:1])[IDS[0]].figure


def test_plots_that_are_not_asked_for_are_not_drawn(outcomes, manifest, tmp_path, monkeypatch):
    outcomes = outcomes[:2]
    pages = [tmp_path / "claims" / f"{id}.html" for id in IDS[:2]]

    def written(outcomes, plots):
        report.write(outcomes, [], manifest, tmp_path, drawer=drawing.Drawer(tmp_path, plots))
        return [page.exists() and "<svg" in page.read_text("utf-8") for page in pages]

    assert written(outcomes[:1], "all") == [True, False]
    monkeypatch.setattr(drawing, "draw", None)
    assert written(outcomes, "kept") == [True, False]
    assert written(outcomes, "none") == [False, False]
