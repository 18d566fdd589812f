"""`bound --symbolic` and `explain`: formulas with free symbols, and where a bound is lost."""

import json

import pytest

from forgetproof.cli import run

LEMMA = ("bound", "sglu.lem3.4", "--symbolic")


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_form_is_printed(capsys):
    code, out, _ = call(capsys, *LEMMA)
    assert code == 0
    assert "c**(2*K)" in out
    assert out.startswith("printed")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (("--solve", "s2"), "alpha*Z**2*c**(2*K)*(1 - c**2)/(2*value*(1 - c**(2*K)))"),
        (("--limit", "K=oo"), "0"),
        (("--order", "alpha"), "alpha*Z**2"),
        (("--direction", "K"), "decreasing in K"),
        (("--elasticity", "Z"), "2"),
        (("--ratio", "printed/tight"), "(1 - c**(2*K))/(1 - c**2)"),
    ],
    ids=["solve", "limit", "order", "direction", "elasticity", "ratio"],
)
def test_questions(capsys, question, expected):
    form = () if question[0] == "--ratio" else ("--form", "tight")
    code, out, _ = call(capsys, *LEMMA, *form, *question)
    assert code == 0
    assert out.startswith(expected)
    assert "closed" in out or "proved" in out


def test_json_has_one_row_for_every_branch(capsys):
    asked = ("bound", "sglu.thm3.2", "--symbolic", "--solve", "sigma", "--json")
    code, out, _ = call(capsys, *asked)
    rows = json.loads(out)["answers"]["printed"]
    assert code == 0
    assert [row["kind"] for row in rows] == ["closed on a branch"] * 2
    assert all(row["where"] and row["points"] for row in rows)


def test_numbers_give_a_root(capsys):
    at = ("alpha=2", "Z=1", "s2=1", "c=0.9", "value=1e-3")
    code, out, _ = call(capsys, *LEMMA, "--form", "tight", "--solve", "K", *at)
    assert code == 0
    assert out.startswith("K = 24.925245454873")
    code, _, err = call(capsys, *LEMMA, "--form", "tight", "--solve", "K", *at[1:])
    assert (code, "alpha is missing" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--symbolic", "--solve", "nope"), "symbol must be one of alpha"),
        (("--solve", "K"), "solve must be given with --symbolic"),
        (("--symbolic", "--limit", "K"), "limit must be SYMBOL=NUMBER"),
        (("--symbolic", "--ratio", "printed"), "ratio must be FORM/FORM"),
        (("--symbolic", "--solve", "K", "--order", "K"), "only one question"),
        (("--symbolic", "--latex", "--python"), "only one of latex, unicode, python"),
        (("--symbolic", "c=0.5"), "inputs must be left out"),
    ],
    ids=["symbol", "no flag", "limit", "ratio", "two questions", "two styles", "inputs"],
)
def test_one_line_errors(capsys, arguments, message):
    code, out, err = call(capsys, "bound", "sglu.lem3.4", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_explain_says_where_the_printed_bound_is_lost(capsys):
    code, out, _ = call(capsys, "explain", "sglu.lem3.4")
    assert code == 0
    assert "printed/tight = (1 - c**(2*K))/(1 - c**2)" in out
    assert "decreasing (proved)" in out
    code, out, _ = call(capsys, "explain", "sglu.lem3.4", "--json")
    found = json.loads(out)
    assert found["forms"]["printed"]["loose"] > 1
    (rows,) = found["drives"].values()
    assert {row["symbol"] for row in rows} == {"alpha", "Z", "s2", "c", "K"}


def test_explain_tells_the_growth_of_every_form_of_a_claim_on_growth(capsys):
    _, out, _ = call(capsys, "explain", "safe.cmp")
    printed, corrected, tight = out.split("what drives the ")[1:]
    assert "like sqrt(T) when large" in printed
    assert "like sqrt(V) when large" in corrected
    assert "like V when large" in tight


def test_explain_needs_a_formula(capsys):
    code, _, err = call(capsys, "explain", "hf.fig3")
    assert code == 2
    assert "must name a claim" in err or "no claim" in err or "unknown" in err
