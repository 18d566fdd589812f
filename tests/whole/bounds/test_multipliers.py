"""Multipliers that a linear program finds are accepted by the checker, or none are found."""

from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bounds.kernel import ProofRejected, check
from bounds.proof_files.multipliers import filled
from forgetproof.commands.prove import command

LEMMA = """theorem x.lemma printed
for x, y: real
given order: x <= y
given x_: 0 <= x
show x^2 <= y^2
hence by ? [order], [x_], sq(y - x)
"""
WITH_DIVISOR = """theorem x.y printed
for h, a, b, r: real
given h_: 0 < h
given near: r <= a - b + h^2
show r/(2*h) <= (a - b)/(2*h) + h/2
hence by ? [near]
"""


@pytest.mark.parametrize("text", [LEMMA, WITH_DIVISOR], ids=["square", "divisor"])
def test_a_hole_is_filled(text):
    answer = filled(text)
    assert "?" not in answer
    check(answer)


small = st.fractions(min_value=0, max_value=5, max_denominator=6)


@given(small, small, st.fractions(-5, 5, max_denominator=6), small)
def test_the_multipliers_of_a_combination_are_found(p, q, e, more):
    goal = f"{p}*(y - x) + {q}*z + {e}*(u - 2*x) + {more}*z^2"
    text = (
        "theorem x.y printed\nfor x, y, z, u: real\ngiven a: x <= y\ngiven z_: 0 <= z\n"
        f"given e: 2*x = u\nshow 0 <= {goal}\nhence by ? [a], [z_], [e]\n"
    )
    check(filled(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LEMMA.replace("given order: x <= y\n", "").replace("[order], ", ""), "no multipliers"),
        (LEMMA.replace("sq(y - x)", "y - x*x"), "not seen to be >= 0"),
        (LEMMA.replace("[order]", "[absent]"), "there is no fact absent"),
        (
            "theorem x.y printed\nfor X: law\nshow X = X\nhence by ? \n",
            "must be numbers, or vectors",
        ),
    ],
    ids=["false", "sign", "absent", "laws"],
)
def test_what_cannot_be_filled_is_said(text, said):
    with pytest.raises(ProofRejected, match=said):
        filled(text)


def test_what_is_found_is_no_fraction_of_floats():
    answer = filled(LEMMA)
    numbers = [
        Fraction(word)
        for word in answer.split("by ")[-1].replace("*", " ").split()
        if word.isdigit()
    ]
    assert numbers
    assert all(number.denominator == 1 for number in numbers)


def test_the_command_prints_or_writes_the_filled_proof(tmp_path):
    file, out = tmp_path / "lemma.proof", tmp_path / "filled.proof"
    file.write_text(LEMMA, "utf-8")
    printed = CliRunner().invoke(command, [str(file)])
    assert printed.exit_code == 0
    assert printed.stdout.startswith("theorem x.lemma printed")
    wrote = CliRunner().invoke(command, [str(file), "--out", str(out)])
    assert wrote.exit_code == 0
    check(out.read_text("utf-8"))
    file.write_text(LEMMA.replace("x^2 <= y^2", "y^2 <= x^2"), "utf-8")
    refused = CliRunner().invoke(command, [str(file)])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "no multipliers are found" in refused.stderr
