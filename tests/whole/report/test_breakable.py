"""Formulas in parts: nothing is lost, and lines end where a reader would end them."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

import bounds
from bounds.unicode_formulas import unicode_formula
from verify.report.breakable import LONGEST, MARGIN, breakable
from verify.report.mathml import mathml
from verify.tex.normalise import normalise

FORMULAS = {form.tex: id for id in bounds.ids() for form in bounds.get(id).forms.values()}
PART = re.compile(r'<span class="part(?: end)?" style="--w:([\d.]+)">(.*?)</span>')


def parts(tex):
    """(width, element) of each part."""
    return [(float(w), ElementTree.fromstring(m)) for w, m in PART.findall(breakable(tex))]


def text(element):
    return "".join(element.itertext())


def letters(markup):
    """Letters and digits of a formula, without the spaces of its words."""
    return Counter(c for c in text(ElementTree.fromstring(markup)) if c.isalnum())


def texts(tex):
    return [text(part).strip() for _, part in parts(tex)]


def test_no_letter_of_any_formula_is_lost():
    for tex, id in FORMULAS.items():
        kept = sum((Counter(c for c in text(e) if c.isalnum()) for _, e in parts(tex)), Counter())
        assert kept == letters(mathml(tex, block=True)), id


def test_brackets_are_as_many_as_before_but_where_a_fraction_is_a_quotient():
    for tex, id in FORMULAS.items():
        shown = "".join(text(e) for _, e in parts(tex))
        assert shown.count("(") - shown.count(")") == tex.count("(") - tex.count(")"), id


@pytest.mark.parametrize(
    ("tex", "pieces"),
    [
        (r"a=b+c-d", ["a", "=b", "+c", "−d"]),
        (r"-a=-b", ["−a", "=−b"]),
        (r"f(a+b)\le\|x-y\|", ["f(a+b)", "≤‖x−y‖"]),
        (r"D(P\|Q)+E", ["D(P‖Q)", "+E"]),
        (r"\left(a+b\right)^2-c", ["(a+b)2", "−c"]),
        (r"a,b;\quad c", ["a,", "b;", "c"]),
        (r"2^{-k}+x_{i+1}", ["2−k", "+xi+1"]),
        (r"(-a)\cdot e^{x}", ["(−a)·ex"]),
        (r"ab\allowbreak cd", ["ab", "cd"]),
    ],
)
def test_lines_end_before_relations_and_signs_and_after_commas(tex, pieces):
    assert texts(tex) == pieces


def test_what_is_long_is_cut_within_its_brackets_and_keeps_its_exponent():
    term = r"\frac{abcdefg}{hijklmn}"
    tex = rf"\left({'+'.join([term] * 6)}\right)^2"
    found = parts(tex)
    assert len(found) == 6
    assert max(width for width, _ in found) <= MARGIN * LONGEST
    last = found[-1][1]
    (power,) = last.iter("msup")
    assert [text(e) for e in power] == [")", "2"]


def test_tables_are_never_cut():
    tex = r"x=\begin{cases}a+b & c<1\\ d-e & c=1\end{cases}"
    found = parts(tex)
    assert len(found) == 2
    assert len(list(found[1][1].iter("mtr"))) == 2


def test_a_sign_that_begins_a_part_is_set_between_terms():
    _, (_, second) = parts("a+b")
    assert second.find("mrow/mo").get("form") == "infix"


def test_what_cannot_be_converted_is_escaped_tex():
    found = breakable(r"\unheardof <b>")
    assert "<code>" in found
    assert "<b>" not in found


def test_a_mark_for_the_end_of_a_line_says_nothing_else():
    tex = r"\frac{a}{b}\allowbreak \cdot c"
    assert normalise(tex) == normalise(tex.replace(r"\allowbreak ", ""))
    assert unicode_formula(tex) == unicode_formula(tex.replace(r"\allowbreak ", ""))
