"""Rows in pieces: any cut of them has the same numbers, and what changes is refused by name."""

import os
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.data import scaling
from simulators.data._contents import FileError
from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair
from simulators.data.pieced import arrow_rows, iterated_rows, npy_rows

ROWS, COLUMNS = 57, 3


def table(seed=0):
    random = np.random.default_rng(seed)
    scales = 10.0 ** random.integers(-160, 150, (ROWS, 1))
    features = random.standard_normal((ROWS, COLUMNS)) * np.where(
        random.random((ROWS, 1)) < 0.2, scales, 1.0
    )
    return np.column_stack([features, random.integers(0, 2, ROWS)])


def in_memory(rows):
    return Dataset(rows[:, :-1], rows[:, -1])


def cut(rows, ends):
    bounds = [0, *sorted(set(ends) - {0, len(rows)}), len(rows)]
    return [(rows[a:b, :-1], rows[a:b, -1]) for a, b in pairwise(bounds)]


def same_rows(data, rows, most_bytes=1 << 20):
    pieces = list(data.pieces(most_bytes))
    features = np.concatenate([each.features for each in pieces])
    assert features.tobytes() == np.ascontiguousarray(rows[:, :-1]).tobytes()
    targets = np.concatenate([each.targets for each in pieces])
    assert targets.tobytes() == np.concatenate(list(data.target_pieces())).tobytes()
    assert targets.tobytes() == np.ascontiguousarray(rows[:, -1]).tobytes()
    assert (len(data), data.dimension + 1) == rows.shape


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    np.save(folder / "rows.npy", table())
    return folder


@pytest.fixture(scope="module")
def arrow_files(tmp_path_factory):
    pyarrow = pytest.importorskip("pyarrow")
    parquet, feather = (pytest.importorskip(f"pyarrow.{x}") for x in ("parquet", "feather"))
    folder = tmp_path_factory.mktemp("arrow")
    columns = dict(zip(("a", "b", "c", "y"), table().T, strict=True))
    made = pyarrow.table(columns)
    parquet.write_table(made, folder / "rows.parquet", row_group_size=10)
    feather.write_feather(made, folder / "rows.feather", chunksize=13)
    return folder


@settings(max_examples=30, deadline=None)
@given(
    ends=st.lists(st.integers(0, ROWS), max_size=8),
    most_bytes=st.integers(1, 2000),
    start=st.integers(0, ROWS - 2),
    length=st.integers(1, ROWS),
)
def test_any_cut_has_the_same_rows_norm_and_hash(ends, most_bytes, start, length):
    rows = table()
    data, whole = iterated_rows(cut(rows, ends)), in_memory(rows)
    same_rows(data, rows, most_bytes)
    assert data.summary == whole.summary
    assert data.largest_norm() == whole.largest_norm()
    stop = min(ROWS, start + length)
    part = data.between(start, stop, "some")
    same_rows(part, rows[start:stop], most_bytes)
    assert part.sha256 == in_memory(rows[start:stop]).sha256


@settings(max_examples=30, deadline=None)
@given(
    removed=st.sets(st.integers(0, ROWS - 1), min_size=1, max_size=ROWS - 1),
    most_bytes=st.integers(1, 400),
    start=st.integers(0, 5),
)
def test_rows_that_are_removed_joined_or_replaced(removed, most_bytes, start):
    rows = table()
    data = iterated_rows(cut(rows, (5, 20, 44)))
    numbers = np.array(sorted(removed))
    kept = np.delete(rows, numbers, axis=0)
    remaining = data.without(numbers)
    same_rows(remaining, kept, most_bytes)
    if start < len(kept):
        same_rows(remaining.between(start, len(kept), "some"), kept[start:], most_bytes)
    more = np.concatenate([kept, table(1)])
    same_rows(remaining.joined(in_memory(table(1))), more, most_bytes)
    same_rows(remaining.joined(iterated_rows(cut(table(1), (9,)))), more, most_bytes)
    others = rows.copy()
    others[numbers] = table(2)[numbers]
    replaced = data.with_replaced(numbers, in_memory(table(2)).at(numbers), "others")
    same_rows(replaced, others, most_bytes)
    assert np.array_equal(replaced.at(numbers).features, others[numbers, :-1])


def test_a_file_has_the_rows_of_its_array(files):
    data = npy_rows(files / "rows.npy")
    same_rows(data, table(), 100)
    assert data.summary == in_memory(table()).summary
    assert npy_rows(files / "rows.npy", target=None).dimension == COLUMNS + 1
    first = npy_rows(files / "rows.npy", target=0)
    assert np.array_equal(next(first.target_pieces()), table()[:, 0])


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_a_file_of_columns_has_their_rows(arrow_files, kind):
    data = arrow_rows(arrow_files / f"rows.{kind}")
    same_rows(data, table(), 100)
    assert data.summary == in_memory(table()).summary
    assert data.feature_names == ("a", "b", "c")
    same_rows(data.between(8, 31, "some"), table()[8:31], 90)
    assert arrow_rows(data.reader.path, target="b").at(3).targets == table()[3, 1]


