"""Lemma A.5 of hf: how near SGD comes to the minimiser over what is kept."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.hf.drift import factors, schedule
from bounds.hf.lemma_4_1_smooth import fitting, rates
from bounds.hf.symbols import (
    L,
    M,
    T,
    beta,
    curvatures,
    eta,
    lam_positive,
    missing,
    q,
    rho,
    sizes,
    steps,
)

LEFT = r"\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|"
start = Symbol("start", "distance from the minimiser at w_0", "R_0", low=0, unit="parameter")
residual = Symbol(
    "residual",
    "largest norm of a batch's mean kept gradient at the minimiser",
    "G",
    low=0,
    unit="loss/parameter",
)
residuals = Symbol(
    "residuals",
    "norms of the batches' mean kept gradients at the minimiser",
    r"\|\nabla F_{\mathcal{B}_t\setminus U}(\hat{\mathbf{w}}^{-U})\|",
    low=0,
    kind="list",
    typical=(0, 3),
    unit="loss/parameter",
)
in_floats = Hypothesis(
    "rho^T within the floats", lambda rho, T: T * np.log(np.maximum(rho, 1)) < 600
)
one_a_step = Hypothesis(
    "one entry for every step", lambda residuals, steps: residuals.shape == steps.shape
)
small_steps = Hypothesis("eta <= 2/(lam + M)", lambda eta, lam, M: eta * (lam + M) <= 2)

MOST_STEPS = 10**6  # each has a step size of its own

_WHOLE = Hypothesis("whole batches, U empty", sets={"beta": lambda: 1, "residual": lambda: 0})
statement = Statement(
    "hf.lema5",
    "Lemma A.5 (47)",
    "inequality",
    words="After T steps of SGD with eta_0 <= 2/(lam + M), |w_T - w^{-U}| <= rho^T 2M/lam.",
    left=LEFT,
    symbols=(rho, T.upto(MOST_STEPS), lam_positive, M, eta, q, L, beta, residual),
    requires=(curvatures, in_floats, small_steps),
    aliases=("hf.lemA5", "hf.eq47", "hf.eq54", "hf.eq58"),
    plot=Plot(
        "T",
        tuple(float(t) for t in range(21)),
        {"rho": 0.5, "eta": 0.5, "q": 0.5, "lam": 1.0, "M": 1.0, "L": 1.0},
    ),
    quantity="|w_T - w^{-U}|",
    correction="prod r_t L/lam plus what the batches' own gradients add; with decaying steps the "
    "product has the floor (eta beta lam; q)_inf.",
)
statement.interpreted_as(
    "literal",
    "rho = rho(eta_0) as in (47); decaying steps, whole batches, U empty",
    {"printed": "<=", "corrected": "<="},
    where=(_WHOLE,),
)
statement.interpreted_as(
    "supremum",
    "rho = max_t rho_t; whole batches, U empty, a start within 2M/lam",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "units",
    "constant steps (one rho), whole batches, U empty, any start where |g| <= L",
    {"printed": "<=", "corrected": "<="},
)
statement.interpreted_as(
    "sampled", "constant steps (one rho), batches of one", {"printed": "<=", "corrected": "<="}
)
statement.interpreted_as(
    "retrained",
    "the run of (58): constant steps (one rho), whole batches without U",
    {"printed": "<=", "corrected": "<="},
)


@statement.form("printed", tex=r"\rho^T\frac{2M}{\lambda}")
def printed(xp, rho, T, lam, M):
    """After T steps of SGD the distance from the minimiser is at most this value.

    It is false for rho of the first step with decaying steps, and for every rho by its unit, with
    minibatches, and for the retrained run of (58).

    Note: of the wrong unit, whichever step rho is of
    Proof (supremum): every step contracts by rho_t <= rho
    Fails (literal): ρ^T with ρ = ρ(η_0) tends to 0, but decaying steps sum to η/(1 - q) and stop
        short of the minimiser: at η = {eta}, q = {q}, λ = {lam} the run is {measured} from it after
        T = {T} steps, not {bound}.
    Fails (units): 2M/λ is a pure number and the left side a length; a start far away breaks it.
        (53) has M where the Lipschitz constant belongs. At λ = {lam}, M = {M}, T = {T} the run is
        {measured} from the minimiser, not {bound}.
    Fails (sampled): (50) sets the gradient of the step's batch to 0 at the minimiser over all,
        which holds for whole batches only. With batches of one and η = {eta} the run is still
        {measured} away after T = {T} steps, not {bound}.
    Fails (retrained): The retrained run of (58) takes steps shorter by the factor β = {beta}, so
        that it contracts by 1 - ηβλ and not by ρ; and 2M/λ is no length. After T = {T} steps it is
        {measured} from its minimiser, not {bound}.
    Source: hf, Lemma A.5, (47) and (54)
    """
    return rho**T * 2 * M / lam


@statement.form(
    "corrected",
    tex=r"\prod_{t<T} r_t\,\frac{L}{\lambda}+G\sum_{t<T}\eta_t\beta\prod_{s=t+1}^{T-1}r_s,"
    r"\quad r_t=\max(|1-\eta_t\beta\lambda|,|1-\eta_t\beta M|)",
    reads={r"\eta_t": r"\eta q^t"},
)
def corrected(xp, eta, q, T, lam, M, L, beta=1, residual=0):
    """After T steps on batches of which the share beta is kept the distance is at most this value.

    w is the minimiser, and lam |w_0 - w| <= |grad F(w_0)| <= L.

    Note: eta_t = eta q^t; G = 0 for whole batches; equality for quadratics
    Proof: v_{t+1} - w = (I - eta_t beta_t H)(v_t - w) - eta_t beta_t grad F_{B_t - U}(w)
    """

    def rate(t):
        step = eta * q**t * beta
        return xp.maximum(abs(1 - step * lam), abs(1 - step * M))

    def added(t):
        return eta * q**t * beta * xp.product(rate, t + 1, T - 1)

    return xp.product(rate, 0, T - 1) * L / lam + residual * xp.total(added, 0, T - 1)


def _walk(
    eta: float, q: float, T: float, lam: float, M: float, L: float, beta: float, residual: float
) -> float:
    steps = eta * q ** np.arange(int(T)) * beta
    r = np.maximum(np.abs(1 - steps * lam), np.abs(1 - steps * M))
    later = np.cumprod(np.append(1.0, r[::-1]))  # what is left of each step's part, the last first
    return float(later[-1] * L / lam + residual * np.sum(later[:-1] * steps[::-1]))


_after = np.vectorize(_walk, otypes=[float])


@corrected.numeric
def _(
    eta: Array,
    q: Array,
    T: Array,
    lam: Array,
    M: Array,
    L: Array,
    beta: Array | float = 1.0,
    residual: Array | float = 0.0,
) -> Array:
    """The same by the list of all steps."""
    return np.asarray(_after(eta, q, T, lam, M, L, beta, residual))


run = Statement(
    "hf.lema5.run",
    "Lemma A.5, any batches",
    "inequality",
    words="R_{t+1} = r_t R_t + eta_t beta_t |grad F_{B_t - U}(w^{-U})| bounds |v_t - w^{-U}|.",
    left=LEFT.replace("w}_T", "v}_T"),
    symbols=(steps, missing, sizes, lam_positive, M, start, residuals),
    requires=(
        fitting,
        one_a_step,
        curvatures,
        Hypothesis("steps <= 2/(lam + M)", lambda steps, lam, M: steps * (lam + M) <= 2),
    ),
    quantity="distance from the retrained minimiser",
)
run.interpreted_as("literal", "any batches, any set")


@run.form(
    "tight",
    tex=r"R_{t+1}=r_tR_t+\eta_t\beta_t\|\nabla F_{\mathcal{B}_t\setminus U}"
    r"(\hat{\mathbf{w}}^{-U})\|",
)
def distance(xp, steps, missing, sizes, lam, M, start, residuals):
    """After the last step the retrained run is at most this far from the minimiser over S minus U.

    start = |v_0 - w|; lam I <= Hessians <= M I between v_t and the minimiser w.

    Note: one recursion for any batches and any set; attained in one dimension
    Proof: v_{t+1} - w = (I - eta_t beta_t H)(v_t - w) - eta_t beta_t grad F_{B_t - U}(w)
    """
    T = xp.count(steps)

    def rate(k):
        return rates(xp, steps[k], missing[k] / sizes[k], lam, M)[0]

    def added(t, step, m, size, g):
        return step * (size - m) / size * g * xp.product(rate, t + 1, T)

    after = xp.over(added, steps, missing, sizes, residuals)
    return xp.product(rate, 1, T) * start + after


@distance.numeric
def _(
    steps: Array, missing: Array, sizes: Array, lam: Array, M: Array, start: Array, residuals: Array
) -> Array:
    """The recursion, step by step."""
    eta_t, _, retention = schedule(steps, missing, sizes)
    r, _ = factors(eta_t, retention, lam, M)
    error = np.asarray(start, dtype=float)
    for t in range(r.shape[-1]):
        error = r[..., t] * error + eta_t[t] * retention[t] * residuals[t]
    return np.asarray(error)


limit = Statement(
    "hf.lema5.limit",
    "Lemma A.5 as T grows",
    "asymptotic",
    words="With eta_t = eta q^t the distance from the minimiser tends to 0.",
    left=r"\lim_{T\to\infty}\|\mathbf{v}_T-\hat{\mathbf{w}}^{-U}\|/\|\mathbf{v}_0-"
    r"\hat{\mathbf{w}}^{-U}\|",
    symbols=(
        eta,
        Symbol("q", "decay", "q", low=0, high=1, low_open=True, high_open=True, unit="1"),
        lam_positive,
        beta,
    ),
    requires=(Hypothesis("eta beta lam <= 1", lambda eta, beta, lam: eta * beta * lam <= 1),),
    growth="both forms are the limit itself",
    plot=Plot(
        "q", tuple(np.linspace(0.05, 0.95, 19).tolist()), {"eta": 0.5, "lam": 1.0, "beta": 1.0}
    ),
    quantity="share of the initial distance that is left",
    correction="(eta beta lam; q)_inf > 0; for the paper's logistic regression .99999.",
)
limit.interpreted_as("literal", "whole batches, quadratics of curvature lam")


@limit.form("printed", tex=r"0")
def vanishing(xp, eta, q, lam):
    """The limit is 0. False.

    Note: rho < 1 in (64)
    Fails: Steps ηq^t sum to η/(1 - q), which is too little to arrive: of the distance from the
        minimiser the share (ηβλ; q)_∞ stays for ever, {measured} at η = {eta}, q = {q}, λ = {lam}.
    Source: hf, Theorem 4.5 'as T approaches infinity', (64)
    """
    return 0


@limit.form(
    "tight",
    tex=r"(\eta\beta\lambda;q)_\infty=\exp\Big(-\sum_{k\ge1}"
    r"\frac{(\eta\beta\lambda)^k}{k(1-q^k)}\Big)\ge 1-\frac{\eta\beta\lambda}{1-q}",
)
def floor(xp, eta, q, lam, beta=1):
    """The limit for quadratics of curvature lam; of prod r_t wherever eta (lam + M) <= 2.

    Note: steps that sum to eta/(1 - q) go no further; whole batches, curvature lam
    Proof: the product of all steps, 1 - eta beta lam q^t
    """
    return xp.pochhammer(eta * beta * lam, q)
