"""A proof of a special case, or of the other side, is no proof of the form."""

import pytest

import bounds
from bounds import Interpretation, Statement, Symbol
from bounds.kernel import ProofRejected
from bounds.proof_files import ProofFile, of_claim

REGRET = "olu.eq2"
ERROR = "olu.eq50"


def changed(id, form, *replacements):
    """The proof of a form, with texts replaced."""
    (file,) = [file for file in of_claim(bounds.get(id)) if file.form == form]
    text = file.text
    for before, after in replacements:
        assert before in text
        text = text.replace(before, after)
    return ProofFile(id, form, file.interpretations, file.path, text)


def rejected(id, form, *replacements):
    """Why the changed proof, whose lines all follow, is not of the form."""
    file = changed(id, form, *replacements)
    file.checked()
    with pytest.raises(ProofRejected) as rejection:
        file.bound(bounds.get(id))
    return str(rejection.value)


def test_a_symbol_is_no_constant_in_the_proof():
    at_two = [
        ("for mu, L", "for L"),
        ("mu", "2"),
        ("2_: ", "two_: "),
        ("= form", "= form with mu = 2"),
    ]
    assert "must take all values" in rejected(REGRET, "tight", *at_two)


def test_a_real_symbol_is_no_whole_number_in_the_proof():
    whole = [("for mu, L: real", "for mu: real\nfor k: nat"), ("L", "k")]
    assert "must take all values" in rejected(
        REGRET, "tight", *whole, ("= form", "= form with L = k")
    )


def test_two_symbols_are_not_one_in_the_proof():
    same = [("for L, D: real", "for L: real"), ("given D_: 0 < D\n", ""), ("D", "L")]
    assert "must take all values" in rejected(
        ERROR, "printed", *same, ("= form", "= form with D = L")
    )


def test_no_whole_number_is_left_out():
    goal = "show for t nat: norm(v(t) - w(t)) <= 2*eta*C*G(t)"
    after = "show for n nat: norm(v(n+1) - w(n+1)) <= 2*eta*C*G(n+1)"
    reason = rejected(
        "hf.lem4.1",
        "printed",
        (goal, after),
        ("hence by [path(t)]", "hence by [path(n+1)]"),
        ("binds 2*eta*C*G(t) = form", "binds 2*eta*C*G(n+1) = form with t = n + 1"),
    )
    assert "t does not take all of its values" in reason


def test_equations_do_not_fix_a_symbol():
    hypotheses = "given one_: one = 1\ngiven special: mu = one\n"
    fixed = [("for mu, L: real", "for mu, L, one: real"), ("given L_: 0 < L\n", hypotheses)]
    reason = rejected(REGRET, "tight", *fixed, ("show", "given L_: 0 < L\nshow"))
    assert "ties symbols" in reason


def test_an_equation_with_a_whole_number_fixes_a_symbol():
    fixed = [("for mu, L: real", "for mu, L: real\nfor k: nat"), ("show", "given s: L = k\nshow")]
    assert "ties symbols" in rejected(REGRET, "tight", *fixed)


def test_a_bound_is_from_the_side_that_the_statement_says():
    goal = "show L^2/(2*mu)*H(T) <= L^2/mu*H(T)"
    text = (
        "theorem olu.eq2 tight\nfor mu, L: real\nfor T: nat\ngiven mu_: 0 < mu\ngiven L_: 0 < L\n"
        f"define H(0) = 0, H(t+1) = H(t) + 1/(t+1)\n{goal}\n"
        "nonneg: for t nat: 0 <= H(t) by induction on t\n"
        "  base: hence by algebra with [H_0]\n  step: hence by [ih] + 1/(t+1) with [H_1(t)]\n"
        "hence by L^2/(2*mu)*[nonneg(T)]\nbinds L^2/(2*mu)*H(T) = form\n"
    )
    file = ProofFile(REGRET, "tight", (), "", text)
    file.checked()
    with pytest.raises(ProofRejected, match="must be <= the form, got >="):
        file.bound(bounds.get(REGRET))


@pytest.mark.parametrize("hypothesis", ["given x_: 0 <= x\n", ""])
def test_a_squared_root_is_its_argument_where_that_is_not_negative(hypothesis):
    claim = Statement(
        "x.root",
        "Lemma 1",
        "inequality",
        "words",
        (Interpretation("literal", "words", {"printed": "<="}),),
        symbols=(Symbol("x", "x", "x"),),
    )
    claim.form("printed", tex="x")(lambda xp, x: xp.sqrt(x) ** 2)
    text = (
        f"theorem x.root printed\nfor x: real\n{hypothesis}show x <= x\n"
        "hence by algebra\nbinds x = form\n"
    )
    file = ProofFile("x.root", "printed", (), "", text)
    if hypothesis:
        file.bound(claim)
        return
    with pytest.raises(ProofRejected, match="differs from the form"):
        file.bound(claim)


@pytest.mark.parametrize(
    ("id", "form", "before", "after"),
    [
        (REGRET, "tight", "setting bounded(g, L)", "setting bounded(g, 0 - 1)"),
        (REGRET, "tight", "setting bounded(g, L)", "setting bounded(g, t - 1)"),
        (
            REGRET,
            "tight",
            "setting losses(f, r, g, w, u, mu)",
            "setting losses(f, r, g, w, u, -mu)",
        ),
        ("own.x3.i", "tight", "given c_: 0 <= c\n", ""),
        ("sglu.eq14_17", "printed", "given order: m <= L\n", ""),
    ],
)
def test_a_setting_that_nothing_fulfils_is_rejected(id, form, before, after):
    with pytest.raises(ProofRejected, match="a setting asks for"):
        changed(id, form, (before, after)).checked()
