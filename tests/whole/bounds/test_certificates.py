"""Certificates that one form is the sharper: of other forms, or forged, none passes.

Every declared direction has one, or says why not; that those shipped pass is in the contract of
their statements. Lemmas are compared with numbers.
"""

import copy
import dataclasses

import pytest
import sympy as sp

import bounds
from bounds import balls
from bounds.algebra import certificates, signs
from bounds.algebra.certificates import Rejected, check
from bounds.algebra.lemmas import LEMMAS
from bounds.certificates import certificate, proof, rows
from bounds.library import papers
from forgetproof.testing.contract import faults

LINES = [row for paper in papers() for row in rows(paper.key)]
SHIPPED = {"-".join(row.pair): row for row in LINES if not row.open}
OPEN = {row.pair: row.open for row in LINES if row.open}
LEMMA = SHIPPED["sglu.lem3.4-literal-tight-printed"]
BOXED = SHIPPED["safe.phi-literal-tight-corrected"]
# Steps that are equalities somewhere: two hundredths less, and they fail.
SHARP = (
    "sglu.lem3.4-literal-tight-printed",
    "sglu.propd.3-literal-tight-printed",
    "olu.eq2-literal-tight-corrected",
    "hf.lema4-literal-tight-corrected",
    "safe.thm1.log-literal-tight-corrected",
    "guo.residual-literal-tight-corrected",
    "mini.eig-small-corrected-printed",
)
NUMBERS = [sp.Rational(n, 7) for n in (1, 2, 3, 5, 8, 15, 29)]
COMPOSED = ("least", "least_above", "greatest", "greatest_below", "cauchy", "termwise")


def altered(certificate, form, alter):
    """The claim with another formula for one of its forms."""
    claim = bounds.get(certificate.claim)
    other, formula = copy.copy(claim[form]), claim[form].formula
    other.formula = lambda xp, **inputs: alter(xp, formula, inputs)
    return claim.changed(forms={**claim.forms, form: other})


def test_every_declared_direction_has_a_certificate_or_says_why_not():
    declared = [
        (claim.id, interpretation.name, *pair)
        for claim in bounds.statements()
        for interpretation in claim.interpretations
        for pair in interpretation.order
    ]
    assert [row.pair for row in LINES] == declared
    assert all(len(reason.split()) >= 3 for reason in OPEN.values())


def test_forms_of_at_least_forty_statements_are_checked():
    checked = {
        claim.id
        for claim in bounds.statements()
        for interpretation in claim.interpretations
        for form in interpretation.forms
        if (found := proof(claim, interpretation.name, form))
        and found.level in ("checked", "proved")
    }
    assert len(checked) >= 40
    assert len(SHIPPED) >= 50


def test_a_checked_proof_names_where_it_starts_and_what_that_rests_on():
    claim = bounds.get("sglu.lem3.4")
    found = proof(claim, "literal", "printed")
    assert found.told == "checked from tight (proved)"
    assert found.anchor == proof(claim, "literal", "tight")
    assert found.anchor.level == "proved"
    chained = proof(bounds.get("sglu.eq21_25"), "literal", "printed")
    assert chained.told == "checked from corrected (proved)"
    by_name = proof(bounds.get("sglu.thm3.2"), "difference", "printed")
    assert by_name.told == "checked from corrected (named)"


def test_what_is_checked_on_a_box_says_so_and_keeps_its_level():
    claim = bounds.get(BOXED.claim)
    found = proof(claim, BOXED.interpretation, BOXED.looser)
    assert found.level == "named"
    assert found.told == (
        f"named, checked from tight (named) for epsilon in [{BOXED.box['epsilon'][0]}, 1], "
        f"delta in [{BOXED.box['delta'][0]}, 1/2]"
    )


def test_a_certificate_counts_only_for_the_pair_that_it_names():
    claim = bounds.get(LEMMA.claim)
    apart = dataclasses.replace(claim.interpretations[0], apart="for a test")
    assert certificate(claim, "literal", "printed") == LEMMA
    assert certificate(claim.changed(interpretations=(apart,)), "literal", "printed") is None
    assert proof(claim.changed(interpretations=(apart,)), "literal", "printed").level == "named"


def test_only_a_certificate_makes_a_proof_checked():
    with pytest.raises(ValueError, match="level must be named or written"):
        bounds.Proof("by some prover", "checked")


@pytest.mark.parametrize("name", SHARP)
def test_a_constant_of_the_looser_form_is_noticed(name):
    certificate = SHIPPED[name]

    def scale(xp, formula, inputs):
        return xp.rational(49, 50) * formula(xp, **inputs)

    with pytest.raises(Rejected):
        check(certificate, altered(certificate, certificate.looser, scale))


def test_a_changed_body_breaks_the_contract():
    def less(xp, formula, inputs):
        return formula(xp, **inputs) * xp.rational(1, 2)

    (fault,) = faults(altered(LEMMA, "printed", less))
    assert fault.startswith("the certificate of literal tight printed is rejected: no sign")


