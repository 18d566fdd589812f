"""(41) and (42) of hf: Theorem 4.3 with its constants, before and after a slip in factoring."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.hf.series import decaying_difference, geometric, many_digits
from bounds.hf.symbols import B, C, E, b, b_u, eta, m, q, rho
from bounds.hf.theorem_4_3 import LEFT, in_floats
from bounds.symbols import Symbol

inside = Requirement("b_u < B", lambda b_u, B: b_u < B)
q_below = Symbol("q", "decay of the step size", "q", low=0, high=1, low_open=True, high_open=True)

formula = Formula(
    id="hf.eq41",
    label="(41)",
    left=LEFT,
    symbols=(eta, C, q, rho, E, B, b, b_u, m),
    requires=(inside, in_floats),
)


def visits(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array
) -> Array:
    """(2 C eta/b) sum_e rho^{T-1-eB-b_u} q^{eB+b_u}: the third term of (41)."""
    core = rho ** (B - 1 - b_u) * q**b_u * geometric(rho**B, q**B, E + 1)
    return 2 * C * eta / b * core


@formula.form(
    "printed",
    tex=r"\frac{2\eta^2 C}{1-q}\left(\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}"
    r"\right)+\frac{2C\eta}{|\mathcal{B}|}\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}",
    note="its third term alone is twice what certifies doing nothing",
)
def printed(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array
) -> Array:
    """The approximation error is at most this value.

    Source: hf, (40) and (41). False with rho that of the first step; for one sample and the
    largest rho_t it holds and is vacuous: doing nothing has at most half of it.
    """
    first = 2 * eta**2 * C * decaying_difference(rho, q, (E + 1) * B)
    return first + visits(eta, C, q, rho, E, B, b, b_u)


@printed.expression
def _(sp: Any, eta: Any, C: Any, q: Any, rho: Any, E: Any, B: Any, b: Any, b_u: Any) -> Any:
    return _first(sp, eta, C, q, rho, (E + 1) * B) + _third(sp, eta, C, q, rho, E, B, b, b_u)


@formula.form(
    "corrected",
    tex=r"\frac{2\eta^2 C}{1-q}\left(\ldots\right)+m\,\frac{2C\eta}{|\mathcal{B}|}"
    r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}",
    note="rho = max_t rho_t, and m samples that share batches: holds, and is as vacuous",
)
def corrected(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array, m: Array
) -> Array:
    """The error for m samples of batch b_u in every epoch is at most this value; so is twice S.

    S = half the third term bounds both |v_T - w_T| and |a|.
    """
    first = 2 * eta**2 * C * decaying_difference(rho, q, (E + 1) * B)
    return first + m * visits(eta, C, q, rho, E, B, b, b_u)


@corrected.expression
def _(sp: Any, eta: Any, C: Any, q: Any, rho: Any, E: Any, B: Any, b: Any, b_u: Any, m: Any) -> Any:
    return _first(sp, eta, C, q, rho, (E + 1) * B) + m * _third(sp, eta, C, q, rho, E, B, b, b_u)


def _first(sp: Any, eta: Any, C: Any, q: Any, rho: Any, T: Any) -> Any:
    rho, q = many_digits(sp, rho, q)
    zeta = (rho**T - q**T) / (rho - q) - (rho**T - q ** (2 * T)) / (rho - q**2)
    return 2 * eta**2 * C / (1 - q) * zeta


def _third(sp: Any, eta: Any, C: Any, q: Any, rho: Any, E: Any, B: Any, b: Any, b_u: Any) -> Any:
    rho, q = many_digits(sp, rho, q)
    quotient = (rho ** ((E + 1) * B) - q ** ((E + 1) * B)) / (rho**B - q**B)
    return 2 * C * eta / b * quotient * rho ** (B - b_u - 1) * q**b_u


factored = Formula(
    id="hf.eq42",
    label="(42)",
    left=r"\text{the right side of (41)}",
    symbols=(eta, C, q_below, rho, E, B, b, b_u),
    requires=(inside, in_floats),
)


@factored.form(
    "printed",
    tex=r"\frac{2\eta^2 C}{1-q}\zeta_T^{-u},\ \zeta_T^{-u}=\frac{\rho^T-q^T}{\rho-q}-"
    r"\frac{\rho^T-q^{2T}}{\rho-q^2}+\frac{2C\eta}{|\mathcal{B}|}\frac{\rho^T-q^T}{\rho^B-q^B}"
    r"\rho^{B-b(u)-1}q^{b(u)}",
    note="the third term gets the factor of the first two a second time",
)
def misfactored(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array
) -> Array:
    """This value is (41). Source: hf, (42). False: the last term is 2 eta^2 C/(1 - q) too large."""
    first = 2 * eta**2 * C * decaying_difference(rho, q, (E + 1) * B)
    return first + 2 * eta**2 * C / (1 - q) * visits(eta, C, q, rho, E, B, b, b_u)


@misfactored.expression
def _(sp: Any, eta: Any, C: Any, q: Any, rho: Any, E: Any, B: Any, b: Any, b_u: Any) -> Any:
    third = 2 * eta**2 * C / (1 - q) * _third(sp, eta, C, q, rho, E, B, b, b_u)
    return _first(sp, eta, C, q, rho, (E + 1) * B) + third


@factored.form(
    "corrected",
    tex=r"\frac{2\eta^2 C}{1-q}\Big[\ldots+\frac{1-q}{\eta|\mathcal{B}|}"
    r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}\Big]",
    note="the coefficient that makes it (41)",
)
def refactored(
    eta: Array, C: Array, q: Array, rho: Array, E: Array, B: Array, b: Array, b_u: Array
) -> Array:
    """This value is (41)."""
    core = rho ** (B - 1 - b_u) * q**b_u * geometric(rho**B, q**B, E + 1)
    zeta = (1 - q) * (decaying_difference(rho, q, (E + 1) * B) + core / (eta * b))
    return 2 * eta**2 * C / (1 - q) * zeta


@refactored.expression
def _(sp: Any, eta: Any, C: Any, q: Any, rho: Any, E: Any, B: Any, b: Any, b_u: Any) -> Any:
    rho, q = many_digits(sp, rho, q)
    T = (E + 1) * B
    zeta = (rho**T - q**T) / (rho - q) - (rho**T - q ** (2 * T)) / (rho - q**2)
    quotient = (rho**T - q**T) / (rho**B - q**B) * rho ** (B - b_u - 1) * q**b_u
    return 2 * eta**2 * C / (1 - q) * (zeta + (1 - q) / (eta * b) * quotient)
