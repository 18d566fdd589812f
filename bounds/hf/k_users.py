"""Appendix C.2 of hf: statistics of k users in place of n samples, and what they cost."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.symbols import T, b, d
from bounds.symbols import Symbol

formula = Formula(
    id="hf.kusers.time",
    label="k users (Appendix C.2), time",
    left=r"\text{operations}",
    symbols=(
        Symbol("k", "number of users", "k", low=1, kind="integer"),
        T,
        b,
        d,
        Symbol("K", "constant of the O", "K", low=0, low_open=True),
    ),
)


@formula.form("printed", tex=r"\mathcal{O}(kTd)", note="with any constant K that is given to it")
def printed(k: Array, T: Array, d: Array, K: Array) -> Array:
    """The statistics of k users take this many operations. Source: hf, Appendix C.2.

    False: each of the T steps passes through a batch.
    """
    return K * k * T * d


@printed.expression
def _(sp: Any, k: Any, T: Any, d: Any, K: Any) -> Any:
    return K * k * T * d


@formula.form("corrected", tex=r"4kTbd", note="linear scores, beside the training itself")
def corrected(k: Array, T: Array, b: Array, d: Array) -> Array:
    """Following k lines for T steps with batches of b takes this many operations."""
    return 4 * k * T * b * d


@corrected.expression
def _(sp: Any, k: Any, T: Any, b: Any, d: Any) -> Any:
    return 4 * k * T * b * d
