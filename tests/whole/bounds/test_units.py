"""Units of the papers' forms: whose terms disagree, and what is listed."""

import ast
import copy
import inspect
import textwrap
import zlib

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from bounds.units import Unit, Units, apart, listed, of_form
from bounds.units.listed import faults, row
from bounds.units.quantity import Quantity
from tests.core.bounds.test_units import statement
from verify.evidence import Clash, from_dict, to_dict
from verify.expectation import load
from verify.form_agreement import first_disagreement
from verify.interpretations import headline, is_green
from verify.units import clashes
from verify.verdict import verdicts

STATEMENTS = bounds.statements()

FOUND = {statement.id: statement.units() for statement in STATEMENTS}

DERIVED = [(s[n], u) for s in STATEMENTS for n, u in FOUND[s.id].items() if not u.because]

AGREEING = [(form, units) for form, units in DERIVED if not units.clashes]

NONE = Units(None)


def ours(statement):
    return not bounds.paper(statement.paper).foreign


def test_every_symbol_of_ours_says_its_unit():
    for each in filter(ours, STATEMENTS):
        for symbol in each.symbols.values():
            assert symbol.unit or symbol.kind in ("integer", "hits"), (each.id, symbol.name)


def test_what_has_no_unit_is_an_algorithm():
    without = [s[n] for s in STATEMENTS for n, u in FOUND[s.id].items() if u.because]
    assert all(form.because or form.body is None for form in without)
    assert len(without) < 0.03 * len(DERIVED)


SCALES = {"loss": 3.75, "parameter": 0.15625, "feature": 7.5}


def scale(unit):
    return np.prod([SCALES.get(name, 1.0) ** float(p) for name, p in unit.powers.items()])


def rescaled(inputs, units):
    """The same instance, measured in other units."""
    factors = {name: scale(units.symbols[name]) for name in inputs}
    return {
        name: value if factors[name] == 1 else (np.asarray(value) * factors[name]).tolist()
        for name, value in inputs.items()
    }


def measurements(form, units, tries):
    """The form at random points, in two sets of units."""
    rng = np.random.default_rng(zlib.crc32(f"{form.statement.id} {form.name}".encode()))
    for _ in range(tries):
        inputs = admissible(form.statement, form, rng)
        yield float(form(**inputs)), float(form(**rescaled(inputs, units)))


def test_forms_change_with_the_units_as_theirs_says():
    """Another route to every unit: the numbers of the form, where no body is walked."""
    for form, units in AGREEING:
        for before, after in measurements(form, units, 1):
            expected = before * scale(units.value)
            assert after == pytest.approx(expected, rel=1e-8, abs=0), form.statement.id


def test_terms_that_disagree_have_no_unit():
    """No one factor takes the numbers of the form from one set of units to another."""
    for form, units in DERIVED:
        if units.clashes:
            pairs = (pair for pair in measurements(form, units, 300) if min(pair) > 0)
            found = (1 if before == after else after / before for before, after in pairs)
            first = next(found)
            assert any(f != pytest.approx(first, rel=1e-6) for f in found), form.statement.id


class Cut(ast.NodeTransformer):
    """Drops factor or divisor number `at`, or lowers a power by one."""

    def __init__(self, at):
        self.at, self.met, self.done = at, -1, False

    def hit(self):
        self.met += 1
        self.done = self.done or self.met == self.at
        return self.met == self.at

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        if isinstance(node.op, ast.Pow) and self.hit():
            return ast.BinOp(node, ast.Div(), called("met", node.left))
        if isinstance(node.op, ast.Mult) and self.hit():
            node.left = called("dropped", node.left)
        elif isinstance(node.op, ast.Mult | ast.Div) and self.hit():
            node.right = called("dropped", node.right)
        return node


