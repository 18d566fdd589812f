"""DataFrames, Series and files of Arrow are the tables that a CSV file with the same cells is."""

import sys

import numpy as np
import pytest

from simulators.data._contents import FileError
from simulators.data.frames import file_table
from simulators.data.rows_of import prepared_rows, raw_table
from tests.core.simulators.test_tables import HOLED, customers
from tests.equality import same_bits

pandas = pytest.importorskip("pandas")

CHOICES = {"drop": ["customer_id"], "missing": "mark", "scale": "file"}


def typed(frame):
    """Columns of the types that pandas has for such cells."""
    return frame.convert_dtypes().astype({"city": "category", "student": "Int8"})


def objects(frame):
    return frame.astype(object).where(frame.notna(), None)


FORMS = {
    "as read": lambda frame: frame,
    "of its own types": typed,
    "of objects": objects,
    "with another index": lambda frame: frame.set_index(frame["customer_id"].to_numpy()),
    "in halves": lambda frame: (frame.drop(columns="outcome"), frame["outcome"]),
    "in halves, of types": lambda frame: (
        typed(frame).drop(columns="outcome"),
        typed(frame)["outcome"].astype("category"),
    ),
    "a mask": lambda frame: (frame.drop(columns="outcome"), frame["outcome"] == "Yes"),
    "two frames": lambda frame: (frame.drop(columns="outcome"), frame[["outcome"]]),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = customers(tmp_path_factory.mktemp("frames") / "t.csv", **HOLED)
    return path, pandas.read_csv(path)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_file(table, form):
    path, frame = table
    there, here = prepared_rows(path, **CHOICES), prepared_rows(FORMS[form](frame), **CHOICES)
    same_bits(here.data.features, there.data.features)
    assert here.data.targets.tolist() == there.data.targets.tolist()
    assert here.data.feature_names == there.data.feature_names
    names = ("False", "True") if form == "a mask" else ("No", "Yes")
    assert here.data.class_names == names


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
def test_files_of_arrow_are_the_file(table, tmp_path, suffix):
    pytest.importorskip("pyarrow")
    path, frame = table
    name = str(tmp_path / f"t.{suffix}")
    (frame.to_parquet if suffix == "parquet" else frame.to_feather)(name)
    there, here = prepared_rows(path, **CHOICES), prepared_rows(name, **CHOICES)
    same_bits(here.data.features, there.data.features)
    assert here.data.targets.tolist() == there.data.targets.tolist()
    kind = "Parquet" if suffix == "parquet" else "Arrow"
    assert here.data.record[0].startswith(f"{kind} file t.{suffix}, target is column outcome")
    for wrong in (b"", b"PAR1", b"ARROW1", b"a,b\n1,2\n"):
        (tmp_path / f"bad.{suffix}").write_bytes(wrong)
        with pytest.raises(FileError, match=rf"bad\.{suffix} cannot be used"):
            file_table(tmp_path / f"bad.{suffix}")
    with pytest.raises(FileNotFoundError, match=rf"no\.{suffix}"):
        file_table(tmp_path / f"no.{suffix}")


def test_cells_that_a_frame_alone_has():
    frame = pandas.DataFrame(
        {
            "x": [1.5, np.inf, 2.5],
            "member": [True, False, True],
            "when": pandas.to_datetime(["2020-01-01", None, "2021-05-06"]),
            "y": ["a", "b", "a"],
        }
    )
    with pytest.raises(FileError, match="row 1, column x: must be a finite number, got 'inf'"):
        prepared_rows(frame, scale="none", missing="mark")
    found = prepared_rows(frame, drop=["x"], scale="none", missing="mark").data
    assert found.feature_names == (
        "member = True",
        "when = 2021-05-06 00:00:00",
        "when is empty",
    )
    assert found.features.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    with pytest.raises(FileError, match="at least one row and one column"):
        raw_table(frame.iloc[:0])


def test_without_pyarrow_a_line_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pyarrow is missing: pip .*\[tables\]"):
        file_table(tmp_path / "t.parquet")
