"""Hessian-free recollection of individual data statistics: one module for each statement."""

FORMULAS: dict[str, str] = {
}
