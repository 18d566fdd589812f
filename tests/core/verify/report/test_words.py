"""Numbers as a reader meets them."""

import dataclasses
import math

import pytest

from verify import words
from verify.evidence import Comparison


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (0.5, "0.5"),
        (1e-7, "1e-07"),
        (math.inf, "inf"),
        (True, "True"),
        (1234567.0, "1.23457e+06"),
        ("text", "text"),
        (-2.0, "-2"),
    ],
)
def test_numbers_are_short(value, text):
    assert words.number(value) == text


def test_two_numbers_get_the_digits_that_tell_them_apart():
    assert words.pair(1.0, 2.0) == ("1", "2")
    assert words.pair(0.123456789, 0.123456788) == ("0.123456789", "0.123456788")
    assert len(set(words.pair(1.0, math.nextafter(1.0, 2)))) == 2
    assert words.pair(0.5, 0.5) == ("0.5", "0.5")


def test_powers_of_ten_are_typeset_and_other_text_is_left():
    assert words.typeset("1e-05").replace("\N{NO-BREAK SPACE}", " ") == "1 × 10⁻⁵"
    assert words.typeset("2.5e+12").endswith("10¹²")
    assert words.typeset("the-5 e-7 exact") == "the-5 e-7 exact"


def test_a_table_reproduced_in_part_is_a_problem_and_in_full_is_not():
    assert words.kind_of("reproduced 3/4") == "reproduced in part"
    assert words.kind_of("reproduced 4/4") == "reproduced"
    assert words.tone_of("reproduced 3/4") == "warn"
    assert words.tone_of("reproduced") == words.tone_of("holds") == "good"
    assert words.ORDER.index("false") < words.ORDER.index("unspecified") < len(words.ORDER) - 1


@pytest.mark.parametrize(
    ("factor", "text"), [(None, ""), (0.0, "never"), (math.inf, "never"), (0.25, "0.25")]
)
def test_the_factor_that_turns_a_verdict_red(factor, text):
    assert words.limit(factor) == text


def test_inputs_read_as_the_command_line_takes_them():
    assert words.given({"c": 0.1, "K": [1, 2.5]}) == "c=0.1 K=[1, 2.5]"


def test_a_comparison_says_what_was_claimed():
    c = Comparison("literal", "printed", "x", {}, 2.0, 1.0, relation=">=")
    assert words.judged(c) == "measured 2, claimed at least 1"
    near = dataclasses.replace(c, relation="==", measured=1 + 1e-12)
    assert words.judged(near) == "measured 1, claimed exactly 1"
    off = dataclasses.replace(c, relation="==", measured=1 + 1e-8)
    assert words.judged(off) == "measured 1.00000001, claimed exactly 1"


@pytest.mark.parametrize(
    ("word", "attainment", "text"),
    [
        ("holds", 0.0069, "closest case at 0.69 %"),
        ("not refuted", 0.0, "closest case at 0 %"),
        ("holds", 0.5, ""),
        ("consistent", 0.25, "closest case at 25 %"),
        ("holds", None, ""),
        ("false", 0.1, ""),
        ("reproduced 3/3", 0.1, ""),
    ],
    ids=["small", "none", "half", "definition", "unknown", "violated", "table"],
)
def test_a_small_reach_stands_beside_a_green_verdict(word, attainment, text):
    assert words.weakness(word, attainment) == text
