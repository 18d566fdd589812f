"""The closed forms in (41) of hf, and what Appendix A.6 says of their size."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.hf.equation_41 import inside
from bounds.hf.series import decaying_difference, geometric, many_digits
from bounds.hf.symbols import B, E, b_u, q, rho
from bounds.hf.theorem_4_3 import in_floats
from bounds.symbols import Symbol

steps = Symbol("T", "number of steps", "T", low=1, kind="integer")

formula = Formula(
    id="hf.zeta",
    label="Closed form of the first two terms of (41)",
    left=r"\sum_{k=0}^{T-1}\rho^{T-k-1}(q^k-q^{2k})",
    symbols=(rho, q, steps),
)


@formula.form(
    "printed",
    tex=r"\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}",
    note="undefined at rho = q and rho = q^2; evaluated without its cancellation elsewhere",
)
def printed(rho: Array, q: Array, T: Array) -> Array:
    """The sum equals this value. Source: hf, (41). Holds where the quotients are defined."""
    defined = (rho != q) & (rho != q**2)
    return np.where(defined, (1 - q) * decaying_difference(rho, q, T), np.nan)


@printed.expression
def _(sp: Any, rho: Any, q: Any, T: Any) -> Any:
    return (rho**T - q**T) / (rho - q) - (rho**T - q ** (2 * T)) / (rho - q**2)


@formula.form(
    "tight",
    tex=r"q(1-q)\,h_{T-2}(\rho,q,q^2)",
    note="a divided difference: no singularity, no subtraction",
)
def tight(rho: Array, q: Array, T: Array) -> Array:
    """The sum equals this value for all rho >= 0 and 0 < q <= 1."""
    return (1 - q) * decaying_difference(rho, q, T)


@tight.expression
def _(sp: Any, rho: Any, q: Any, T: Any) -> Any:
    return sum((rho ** (T - 1 - k) * (q**k - q ** (2 * k)) for k in range(T)), sp.Integer(0))


visits = Formula(
    id="hf.zeta.visits",
    label="Closed form of the third term of (41)",
    left=r"\sum_{e=0}^{E}\rho^{T-eB-b(u)-1}q^{eB+b(u)}",
    symbols=(rho, q, E, B, b_u),
    requires=(inside, in_floats),
)


@visits.form(
    "printed",
    tex=r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}",
    note="undefined at rho = q",
)
def quotient(rho: Array, q: Array, E: Array, B: Array, b_u: Array) -> Array:
    """The sum equals this value. Source: hf, (41). Holds where the quotient is defined."""
    found = rho ** (B - 1 - b_u) * q**b_u * geometric(rho**B, q**B, E + 1)
    return np.where(rho != q, found, np.nan)


@quotient.expression
def _(sp: Any, rho: Any, q: Any, E: Any, B: Any, b_u: Any) -> Any:
    rho, q = many_digits(sp, rho, q)
    T = (E + 1) * B
    return (rho**T - q**T) / (rho**B - q**B) * rho ** (B - b_u - 1) * q**b_u


@visits.form("tight", tex=r"\rho^{B-1-b(u)}q^{b(u)}h_E(\rho^B,q^B)", note="for all rho")
def homogeneous(rho: Array, q: Array, E: Array, B: Array, b_u: Array) -> Array:
    """The sum equals this value for all rho >= 0 and 0 < q <= 1."""
    return rho ** (B - 1 - b_u) * q**b_u * geometric(rho**B, q**B, E + 1)


@homogeneous.expression
def _(sp: Any, rho: Any, q: Any, E: Any, B: Any, b_u: Any) -> Any:
    rho, q = many_digits(sp, rho, q)
    T = (E + 1) * B
    return sum(rho ** (T - e * B - b_u - 1) * q ** (e * B + b_u) for e in range(E + 1))


size = Formula(
    id="hf.tightness",
    label="Tightness analysis (A.6)",
    left=r"\frac{\rho^T-q^T}{\rho-q}+\frac{\rho^T-q^T}{\rho^B-q^B}",
    symbols=(rho, q, E, B),
    requires=(in_floats,),
)


@size.form("printed", tex=r"\rho^{T-1}\cdot T+\rho^{T-B}\cdot T", note="right only for q <= rho")
def by_rho(rho: Array, q: Array, E: Array, B: Array) -> Array:
    """The two terms are at most this value. Source: hf, A.6. False for rho < q."""
    T = (E + 1) * B
    return T * (rho ** (T - 1) + rho ** (T - B))


@by_rho.expression
def _(sp: Any, rho: Any, q: Any, E: Any, B: Any) -> Any:
    T = (E + 1) * B
    return T * (rho ** (T - 1) + rho ** (T - B))


@size.form(
    "corrected",
    tex=r"T\max(\rho,q)^{T-1}+(E+1)\max(\rho,q)^{T-B}",
    note="with equality exactly at rho = q",
)
def by_larger(rho: Array, q: Array, E: Array, B: Array) -> Array:
    """The two terms are at most this value: T and E + 1 products of T - 1 and T - B factors."""
    T, top = (E + 1) * B, np.maximum(rho, q)
    return T * top ** (T - 1) + (E + 1) * top ** (T - B)


@by_larger.expression
def _(sp: Any, rho: Any, q: Any, E: Any, B: Any) -> Any:
    T, top = (E + 1) * B, sp.Max(rho, q)
    return T * top ** (T - 1) + (E + 1) * top ** (T - B)
