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
    derive       the unit of a form, the units of a statement
    listed       the list beside a paper: what its forms are measured in
"""

from bounds.units.derive import DISAGREE, StatementLike, Units, apart, of_form, of_statement
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
