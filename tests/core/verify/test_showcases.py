"""Figures and tables as showcases: means and errors, causes, bounds, and what is kept of a run."""

import json
import re

import pytest

import bounds
from forgetproof.cli import run as forgetproof
from verify.showcases import reproduced
from verify.showcases.cells import Bound
from verify.showcases.data import Chosen
from verify.showcases.rows import Found, Row, out_of_reach, reproduction
from verify.showcases.work import NotRun, Work, input_hashes


def run(chosen, seed):
    """Two cells; the first has mean 2 over seeds 1, 2, 3."""
    cells = {"one": {"ours": float(seed), "other": 5.0}, "two": {"ours": 1.0}}
    held = [Bound("x.a", "tight", 1.0, 2.0), Bound("x.a", "tight", 3.0, 2.0 + seed)]
    return Found(cells, held, ["hash"])


def refused(chosen, seed):
    raise NotRun("there are no such data")


ROWS = [
    Row("first", {"one": 2.001, "two": 4.0}, run, ("hardware", "model")),
    Row("second", {"one": 1.0}, refused),
    Row("third", {"one": None}, why="out of reach"),
]
SHOWCASE = reproduction("Table 9", "number", lambda chosen: ROWS, note="Said below.")


def shown(chosen=None, seed=1):
    return SHOWCASE.show(chosen or Chosen(seeds=3), seed)


def test_cells_are_means_over_seeds_with_their_error():
    first, second, *rest = shown().document["cells"]
    assert first["ours"]["ours"] == {"mean": 2.0, "standard_error": pytest.approx(3**-0.5)}
    assert first["ours"]["other"] == {"mean": 5.0, "standard_error": 0.0}
    assert (first["difference"], first["cause"]) == (pytest.approx(-0.001), "agrees")
    assert (second["difference"], second["cause"]) == (-3.0, "hardware, model")
    assert [cell["cause"] for cell in rest] == ["there are no such data", "out of reach"]
    assert all(not cell["ours"] for cell in rest)


def test_a_line_shows_the_error_of_its_own_first_interpretation():
    def other(chosen, seed):
        return Found({"one": {"other": float(seed)}})

    rows = [ROWS[0], Row("fourth", {"one": 2.5}, other)]
    found = reproduction("Table 9", "number", lambda chosen: rows).show(Chosen(seeds=3), 1)
    line = dict(zip(found.header, found.rows[-1], strict=True))
    assert (line["row"], line["ours"], line["other"]) == ("fourth", "-", "2")
    assert (line["s.e."], line["ratio"]) == ("0.58", "0.8")


def test_no_line_is_blank():
    found = shown()
    assert all(all(str(entry) for entry in row) for row in found.rows)
    text = "\n".join(found.lines)
    assert "there are no such data" in text
    assert "out of reach" in text
    assert "Said below." in text


def test_bounds_are_told_where_the_run_comes_closest():
    found = shown()
    (line,) = (x for x in found.lines if "x.a" in x)
    assert line.split() == ["x.a", "tight", "first", "3", "3", "1", "not", "refuted"]
    assert len(found.document["bounds"]) == 6


def test_a_bound_below_what_was_measured_is_refuted_unless_that_is_rounding():
    assert Bound("x.a", "printed", 3.0, 2.0).attainment == 1.5
    assert Bound("x.a", "printed", 1e-17, 0.0).attainment == float("inf")
    assert Bound("x.a", "printed", 1e-17, 0.0, 1e-15).attainment == 0.0


def test_a_quick_run_and_stand_in_data_are_causes():
    found = shown(Chosen(stand_in="synthetic", quick=True))
    assert found.document["cells"][1]["cause"] == "stand-in data, quick run, hardware, model"
    assert found.document["stand_in"]
    assert any("Stand-in data" in line for line in found.lines)


def test_what_is_out_of_reach_says_so():
    found = out_of_reach("Figure 8", "needs a cluster", {"a": {"b": 0.5}})
    assert found.why == "needs a cluster"
    (cell,) = found.show(Chosen(), 0).document["cells"]
    assert (cell["printed"], cell["cause"]) == (0.5, "needs a cluster")
    assert found.show(Chosen(), 0).drawing is None


def test_rows_without_a_run_need_a_reason_and_causes_are_from_the_list():
    with pytest.raises(ValueError, match="either run or why"):
        Row("empty", {})
    with pytest.raises(ValueError, match="causes must be of"):
        Row("odd", {}, run, ("the moon",))


def test_a_column_that_a_run_lacks_says_why():
    row = Row("a", {"b": 1.0, "c": 2.0}, lambda chosen, seed: Found({}, why={"b": "no clock"}))
    found = reproduction("Table 9", "", lambda chosen: [row]).show(Chosen(), 0)
    assert [c["cause"] for c in found.document["cells"]] == ["no clock", "not measured"]


