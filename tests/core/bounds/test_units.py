"""Units of forms: what they are, by rescaling the numbers, and that errors in powers show."""

import ast
import copy
import inspect
import textwrap
import zlib
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import bounds
from bounds import Interpretation, Statement, Symbol
from bounds.draws import admissible
from bounds.units import Unit, Units, apart, listed, of_form, parsed
from bounds.units.equations import Equations
from bounds.units.listed import faults, row
from bounds.units.quantity import Quantity
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
powers = st.fractions(-3, 3, max_denominator=4)


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["loss", "parameter", "feature"]), powers))
def test_a_unit_is_read_as_it_is_shown(rows):
    unit = Unit({name: power for name, power in rows.items() if power})
    assert parsed(str(unit)) == unit


@pytest.mark.parametrize("text", ["", "Loss", "loss*parameter", "loss^", "loss^-1", "loss//a"])
def test_what_is_no_unit_is_refused(text):
    with pytest.raises(ValueError, match="unit must be 1, or base units"):
        parsed(text)


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(-2, 2), min_size=6, max_size=6), min_size=1, max_size=6))
def test_equations_hold_exactly_when_elimination_says_so(rows):
    """Four unknown units and two bases, against the rank of the matrix."""
    equations = Equations()
    unknown = [equations.fresh() for _ in range(4)]
    bases = [parsed("loss"), parsed("parameter")]
    taken = []
    for coefficients in rows:
        left = right = Unit()
        for unit, power in zip(unknown, coefficients, strict=False):
            left *= unit ** Fraction(power)
        for unit, power in zip(bases, coefficients[4:], strict=True):
            right *= unit ** Fraction(power)
        matrix = sp.Matrix([*taken, coefficients])
        solvable = matrix.rank() == matrix[:, :4].rank()
        assert equations.equal(left, right) == solvable
        taken += [coefficients] * solvable
    for coefficients in taken:
        both = Unit()
        for unit, power in zip(
            [*unknown, *bases], [*coefficients[:4], *coefficients[4:]], strict=True
        ):
            both *= unit ** Fraction(power if unit in unknown else -power)
        assert equations.reduced(both) == Unit()


def ours(statement):
    return not bounds.paper(statement.paper).foreign


def test_every_symbol_of_ours_says_its_unit():
    for statement in filter(ours, STATEMENTS):
        for symbol in statement.symbols.values():
            assert symbol.unit or symbol.kind in ("integer", "hits"), (statement.id, symbol.name)


def test_what_has_no_unit_is_an_algorithm():
    without = [s[n] for s in STATEMENTS for n, u in FOUND[s.id].items() if u.because]
    assert all(form.because or form.formula is None for form in without)
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
    """Another route to every unit: the numbers of the form, where no formula is walked."""
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


def edits(formula):
    """Formulas with one factor less each, and a list that takes what that factor was."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(formula)))
    (function,) = tree.body
    function.decorator_list = []
    for at in range(1000):
        cut, lost = Cut(at), []
        changed = ast.fix_missing_locations(cut.visit(copy.deepcopy(tree)))
        if not cut.done:
            return
        names = dict(vars(inspect.getmodule(formula)))
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
        if form.formula.__closure__ or form.formula.__name__ == "<lambda>":
            continue
        alone, original = str(of_form(form)), form.formula
        for formula, lost in edits(original):
            monkeypatch.setattr(form, "formula", formula)
            noticed = str(of_form(form)) != alone
            told += [noticed] if any(map(measured, lost)) else []
        monkeypatch.setattr(form, "formula", original)
    assert len(told) > (350 if full else 150)
    assert sum(told) >= 0.99 * len(told)


ETA = Symbol("eta", "step size", "e", low=0, unit="parameter^2/loss")
L = Symbol("L", "Lipschitz constant", "L", low=0, unit="loss/parameter")
K = Symbol("K", "constant", "K", low=0, unit="?")
N = Symbol("n", "count", "n", low=0, kind="integer")
UNSAID = Symbol("x", "anything", "x", low=0)


def statement(formulas, kind="equality"):
    """A statement with forms of these names and formulas."""
    interpretation = Interpretation("literal", "", dict.fromkeys(formulas, "=="))
    made = Statement(
        "sglu.units", "U", kind, "w", (interpretation,), symbols=(ETA, L, K, N, UNSAID)
    )
    for name, formula in formulas.items():
        made.form(name, tex="x")(formula)
    return made


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        (lambda xp, eta, L: eta * L, "parameter"),
        (lambda xp, eta, L, n: xp.total(lambda i: i * eta * L**2, 1, n), "loss"),
        (lambda xp, L: xp.sqrt(L), "loss^(1/2)/parameter^(1/2)"),
        (lambda xp, L: xp.product(lambda i: i * L, 2, 4), "loss^3/parameter^3"),
        (lambda xp, L, n: L ** (n - n + 2), "terms disagree"),
        (lambda xp, L: xp.exp(L), "terms disagree"),
        (lambda xp, eta, L: xp.where(eta > L, 1, 2), "terms disagree"),
        (lambda xp, eta, L: xp.maximum(0, L, xp.inf), "loss/parameter"),
        (lambda xp, eta, L, x: eta * L + x, "parameter"),
        (lambda xp, K, L: K * L, "[K] loss/parameter"),
        (lambda xp, K, L: xp.log(K * L), "1"),
        (lambda xp: 0, "any unit"),
        (lambda xp, eta, L: xp.orbit(lambda i, x: x / 2 + eta, L)[3], "terms disagree"),
    ],
    ids=[
        "product",
        "sum",
        "root",
        "fixed-product",
        "power-that-varies",
        "exponential",
        "comparison",
        "zero-and-infinity",
        "not-declared",
        "free-constant",
        "solved-constant",
        "nothing",
        "orbit",
    ],
)
def test_what_a_body_is_measured_in(formula, told):
    assert str(statement({"printed": formula})["printed"].units()) == told


def test_a_constant_has_one_unit_in_all_forms():
    forms = {"printed": lambda xp, K, L: K * L, "corrected": lambda xp, L, eta: L**2 * eta}
    found = statement(forms).units()
    assert {str(units) for units in found.values()} == {"loss"}
    assert str(found["printed"].symbols["K"]) == "parameter"
    assert not apart(statement(forms))
    assert apart(statement({**forms, "tight": lambda xp, L: L}))
    assert not apart(statement({**forms, "tight": lambda xp, L: L}, kind="asymptotic"))


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
    original = form.formula
    monkeypatch.setattr(
        form, "formula", lambda xp, eta, **more: original(xp, eta=eta, **more) * eta
    )
    assert first_disagreement(["mini.rewind"]) == (
        "mini.rewind: the form tight is in parameter^3/loss, and units.json says parameter"
    )
