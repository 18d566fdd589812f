"""Tables as people have them: one meaning of a cell by every path, maps of one row, faults told."""

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.data import csv_cells
from simulators.data._contents import ColumnError, FileError
from simulators.data.csv_cells import csv_table
from simulators.data.frames import labelled_table
from simulators.data.rows_of import prepared_rows, raw_table

NUMBERS = ("0", "-1.5", " 2 ", "1e3", "1_0", "+.5", "3.", "1e-320", "１")
HOLES = ("", " ", "NA", "n/a", "NaN", "-nan", "None", "null")
WORDS = ("oak", "Elm", "a b", "no", "x,,y", 'q"q', "\x1c1", "1 2", "0x10", "línea", "two\nlines")
INFINITE = ("inf", "-Infinity", "1e999")


def told(cell):
    """What a cell is, in plain words: the number, the word, or None."""
    if cell.strip().lower() in ("", "na", "n/a", "nan", "-nan", "none", "null"):
        return None
    try:
        return float(cell)
    except ValueError:
        return cell.strip()


def column(cells):
    """(kind, values, odd) of a column, a cell at a time."""
    meanings = [told(cell) for cell in cells]
    first = next((meaning for meaning in meanings if meaning is not None), 0.0)
    if isinstance(first, str):
        words = [None if told(cell) is None else cell.strip() for cell in cells]
        return "words", words, None
    fine = [isinstance(m, float) and math.isfinite(m) for m in meanings]
    odd = [i for i, m in enumerate(meanings) if m is not None and not fine[i]]
    values = [m if ok else None for m, ok in zip(meanings, fine, strict=True)]
    return "numbers", values, (odd[0], cells[odd[0]]) if odd else None


def read(cells):
    """The same of a column that was read."""
    if cells.numbers is None:
        words = [None if code < 0 else cells.words[code] for code in cells.codes]
        return "words", words, None
    values = [None if math.isnan(x) else x for x in cells.numbers.tolist()]
    return "numbers", values, cells.odd


@st.composite
def tables(draw):
    """Columns of cells: plain numbers, numbers with holes, words, and anything."""
    rows = draw(st.integers(1, 14))
    kinds = [
        st.sampled_from(NUMBERS[:1] + NUMBERS[3:4]),
        st.sampled_from(NUMBERS),
        st.sampled_from(NUMBERS + HOLES),
        st.sampled_from(WORDS + HOLES),
        st.sampled_from(NUMBERS + HOLES + WORDS + INFINITE),
    ]
    wide = draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=4))
    return [draw(st.lists(kind, min_size=rows, max_size=rows)) for kind in wide]


@settings(max_examples=100)
@given(columns=tables(), block=st.integers(1, 5), quoting=st.booleans())
def test_cells_mean_the_same_by_every_reader(tmp_path_factory, columns, block, quoting):
    """Lines some at a time, in quotation marks or not, beside a reader of one cell."""
    stream = io.StringIO()
    how = csv.QUOTE_ALL if quoting else csv.QUOTE_MINIMAL
    writer = csv.writer(stream, quoting=how, lineterminator="\n")
    names = [f"c{j}" for j in range(len(columns))]
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_cells, "_LINES", block)
        table = csv_table(path, header=True)
    assert table.names == tuple(names)
    assert [read(cells) for cells in table.columns] == [column(cells) for cells in columns]
    ends = np.cumsum(
        [1 + sum(cell.count("\n") for cell in row) for row in zip(*columns, strict=True)]
    )
    assert table.lines.tolist() == (ends + 1).tolist()
    # Texts in memory are the cells of a file.
    again = labelled_table(np.array(columns[:-1], dtype=object).T, np.array(columns[-1], object))
    assert [read(cells) for cells in again.columns] == [column(cells) for cells in columns]


def test_a_width_is_insisted_on_by_every_reader(tmp_path):
    path = tmp_path / "t.csv"
    for row in ("1,2\n", "1,2,3,4\n", '1,"2"\n', "1,x\n"):
        path.write_text("a,b,c\n" + "1,2,3\n" * 3 + row + "1,2,3\n")
        entries = row.count(",") + 1
        with pytest.raises(FileError, match=f"row 5: must have 3 entries, got {entries}"):
            csv_table(path)


def customers(path, n=120, **changes):
    """A table with everything that people's tables have; changes: column -> its cells by row."""
    random = np.random.default_rng(3)
    cells = {
        "customer_id": [str(x) for x in random.permutation(9999)[:n] + 10000],
        "age": [str(x) for x in random.integers(18, 90, n)],
        "income": [str(x) for x in random.integers(200, 1800, n) * 100],
        "student": [str(x) for x in random.integers(0, 2, n)],
        "city": [("Bern", "Chur", "Aarau")[x] for x in random.integers(0, 3, n)],
        "outcome": [("No", "Yes")[x] for x in random.integers(0, 2, n)],
    }
    for name, changed in changes.items():
        for row, cell in changed.items():
            cells[name][row] = cell
    lines = [",".join(row) for row in zip(*cells.values(), strict=True)]
    path.write_text("\n".join([",".join(cells), *lines]) + "\n")
    return str(path)


