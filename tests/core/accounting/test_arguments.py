"""Arguments compared with their annotations: what passes, what is refused, and in which words."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import ArrayLike

from accounting.numerics.arguments import typed


class Loss:
    pass


class Ridge(Loss):
    pass


@typed
def everything(
    loss: Loss | None = None,
    n: int = 1,
    share: float = 0.5,
    name: str = "x",
    flag: bool = False,
    values: ArrayLike = (),
    matrix: np.ndarray | None = None,
    rule: Callable[[int], int] | None = None,
    word: Literal["up", "down"] = "up",
    losses: Sequence[Loss] = (),
    pair: tuple[Loss, int] | None = None,
    rows: Iterable[int] = (),
    weights: Sequence[Fraction] | float = 0.0,
    free: Any = None,
) -> str:
    """What it was."""
    return "taken"


GOOD = {
    "loss": [None, Loss(), Ridge()],
    "n": [0, -3, np.int64(2), np.array(3), 2**63 - 1],
    "share": [0.5, 1, np.float32(0.5), np.inf, np.array(0.5)],
    "flag": [True, np.True_],
    "values": [
        3,
        0.5,
        [1, 2],
        [[1.0], [2.0]],
        (),
        np.zeros((2, 2)),
        np.array([True, False]),
        range(3),
    ],
    "matrix": [None, np.eye(2), [[1.0]]],
    "rule": [None, len, lambda i: i],
    "word": ["down"],
    "losses": [[], (Loss(), Ridge())],
    "pair": [(Ridge(), 2), [Loss(), 0]],
    "rows": [[1, 2], {1, 2}, np.arange(3), iter([1]), (i for i in range(2))],
    "weights": [[Fraction(1, 2)], 0.5],
    "free": [object(), "x", np.nan],
}
BAD = {
    "loss": [3, "x", Loss, object(), [Loss()]],
    "n": [2**63, -(2**63) - 1, 1.0, True, None, "1", np.array([1]), np.uint64(2**63)],
    "share": [np.nan, 10**400, True, None, "x", [0.5], 1j, np.float64("nan"), Fraction],
    "name": [3, None, b"x"],
    "flag": [0, 1, None, "yes"],
    "values": [
        None,
        "x",
        b"x",
        True,
        [1, "x"],
        [True],
        [[1], [1, 2]],
        np.array(["a"]),
        {},
        {1: 2},
        [np.nan],
        np.ma.masked_array([1.0], [True]),
        1j,
        object(),
    ],
    "matrix": ["x", np.array([np.nan]), {}],
    "rule": [3, "x"],
    "word": ["left", 3, []],
    "losses": [None, Loss(), [3], "x", [Loss(), None]],
    "pair": [(Loss(),), (3, Loss()), Loss(), (Loss(), 2.5)],
    "rows": [3, None, "ab", [0.5], [None], {1: 2}],
    "weights": [[0.5], "x", None],
}


@pytest.mark.parametrize("name", GOOD)
def test_what_an_annotation_admits(name):
    for value in GOOD[name]:
        assert everything(**{name: value}) == "taken"


@pytest.mark.parametrize("name", BAD)
def test_what_it_does_not_admit_is_refused_by_name(name):
    for value in BAD[name]:
        with pytest.raises(ValueError, match=f"^{name} must be .*, got "):
            everything(**{name: copy.copy(value)})


def test_messages_say_what_is_wanted():
    with pytest.raises(ValueError, match=r"^loss must be a Loss or None, got 3$"):
        everything(3)
    with pytest.raises(ValueError, match=r"^losses must be a list, each a Loss, got \[3\]$"):
        everything(losses=[3])
    with pytest.raises(
        ValueError, match=r"^n must be an integer of 64 bits, got 9223372036854775808$"
    ):
        everything(n=2**63)


def test_the_function_looks_as_before():
    assert everything.__doc__ == "What it was."
    assert list(inspect.signature(everything).parameters)[:2] == ["loss", "n"]
    with pytest.raises(TypeError, match="unexpected keyword"):
        everything(nothing=1)


def test_arguments_in_any_number_and_after_them():
    @typed
    def all_of(*losses: Loss, domain: Loss | None = None) -> int:
        return len(losses)

    assert all_of(Loss(), Ridge(), Loss()) == 3
    with pytest.raises(ValueError, match=r"^losses must be a Loss, got 3"):
        all_of(Loss(), 3)
    with pytest.raises(ValueError, match=r"^domain must be a Loss or None"):
        all_of(domain=3)


def test_classes_and_methods():
    @typed
    @dataclass(frozen=True)
    class Point:
        x: float
        loss: Loss | None = None

        @typed
        def moved(self, by: float) -> Point:
            return Point(self.x + by)

    assert Point(1.0).moved(by=2).x == 3.0
    with pytest.raises(ValueError, match=r"^x must be a real number, got 'a'"):
        Point("a")
    with pytest.raises(ValueError, match=r"^by must be a real number, got nan"):
        Point(1.0).moved(np.nan)


@typed
def inner(a: float) -> float:
    return float(np.exp(np.float64(a)))


@typed
def outer(b: float) -> float:
    return inner(2.0 * b)


def test_numbers_beyond_floats_show_the_callers_own_call():
    with pytest.raises(ValueError, match=r"^inner\(a=1000.0\) has no value: overflow") as caught:
        inner(1000.0)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(ValueError, match=r"^outer\(b=500.0\) has no value: overflow"):
        outer(500.0)
    with np.errstate(over="ignore"):
        assert outer(500.0) == np.inf


def test_an_error_that_names_a_parameter_is_left_alone():
    @typed
    def refuses(a: float, b: float) -> float:
        if a > b:
            raise ValueError("a must be at most b")
        raise ValueError("shapes do not fit")

    with pytest.raises(ValueError, match=r"^a must be at most b$"):
        refuses(2.0, 1.0)
    with pytest.raises(
        ValueError, match=r"refuses\(a=0.0, b=1.0\) has no value: shapes do not fit"
    ):
        refuses(0.0, 1.0)


def test_an_error_that_names_a_field_of_the_instance_is_left_alone():
    @dataclass
    class Walk:
        length: float

        @typed
        def steps(self, size: float) -> float:
            raise ValueError("length must be a multiple of 2")

    with pytest.raises(ValueError, match=r"^length must be a multiple of 2$"):
        Walk(3.0).steps(1.0)


def test_an_error_that_begins_with_what_an_argument_is_called_is_left_alone():
    @typed
    def column(first: str, name: str) -> float:
        raise ValueError(f"{first} must be a number, got drop")

    with pytest.raises(ValueError, match=r"^drop must be a number"):
        column("drop", name="drop")
    with pytest.raises(ValueError, match=r"column\(.*\) has no value: keep must be a number"):
        column("keep", name="drop")


def test_a_callers_function_keeps_the_callers_error_state():
    @typed
    def applied(rule: Callable[[np.float64], float]) -> float:
        return rule(np.float64(1000.0))

    with np.errstate(over="ignore"):
        assert applied(np.exp) == np.inf
    with pytest.warns(RuntimeWarning, match="overflow"):
        applied(np.exp)


def test_a_file_is_not_read_to_look_for_nan(tmp_path):
    array = np.memmap(tmp_path / "rows", dtype=float, mode="w+", shape=(2,))
    array[:] = np.nan
    assert everything(matrix=array) == "taken"


def test_errors_with_a_meaning_of_their_own_pass():
    class Failed(ValueError):
        pass

    @typed
    def fails(a: float) -> float:
        raise Failed("the caller's own function did it")

    with pytest.raises(Failed, match=r"^the caller's own function did it$"):
        fails(1.0)
