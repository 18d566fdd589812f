"""Deletion schedules from files: both formats, and hostile files named by line and column."""

import os

import pytest

from forgetproof.commands._schedule import COLUMNS, read_numbers, read_schedule


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
    indices, times = read_schedule(saved(tmp_path, content))
    assert indices.tolist() == [3, 7]
    assert times.tolist() == [8, 20]
    assert indices.dtype == times.dtype == "int64"


def test_one_column_is_not_the_other(tmp_path):
    assert COLUMNS == ("index", "time")
    indices, times = read_schedule(saved(tmp_path, "index,time\n1,2\n"))
    assert (indices[0], times[0]) == (1, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "at least one deletion"),
        ("\n\n", "at least one deletion"),
        ("index,time\n", "at least one deletion"),
        ("[]", "at least one deletion"),
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
        ("index,time\n3\n", "line 2 must be two cells"),
        ("index,time\n3,8,9\n", "line 2 must be two cells"),
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
        ("[[3, 8, 9]]", "entry 1 must be a pair"),
        ("[3, 8]", "entry 1 must be a pair"),
        ('{"index": [3]}', "must be a list of [index, time] pairs"),
        ("[" * 100_000, "must be"),
    ],
)  # fmt: skip
def test_hostile_files_are_named(tmp_path, content, message):
    path = saved(tmp_path, content)
    with pytest.raises(ValueError, match=" must ") as caught:
        read_schedule(path)
    found = str(caught.value)
    assert message in found
    assert str(path) in found
    assert len(found) < 300 + len(str(path))
    assert "\n" not in found


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "absent", "a\0b"):
        with pytest.raises(ValueError, match="must be a file that can be read"):
            read_schedule(path)
    with pytest.raises(ValueError, match="must hold at most 67108864 bytes"):
        read_schedule("/dev/zero")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = saved(tmp_path, "index,time\n3,8\n")
    path.chmod(0)
    with pytest.raises(ValueError, match="must be a file that can be read"):
        read_schedule(path)


def test_numbers(tmp_path):
    assert read_numbers(saved(tmp_path, "\ufeff1\r\n\r\n 2.5\n3e0")).tolist() == [1, 2.5, 3]
    for content, message in (
        ("", "at least one number"),
        ("1\nx\n", "line 2 must be a finite number, got 'x'"),
        ("1\n\ninf\n", "line 3 must be a finite number"),
        ("nan\n", "line 1 must be a finite number"),
        ("1,2\n", "line 1 must be a finite number"),
    ):
        with pytest.raises(ValueError, match=message):
            read_numbers(saved(tmp_path, content))