HOLED = {"income": dict.fromkeys(range(5, 12), ""), "age": {7: "NA"}, "city": {9: ""}}


def refusal(*arguments, **choices):
    with pytest.raises(FileError) as caught:
        prepared_rows(*arguments, **choices)
    line = str(caught.value)
    assert len(line) <= 270
    assert "\n" not in line
    return line


def test_refusals_in_the_words_of_the_remedy(tmp_path):
    path = customers(tmp_path / "t.csv", **HOLED)
    fine = {"drop": ["customer_id"], "missing": "mark", "scale": "file"}
    prepared_rows(path, **fine)
    index = (
        "column customer_id has another number in every row: --drop customer_id, or --keep "
        "customer_id if it is a measurement"
    )
    empty = "empty cells: age 1, income 7, city 1; add --missing mark or --missing drop"
    spread = (
        "columns differ in spread by 100,000 (income, student): --range COLUMN=LOW:HIGH for public "
        "ranges, or --scale file"
    )
    assert refusal(path, **{**fine, "drop": []}) == f"t.csv: {index}"
    assert refusal(path, **{**fine, "missing": None}) == f"t.csv: {empty}"
    assert refusal(path, **{**fine, "scale": None}) == f"t.csv: {spread}"
    both = refusal(path, **{**fine, "drop": [], "missing": None})
    assert both == f"t.csv: {index}; {empty}"
    every = refusal(path, missing=None)
    for words in ("--drop", "customer_id", "--missing mark", "income 7", "--scale file"):
        assert words in every
    prepared_rows(path, **{**fine, "scale": "none"})
    prepared_rows(path, **{**fine, "drop": [], "keep": ["customer_id"]})
    words = {"city": {i: f"town {i}" for i in range(40)}}
    path = customers(tmp_path / "w.csv", **words)
    said = refusal(path, **fine)
    assert said == "w.csv: column city has 43 words, more than 20: --drop city"
    path = customers(tmp_path / "o.csv", outcome={3: "Perhaps"})
    prepared_rows(path, **fine)
    assert refusal(path, **fine, pair=True) == (
        "o.csv: target outcome has 3 values; two are needed, or --classes A,B"
    )
    chosen = prepared_rows(path, **fine, pair=True, classes=["No", "Yes"])
    assert len(chosen.data) == 119
    assert chosen.data.class_names == ("No", "Yes")


def test_a_word_among_numbers_is_named_with_its_line(tmp_path):
    fine = {"drop": ["customer_id"], "missing": "mark", "scale": "file"}
    path = customers(tmp_path / "t.csv", income={30: "much"}, age={41: "old"})
    line = refusal(path, **fine)
    assert "row 32, column income: must be a finite number, got 'much', or --drop income" in line
    assert "row 43, column age: must be a finite number, got 'old', or --drop age" in line
    # As the first cell it looks like a column of words, of more than become columns.
    path = customers(tmp_path / "f.csv", income={0: "much"})
    assert "row 2, column income: must be a finite number, got 'much'" in refusal(path, **fine)
    path = customers(tmp_path / "i.csv", income={30: "inf"})
    assert "row 32, column income: must be a finite number, got 'inf'" in refusal(path, **fine)


def test_many_faults_stay_one_line(tmp_path):
    names = [f"a column with a rather long name {j}" for j in range(30)]
    rows = [",".join(["x" if j % 2 else ""] * 29 + ["1"]) for j in range(3)]
    (tmp_path / "t.csv").write_text("\n".join([",".join(names), *rows]))
    assert "and 24 more columns" in refusal(str(tmp_path / "t.csv"))
    words = [",".join([f"w{i} {j}" for j in range(29)] + ["1"]) for i in range(30)]
    (tmp_path / "w.csv").write_text("\n".join([",".join(names), *words]))
    assert refusal(str(tmp_path / "w.csv")).endswith("more")


@pytest.mark.parametrize("missing", ["mark", "drop"])
def test_features_of_a_row_are_a_map_of_that_row(tmp_path, missing):
    """By hand, from the text of the row and the public ranges alone."""
    ranges = {"age": (18.0, 100.0), "income": (0.0, 100_000.0), "student": (0.0, 1.0)}
    path = customers(tmp_path / "t.csv", **HOLED)
    found = prepared_rows(path, drop=["customer_id"], missing=missing, ranges=ranges)
    assert found.measured == ()
    with open(path) as file:
        rows = list(csv.DictReader(file))
    full = [i for i, row in enumerate(rows) if all(told(x) is not None for x in row.values())]
    stay = range(len(rows)) if missing == "mark" else full
    assert found.rows.tolist() == list(stay)
    for place, i in enumerate(stay):
        row, wanted = rows[i], {}
        for name, (low, high) in ranges.items():
            x = told(row[name])
            scaled = 0.0 if x is None else 2 * (min(max(x, low), high) - low) / (high - low) - 1
            wanted[name] = scaled
            wanted[f"{name} is empty"] = float(x is None)
        for city in ("Aarau", "Bern", "Chur"):
            wanted[f"city = {city}"] = float(row["city"] == city)
        wanted["city is empty"] = float(row["city"] == "")
        got = dict(zip(found.data.feature_names, found.data.features[place], strict=True))
        assert got == pytest.approx({name: wanted[name] for name in got}, abs=1e-15)
        assert found.data.targets[place] == float(row["outcome"] == "Yes")
    marks = ["age is empty", "income is empty", "city is empty"]
    assert [n for n in found.data.feature_names if "empty" in n] == (
        marks if missing == "mark" else []
    )
    assert found.equal_to("customer_id", rows[stay[4]]["customer_id"]).nonzero()[0].tolist() == [4]
    assert found.equal_to("city", " Bern").sum() == sum(rows[i]["city"] == "Bern" for i in stay)
    assert not found.equal_to("customer_id", "no number").any()


