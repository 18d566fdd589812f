"""safe on sizes: what a round costs and stores, and how many samples its Theorem 1 lets go."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.safe.symbols import d, m
from bounds.symbols import Symbol

K = Symbol("K", "constant of the O", "K", low=0, low_open=True)
M = Symbol("M", "samples that have left, those of the round included", "M_t", low=0, kind="integer")
n = Symbol("n", "samples at the start", "n", low=1, high=1e15, kind="integer")
in_all = Requirement("m <= M", lambda m, M: m <= M)

work = Formula(
    id="safe.cost",
    label="Section 3.2.1, cost of a round",
    left=r"\text{gradients of samples in round }t",
    symbols=(m, M, K),
    requires=(in_all,),
)
storage = Formula(
    id="safe.cost.storage",
    label="Section 3.2.1, storage",
    left=r"\text{numbers that must be at hand in round }t",
    symbols=(d, m, M, K),
    requires=(in_all,),
)
many = Formula(
    id="safe.thm1.many",
    label="Proof of Theorem 1: few deletions",
    left=r"\sum_{i=1}^t|F_i|",
    symbols=(n, M),
    requires=(Requirement("M <= n", lambda M, n: n >= M),),
)


@work.form("printed", tex=r"O(|F_t|)", note="with any constant K that is given to it")
def by_request(m: Array, K: Array) -> Array:
    """A round takes at most this many gradients. Source: safe, end of Section 3.2.1.

    True of the recursion (15); Algorithm 1 also needs (25), a sum over all that has left.
    """
    return K * m


@by_request.expression
def _(sp: Any, m: Any, K: Any) -> Any:
    return K * m


@work.form("corrected", tex=r"|F_t|+\sum_{i\le t}|F_i|", note="(15), and (26) with a new q_t")
def by_all(m: Array, M: Array) -> Array:
    """Round t of Algorithm 1 takes this many gradients of samples."""
    return np.asarray(m + M)


@by_all.expression
def _(sp: Any, m: Any, M: Any) -> Any:
    return m + M


@storage.form("printed", tex=r"O(d)", note="with any constant K that is given to it")
def constant(d: Array, K: Array) -> Array:
    """At most this many numbers are at hand, however many have left. Source: safe, 3.2.1."""
    return K * d


@constant.expression
def _(sp: Any, d: Any, K: Any) -> Any:
    return K * d


@storage.form("corrected", tex=r"d+d\sum_{i\le t}|F_i|", note="d numbers a sample")
def everything(d: Array, M: Array) -> Array:
    """Round t of Algorithm 1 needs the gradient, and all samples that have left."""
    return np.asarray(d + d * M)


@everything.expression
def _(sp: Any, d: Any, M: Any) -> Any:
    return d + d * M


@many.form("printed", tex=r"\ll\sqrt{|D_t|}", note="read as at most; |D_t| = n - M_t")
def root(n: Array, M: Array) -> Array:
    """What has left is far less than this. Source: safe, end of the proof of Theorem 1 (A.3).

    The paper's own runs remove 8,000 where this is 228.
    """
    return np.sqrt(n - M)


@root.expression
def _(sp: Any, n: Any, M: Any) -> Any:
    return sp.sqrt(n - M)


@many.form("tight", tex=r"\frac{\sqrt{4n+1}-1}{2}", note="M <= sqrt(n - M) solved for M")
def most(n: Array) -> Array:
    """No more than this may leave: 244 of 60,000."""
    return np.asarray(2 * n / (np.sqrt(4 * n + 1) + 1))


@most.expression
def _(sp: Any, n: Any) -> Any:
    return (sp.sqrt(4 * n + 1) - 1) / 2
