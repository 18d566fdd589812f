"""`bound --symbolic`, `explain --where-lost`: free symbols, and where a bound is lost."""

import json
import re

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from bounds.trends import trends
from forgetproof.cli import run
from forgetproof.commands import _where_lost
from forgetproof.commands._symbolic import asked, row, told

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


SPECIAL = ("sglu.sec4.lu_better", "hf.thm4.3", "hf.lema5.limit", "olu.eq8c", "hf.def2.1.scale")


@pytest.mark.parametrize("id", SPECIAL)
def test_code_is_pasted_and_runs_to_the_numbers_of_all_forms(capsys, id):
    code, out, _ = call(capsys, "bound", id, "--symbolic", "--python")
    assert code == 0
    space = {}
    exec(out, space)
    claim = bounds.get(id)
    forms = [form for form in claim.forms.values() if form.formula is not None]
    assert forms
    for form in forms:
        at = admissible(claim, form, np.random.default_rng(3))
        assert float(space[form.name](**at)) == pytest.approx(float(form(**at)), rel=1e-9)


def test_code_of_an_answer_names_its_imports(capsys):
    asked = ("bound", "sglu.lem3.4", "--symbolic", "--form", "tight", "--solve", "K", "--python")
    code, out, _ = call(capsys, *asked)
    first, *rest = out.splitlines()
    assert (code, first) == (0, "import math")
    assert "math.log(" in rest[0]


@pytest.mark.parametrize(
    ("id", "form", "question", "begins"),
    [
        ("sglu.apph", "tight", ("--limit", "J=0"), "no limit found"),
        ("mini.thm1", "corrected", ("--diff", "k"), ""),
        ("mini.rewind.prior", "tight", ("--diff", "k"), ""),
    ],
)
def test_every_question_is_answered_or_refused_in_a_line(capsys, id, form, question, begins):
    code, out, err = call(capsys, "bound", id, "--symbolic", "--form", form, *question)
    assert (code, err) == (0, "")
    first, kind, *_ = out.splitlines()
    assert first.startswith(begins)
    assert first.strip()
    assert kind.strip().startswith(("closed", "numeric"))


def test_what_polynomials_cannot_say_is_refused_in_a_line():
    """sympy tells of a rounded-up logarithm by an error of its own kind."""
    (answer,) = asked(bounds.get("sglu.alg5"), "printed", "solve", "sigma")
    assert answer.words == "no closed form: a root for given numbers"


def test_no_slope_is_claimed_where_the_argument_decides_which_terms_count(capsys):
    asked = ("bound", "safe.eq4", "--symbolic", "--form", "printed", "--diff", "t")
    code, out, err = call(capsys, *asked)
    assert (code, err) == (0, "")
    assert "not differentiable in closed form" in out


def test_a_question_that_takes_too_long_is_refused_in_a_line():
    (answer,) = asked(bounds.get("sglu.thm3.2"), "corrected", "solve", "J", seconds=0.01)
    assert answer.words == "no closed form found in 0.01 s"


QUESTIONS = ("solve", "diff", "order", "limit")
"""Of these a form is asked each, about every number that it takes."""
FORMS = [(s.id, n) for s in bounds.statements() for n, f in s.forms.items() if f.formula]


FEW = [("sglu.lem3.4", "tight"), ("olu.eq55.cap", "printed"), ("safe.phi", "printed")]


def pytest_generate_tests(metafunc):
    """All forms where the profile is full: minutes, for some hundreds of them."""
    if "questioned" in metafunc.fixturenames:
        full = metafunc.config.option.forgetproof_profile == "full"
        metafunc.parametrize("questioned", FORMS if full else FEW, ids=" ".join)