@pytest.mark.parametrize(
    ("id", "lemma"),
    [
        ("sglu.lem3.4-literal-tight-printed", "power"),
        ("olu.eq2-literal-tight-corrected", "harmonics"),
        ("safe.phi-literal-tight-corrected", "profile"),
        ("olu.eq8-before-tight-printed", "cauchy"),
    ],
    ids=["power", "harmonics", "profile", "cauchy"],
)
def test_a_broken_lemma_is_noticed(id, lemma, monkeypatch):
    """Its conclusion less a tenth, or a premise that fails."""
    true = LEMMAS[lemma]
    monkeypatch.setattr(certificates, "PIECES", 300)

    def weaker(*inputs):
        premises, conclusion = true(*inputs)
        return premises, conclusion + sp.Rational(1, 10)

    def idle(*inputs):
        premises, conclusion = true(*inputs)
        return (*premises, sp.Integer(-1)), conclusion

    for broken in (weaker, idle):
        monkeypatch.setitem(LEMMAS, lemma, broken)
        with pytest.raises(Rejected):
            check(SHIPPED[id], bounds.get(SHIPPED[id].claim))


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ({}, "premise of profile"),
        ({"epsilon": ["1/10", "1"]}, "premise of profile"),
        ({**BOXED.box, "epsilon": ["1", "20"]}, "premise of profile"),
        ({**BOXED.box, "epsilon": ["1", "1/2"]}, "the box must say"),
        ({"unheard": ["0", "1"]}, "the box must say"),
    ],
    ids=["no box", "half a box", "where it fails", "upside down", "unheard"],
)
def test_another_box_is_rejected(box, why, monkeypatch):
    monkeypatch.setattr(certificates, "PIECES", 300)
    with pytest.raises(Rejected, match=why):
        check(dataclasses.replace(BOXED, box=box), bounds.get(BOXED.claim))


def test_balls_show_what_is_above_0_on_all_of_a_box():
    x, y = sp.symbols("x y", positive=True)
    box = {x: (sp.Rational(1, 10), sp.Integer(1)), y: (sp.Rational(1, 10**6), sp.Rational(1, 10))}
    assert balls.positive(x - y + sp.Rational(1, 1000), box, 100)
    assert not balls.positive(x - y, box, 3000)  # 0 at a corner
    assert not balls.positive(sp.log(x - sp.Rational(1, 5)), box, 100)


def test_the_root_of_a_ball_that_rounding_takes_below_0_is_no_failure():
    x, y = sp.symbols("x y", real=True)
    box = {x: (sp.Rational(-1), sp.Rational(1)), y: (sp.Rational(-1), sp.Rational(1, 3))}
    assert balls.positive(sp.sqrt(x**2 + y**2) + sp.Rational(1, 1000), box, 4)
    assert balls.positive(sp.sqrt(abs(x) * y**2 + sp.Max(x**4, 0)) + sp.Rational(1, 9), box, 4)
    # What may be below 0 has no root there.
    assert not balls.positive(sp.sqrt(x + y) + 1, box, 200)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x**2 - 2*x*y + y**2", True),
        ("3*x**2 - 2*x*y + y**2", True),
        ("x**2 - 3*x*y + y**2", False),
        ("x**2 + y**2 + z**2 - x*y - y*z - x*z", True),
        ("x*z - 2*x*y + y**2", False),
        ("4*x**2 - 4*x*y + y**2 + z", True),
        ("9*x**2 - 4*x*y + y**2/2 + z", True),
        ("x**2 - 4*x*y + y**2 + z", False),
        ("-x - y", False),
        ("x/(1 + y) - x", False),
        ("1/(x - y)", False),
        ("-x/(-1 - y)", True),
        ("(x - y)**3/(x - y)", True),
        ("sqrt(x)*exp(-y)/(1 + sqrt(x))", True),
        ("x/(sqrt(x) - 2)", False),
    ],
    ids=[
        "square",
        "more",
        "less",
        "three",
        "no pair",
        "uneven",
        "uneven halves",
        "too little",
        "negative",
        "quotient",
        "below",
        "below zero",
        "common factor",
        "root",
        "root below",
    ],
)
def test_signs_from_completed_squares(text, shown):
    names = {n: sp.Symbol(n, positive=True) for n in "xyz"}
    assert (signs.resists(sp.sympify(text, locals=names)) is None) == shown


def test_odd_powers_of_what_may_be_negative_have_no_sign():
    x, y = sp.Symbol("x", real=True), sp.Symbol("y", positive=True)
    for unclear in (x, x * y, x**3 + x, x**3 * y + x, 1 / x):
        assert signs.resists(unclear) is not None
    for shown in (x**2 * y + y, x**4 + x**2 + 3, y**3 / (1 + x**2)):
        assert signs.resists(shown) is None


def test_what_is_known_to_be_0_proves_nothing_else():
    """From x = 0 does not follow -1 >= 0, although -1 is x times -1/x."""
    claim = bounds.get(LEMMA.claim)
    walk, _ = next(certificates.opened(LEMMA, claim))
    K = walk.numbers["K"]
    walk.given += [-K, K]
    assert not walk.shown(sp.Integer(-1))
    assert walk.shown(-2 * K)


