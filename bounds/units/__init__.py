"""Units of formulas, derived from the formulas of forms: do terms that are added agree?

A formula (`bounds.namespaces`) is called with a namespace of its own, in which every argument is
only a unit, the one that its symbol declares. Sums, extremes, cases and comparisons say that two
units are one; exponents and arguments of functions are numbers. Each of these is a linear equation
between exponents, solved as it comes; units that nobody declared, such as of the constant of an
O(), are its unknowns. Where one has no solution, terms disagree.

    unit         products of powers of base units
    equations    what is known of unknown units
    quantity     what a formula computes with
    namespace    the functions of `bounds.namespaces` on quantities
    operands     what of a form and of a statement is read
    derive       the unit of a form, the units of a statement
    listed       the list beside a paper: what its forms are measured in
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from bounds.units.derive import DISAGREE, Units, apart, of_form, of_statement
    from bounds.units.operands import StatementLike
    from bounds.units.unit import Unit, parsed

__all__ = [
    "DISAGREE",
    "StatementLike",
    "Unit",
    "Units",
    "apart",
    "of_form",
    "of_statement",
    "parsed",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "bounds.units.derive": "DISAGREE Units apart of_form of_statement",
        "bounds.units.operands": "StatementLike",
        "bounds.units.unit": "Unit parsed",
    },
)
