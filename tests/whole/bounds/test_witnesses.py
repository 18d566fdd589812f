"""Every proof has an instance at which its hypotheses hold; contradictory ones have none."""

from fractions import Fraction

import pytest

import bounds
from bounds import Statement
from bounds.proof_files import ProofFile, of_claim, of_paper
from bounds.proof_files.values import (
    LineMap,
    LineSet,
    NormalOnLine,
    UndecidedHypothesis,
    are_close,
    are_linked,
    are_within,
    at_most,
    equal,
    logarithm,
    noised,
    power,
    projected,
    root,
    times,
)
from bounds.proof_files.witnesses import instances
from forgetproof.cli import run

# Its laws are stationary: the lists have such ones for one value of the symbols alone.
GIVEN_UP = ("own.x",)
EVERY = [file for paper in bounds.papers() for file in of_paper(paper)]
FILES = [file for file in EVERY if file.id not in GIVEN_UP]
HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)


@pytest.mark.parametrize("file", FILES, ids=[f"{file.id}-{file.form}" for file in FILES])
def test_a_proof_has_an_instance_of_all_hypotheses(file):
    assert instances(file, bounds.get(file.id))[0].words


def regret(hypotheses, declared=""):
    """The proof of the regret of online descent with more hypotheses, which it does not use."""
    (file,) = [file for file in of_claim(bounds.get("olu.eq2")) if file.form == "tight"]
    text = file.text.replace("show for", f"{declared}{hypotheses}show for", 1)
    return ProofFile(file.id, file.form, (), file.path, text)


@pytest.mark.parametrize("hypothesis", ["L <= 0", "sq(u) <= -1"])
def test_a_contradiction_among_the_hypotheses_is_noticed(hypothesis):
    file = regret(f"given no: {hypothesis}\n")
    file.checked()
    with pytest.raises(ValueError, match="no instance"):
        instances(file, bounds.get(file.id))


CLAIM = Statement("x.y", "Lemma 1", "inequality", "words")


@pytest.mark.parametrize(
    "hypotheses",
    [
        ("x <= 0", "1 <= x"),
        ("x^2 <= -1",),
        ("for t nat: f(t) + 1 <= f(t)",),
        ("for t nat: f(t+1) = f(t) + 1", "for t nat: f(t) <= 3"),
        ("for t nat: w(t+1) = w(t) + u", "sq(u) = 1", "for t nat: norm(w(t)) <= 3"),
        ("f(0) = 1", "f(0) = 2"),
        ("for t nat: f(t+1) = f(t) + 1", "for t nat: f(t+1) = f(t) - 1"),
        ("x = sqrt(2)", "x^2 <= 1"),
        ("winf(X, Y, -1)",),
        ("close(h, h, 0, 0)", "winf(image(h, X), image(h, Y), x)", "x < 0"),
    ],
    ids=", ".join,
)
def test_contradictory_hypotheses_have_no_instance(hypotheses):
    givens = "".join(f"given h{place}: {each}\n" for place, each in enumerate(hypotheses))
    text = (
        "theorem x.y printed\nfor x: real\nfor u: vec\nfor w: nat -> vec\nfor f: nat -> real\n"
        f"for X, Y: law\nfor h: map\n{givens}show 0 <= 1\nhence by 1\n"
    )
    file = ProofFile("x.y", "printed", (), "", text)
    file.checked()
    with pytest.raises(ValueError, match="no instance"):
        instances(file, CLAIM)
    some = text.replace(givens, "")
    assert instances(ProofFile("x.y", "printed", (), "", some), CLAIM)


@pytest.mark.parametrize(
    ("hypothesis", "words"),
    [
        ("given special: 1 <= mu\ngiven other: mu <= 1\n", "mu = 1"),
        ("given whole: L = k\n", "L is a whole number"),
    ],
)
def test_hypotheses_that_fix_a_symbol_are_noticed(hypothesis, words):
    file = regret(hypothesis, "for k: nat\n" if "k" in hypothesis else "")
    with pytest.raises(ValueError, match=words):
        instances(file, bounds.get(file.id))


def test_balls_decide_what_is_certain():
    two = root(TWO)
    assert at_most(two, Fraction(3, 2))
    assert not at_most(Fraction(3, 2), two)
    assert not equal(times(two, two), TWO), "a ball is no number"
    assert root(Fraction(9, 4)) == Fraction(3, 2)
    assert logarithm(ONE) == 0
    assert power(TWO, Fraction(-2)) == Fraction(1, 4)
    assert times(two, Fraction(0)) == 0
    for undecided in (lambda: root(-ONE), lambda: logarithm(Fraction(0)), lambda: power(TWO, HALF)):
        with pytest.raises(UndecidedHypothesis):
            undecided()


def test_laws_and_maps_on_the_line():
    X, Y = NormalOnLine(Fraction(0), ONE), NormalOnLine(ONE, ONE)
    f, g = LineMap(HALF, Fraction(0)), LineMap(HALF, ONE)
    assert are_within(X, Y, ONE)
    assert are_close(f, g, HALF, ONE)
    assert are_linked(X, Y, HALF, Fraction(1, 4))
    wrong = [
        are_within(X, Y, HALF),
        are_within(X, NormalOnLine(Fraction(0), TWO), TWO),
        are_close(f, g, Fraction(1, 4), ONE),
        are_close(f, g, HALF, HALF),
        are_close(f, LineMap(ONE, Fraction(0)), ONE, ONE),
        are_linked(X, Y, HALF, Fraction(1, 5)),
    ]
    assert not any(wrong)
    assert noised(g, X, ONE) == NormalOnLine(ONE, Fraction(5, 4))
    assert [projected(LineSet(Fraction(0), ONE), x) for x in (-ONE, HALF, TWO)] == [0, HALF, 1]


def test_the_command_lists_instances(capsys):
    assert run(["proof", "--witness", "--paper", "mini"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[-1]
        == f"{len(lines) - 1} of {len(lines) - 1} proofs have an instance of all hypotheses"
    )
    assert any(line.startswith("mini.rewind ") and "; mu = " in line for line in lines)
