"""The k-step sums of mini on a line: what equation (10) asks for, and what the algorithms add up.

H and G list H(T-k), ..., H(T) and G(T-k), ..., G(T), oldest first: the k + 1 entries that the
algorithms store.  Python numbers of any kind (floats, Fractions, sympy) give exact sums of it.
"""

from math import prod
from typing import Any

from bounds import Hypothesis, Symbol

H = Symbol("H", "contractions H(T-k)..H(T)", "H(l)", kind="list", unit="1")
G = Symbol("G", "injections G(T-k)..G(T)", "G(l)", kind="list", unit="parameter")
same_length = Hypothesis("H and G of one length >= 2", lambda H, G: len(H) == len(G) >= 2)


def horner(H: Any, G: Any) -> Any:
    """v <- G(l) + H(l) v for l = T-k+1..T from 0, which is equation (10)."""
    v: Any = 0
    for contraction, injection in zip(H[1:], G[1:], strict=True):
        v = injection + contraction * v
    return v


def early_window(H: Any, G: Any) -> Any:
    """Equation (10) with H(l-1) in the place of H(l), as Algorithm 3 recovers them."""
    v: Any = 0
    for contraction, injection in zip(H[:-1], G[1:], strict=True):
        v = injection + contraction * v
    return v


def counted_once(H: Any, G: Any) -> Any:
    """Algorithm 1, lines 16-21, with n = 0 set once: Delta H[r] = H(T-k+r-1)...H(T-k)."""
    k = len(G) - 1
    return sum((prod(H[:r]) * G[r + 1] for r in range(1, k - 1)), start=G[k - 1])


def counted_from_one(H: Any, G: Any) -> Any:
    """The same with Delta G(1) the first entry of the list: every gradient one step older."""
    k = len(G) - 1
    return sum((prod(H[:r]) * G[r] for r in range(1, k - 1)), start=G[k - 2])


def counter_reset(H: Any, G: Any) -> Any:
    """Algorithm 1 to the letter: n = 0 in every step leaves Delta H[1] = H(T) only; k <= 3.

    Raises ValueError for k >= 4, where line 19 reads Delta H[2], which was never written.
    """
    k = len(G) - 1
    if not k <= 3:
        raise ValueError(f"k must be <= 3: Delta H[2] does not exist, got {k}")
    return sum((H[k] * G[r + 1] for r in range(1, k - 1)), start=G[k - 1])
