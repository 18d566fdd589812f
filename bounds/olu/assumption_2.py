"""Assumption 2 of olu: the losses of a block share a minimiser near the minimiser of all so far."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.active_symbols import tau_i
from bounds.symbols import Symbol

formula = Formula(
    id="olu.ass2",
    label="Assumption 2",
    left=r"\|a_i-z_i^\star\|",
    symbols=(tau_i, Symbol("A", "a length", "A", low=0, low_open=True)),
)


@formula.form("printed", tex=r"\frac{1}{\tau[i]}", note="not a length")
def printed(tau_i: Array) -> Array:
    """The common minimiser of block i is at most this far from that of the first tau_i losses.

    Source: olu, Assumption 2. A definition; changes its meaning with the unit of length.
    """
    return 1 / tau_i


@printed.expression
def _(sp: Any, tau_i: Any) -> Any:
    return 1 / tau_i


@formula.form("corrected", tex=r"\frac{A}{\tau[i]}", note="A a length, chosen with the unit")
def corrected(tau_i: Array, A: Array) -> Array:
    """The same with a length A. Source: olu, Assumption 2 with its units restored."""
    return A / tau_i


@corrected.expression
def _(sp: Any, tau_i: Any, A: Any) -> Any:
    return A / tau_i
