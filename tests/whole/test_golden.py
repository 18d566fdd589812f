"""Rows of reference values: whose they are, and that a wrong one is noticed."""

import json
import os
from pathlib import Path

import pytest

import bounds
from tests.forks import forked
from tests.golden import NAME, check

TESTS = Path(__file__).resolve().parents[1]
ROWS = {
    path.parent.name: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for path in sorted(TESTS.glob(f"*/{NAME}"))
}
EVERY = {"id", "form", "inputs", "value", "tolerance", "source"}
ORDERED = next(row for rows in ROWS.values() for row in rows if "above" in row)


def test_every_paper_of_the_project_has_some():
    assert set(ROWS) == {paper.key for paper in bounds.papers() if not paper.foreign}


@pytest.mark.parametrize("paper", ROWS)
def test_rows_are_whole_once_there_and_of_their_paper(paper):
    rows = ROWS[paper]
    assert all(row.keys() in (EVERY, {*EVERY, "above"}) for row in rows)
    assert {row["id"].partition(".")[0] for row in rows} == {paper}
    assert all(0 < row["tolerance"] <= 0.05 and row["source"] for row in rows)
    places = {json.dumps([row["id"], row["form"], row["inputs"]]) for row in rows}
    assert len(places) == len(rows)


def test_a_value_outside_its_tolerance_is_noticed():
    check(ORDERED)
    for factor in (1 - 3 * ORDERED["tolerance"], 1 + 3 * ORDERED["tolerance"]):
        with pytest.raises(AssertionError, match="is known to"):
            check({**ORDERED, "value": ORDERED["value"] * factor})


def test_another_order_is_noticed():
    with pytest.raises(AssertionError, match="not below"):
        check({**ORDERED, "above": ORDERED["form"]})


def test_a_row_that_fails_says_what_differs_and_no_line_of_the_test(tmp_path):
    (tmp_path / "conftest.py").write_text("from tests.golden import pytest_collect_file\n")
    wrong = json.dumps({**ORDERED, "value": 2 * ORDERED["value"]})
    (tmp_path / NAME).write_text(f"{json.dumps(ORDERED)}\n{wrong}\n", "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent), "PYTEST_ADDOPTS": ""}
    line = ["-m", "pytest", "-q", "-p", "no:cacheprovider", NAME]
    done = forked(line, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert f"\n{ORDERED['id']} {ORDERED['form']} at {{" in done.stdout
    assert "isclose" not in done.stdout
