"""Numbers as text: the whitelist lets arithmetic through and nothing else."""

import math

import pytest

from forgetproof.expressions import number, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/11264", 1 / 11264),
        ("-2*(3+4)**2", -98.0),
        ("sqrt(2)*log(10)", math.sqrt(2) * math.log(10)),
        ("inf", math.inf),
        ("1e-5", 1e-5),
        ("min(2, 3) + max(1, 0.5)", 3.0),
    ],
)
def test_arithmetic(text, value):
    assert number(text) == value


def test_names_lists_and_mappings():
    assert number("2/(L+m)", {"L": 3.0, "m": 1.0}) == 0.5
    assert parse("[1, 2/4]") == [1, 0.5]
    assert parse("{0: 1, 2: 2}") == {0: 1, 2: 2}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "().__class__", "x", "1 if 1 else 2", "lambda: 1", "'1'", "True",
        "1/0", "9**9**9**9", "", "1,", "nan", "a.b", "[i for i in [1]]", "1" * 300, "2 or 3",
        "{**{}}", "print(1)", "1j", "(-1)**0.5",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"number|expression"):
        number(text)