def test_ranges_of_the_file_are_its_quantiles_and_said_to_be(tmp_path):
    path = customers(tmp_path / "t.csv", **HOLED)
    found = prepared_rows(path, drop=["customer_id"], missing="mark", scale="file")
    assert found.measured == ("column_range",)
    with open(path) as file:
        incomes = [told(row["income"]) for row in csv.DictReader(file)]
    low, high = np.quantile([x for x in incomes if x is not None], (0.01, 0.99))
    (income,) = [each for each in found.maps if each.name == "income"]
    assert (income.low, income.high, income.public) == (low, high, False)
    assert any("1 % and 99 % points of the file" in line for line in found.data.record)
    public = {"age": (18, 90), "income": (0, 2e5), "student": (0, 1)}
    told_all = prepared_rows(
        path, drop=["customer_id"], missing="mark", scale="file", ranges=public
    )
    assert told_all.measured == ()


def test_two_words_one_word_and_twenty(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"w{i % 20:02},{('b', 'a')[i % 2]},only,{i % 2}" for i in range(40)]
    path.write_text("\n".join(["many,two,one,y", *rows]))
    found = prepared_rows(str(path))
    assert len(found.data.feature_names) == 21
    assert found.data.feature_names[-1] == "two = b"
    assert found.data.features[:, -1].tolist() == [1.0, 0.0] * 20
    assert found.data.features[:, :20].sum(axis=1).tolist() == [1.0] * 40


def test_targets_that_are_empty_or_of_two_kinds(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1,yes\n2,\n3,no\n4,NA\n")
    said = "t.csv: target y is empty in 2 rows, first in row 3: --missing drop"
    assert refusal(str(path)) == said
    assert refusal(str(path), missing="mark") == said
    left = prepared_rows(str(path), missing="drop")
    assert left.rows.tolist() == [0, 2]
    assert left.data.targets.tolist() == [1.0, 0.0]
    path.write_text("a,y\n1,yes\n2,3\n")
    assert "row 3, column y: targets must be all finite numbers or all words" in refusal(str(path))
    path.write_text("a,y\n,yes\n,no\n")
    assert "must have a row without an empty cell" in refusal(str(path), missing="drop")


def test_columns_that_are_not_there(tmp_path):
    path = customers(tmp_path / "t.csv")
    for choice in ({"target": "z"}, {"drop": ["z"]}, {"keep": [9]}, {"ranges": {"z": (0, 1)}}):
        with pytest.raises(ColumnError, match=f"{next(iter(choice)).removesuffix('s')} must be"):
            prepared_rows(path, **choice)
    for name in ("city", "outcome"):
        with pytest.raises(FileError, match="range must be of a column of numbers"):
            prepared_rows(path, ranges={name: (0, 1)})
    with pytest.raises(ValueError, match=r"data must be a file \.csv"):
        raw_table("t.xlsx")
    with pytest.raises(ValueError, match="got dict"):
        raw_table({})


LABELS = {
    "words": lambda y: np.where(y == 1, "Yes", "No"),
    "a list of words": lambda y: ["Yes" if each else "No" for each in y],
    "zero and one": lambda y: y,
    "a mask": lambda y: y == 1,
    "a column": lambda y: y[:, None],
}


@pytest.mark.parametrize("labels", LABELS)
def test_labels_of_any_kind_are_the_same_classes(labels):
    y = np.array([0, 1, 1, 0, 1])
    found = prepared_rows((np.arange(10.0).reshape(5, 2), LABELS[labels](y)), scale="none").data
    assert found.targets.tolist() == y.tolist()
    assert found.feature_names == ()
    with pytest.raises(ValueError, match=r"targets must have shape \(4,\), one a row, got 5"):
        labelled_table(np.ones((4, 2)), LABELS[labels](y))


def test_shapes_of_arrays_are_insisted_on():
    with pytest.raises(ValueError, match=r"features must have shape \(n, d\)"):
        labelled_table(np.ones(3), [0, 1, 0])
    with pytest.raises(ValueError, match=r"targets must have shape \(n,\)"):
        labelled_table(np.ones((3, 1)), np.eye(3))
