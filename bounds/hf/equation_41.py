"""(41) and (42) of hf: Theorem 4.3 with its constants, before and after a slip in factoring."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.hf import series
from bounds.hf.series import decaying_difference
from bounds.hf.symbols import B, C, E, b, b_u, eta, m, q, rho
from bounds.hf.theorem_4_3 import LEFT, in_floats

inside = Hypothesis("b_u < B", lambda b_u, B: b_u < B)
q_below = Symbol(
    "q", "decay of the step size", "q", low=0, high=1, low_open=True, high_open=True, unit="1"
)

statement = Statement(
    "hf.eq41",
    "(41)",
    "inequality",
    words="The approximation error is at most (2 eta^2 C/(1-q)) sum rho^{T-1-k}(q^k - q^{2k}) "
    "+ (2 C eta/b) sum_e rho^{T-1-eB-b(u)} q^{eB+b(u)}.",
    left=LEFT,
    reads={
        r"|\mathcal{B}|": "b",
        r"\ldots": r"\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}",
    },
    symbols=(eta, C, q, rho, E, B, b, b_u, m),
    requires=(inside, in_floats),
    aliases=("hf.eq40",),
    plot=Plot(
        "E",
        tuple(float(e) for e in range(25)),
        {"eta": 0.1, "C": 1.0, "q": 1.0, "rho": 0.98, "B": 2, "b": 4, "b_u": 1, "m": 1},
    ),
    quantity="|v_T - w_T - a|",
    correction="Use Theorem 4.3 (A)-(C); S alone certifies that releasing w_T has error <= S.",
)
statement.interpreted_as(
    "literal", "one sample; rho = rho(eta_0), as in (47) and (58)", {"printed": "<="}
)
statement.interpreted_as(
    "supremum",
    "one sample; rho = max_t rho_t; |g_u| <= C on both trajectories",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "sets", "rho = max_t rho_t; m samples of one batch, as 'for any subset U' promises"
)
statement.interpreted_as(
    "informative",
    "rho = max_t rho_t; as a certificate that w_T + a is nearer to v_T than w_T is",
    {"printed": "<="},
    stance="amended",
)


def first_terms(xp, eta, C, q, rho, E, B):
    """The first two terms of (41)."""
    return 2 * eta**2 * C * decaying_difference(xp, rho, q, (E + 1) * B)


def visits(xp, eta, C, q, rho, E, B, b, b_u):
    """(2 C eta/b) sum_e rho^{T-1-eB-b_u} q^{eB+b_u}: the third term of (41)."""
    return 2 * C * eta / b * series.visits(xp, rho, q, E, B, b_u)


@statement.form(
    "printed",
    tex=r"\frac{2\eta^2 C}{1-q}\left(\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}"
    r"\right)+\frac{2C\eta}{|\mathcal{B}|}\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}",
)
def printed(xp, eta, C, q, rho, E, B, b, b_u):
    """The approximation error is at most this value.

    False with rho that of the first step; for one sample and the largest rho_t it holds and is
    vacuous: doing nothing has at most half of it.

    Note: its third term alone is twice what certifies doing nothing
    Proof (supremum): |a| <= S and |v_T - w_T| <= S, S = half the third term (drift with the factors
        rho_t)
    Fails (literal): ρ(η_0) is too small for the later, smaller steps when λ > 0. At η = {eta}, q =
        {q}, E = {E}, B = {B} the error is {measured}, (41) says at most {bound}; as T grows (41)
        tends to 0 and the error does not.
    Fails (sets): The third term counts one forgotten sample; 'for any subset U', as Theorem 4.3
        says, it needs a factor m. With all {m} samples of a batch forgotten the error is
        {measured}, (41) says at most {bound}.
    Fails (informative): Its third term alone is 2S, and S already bounds |v_T - w_T|, the error of
        doing nothing (a = 0). With η, C, E and b of the logistic regression and ρ = {rho}, (41) is
        {measured} and S is {bound}.
    Source: hf, (40) and (41)
    """
    return first_terms(xp, eta, C, q, rho, E, B) + visits(xp, eta, C, q, rho, E, B, b, b_u)


@statement.form(
    "corrected",
    tex=r"\frac{2\eta^2 C}{1-q}\left(\ldots\right)+m\,\frac{2C\eta}{|\mathcal{B}|}"
    r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}",
)
def corrected(xp, eta, C, q, rho, E, B, b, b_u, m):
    """The error for m samples of batch b_u in every epoch is at most this value; so is twice S.

    Note: rho = max_t rho_t, and m samples that share batches: holds, and is as vacuous
    Proof: |a| <= S and |v_T - w_T| <= S, S = half the third term (drift with the factors rho_t)
    """
    return first_terms(xp, eta, C, q, rho, E, B) + m * visits(xp, eta, C, q, rho, E, B, b, b_u)


factored = Statement(
    "hf.eq42",
    "(42)",
    "equality",
    words="(41) is (2 eta^2 C/(1-q)) zeta_T with the third term (2 C eta/b)(...) in zeta_T.",
    left=r"\text{the right side of (41)}",
    reads={
        r"|\mathcal{B}|": "b",
        r"\ldots": r"\frac{\rho^T-q^T}{\rho-q}-\frac{\rho^T-q^{2T}}{\rho-q^2}",
    },
    symbols=(eta, C, q_below, rho, E, B, b, b_u),
    requires=(inside, in_floats),
    plot=Plot(
        "E",
        tuple(float(e) for e in range(25)),
        {"eta": 0.05, "C": 10.0, "q": 0.995, "rho": 0.99, "B": 16, "b": 64, "b_u": 3},
    ),
    quantity="the sums of (41)",
    correction="The coefficient of the third term in zeta_T is (1 - q)/(eta b).",
)
factored.interpreted_as("literal", "0 < q < 1")


@factored.form(
    "printed",
    tex=r"\frac{2\eta^2 C}{1-q}\zeta_T^{-u},\ \zeta_T^{-u}=\frac{\rho^T-q^T}{\rho-q}-"
    r"\frac{\rho^T-q^{2T}}{\rho-q^2}+\frac{2C\eta}{|\mathcal{B}|}\frac{\rho^T-q^T}{\rho^B-q^B}"
    r"\rho^{B-b(u)-1}q^{b(u)}",
)
def misfactored(xp, eta, C, q, rho, E, B, b, b_u):
    """This value is (41).

    It is false: the last term is 2 eta^2 C/(1 - q) too large.

    Note: the third term gets the factor of the first two a second time
    Fails: The third term of (41) gets the factor 2η²C/(1 - q) of the first two once more: at C =
        {C}, q = {q} the value is {bound}, where (41) is {measured}.
    Source: hf, (42)
    """
    third = visits(xp, eta, C, q, rho, E, B, b, b_u)
    return first_terms(xp, eta, C, q, rho, E, B) + 2 * eta**2 * C / (1 - q) * third


@factored.form(
    "corrected",
    tex=r"\frac{2\eta^2 C}{1-q}\Big[\ldots+\frac{1-q}{\eta|\mathcal{B}|}"
    r"\frac{\rho^T-q^T}{\rho^B-q^B}\rho^{B-b(u)-1}q^{b(u)}\Big]",
)
def refactored(xp, eta, C, q, rho, E, B, b, b_u):
    """This value is (41).

    Note: the coefficient that makes it (41)
    Proof: (2 eta^2 C/(1-q)) (1-q)/(eta b) = 2 C eta/b
    """
    third = series.visits(xp, rho, q, E, B, b_u) / (eta * b)
    zeta = (1 - q) * (decaying_difference(xp, rho, q, (E + 1) * B) + third)
    return 2 * eta**2 * C / (1 - q) * zeta