def test_every_question_about_a_form_has_an_answer(questioned):
    id, name = questioned
    claim = bounds.get(id)
    form = claim[name]
    for argument in form.arguments:
        if form.because or claim.symbols[argument].kind not in ("real", "integer"):
            continue
        for question in QUESTIONS:
            about = f"{argument}=oo" if question == "limit" else argument
            answers = asked(claim, name, question, about)
            rows = [row(answer, claim, "text", form.arguments) for answer in answers]
            assert rows
            assert all(told([found]).strip() for found in rows), (question, argument)


@pytest.mark.parametrize("id", ["safe.eq18", "safe.eq19", "safe.eq28", "olu.thm2"])
def test_latex_of_an_expression_has_balanced_braces(capsys, id):
    code, out, _ = call(capsys, "bound", id, "--symbolic", "--latex")
    assert code == 0
    for line in out.splitlines():
        plain = line.replace(r"\{", "").replace(r"\}", "")
        assert plain.count("{") == plain.count("}"), line


def test_explain_says_what_it_works_on_where_that_is_long(capsys, monkeypatch):
    assert call(capsys, "explain", "sglu.lem3.4", "--where-lost")[2] == ""
    monkeypatch.setattr(_where_lost, "LONG", 0)
    assert call(capsys, "explain", "sglu.lem3.4", "--where-lost")[2] == (
        "sglu.lem3.4: printed/tight ...\n"
    )


def test_where_a_bound_is_lost_has_no_idle_condition(capsys):
    """No case that cannot occur, no condition that always holds, and a letter explained once."""
    code, out, _ = call(capsys, "explain", "sglu.thm3.2", "--where-lost")
    assert code == 0
    assert not re.search(r"\b(True|False)\b", out)
    assert out.count("printed/corrected = ") == 3
    assert out.count("c = 1 - eta*m") == 1
    assert "  with c = 1 - eta*m\n" in out
    _, out, _ = call(capsys, "explain", "sglu.thm3.2", "--where-lost", "--json")
    rows = json.loads(out)["forms"]["printed"]["ratio"]
    assert [row["letters"] for row in rows] == [["c = 1 - eta*m"]] * 3


def test_what_drives_a_form_is_what_is_listed_of_it(capsys):
    for id in ("sglu.thm3.2", "olu.thm2", "mini.thm1"):
        _, out, _ = call(capsys, "explain", id, "--where-lost", "--json")
        for name, rows in json.loads(out)["drives"].items():
            ways = {t.name: t for t in trends(bounds.get(id)) if t.form.name == name}
            assert ways
            for drive in rows:
                trend = ways.get(drive["symbol"])
                words = {"rises": "increasing", "falls": "decreasing"}
                assert drive["direction"] == (words[trend.way] if trend else "")
                assert drive["limit"] == (trend.end if trend else "")


def test_explain_says_where_the_printed_bound_is_lost(capsys):
    code, out, _ = call(capsys, "explain", "sglu.lem3.4", "--where-lost")
    assert code == 0
    assert "printed/tight = (1 - c**(2*K))/(1 - c**2)" in out
    assert "K          decreasing, to 0 as it grows" in out
    code, out, _ = call(capsys, "explain", "sglu.lem3.4", "--where-lost", "--json")
    found = json.loads(out)
    assert found["forms"]["printed"]["slack"] > 1
    (rows,) = found["drives"].values()
    assert {row["symbol"] for row in rows} == {"alpha", "Z", "s2", "c", "K"}


def test_explain_tells_the_growth_of_every_form_of_a_claim_on_growth(capsys):
    _, out, _ = call(capsys, "explain", "safe.cmp", "--where-lost")
    printed, corrected, tight = out.split("what drives the ")[1:]
    assert "like sqrt(T) when large" in printed
    assert "like sqrt(V) when large" in corrected
    assert "like V when large" in tight


def test_where_a_bound_is_lost_needs_a_formula(capsys):
    code, _, err = call(capsys, "explain", "olu.thm2.unlearn", "--where-lost")
    assert (code, "with a formula" in err) == (2, True)
