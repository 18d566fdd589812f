"""The units of a form and of a statement, derived from formulas and the units of symbols."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bounds.symbols import Symbol
from bounds.units.equations import Equations
from bounds.units.namespace import Dimensions
from bounds.units.operands import FormLike, StatementLike
from bounds.units.quantity import Entries, UnitClash
from bounds.units.unit import NUMBER, Unit, parsed


@dataclass(frozen=True)
class Units:
    """What a form is measured in.

    Attributes:
        value: the unit of the form; None where terms disagree, or `because` says why there is none.
        symbols: the units of its arguments.
        solved: names of those that were solved for.
        clashes: terms whose units disagree.
        because: why no unit was derived.
    """

    value: Unit | None
    symbols: Mapping[str, Unit] = field(default_factory=dict)
    solved: tuple[str, ...] = ()
    clashes: tuple[UnitClash, ...] = ()
    because: str = ""

    def __str__(self) -> str:
        if self.clashes:
            return DISAGREE
        return str(self.value) if self.value is not None else "none"


DISAGREE = "terms disagree"


def of_form(form: FormLike, namespace: type[Dimensions] = Dimensions) -> Units:
    """Walks the formula of the form over units."""
    equations = Equations()
    units = _walked(
        form, namespace(equations), _declared(form.statement, form.arguments, equations)
    )
    return _settled(units, equations)


def of_statement(statement: StatementLike) -> dict[str, Units]:
    """The units of every form, constants in one unit for all of them.

    Where a constant is solved for, its unit is one in which the forms agree, if there is any; an
    order leaves out a constant of any unit, so that forms of an asymptotic claim are left as they
    are.
    """
    # Forms may be added, and formulas edited: what units depend on is part of the key.
    formulas = tuple((name, form.formula, form.because) for name, form in statement.forms.items())
    return dict(_remembered(statement, formulas, tuple(statement.symbols.values())))


@lru_cache(maxsize=1024)
def _remembered(statement: StatementLike, *_: Hashable) -> dict[str, Units]:
    units_by_form = {name: of_form(form) for name, form in statement.forms.items()}
    # Forms whose terms disagree are left out: their equations would spoil the shared unknowns.
    agreeing = [name for name, units in units_by_form.items() if units.value is not None]
    equations = Equations()
    symbols = _declared(statement, statement.symbols, equations)
    together = {n: _walked(statement.forms[n], Dimensions(equations), symbols) for n in agreeing}
    whole = {name: units for name, units in together.items() if units.value is not None}
    values = [units.value for units in whole.values() if units.value is not None]
    if statement.kind != "asymptotic":
        for value in values[1:]:
            equations.equal(values[0], value)
    return units_by_form | {name: _settled(units, equations) for name, units in whole.items()}


def apart(statement: StatementLike) -> bool:
    """Whether forms of the statement are in different units, and it is no order."""
    unit_names = {str(units.value) for units in of_statement(statement).values() if units.value}
    # A fresh unknown prints as "any unit": a form that fits every unit is apart from none.
    return statement.kind != "asymptotic" and len(unit_names - {str(Equations().fresh())}) > 1


def _declared(
    statement: StatementLike, names: Iterable[str], equations: Equations
) -> dict[str, Unit]:
    return {name: _unit(statement.symbols[name], equations) for name in names}


def _unit(symbol: Symbol, equations: Equations) -> Unit:
    """The declared unit of a symbol; counts are numbers; what is left is solved for."""
    if symbol.unit is not None and symbol.unit != "?":
        return parsed(symbol.unit)
    counts = symbol.unit is None and (symbol.whole or symbol.kind in ("integer", "hits"))
    return NUMBER if counts else equations.fresh(symbol.name)


def _walked(form: FormLike, xp: Dimensions, units: Mapping[str, Unit]) -> Units:
    if form.formula is None or form.because:
        return Units(None, because=form.because or "it is computed by an algorithm")
    mine = {name: units[name] for name in form.arguments}
    arguments = {
        name: _argument(xp, form.statement.symbols[name], unit) for name, unit in mine.items()
    }
    try:
        quantity = xp.walk.lifted(form.formula(xp, **arguments))
    except (AttributeError, TypeError) as error:  # a third-party formula may call anything
        return Units(None, because=str(error))
    solved = tuple(name for name, unit in mine.items() if unit.unknown)
    # What a formula computes twice may clash twice, in the same words.
    clashes = tuple(dict.fromkeys(xp.walk.clashes))
    return Units(None if clashes else quantity.unit, mine, solved, clashes)


def _argument(xp: Dimensions, symbol: Symbol, unit: Unit) -> Any:
    whole = xp.quantity(unit, lambda: symbol.name)
    return Entries(symbol.name, whole) if symbol.kind in ("list", "hits") else whole


def _settled(units: Units, equations: Equations) -> Units:
    """The same by what the equations have solved."""
    return replace(
        units,
        value=None if units.value is None else equations.reduced(units.value),
        symbols={name: equations.reduced(unit) for name, unit in units.symbols.items()},
        clashes=tuple(
            UnitClash(
                tuple((text, equations.reduced(unit)) for text, unit in clash.terms), clash.words
            )
            for clash in units.clashes
        ),
    )
