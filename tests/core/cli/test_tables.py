"""Tables from files: both formats, and invalid files named by line and column."""

import os

import pytest

from accounting.problems.options import SCHEDULE, Column
from forgetproof.tables import read_table

NUMBERS = {"": Column()}
STEPS = {"factor": Column(low=0.0), "noise": Column(low=0.0)}


def saved(tmp_path, content):
    path = tmp_path / "s"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "index,time\n3,8\n7,20\n",
        "index,time\n3,8\n7,20",
        "\ufeffindex,time\r\n\r\n3,8\r\n 7 , 20\r\n\r\n",
        "time,index\n8,3\n20,7\n",
        '"index","time"\n"3",8\n07,20\n,\n',
        "[[3, 8], [7, 20]]",
        "\ufeff \n [[3, 8],\n [7, 20]]\n",
    ],
)
def test_both_formats(tmp_path, content):
    found = read_table(saved(tmp_path, content), SCHEDULE)
    assert {name: column.tolist() for name, column in found.items()} == {
        "index": [3, 7],
        "time": [8, 20],
    }
    assert {column.dtype.name for column in found.values()} == {"int64"}


def test_one_column_is_not_the_other(tmp_path):
    assert list(SCHEDULE) == ["index", "time"]
    found = read_table(saved(tmp_path, "index,time\n1,2\n"), SCHEDULE)
    assert (found["index"][0], found["time"][0]) == (1, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "at least one row of numbers"),
        ("\n\n", "at least one row of numbers"),
        ("index,time\n", "at least one row of numbers"),
        ("[]", "at least one row of numbers"),
        ("3,8\n7,20\n", "line 1 must be the header index,time, got '3,8'"),
        ("index;time\n3;8\n", "line 1 must be the header"),
        ("index,index\n3,8\n", "line 1 must be the header"),
        ("index,time,time\n3,8,9\n", "line 1 must be the header"),
        ("index,time\n3,8\nindex,time\n", "line 3, column index must be a whole number"),
        ("index,time\n3,8\n\n7,x\n", "line 4, column time must be a whole number in [1, 10000000]"),
        ("index,time\n3,8.0\n", "line 2, column time must be a whole number"),
        ("index,time\n0,8\n", "line 2, column index"),
        ("index,time\n-1,8\n", "line 2, column index"),
        ("index,time\n1e3,8\n", "line 2, column index"),
        ("index,time\n1_0,80\n", "line 2, column index"),
        ("index,time\n٣,8\n", "line 2, column index"),
        ("index,time\nnan,8\n", "line 2, column index"),
        ("index,time\n3,\n", "line 2, column time"),
        ("index,time\n3," + "9" * 60_000 + "\n", "line 2, column time"),
        ("index,time\n3," + "9" * 200_000 + "\n", "line 2 must be CSV"),
        ("index,time\n3,10000001\n", "line 2, column time"),
        ("index,time\n3\n", "line 2 must be 2 cells"),
        ("index,time\n3,8,9\n", "line 2 must be 2 cells"),
        ("index,time\n3,8\n4,7\n", "line 3, column time must be >= 8, the time before, got 7"),
        ('index,time\n"3,8\n', "must be CSV"),
        (b"index,time\n3,8\n\xff\xfe\n", "line 3 must be UTF-8 text"),
        ("index,time\n3,8\n".encode("utf-16"), "line 1 must be UTF-8 text"),
        ("index,time\n3,8\0\n", "line 2, column time"),
        ("[[3, 8], [7 20]]", "line 1, column 13 must be JSON"),
        ("[[3, 8],\n [7, 20]", "line 2, column 9 must be JSON"),
        ("[[3, 8], [7, 20.0]]", "entry 2, column time must be a whole number"),
        ("[[3, 8], [7, 6]]", "entry 2, column time must be >= 8"),
        ('[["3", 8]]', "entry 1, column index"),
        ("[[true, 8]]", "entry 1, column index"),
        ("[[null, 8]]", "entry 1, column index"),
        ("[[NaN, 8]]", "entry 1, column index"),
        ("[[-3, 8]]", "entry 1, column index"),
        ("[[[3], 8]]", "entry 1, column index"),
        ("[[" + "9" * 10**6 + ", 8]]", "entry 1, column index"),
        ("[[3, 8, 9]]", "entry 1 must be a row [index, time]"),
        ("[3, 8]", "entry 1 must be a row [index, time]"),
        ('{"index": [3]}', "must be a list of [index, time] rows"),
        ("[" * 100_000, "must be"),
    ],
)
def test_invalid_files_are_named(tmp_path, content, message):
    path = saved(tmp_path, content)
    with pytest.raises(ValueError, match=" must ") as caught:
        read_table(path, SCHEDULE)
    found = str(caught.value)
    assert message in found
    assert str(path) in found
    assert len(found) < 300 + len(str(path))
    assert "\n" not in found


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "absent", "a\0b"):
        with pytest.raises(ValueError, match="must be a file that can be read"):
            read_table(path, SCHEDULE)
    with pytest.raises(ValueError, match="must hold at most 67108864 bytes"):
        read_table("/dev/zero", SCHEDULE)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = saved(tmp_path, "index,time\n3,8\n")
    path.chmod(0)
    with pytest.raises(ValueError, match="must be a file that can be read"):
        read_table(path, SCHEDULE)


def test_numbers(tmp_path):
    found = read_table(saved(tmp_path, "\ufeff1\r\n\r\n 2.5\n3e0"), NUMBERS)
    assert found[""].tolist() == [1, 2.5, 3]
    for content, message in (
        ("", "at least one row of numbers"),
        ("1\nx\n", "line 2 must be a finite number, got 'x'"),
        ("1\n\ninf\n", "line 3 must be a finite number"),
        ("nan\n", "line 1 must be a finite number"),
        ("1,2\n", "line 1 must be a finite number"),
    ):
        with pytest.raises(ValueError, match=message):
            read_table(saved(tmp_path, content), NUMBERS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("factor,noise\n0.5,1\n-1,2\n", "line 3, column factor must be a finite number >= 0"),
        ("factor,noise\n0.5,inf\n", "line 2, column noise must be a finite number >= 0"),
        ("[[0.5, 1], [1, NaN]]", "entry 2, column noise must be a finite number >= 0, got NaN"),
        ("[[0.5, 1], [1, null]]", "entry 2, column noise must be a finite number"),
        ("[[0.5, 1e999]]", "entry 1, column noise must be a finite number"),
        ("factor,noise\n0.5,\n", "line 2, column noise must be a finite number"),
    ],
    ids=["negative", "infinite", "no number", "null", "too large", "empty"],
)
def test_columns_of_real_numbers(tmp_path, content, message):
    with pytest.raises(ValueError, match=" must ") as caught:
        read_table(saved(tmp_path, content), STEPS)
    assert message in str(caught.value)
    found = read_table(saved(tmp_path, "noise,factor\n1e-3,0.5\n"), STEPS)
    assert (found["factor"][0], found["noise"][0]) == (0.5, 1e-3)
