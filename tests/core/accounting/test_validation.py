"""The validator: what it lets through, and the words of its refusals."""

import math
from fractions import Fraction

import numpy as np
import pytest

from accounting.numerics.validation import broadcastable, choice, count, integer, real, scalar


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        True,
        [1.0, False],
        "1",
        None,
        1j,
        [],
        np.array([]),
        object(),
        {},
        Fraction(1, 3),
        [[1.0], [1.0, 2.0]],
        [None],
        np.array([1.0, math.nan]),
        -1.0,
        b"1",
        np.bool_(True),
        np.array(["1"]),
        np.array([True]),
        10**400,
        lambda: 0,
    ],
)
def test_real_refuses(value):
    with pytest.raises(ValueError, match=r"^sigma must be "):
        real("sigma", value, low=0, low_open=True)


@pytest.mark.parametrize(
    ("kwargs", "value", "message"),
    [
        ({"low": 0, "low_open": True}, math.nan, "sigma must be > 0, got nan"),
        ({"low": 0}, [1, -2, -3], "sigma must be >= 0, got -2.0"),
        ({"low": 0, "high_open": True}, math.inf, "sigma must be >= 0 and finite, got inf"),
        (
            {"low": 0, "high": 1, "low_open": True, "high_open": True},
            1.5,
            "sigma must be in (0, 1), got 1.5",
        ),
        ({"low": 0, "high": 1, "high_open": True}, 1, "sigma must be in [0, 1), got 1.0"),
        ({"high": 2}, 3, "sigma must be <= 2, got 3.0"),
        ({}, math.nan, "sigma must be a real number, got nan"),
    ],
)
def test_messages(kwargs, value, message):
    with pytest.raises(ValueError) as caught:
        real("sigma", value, **kwargs)
    assert str(caught.value) == message


class Loud:
    def __repr__(self):
        raise RuntimeError("no words")


def nested(depth):
    value = 1.0
    for _ in range(depth):
        value = [value]
    return value


LOSING = {
    "masked": np.ma.array([1.0, 2.0], mask=[False, True]),
    "masked-without-mask": np.ma.array([1.0, 2.0]),
    "masked-in-list": [np.ma.array([1.0, 2.0], mask=[False, True])],
    "masked-constant": [np.ma.masked, 1.0],
    "matrix": np.ones((1, 1)).view(np.matrix),
    "bools-in-list": [np.array([True]), np.array([1.0])],
    "date": np.datetime64("2020-01-01"),
    "span": np.timedelta64(1, "s"),
    "objects": np.array([1.0, 2.0], dtype=object),
    "structured": np.zeros(2, dtype=[("a", float)]),
    "deep": nested(100_000),
    "long-int": 10**5000,
    "loud": Loud(),
}


@pytest.mark.parametrize("case", LOSING)
@pytest.mark.parametrize("check", [real, scalar, integer, count])
def test_what_numpy_would_lose_is_refused(check, case):
    with pytest.raises(ValueError, match=r"^sigma must be .*, got "):
        check("sigma", LOSING[case])


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="no extended floats")
@pytest.mark.parametrize("text", ["1e4000", "-1e4000", "1e-4000"])
def test_extended_floats_beyond_float64_are_refused(text):
    for value in (np.longdouble(text), np.array([1, np.longdouble(text)])):
        with pytest.raises(ValueError, match="x must be within the range of float64, got "):
            real("x", value)
    assert real("x", np.longdouble(0.5)) == 0.5
    assert real("x", [np.longdouble("inf"), np.longdouble(0)]).tolist() == [math.inf, 0.0]


BEYOND = {
    "int": 2**63,
    "largest-uint": 2**64 - 1,
    "long": 2**64,
    "uint": np.uint64(2**63),
    "list": [1, 2**63],
}


@pytest.mark.parametrize("high", [None, 2**63, 2**70], ids=["none", "one-above", "far-above"])
@pytest.mark.parametrize("value", BEYOND.values(), ids=BEYOND)
def test_integers_never_wrap(value, high):
    with pytest.raises(ValueError, match=r"n must be an integer .*, got "):
        integer("n", value, low=0, high=high)
    assert integer("n", np.uint64(2**63 - 1), low=0, high=high) == 2**63 - 1


def test_a_file_in_memory_is_an_array(tmp_path):
    array = np.memmap(tmp_path / "rows", dtype=float, mode="w+", shape=(2,))
    assert real("x", array).tolist() == [0.0, 0.0]


def test_real_accepts():
    assert real("x", 3).dtype == np.float64
    assert real("x", [1, 2.5]).tolist() == [1, 2.5]
    assert real("x", math.inf) == math.inf
    assert real("x", np.float32(0.5)) == 0.5
    assert scalar("x", np.int32(2)) == 2.0
    assert type(scalar("x", 1)) is float
    with pytest.raises(ValueError, match="a single number"):
        scalar("x", [1.0])


@pytest.mark.parametrize("value", [1.0, True, "3", None, math.nan, 1j, [], 2**70, [1, 2.0], 0])
def test_integer_refuses(value):
    with pytest.raises(ValueError, match=r"^n must be "):
        integer("n", value, low=1)


def test_integer_accepts():
    assert integer("n", [1, np.int8(3)], low=1, high=3).dtype == np.int64
    assert type(count("n", np.uint8(4), low=1)) is int
    with pytest.raises(ValueError, match=r"n must be an integer in \[1, 3\], got 4"):
        count("n", 4, low=1, high=3)
    with pytest.raises(ValueError, match="a single integer"):
        count("n", [4])


def test_choice_and_shapes():
    assert choice("target", "T", ("T", "stationary")) == "T"
    for bad in ("t", None, 3, ["T"]):
        with pytest.raises(ValueError, match="target must be one of 'T', 'stationary', got"):
            choice("target", bad, ("T", "stationary"))
    assert broadcastable(a=np.ones((2, 1)), b=np.ones(3)) == (2, 3)
    with pytest.raises(ValueError, match=r"got a \(2,\), b \(3,\)"):
        broadcastable(a=np.ones(2), b=np.ones(3))
