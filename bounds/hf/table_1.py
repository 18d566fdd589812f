"""Table 1 of hf and Section 4.4: operations and numbers to store, by method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds.formula import Array, Form, Formula
from bounds.hf.symbols import B, E, d, m, n
from bounds.symbols import Symbol

K = Symbol("K", "constant of the O", "K", low=0, low_open=True)
LEFT = r"\text{operations for the statistics of all }n\text{ samples}"


def _of(form: Form) -> Callable[..., Any]:
    """The expression of a polynomial is the value itself."""
    value = form.value

    def expression(sp: Any, **arguments: Any) -> Any:
        return value(**arguments)

    form.expr = expression
    return expression


formula = Formula(id="hf.table1", label="Table 1, pre-computation", left=LEFT, symbols=(n, d, E, K))


@formula.form("printed", tex=r"\mathcal{O}(nd)", note="with any constant K that is given to it")
def printed(n: Array, d: Array, K: Array) -> Array:
    """The statistics take at most this many operations. Source: hf, Table 1, Section 6. False."""
    return K * n * d


@formula.form(
    "corrected",
    tex=r"4(E+1)n^2d",
    note="linear scores: one Hessian-vector product of each batch for each sample",
)
def corrected(n: Array, d: Array, E: Array) -> Array:
    """The statistics take this many operations, n times those of one training run."""
    return 4 * (E + 1) * n**2 * d


section = Formula(
    id="hf.table1.steps",
    label="Section 4.4, pre-computation",
    left=LEFT,
    symbols=(n, d, E, B, K),
)


@section.form("printed", tex=r"\mathcal{O}(nTd)", note="with any constant K that is given to it")
def by_steps(n: Array, d: Array, E: Array, B: Array, K: Array) -> Array:
    """The statistics take at most this many operations. Source: hf, Section 4.4.

    False: a product with the Hessian of a batch of b samples takes O(bd), not O(d).
    """
    return K * n * (E + 1) * B * d


@section.form("corrected", tex=r"4(E+1)n^2d", note="(E + 1) B steps on batches of n/B")
def by_batches(n: Array, d: Array, E: Array) -> Array:
    """The statistics take this many operations for linear scores."""
    return 4 * (E + 1) * n**2 * d


storage = Formula(
    id="hf.table1.storage",
    label="Table 1, storage",
    left=r"\text{numbers held beside the data}",
    symbols=(n, d, E, B),
)


@storage.form(
    "printed", tex=r"\mathcal{O}(nd)", note="after Stage II; the model itself not counted"
)
def statistics(n: Array, d: Array) -> Array:
    """The statistics of all samples are this many numbers. Source: hf, Table 1. Holds."""
    return n * d


@storage.form(
    "corrected",
    tex=r"nd+(T+1)d",
    note="Stage II after training, sample by sample, reads the iterates w_0..w_T",
)
def with_iterates(n: Array, d: Array, E: Array, B: Array) -> Array:
    """Stage II as Algorithm 1 orders it holds this many numbers."""
    return n * d + ((E + 1) * B + 1) * d


unlearning = Formula(
    id="hf.table1.unlearning",
    label="Table 1, unlearning",
    left=r"\text{operations for a request of }m\text{ samples}",
    symbols=(m, d),
)


@unlearning.form("printed", tex=r"\mathcal{O}(md)", note="m additions of vectors")
def additions(m: Array, d: Array) -> Array:
    """A request takes this many additions. Source: hf, Section 4.4. Holds, noise apart."""
    return m * d


jackknife = Formula(
    id="hf.table1.jackknife",
    label="Section 4.4, unlearning by IJ",
    left=r"\text{operations for a request of }m\text{ samples, the inverse Hessian stored}",
    symbols=(m, d),
)


@jackknife.form("printed", tex=r"\mathcal{O}(md^2+md)", note="one product for each sample")
def one_by_one(m: Array, d: Array) -> Array:
    """A request takes at most this many operations (up to a factor 2). Source: hf, Section 4.4."""
    return 2 * m * d**2 + m * d


@jackknife.form("corrected", tex=r"md+d^2", note="add the gradients first")
def summed(m: Array, d: Array) -> Array:
    """A request takes this many operations."""
    return m * d + 2 * d**2


for _form in (printed, corrected, by_steps, by_batches, statistics, with_iterates, additions,
              one_by_one, summed):  # fmt: skip
    _of(_form)