def test_pieces_are_kept_and_a_torn_line_is_run_again(tmp_path):
    path, calls = tmp_path / "parts.jsonl", []

    def piece(name):
        return lambda: calls.append(name) or {"value": name, "large": float("inf")}

    work = Work(path, {"seed": 1})
    first = [work.do(name, piece(name)) for name in ("a", "b")]
    text = path.read_text("utf-8")
    path.write_text(text[:-9], "utf-8")
    again = Work(path, {"seed": 1}, resume=True)
    second = [again.do(name, piece(name)) for name in ("a", "b")]
    assert calls == ["a", "b", "b"]
    assert [f["found"] for f in first] == [f["found"] for f in second]
    assert len(path.read_text("utf-8").splitlines()) == 3
    with pytest.raises(ValueError, match="same settings"):
        Work(path, {"seed": 2}, resume=True)


def test_pieces_of_other_files_are_refused_and_what_could_not_run_is_tried_again(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "a-images-idx3-ubyte").write_bytes(b"one")
    (data / "notes.txt").write_bytes(b"no data")
    path, ready = tmp_path / "parts.jsonl", []

    def piece():
        if not ready:
            raise NotRun("needs b.npz")
        return 7

    inputs = input_hashes(data)
    assert list(inputs) == ["a-images-idx3-ubyte"]
    assert Work(path, inputs=inputs).do("x", piece) == {"why": "needs b.npz"}
    ready.append(True)
    (data / "b.npz").write_bytes(b"two")
    more = input_hashes(data)
    assert Work(path, inputs=more, resume=True).do("x", piece)["found"] == 7
    ready.clear()
    assert Work(path, inputs=more, resume=True).do("x", piece)["found"] == 7
    (data / "b.npz").write_bytes(b"three")
    with pytest.raises(ValueError, match=r"b\.npz differ"):
        Work(path, inputs=input_hashes(data), resume=True)
    with pytest.raises(ValueError, match=r"b\.npz differ"):
        Work(path, inputs=inputs, resume=True)


def test_progress_counts_every_piece():
    told = []
    work = Work(advance=lambda done, total, name: told.append((done, total, name)))
    shown(Chosen(seeds=2, work=work), seed=0)
    assert [(done, total) for done, total, _ in told] == [(i, 4) for i in (1, 2, 3, 4)]
    assert told[0][2] == "first, seed 0"


def test_every_declared_showcase_loads_and_has_a_title():
    for name, found in reproduced().items():
        assert found.title, name


@pytest.mark.parametrize("stand_in", ["digits", "synthetic"])
def test_stand_ins_are_ten_classes_of_pixels(stand_in):
    data = Chosen(stand_in=stand_in).ten_classes(3)
    assert set(data.targets) == set(range(10))
    assert 0 <= data.features.min() <= data.features.max() <= 1


def test_a_document_of_a_run_is_json():
    json.dumps(shown().document, allow_nan=False)


@pytest.fixture
def third_party(monkeypatch):
    """A paper of another distribution, with a showcase that works and two that do not."""
    showcases = {"table9": f"{__name__}:SHOWCASE", "gone": "absent_module:X", "odd": "math:pi"}
    made = bounds.Paper(
        "toy", "Toy", ("A B",), 2026, "toy", {}, showcases=showcases, distribution="toy-paper"
    )
    faults = {}
    monkeypatch.setattr(bounds, "papers", lambda: (made,))
    monkeypatch.setattr(bounds, "paper", lambda key: made)
    monkeypatch.setattr(bounds.library, "_loaded", lambda: ({"toy": made}, faults))


def test_a_third_partys_figures_are_run(third_party, capsys):
    assert forgetproof(["reproduce", "toy.table9", "--seeds", "2"]) == 0
    assert "there are no such data" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gone", "odd"])
def test_what_a_third_party_cannot_show_is_left_out_and_said(third_party, capsys, name):
    assert list(reproduced()) == ["toy.table9"]
    assert forgetproof(["reproduce", f"toy.{name}"]) == 2
    assert re.search(
        f"the showcase toy.{name} of toy-paper cannot be used: ", capsys.readouterr().err
    )


def test_names_of_showcases_are_words():
    with pytest.raises(ValueError, match="showcases must have names"):
        bounds.Paper("toy", "Toy", ("A B",), 2026, "toy", {}, showcases={"Table 4": "a:b"})


def test_rows_to_learn_from_are_whole_batches_of_what_there_is():
    data = Chosen(seeds=1)
    share = 1.0 - data.share
    assert data.learned(1000, 7) == int(share * 1000) // 7 * 7
    with pytest.raises(NotRun, match="needs a batch of 120 rows to learn from, got"):
        data.learned(100, 120)
