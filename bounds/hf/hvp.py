"""Section 3 of hf: what one Hessian-vector product of a batch costs."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.symbols import b, d
from bounds.symbols import Symbol

formula = Formula(
    id="hf.hvp",
    label="Hessian-vector products (Section 3)",
    left=r"\text{operations of }\mathbf{H}_{e,b}\mathbf{v}",
    symbols=(b, d, Symbol("K", "constant of the O", "K", low=0, low_open=True)),
)


@formula.form("printed", tex=r"\mathcal{O}(d)", note="with any constant K that is given to it")
def printed(d: Array, K: Array) -> Array:
    """A Hessian-vector product takes this many operations. Source: hf, Section 3, after (13).

    False: the Hessian of a batch is a sum over its b samples.
    """
    return K * d


@printed.expression
def _(sp: Any, d: Any, K: Any) -> Any:
    return K * d


@formula.form("corrected", tex=r"4bd", note="linear scores: X a and X^T of it; O(bd) for any model")
def corrected(b: Array, d: Array) -> Array:
    """The product of a batch of b losses of a linear score takes this many operations."""
    return 4 * b * d


@corrected.expression
def _(sp: Any, b: Any, d: Any) -> Any:
    return 4 * b * d
