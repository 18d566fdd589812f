"""Lemma 4.2 of hf: how much a step on a whole batch stretches a vector, and for how long."""

from bounds import Plot, Statement, Symbol
from bounds.hf.symbols import M, curvatures, eta, lam, q

statement = Statement(
    "hf.lem4.2",
    "Lemma 4.2",
    "inequality",
    words="With rho = max(|1 - eta lam|, |1 - eta M|), |(I - (eta/b) H) v| <= rho |v|.",
    left=r"\max_{t<T}\Big\|\mathbf I-\frac{\eta_t}{|\mathcal B_t|}\mathbf H_t\Big\|",
    symbols=(eta, q, Symbol("T", "number of steps", "T", low=1, kind="integer"), lam, M),
    requires=(curvatures,),
    plot=Plot(
        "T",
        tuple(float(t) for t in range(1, 41)),
        {"eta": 0.5, "q": 0.9, "lam": 0.2, "M": 1.0},
        log_y=False,
    ),
    quantity="largest norm of I - (eta_t/b) H_t over the steps",
    correction="rho must be max_t rho_t, or better the product of all rho_t.",
)
statement.interpreted_as("literal", "rho is that of the step, rho_t", {"printed": "<="})
statement.interpreted_as("constant", "one rho for all steps, at eta_0, as (47) and (58) take it")


@statement.form("printed", tex=r"\rho=\max\{|1-\eta_{e,b}\lambda|,|1-\eta_{e,b}M|\}")
def printed(xp, eta, lam, M):
    """A step of size eta stretches no vector by more than this factor.

    Holds step by step. As one constant, at eta_0, false for lam > 0: with decaying steps 1 - eta_t
    lam grows towards 1.

    Note: right for the step whose eta it takes; one constant rho needs more
    Proof (literal): H/b is symmetric with spectrum in [lam, M]
    Fails (constant): With λ > 0 and decaying steps 1 - η_t·λ grows towards 1, so that ρ at η_0, as
        (47) and (58) take it, holds for the first step only: after T = {T} steps the factor is
        about {measured}, not {bound}.
    Source: hf, Lemma 4.2
    """
    return xp.maximum(abs(1 - eta * lam), abs(1 - eta * M))


@statement.form(
    "corrected",
    tex=r"\max_{t<T}\rho_t=\max\{\rho(\eta_0),\rho(\eta_{T-1})\}",
    reads={r"\rho(x)": r"\max(|1-x\lambda|,|1-xM|)", r"\eta_t": r"\eta q^t"},
)
def corrected(xp, eta, q, T, lam, M):
    """No step eta q^t, t < T, stretches a vector by more than this factor.

    Note: rho is convex in eta, so the largest is at an end; attained in one dimension
    Proof: rho_t is convex in eta_t, so its maximum is at an end
    """
    return xp.maximum(*(abs(1 - step * x) for step in (eta, eta * q ** (T - 1)) for x in (lam, M)))
