"""The closed forms in (41) of hf, and what Appendix A.6 says of their size."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.hf import series
from bounds.hf.equation_41 import inside
from bounds.hf.series import decaying_difference
from bounds.hf.symbols import B, E, b_u, q, rho
from bounds.hf.theorem_4_3 import in_floats
from bounds.namespaces import numeric

steps = Symbol("T", "number of steps", "T", low=1, kind="integer")

_REGULAR = "rho different from q and q^2; for the tight form any rho >= 0"
statement = Statement(
    "hf.zeta",
    "Closed form of the first two terms of (41)",
    "equality",
    words="sum_{k<T} rho^{T-1-k}(q^k - q^{2k}) is a difference of two quotients.",
    left=r"\sum_{k=0}^{T-1}\rho^{T-k-1}(q^k-q^{2k})",
    symbols=(rho, q, steps),
    plot=Plot("rho", tuple(0.8 + 0.0101 * k for k in range(25)), {"q": 0.9, "T": 50}, log_y=False),
    quantity="the sum, term by term",
    correction="Evaluate as q(1-q) h_{T-2}(rho, q, q^2): the quotients are 0/0 at rho = q.",
)
statement.interpreted_as("literal", _REGULAR)


@statement.form("printed", tex=r"\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}")
def printed(xp, rho, q, T):
    """The sum equals this value.

    Note: undefined at rho = q and rho = q^2; evaluated without its cancellation elsewhere
    Proof: two geometric sums, in q/rho and in q^2/rho
    Source: hf, (41)
    """
    return (rho**T - q**T) / (rho - q) - (rho**T - q ** (2 * T)) / (rho - q**2)


@printed.numeric
def _(rho: Array, q: Array, T: Array) -> Array:
    """The quotients without their cancellation; undefined where they are."""
    defined = (rho != q) & (rho != q**2)
    return np.where(defined, (1 - q) * decaying_difference(numeric, rho, q, T), np.nan)


@statement.form("tight", tex=r"q(1-q)\,h_{T-2}(\rho,q,q^2)")
def tight(xp, rho, q, T):
    """The sum equals this value for all rho >= 0 and 0 < q <= 1.

    Note: a divided difference: no singularity, no subtraction
    Proof: h_{T-1}(rho, q) - h_{T-1}(rho, q^2) = q(1-q) h_{T-2}(rho, q, q^2)
    """
    return (1 - q) * decaying_difference(xp, rho, q, T)


visits = Statement(
    "hf.zeta.visits",
    "Closed form of the third term of (41)",
    "equality",
    words="sum_e rho^{T-1-eB-b(u)} q^{eB+b(u)} is a quotient.",
    left=r"\sum_{e=0}^{E}\rho^{T-eB-b(u)-1}q^{eB+b(u)}",
    symbols=(rho, q, E, B, b_u),
    requires=(inside, in_floats),
    plot=Plot(
        "rho",
        tuple(0.8 + 0.0101 * k for k in range(25)),
        {"q": 0.9, "E": 9, "B": 4, "b_u": 1},
        log_y=False,
    ),
    quantity="the sum, term by term",
)
visits.interpreted_as("literal", "rho different from q; for the tight form any rho >= 0")


@visits.form("printed", tex=r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}")
def quotient(xp, rho, q, E, B, b_u):
    """The sum equals this value.

    Note: undefined at rho = q
    Proof: a geometric sum over the epochs, ratio (q/rho)^B
    Source: hf, (41)
    """
    T = (E + 1) * B
    return (rho**T - q**T) / (rho**B - q**B) * rho ** (B - b_u - 1) * q**b_u


@quotient.numeric
def _(rho: Array, q: Array, E: Array, B: Array, b_u: Array) -> Array:
    """The quotient without its cancellation; undefined where it is."""
    return np.where(rho != q, series.visits(numeric, rho, q, E, B, b_u), np.nan)


@visits.form("tight", tex=r"\rho^{B-1-b(u)}q^{b(u)}h_E(\rho^B,q^B)")
def homogeneous(xp, rho, q, E, B, b_u):
    """The sum equals this value for all rho >= 0 and 0 < q <= 1.

    Note: for all rho
    Proof: that sum is h_E by its definition
    """
    return series.visits(xp, rho, q, E, B, b_u)


size = Statement(
    "hf.tightness",
    "Tightness analysis (A.6)",
    "inequality",
    words="The first and third terms increase as rho approaches q, and are at most "
    "T rho^{T-1} + T rho^{T-B}.",
    left=r"\frac{\rho^T-q^T}{\rho-q}+\frac{\rho^T-q^T}{\rho^B-q^B}",
    symbols=(rho, q, E, B),
    requires=(in_floats,),
    plot=Plot("rho", tuple(0.3 + 0.025 * k for k in range(29)), {"q": 0.8, "E": 4, "B": 3}),
    quantity="the two sums, term by term",
    correction="T max(rho, q)^{T-1} + (E+1) max(rho, q)^{T-B}; increasing in rho, without a peak.",
)
size.interpreted_as("literal", "any rho and q in (0, 1)")
size.interpreted_as(
    "slow", "q <= rho", stance="amended", where=(Hypothesis("q <= rho", lambda q, rho: q <= rho),)
)
size.interpreted_as(
    "peak", "the terms are largest at rho = q", {"printed": "<="}, stance="component"
)


@size.form("printed", tex=r"\rho^{T-1}\cdot T+\rho^{T-B}\cdot T")
def by_rho(xp, rho, q, E, B):
    """The two terms are at most this value. False for rho < q.

    Note: right only for q <= rho
    Proof (slow): every term with rho in place of q
    Fails (literal): Each sum is bounded with ρ in place of the larger of ρ and q, which fails for ρ
        < q: at ρ = {rho}, q = {q}, E = {E}, B = {B} the two terms are {measured}, the bound
        {bound}.
    Fails (peak): Both terms are sums of products with powers of ρ and go on rising beyond ρ = q;
        nothing is singular there. At ρ = {rho} they are {measured}, more than the {bound} at ρ = q
        = {q}.
    Source: hf, A.6
    """
    T = (E + 1) * B
    return T * (rho ** (T - 1) + rho ** (T - B))


@size.form("corrected", tex=r"T\max(\rho,q)^{T-1}+(E+1)\max(\rho,q)^{T-B}")
def by_larger(xp, rho, q, E, B):
    """The two terms are at most this value: T and E + 1 products of T - 1 and T - B factors.

    Note: with equality exactly at rho = q
    Proof (literal): T and E + 1 terms, each at most the larger factor's power
    Proof (slow): T and E + 1 terms, each at most a power of rho
    """
    T, top = (E + 1) * B, xp.maximum(rho, q)
    return T * top ** (T - 1) + (E + 1) * top ** (T - B)
