"""The orders of dynamic regret that safe compares its own with."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.safe.symbols import T, V

formula = Formula(
    id="safe.cmp",
    label="Comparison after Theorem 2",
    left=r"\mathrm{Regret}_T",
    symbols=(T, V),
)


@formula.form(
    "printed", tex=r"O(\sqrt{T}+V_T)", note="O read as a factor 1; not O(sqrt(V_T T)) as V_T -> 0, "
    "not O(T^(2/3)) at V_T = T/2",
)  # fmt: skip
def printed(T: Array, V: Array) -> Array:
    """SAFE's regret is of this order, says safe, and of a lower one than sqrt(V_T T) and T^(2/3).

    Source: safe, Section 3.3 after Theorem 2.
    """
    return np.asarray(np.sqrt(T) + V)


@printed.expression
def _(sp: Any, T: Any, V: Any) -> Any:
    return sp.sqrt(T) + V


@formula.form(
    "corrected",
    tex=r"O\left(\sqrt{T(1+V_T)}\right)",
    note="best order for convex losses that are revealed after playing (Zhang, Lu and Zhou 2018)",
)
def corrected(T: Array, V: Array) -> Array:
    """No algorithm does better, but for a constant, on convex losses revealed after playing."""
    return np.asarray(np.sqrt(T * (1 + V)))


@corrected.expression
def _(sp: Any, T: Any, V: Any) -> Any:
    return sp.sqrt(T * (1 + V))


@formula.form(
    "tight",
    tex=r"O(1+V_T)",
    note="known for strongly convex smooth risks that are revealed first (Mokhtari et al. 2016)",
)
def tight(T: Array, V: Array) -> Array:
    """Warm-started descent has a regret of this order where R_t is known, as it is in safe."""
    return np.asarray(1 + V + 0 * T)


@tight.expression
def _(sp: Any, T: Any, V: Any) -> Any:
    return 1 + V