def called(name, argument):
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def edits(body):
    """Bodies with one factor less each, and a list that takes what that factor was."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(body)))
    (function,) = tree.body
    function.decorator_list = []
    for at in range(1000):
        cut, lost = Cut(at), []
        changed = ast.fix_missing_locations(cut.visit(copy.deepcopy(tree)))
        if not cut.done:
            return
        names = dict(vars(inspect.getmodule(body)))
        names["met"] = lambda x, lost=lost: lost.append(x) or x
        names["dropped"] = lambda x, lost=lost: lost.append(x) or plain(x)
        exec(compile(changed, "edited", "exec"), names)
        yield names[function.name], lost


def plain(x):
    return Quantity(x.walk, Unit(), x.text) if isinstance(x, Quantity) else x


def measured(x):
    """Whether it is in a unit, which an error can change."""
    return isinstance(x, Quantity) and bool(x.walk.equations.reduced(x.unit).powers)


def test_factors_that_are_lost_are_noticed(monkeypatch, full):
    """Of some forms; what is a number, more than half of all, shows in no unit."""
    told = []
    for form, _ in AGREEING[:: 4 if full else 8]:
        if form.body.__closure__ or form.body.__name__ == "<lambda>":
            continue
        alone, original = str(of_form(form)), form.body
        for body, lost in edits(original):
            monkeypatch.setattr(form, "body", body)
            noticed = str(of_form(form)) != alone
            told += [noticed] if any(map(measured, lost)) else []
        monkeypatch.setattr(form, "body", original)
    assert len(told) > (350 if full else 150)
    assert sum(told) >= 0.99 * len(told)


def test_terms_that_disagree_are_told_with_their_units():
    (clash,) = bounds.get("olu.thm5")["printed"].units().clashes
    assert str(clash) == "D in parameter, k^(11/10)*sqrt(d/epsilon) in 1"


def test_what_disagrees_has_to_be_on_the_list(monkeypatch):
    paper = bounds.paper("sglu")
    wrong = statement({"printed": lambda xp, eta, L: eta + L})
    (line,) = faults(wrong, paper)
    assert line == (
        "the form printed is not in units.json, and its terms disagree: "
        "eta in parameter^2/loss, L in loss/parameter"
    )
    monkeypatch.setattr(listed, "_read", lambda package: {wrong.id: row(wrong)})
    assert list(faults(wrong, paper)) == []
    assert list(faults(statement({"printed": lambda xp, L: L}), paper)) == [
        "the form printed is in loss/parameter, and units.json says terms disagree"
    ]
    monkeypatch.setattr(listed, "_read", lambda package: {wrong.id: {"tight": "1"}})
    assert "units.json lists tight, which is no form" in list(faults(wrong, paper))


def test_a_body_that_is_no_expression_is_told():
    broken = statement({"printed": lambda xp, L: float(L)})
    assert list(faults(broken, bounds.paper("sglu"))) == [
        "the form printed has no unit: of a quantity only its unit is known"
    ]


def test_units_that_disagree_are_evidence_that_decides_nothing():
    claim = bounds.get("olu.thm5")
    found = list(clashes(claim))
    assert {(e.interpretation, e.form) for e in found} == {
        (r.name, "printed") for r in claim.interpretations if "printed" in r.forms
    }
    assert all(from_dict(to_dict(e)) == e for e in found)
    assert {v.word for v in verdicts(claim, found)} == {"not run"}
    assert list(clashes(bounds.get("sglu.lem3.4"))) == []


def test_a_form_in_another_unit_than_its_correction_is_evidence():
    (clash, *_) = clashes(bounds.get("safe.phi"))
    assert clash == Clash(
        clash.interpretation,
        "printed",
        ("the form in parameter, corrected in parameter^2, tight in parameter^2",),
    )


def test_what_the_documents_count():
    printed = [s for s in STATEMENTS if ours(s) and FOUND[s.id].get("printed", NONE).clashes]
    other = [s for s in STATEMENTS if ours(s) and apart(s)]
    assert (len(printed), len(other)) == (17, 16)
    found = {s.id: headline(s, load()[s.id]) for s in (*printed, *other)}
    assert {id for id, word in found.items() if is_green(word)} == {"safe.gamma"}


def test_an_edit_that_changes_a_unit_is_noticed(monkeypatch):
    """As `verify --mutants` edits formulas; the unit tells before anything is run."""
    form = bounds.get("mini.rewind")["tight"]
    assert first_disagreement(["mini.rewind"]) is None
    original = form.body
    monkeypatch.setattr(form, "body", lambda xp, eta, **more: original(xp, eta=eta, **more) * eta)
    assert first_disagreement(["mini.rewind"]) == (
        "mini.rewind: the form tight is in parameter^3/loss, and units.json says parameter"
    )
