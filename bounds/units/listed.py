"""What the forms of a paper are measured in: a list beside its statements, a line a claim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bounds.units.derive import of_statement
from bounds.units.unit import ANY, parsed

if TYPE_CHECKING:
    from bounds.library import Paper
    from bounds.statements import Statement

NAME = "units.json"
LEFT = "left side"
"""On the list: the unit of what is measured, where no form of the claim has it."""


@cache
def _read(package: str) -> dict[str, str | dict[str, str]]:
    beside = files(package) / NAME
    return dict(json.loads(beside.read_text("utf-8"))) if beside.is_file() else {}


def listed(owner: Paper, id: str) -> dict[str, str] | None:
    """Form -> unit of one claim; None for one that is not on the list."""
    entry = _read(owner.package).get(id)
    return {"": entry} if isinstance(entry, str) else entry


def of_left_side(statement: Statement, owner: Paper) -> str:
    """What the left side is measured in: listed, or the unit of a form; the own one first.

    "any unit" where nothing says it. Units of constants that nobody knows count as numbers.
    """
    listing = listed(owner, statement.id) or {}
    if LEFT in listing:
        return listing[LEFT]
    units_by_form = statement.units()
    names = dict.fromkeys((statement.own_form, *units_by_form))
    values = [units_by_form[name].value for name in names if name in units_by_form]
    unit_names = [str(value.known) for value in values if value is not None]
    return next((name for name in unit_names if name != ANY), ANY)


def row(statement: Statement) -> str | dict[str, str] | None:
    """What belongs on the list: one unit, or one of each form; None for algorithms alone."""
    unit_names = {name: str(u) for name, u in of_statement(statement).items() if not u.because}
    units = set(unit_names.values())
    return units.pop() if len(units) == 1 else unit_names or None


def faults(statement: Statement, owner: Paper) -> Iterator[str]:
    """Forms whose units cannot be derived, disagree, or are not those of the list."""
    listing = listed(owner, statement.id)
    for name, units in of_statement(statement).items():
        if units.because:
            if statement[name].formula and not statement[name].because:
                yield f"the form {name} has no unit: {units.because}"
            continue
        # "" stands for every form that is not named; "nothing" is the name of no unit.
        expected = None if listing is None else listing.get(name, listing.get("", "nothing"))
        if expected is None and units.clashes:
            terms = "; ".join(map(str, units.clashes))
            yield f"the form {name} is not in {NAME}, and its terms disagree: {terms}"
        elif expected not in (None, str(units)):
            yield f"the form {name} is in {units}, and {NAME} says {expected}"
    if listing and LEFT in listing and not _is_unit(listing[LEFT]):
        yield f"the {LEFT} is in {listing[LEFT]!r} by {NAME}, which is no unit"
    if listing and (idle := listing.keys() - statement.forms.keys() - {"", LEFT}):
        yield f"{NAME} lists {min(idle)}, which is no form"


def _is_unit(text: str) -> bool:
    try:
        parsed(text)
    except ValueError:
        return False
    return True