def test_a_name_cannot_stand_for_another_number_at_every_index():
    row = SHIPPED["olu.eq19-literal-corrected-printed"]
    steps = ((["name", "t", "tau[i]"], *row.cases[0]),)
    with pytest.raises(Rejected, match="at every index"):
        check(dataclasses.replace(row, cases=steps), bounds.get(row.claim))


def test_an_exponent_is_noticed():
    def longer(xp, formula, inputs):
        return formula(xp, **{**inputs, "K": 2 * inputs["K"]})

    check(LEMMA, altered(LEMMA, "tight", longer))
    with pytest.raises(Rejected, match="no sign"):
        check(LEMMA, altered(LEMMA, "printed", longer))


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([], "no sign"),
        ([["within", "K", "2", None]], "K within its bounds"),
        ([["within", "c", "0", "1/2"]], "c within its bounds"),
        ([["name", "x", "c**K"], ["within", "x", "0", "c"]], "x within its bounds"),
        ([["lemma", "power", "c", "2", "K"]], "premise of power"),
        ([["lemma", "bernoulli", "c+1", "K"]], "premise of bernoulli"),
        ([["lemma", "least", "c", "K"]], "no sign"),
        ([["name", "Z", "c**K"]], "Z is a symbol already"),
        ([["name", "x", "unheard"]], "unheard is no symbol"),
        ([["square", "p", "c - 1"]], "is a square"),
        ([["believe", "c", "K"]], "no step believe"),
    ],
    ids=[
        "nothing",
        "range",
        "half",
        "power",
        "premise",
        "bernoulli",
        "no minimum",
        "taken",
        "unheard",
        "negative square",
        "step",
    ],
)
def test_a_forged_certificate_is_rejected(steps, why):
    with pytest.raises(Rejected, match=why):
        check(dataclasses.replace(LEMMA, cases=(tuple(steps),)), bounds.get(LEMMA.claim))


def test_the_wrong_direction_the_wrong_interpretation_and_missing_cases_are_rejected():
    claim = bounds.get(LEMMA.claim)
    for changes in ({"sharper": "printed", "looser": "tight"}, {"cases": ()}):
        with pytest.raises(Rejected):
            check(dataclasses.replace(LEMMA, **changes), claim)
    apart = dataclasses.replace(claim.interpretations[0], apart="for a test")
    with pytest.raises(Rejected, match="no neighbours"):
        check(LEMMA, claim.changed(interpretations=(apart,)))


@pytest.mark.parametrize("name", sorted(LEMMAS.keys() - set(COMPOSED)))
def test_a_lemma_is_true_where_its_premises_are(name):
    lemma = LEMMAS[name]
    count, seen = lemma.__code__.co_argcount, 0
    for start in range(7):
        for stride in range(7):
            at = [NUMBERS[(start + i * stride) % 7] for i in range(count)]
            if "N" in lemma.__code__.co_varnames or name in ("harmonics", "powers_summed"):
                at[-1] = sp.Integer(start + 1)
            premises, conclusion = lemma(*at)
            if all(p >= 0 for p in premises):
                value = sp.N(conclusion.doit(), 30)
                if value.is_finite:
                    seen += 1
                    assert value >= -1e-25, at
    assert seen >= 3


def test_lemmas_on_sums_hold_at_numbers():
    i = sp.Symbol("i", integer=True, nonnegative=True)
    for a, b in ((i**2, 1 / i), (1 - i, i + 3), (sp.sqrt(i), sp.sqrt(i))):
        assert LEMMAS["cauchy"](a, b, 5)[1].doit() >= 0
        premises, conclusion = LEMMAS["termwise"](a, b, 5)
        held = all((sp.sympify(p).subs(i, n) >= 0) for p in premises for n in range(1, 6))
        assert conclusion.doit() >= 0 or not held
    assert LEMMAS["termwise"](0, 2, 7) == ((7, 2), 14)


def test_lemmas_on_minima_and_maxima_look_at_the_arguments():
    a, b = sp.symbols("a b", real=True)
    low, high = sp.Min(a, b), sp.Max(a, b)
    assert LEMMAS["least"](low, a) == ((), a - low)
    assert LEMMAS["greatest"](high, b) == ((), high - b)
    assert LEMMAS["least"](high, a)[1] is sp.nan
    assert LEMMAS["greatest"](high, a + 1)[1] is sp.nan
    assert set(LEMMAS["least_above"](low, 3)[0]) == {a - 3, b - 3}
    assert set(LEMMAS["greatest_below"](high, 3)[0]) == {3 - a, 3 - b}


def test_binomial_coefficients_are_of_whole_numbers():
    n, k = sp.symbols("n k")
    term = sp.binomial(n, k)
    assert balls.ball(term, {n: sp.Integer(6), k: sp.Integer(2)}).contains(15)
    for top, chosen in ((sp.Rational(1, 2), 2), (6, sp.Rational(1, 2)), (-3, 2), (10**9, 10**8)):
        with pytest.raises(balls.Undecided, match="a binomial coefficient of these arguments"):
            balls.ball(term, {n: sp.sympify(top), k: sp.sympify(chosen)})
