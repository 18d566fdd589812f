"""Certificates that one form is the sharper: those shipped pass; of other forms, or forged, none.

Lemmas are held against numbers.
"""

import copy
import dataclasses

import pytest
import sympy as sp

import bounds
from bounds.algebra.certificates import Rejected, check
from bounds.algebra.lemmas import LEMMAS
from bounds.certificates import certificates
from bounds.library import papers

SHIPPED = {
    f"{c.claim}-{c.sharper}-{c.looser}": c for paper in papers() for c in certificates(paper.key)
}
LEMMA = SHIPPED["sglu.lem3.4-tight-printed"]
# Steps that are equalities somewhere: two hundredths less, and they fail.
SHARP = (
    "sglu.lem3.4-tight-printed",
    "sglu.propd.3-tight-printed",
    "olu.eq2-tight-corrected",
    "hf.lema4-tight-corrected",
    "safe.thm1.log-tight-corrected",
    "guo.residual-tight-corrected",
    "mini.eig-corrected-printed",
)
NUMBERS = [sp.Rational(n, 7) for n in (1, 2, 3, 5, 8, 15, 29)]
COMPOSED = ("least", "least_above", "greatest", "greatest_below")


def altered(certificate, form, alter):
    """The claim with another body for one of its forms."""
    claim = bounds.get(certificate.claim)
    other, body = copy.copy(claim[form]), claim[form].body
    other.body = lambda ns, **inputs: alter(ns, body, inputs)
    return claim.changed(forms={**claim.forms, form: other})


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_certificate_proves_its_step(name):
    check(SHIPPED[name], bounds.get(SHIPPED[name].claim))


def test_at_least_forty_statements_have_a_step_that_is_checked():
    assert len({c.claim for c in SHIPPED.values()}) >= 40
    assert len(SHIPPED) >= 50


@pytest.mark.parametrize("name", SHARP)
def test_a_constant_of_the_looser_form_is_noticed(name):
    certificate = SHIPPED[name]

    def scale(ns, body, inputs):
        return ns.rational(49, 50) * body(ns, **inputs)

    with pytest.raises(Rejected):
        check(certificate, altered(certificate, certificate.looser, scale))


def test_an_exponent_is_noticed():
    def longer(ns, body, inputs):
        return body(ns, **{**inputs, "K": 2 * inputs["K"]})

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
    ids=["nothing", "range", "half", "power", "premise", "bernoulli", "no minimum", "taken",
         "unheard", "negative square", "step"],
)  # fmt: skip
def test_a_forged_certificate_is_rejected(steps, why):
    with pytest.raises(Rejected, match=why):
        check(dataclasses.replace(LEMMA, cases=(tuple(steps),)), bounds.get(LEMMA.claim))


def test_the_wrong_direction_the_wrong_reading_and_missing_cases_are_rejected():
    claim = bounds.get(LEMMA.claim)
    for changes in ({"sharper": "printed", "looser": "tight"}, {"cases": ()}):
        with pytest.raises(Rejected):
            check(dataclasses.replace(LEMMA, **changes), claim)
    apart = dataclasses.replace(claim.readings[0], apart="for a test")
    with pytest.raises(Rejected, match="no neighbours"):
        check(LEMMA, claim.changed(readings=(apart,)))


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


def test_lemmas_on_minima_and_maxima_look_at_the_arguments():
    a, b = sp.symbols("a b", real=True)
    low, high = sp.Min(a, b), sp.Max(a, b)
    assert LEMMAS["least"](low, a) == ((), a - low)
    assert LEMMAS["greatest"](high, b) == ((), high - b)
    assert LEMMAS["least"](high, a)[1] is sp.nan
    assert LEMMAS["greatest"](high, a + 1)[1] is sp.nan
    assert set(LEMMAS["least_above"](low, 3)[0]) == {a - 3, b - 3}
    assert set(LEMMAS["greatest_below"](high, 3)[0]) == {3 - a, 3 - b}
