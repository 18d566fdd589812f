"""Every formula in the repository becomes MathML, and what cannot be converted stays readable."""

from xml.etree import ElementTree

import pytest

import bounds
from verify.report.mathml import mathml

FORMULAS = {}  # each where it stands first, by the claim
for formula in map(bounds.get, reversed(bounds.ids())):
    if formula.forms:
        texs = (
            formula.left,
            *(x.tex for x in (*formula.forms.values(), *formula.symbols.values())),
        )
        FORMULAS |= dict.fromkeys(filter(None, texs), formula.id)


@pytest.mark.parametrize("id", sorted({*FORMULAS.values()}))
def test_every_formula_converts(id):
    for tex in (tex for tex, first in FORMULAS.items() if first == id):
        ElementTree.fromstring(mathml(tex, block=True))
        assert mathml(tex).startswith("<math"), tex


def test_cases_become_a_table_that_closes():
    found = mathml(r"\begin{cases}c^{2K} & c<1\\ 1/K & c=1\end{cases}")
    assert found.count("<mtr>") == 2
    ElementTree.fromstring(found)


@pytest.mark.parametrize("tex", [r"\frac{a}{", r"\unheardof x", r"\text{<script>x</script>}"])
def test_what_cannot_be_converted_is_shown_as_tex_and_escaped(tex):
    found = mathml(tex)
    assert found.startswith("<code>")
    assert "<script" not in found


def test_constructs_that_the_converter_lacks():
    assert mathml(r"\left(P\,\middle\|\,Q\right)\nonumber").startswith("<math")
    assert "<mo" in mathml(r"\min\Big\{x\Big\}\big\lVert y\big\rVert\bigg\langle z\bigg\rangle")
    assert mathml(r"\Big\unheardof x").startswith("<code>")
    assert "retrain" in mathml(r"K_{\mathrm{retrain}}")


def test_argument_and_set_difference_are_words_and_signs():
    found = mathml(r"\arg\min_w D\setminus F")
    assert ">arg<" in found
    assert "&#x02216;" in found
