"""Equation (22) of safe: the mean of a class after a deletion, and the count that leaves."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.safe.moments import gone_mean, m, mean, n, one_stays
from bounds.symbols import Symbol

formula = Formula(
    id="safe.eq22",
    label="Equation (22)",
    left=r"\boldsymbol{\mu}_t^{(y)}",
    symbols=(n, m, mean, gone_mean),
    requires=(one_stays,),
)
removed = Formula(
    id="safe.eq22.removed",
    label="Text before equation (22)",
    left=r"\text{samples of the class that leave}",
    symbols=(
        Symbol("before", "samples of the class before", "n_{t-1}(y)", low=0, kind="integer"),
        Symbol("after", "samples of the class afterwards", "n_t(y)", low=0, kind="integer"),
    ),
    requires=(Requirement("after <= before", lambda before, after: after <= before),),
)


@formula.form(
    "printed",
    tex=r"\frac{n_{t-1}(y)\cdot\boldsymbol{\mu}_{t-1}^{(y)}-\left(n_{t-1}(y)-n_t(y)\right)\cdot"
    r"\boldsymbol{\widetilde{\mu}}_t^{(y)}}{n_t(y)}",
    note="undefined once the class is empty",
)
def printed(n: Array, m: Array, mean: Array, gone_mean: Array) -> Array:
    """The mean of the n - m >= 1 samples that stay equals this value.

    Source: safe, eq (22). Holds. The class that runs out (m = n) has no mean and is refused.
    """
    return (n * mean - m * gone_mean) / (n - m)


@printed.expression
def _(sp: Any, n: Any, m: Any, mean: Any, gone_mean: Any) -> Any:
    return (n * mean - m * gone_mean) / (n - m)


@removed.form("printed", tex=r"n_t(y)-n_{t-1}(y)", note="negative")
def signed(before: Array, after: Array) -> Array:
    """The number of samples that leave, as the text before eq (22) has it. Typo: the sign."""
    return after - before


@signed.expression
def _(sp: Any, before: Any, after: Any) -> Any:
    return after - before


@removed.form("corrected", tex=r"n_{t-1}(y)-n_t(y)", note="as eq (22) itself uses it")
def counted(before: Array, after: Array) -> Array:
    """The number of samples of the class that leave in round t equals this value."""
    return before - after


@counted.expression
def _(sp: Any, before: Any, after: Any) -> Any:
    return before - after
