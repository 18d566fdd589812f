"""Units of forms: what they are, by rescaling the numbers, and that errors in powers show."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import Interpretation, Statement, Symbol
from bounds.units import Unit, apart, parsed
from bounds.units.equations import Equations

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


ETA = Symbol("eta", "step size", "e", low=0, unit="parameter^2/loss")
L = Symbol("L", "Lipschitz constant", "L", low=0, unit="loss/parameter")
K = Symbol("K", "constant", "K", low=0, unit="?")
N = Symbol("n", "count", "n", low=0, kind="integer")
UNSAID = Symbol("x", "anything", "x", low=0)


def statement(bodies, kind="equality"):
    """A statement with forms of these names and bodies."""
    interpretation = Interpretation("literal", "", dict.fromkeys(bodies, "=="))
    made = Statement(
        "sglu.units", "U", kind, "w", (interpretation,), symbols=(ETA, L, K, N, UNSAID)
    )
    for name, body in bodies.items():
        made.form(name, tex="x")(body)
    return made


@pytest.mark.parametrize(
    ("body", "told"),
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
def test_what_a_body_is_measured_in(body, told):
    assert str(statement({"printed": body})["printed"].units()) == told


def test_a_constant_has_one_unit_in_all_forms():
    forms = {"printed": lambda xp, K, L: K * L, "corrected": lambda xp, L, eta: L**2 * eta}
    found = statement(forms).units()
    assert {str(units) for units in found.values()} == {"loss"}
    assert str(found["printed"].symbols["K"]) == "parameter"
    assert not apart(statement(forms))
    assert apart(statement({**forms, "tight": lambda xp, L: L}))
    assert not apart(statement({**forms, "tight": lambda xp, L: L}, kind="asymptotic"))