@pytest.mark.parametrize("kind", ["parquet", "feather", "npy"])
def test_random_order_has_every_row_once(files, arrow_files, kind, monkeypatch):
    monkeypatch.setattr("simulators.data.pieced.PIECE_BYTES", 4 * 8 * COLUMNS)
    monkeypatch.setattr("simulators.data.npy_reader.PIECE_BYTES", 12 * 8 * COLUMNS)
    folder = files if kind == "npy" else arrow_files
    data = (npy_rows if kind == "npy" else arrow_rows)(folder / f"rows.{kind}")
    mixed = data.shuffled(3)
    rows = np.concatenate(
        [np.column_stack([each.features, each.targets]) for each in mixed.pieces()]
    )
    assert not np.array_equal(rows, table())
    assert np.array_equal(np.sort(rows, axis=0), np.sort(table(), axis=0))
    same_rows(mixed, rows, 60)
    same_rows(mixed.between(7, 50, "some"), rows[7:50], 60)
    same_rows(mixed.shuffled(3).between(7, 50, "some"), _rows_of(mixed.shuffled(3))[7:50], 77)
    assert "not every order" in mixed.record[-1]
    assert data.shuffled(4).sha256 != mixed.sha256 == data.shuffled(3).sha256


def _rows_of(data):
    pieces = list(data.pieces())
    return np.concatenate([np.column_stack([each.features, each.targets]) for each in pieces])


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: data.normalised(2.0), id="norm"),
        pytest.param(partial(scaling.scaled, columns=[1], low=-0.5, high=2.0), id="range"),
        pytest.param(scaling.with_intercept, id="intercept"),
        pytest.param(lambda data: class_pair(data, 1, 0), id="classes"),
    ],
)
def test_what_is_made_of_each_row_is_that_of_an_array(change):
    rows = table()
    data, whole = change(iterated_rows(cut(rows, (3, 30)))), change(in_memory(rows))
    same_rows(data, np.column_stack([whole.features, whole.targets]), 100)
    assert data.dimension == whole.dimension
    assert data.summary == whole.summary


def test_what_changes_between_passes_is_refused(files, tmp_path):
    pieces = cut(table(), (5, 20))
    data = iterated_rows(pieces)
    pieces[1][0][0, 0] += 1.0
    with pytest.raises(ValueError, match="piece 1 has changed"):
        list(data.pieces())
    short = cut(table(), (5, 20))
    fewer = iterated_rows(short)
    short.pop()
    with pytest.raises(ValueError, match="there were 3, and now 2"):
        list(fewer.pieces())
    path = tmp_path / "rows.npy"
    np.save(path, table())
    on_disk = npy_rows(path)
    assert on_disk.sha256
    np.save(path, table(1))
    os.utime(path, ns=(1, 1))
    with pytest.raises(FileError, match=r"rows\.npy must stay as it is between passes"):
        list(on_disk.pieces())
    os.remove(path)
    with pytest.raises(FileError, match="must stay as it is"):
        list(on_disk.pieces())


def test_bad_pieces_are_refused_by_number():
    good = table()[:4, :-1]
    for pieces, words in (
        ([], "pieces must have a row"),
        (iter([good]), "pieces must be iterable again"),
        (3, "pieces"),
        ([good, good[:, :2]], "3 features a row.* piece 1"),
        ([(good, np.ones(4)), good], "and targets.* piece 1"),
        ([good, np.full((2, 3), np.nan)], "features of piece 1"),
        ([(good, np.array([1, 2, 3, np.inf]))], "targets of piece 0"),
        ([(good, np.ones(3))], "a target a row"),
        ([np.ones(3)], r"shape \(m, d\)"),
    ):
        with pytest.raises(ValueError, match=words):
            iterated_rows(pieces)


def test_bad_files_are_refused_by_place(tmp_path):
    rows = table()
    rows[40, 1] = np.inf
    path = tmp_path / "rows.npy"
    np.save(path, rows)
    with pytest.raises(FileError, match="row 40, column 2 must be a finite number, got inf"):
        list(npy_rows(path).pieces(200))
    for array in (np.ones(3), np.array([["a"]]), np.asfortranarray(np.ones((3, 2)))):
        np.save(path, array)
        with pytest.raises(FileError, match="must hold numbers in rows"):
            npy_rows(path)
    np.save(path, np.ones((3, 1)))
    with pytest.raises(FileError, match="column of features"):
        npy_rows(path)
    np.save(path, np.ones((30, 2)))
    with pytest.raises(FileError, match="target must be in"):
        npy_rows(path, target=2)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(FileError, match="but ends"):
        npy_rows(path)
    path.write_bytes(b"no array")
    with pytest.raises(FileError, match="cannot be used"):
        npy_rows(path)
    with pytest.raises(FileNotFoundError):
        npy_rows(tmp_path / "none.npy")


def test_bad_columns_are_refused_by_name(tmp_path):
    pyarrow, parquet = (pytest.importorskip(x) for x in ("pyarrow", "pyarrow.parquet"))
    path = tmp_path / "rows.parquet"
    for column, words in (
        (["a", "b"], "column x must hold numbers"),
        ([1.0, None], "row 1, column x must be a number, and is empty"),
    ):
        parquet.write_table(pyarrow.table({"x": column, "y": [0, 1]}), path)
        with pytest.raises(FileError, match=words):
            list(arrow_rows(path).pieces())
    with pytest.raises(FileError, match="target_column must be one of x, y"):
        arrow_rows(path, target="z")
    path.write_bytes(b"no table")
    with pytest.raises(FileError, match="cannot be used"):
        arrow_rows(path)


def test_a_zero_row_is_named_by_its_place_among_all():
    rows = table()
    rows[33, :-1] = 0.0
    data = iterated_rows(cut(rows, (30,))).normalised()
    with pytest.raises(ValueError, match="row 3 is zero, counted from row 30"):
        list(data.pieces(8 * COLUMNS * 30))
