"""Theorem 4.3 of hf after the run: errors certified from stored norms of the approximator."""

from bounds import Statement, Symbol
from bounds.hf.lemma_4_1_smooth import fitting, rates
from bounds.hf.symbols import Lam, M, curvatures, lam, missing, sizes, steps
from bounds.hf.theorem_4_3 import LEFT

norms = Symbol(
    "norms",
    "norms of the approximator A_0..A_{T-1}",
    r"\|A_t\|",
    low=0,
    kind="list",
    typical=(0, 3),
    unit="parameter",
)
ARGUMENTS = (steps, missing, sizes, norms, lam, M, Lam)

_CLASS = "C^2 losses, Hessians in [lam, M] and Lam-Lipschitz on the segments; |A_t| stored"
statement = Statement(
    "hf.thm4.3.stored",
    "Theorem 4.3 a posteriori, leave-one-out approximator",
    "inequality",
    words="The norms |A_t| met on the way certify the error, without a bound on gradients.",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fitting, curvatures),
    quantity="|v_T - w_T - a|",
)
statement.interpreted_as("literal", _CLASS)
batch = Statement(
    "hf.thm4.3.sum",
    "Theorem 4.3 a posteriori, the paper's additive approximator",
    "inequality",
    words="The sum of the norms of single samples' approximators certifies any set.",
    left=LEFT,
    reads={"a_t": r"\|A_t\|"},
    symbols=ARGUMENTS,
    requires=(fitting, curvatures),
    quantity="|v_T - w_T - a|",
)
batch.interpreted_as("literal", _CLASS + ", or an upper bound on it")


def _followed(xp, steps, missing, sizes, norms, lam, M, Lam, own):
    def step(t, error):
        share, spread, way = missing[t] / sizes[t], M - lam, Lam * (norms[t] + error)
        change = xp.where(way <= spread, way / 2, lambda: spread - spread**2 / (2 * way))
        kept_factor, _ = rates(xp, steps[t], share, lam, M)
        return kept_factor * error + steps[t] * norms[t] * ((1 - share) * change + share * own)

    return xp.orbit(step, 0)[xp.count(steps) + 1]


@statement.form(
    "tight",
    tex=r"\delta_{t+1}=r_t\delta_t+\eta_t\beta_t\|A_t\|\int_0^1\!\min(\Lambda s(\|A_t\|+\delta_t),"
    r"M-\lambda)\,ds",
)
def leave_one_out(xp, steps, missing, sizes, norms, lam, M, Lam):
    """The error of the leave-one-out approximator is at most delta_T, from its norms on the way.

    |v_t - w_t| <= |A_t| + delta_t.

    Note: form (C); needs no bound on gradients
    Proof: the Hessians along [w_t, v_t] act on Delta_t, their change on A_t
    """
    return _followed(xp, steps, missing, sizes, norms, lam, M, Lam, 0)


@batch.form(
    "tight",
    tex=r"\delta_{t+1}=r_t\delta_t+\eta_t a_t\Big[\beta_t\int_0^1\!\min(\Lambda s(a_t+\delta_t),"
    r"M-\lambda)\,ds+\frac{m_t}{b_t}\max(|\lambda|,M)\Big]",
)
def additive(xp, steps, missing, sizes, norms, lam, M, Lam):
    """The error of the paper's approximator is at most delta_T, from norms that can be added.

    Note: form (C') with a_t >= |A_t|, such as the sum of the stored norms of single samples
    Proof: Hessians along [w_t, v_t] act on Delta_t, H_{B and U} on A_t
    """
    return _followed(xp, steps, missing, sizes, norms, lam, M, Lam, xp.maximum(abs(lam), M))


gap = Statement(
    "hf.thm3.1.gap",
    "Theorem 3.1 for leave-one-out vectors",
    "inequality",
    quantity="distance of a set's vector from the sum of its rows'",
    words="The leave-one-out vectors of the samples of U add up to that of U, up to a gap.",
    correction="Exact on quadratics and additive are incompatible; use r_t or stored norms.",
)
gap.interpreted_as(
    "literal",
    "they add up exactly, as Theorem 3.1 says of a",
    {"printed": "<="},
    fails={
        "printed": "Approximators with the Hessians of the remaining samples, which are exact "
        "on quadratics, do not add up: those of the single samples miss that of the "
        "set by {measured}. Theorem 3.1 is for (11), with the Hessians of whole "
        "batches."
    },
)
gap.interpreted_as(
    "stored",
    "gap from the norms |A^u_t|",
    {"corrected": "<="},
    proofs={"corrected": "G_{t+1} = (I - eta H_kept) G_t + (eta/b) sum H_{U minus u} A^u"},
    stance="amended",
)
gap.interpreted_as(
    "learned",
    "|A^u_t| bounded with the factor r_t and C of the learned run",
    {"corrected": "<="},
    proofs={"corrected": "A^u contracts with the kept part of the batch"},
    stance="amended",
)
gap.interpreted_as(
    "drift",
    "|A^u_t| bounded by the models' drift, factor min(r_t, rho_t)",
    {"corrected": "<="},
    stance="amended",
    fails={
        "corrected": "The approximators with the Hessians of the remaining samples contract with "
        "r_t, and the drift of the models with min(r_t, ρ_t) can be smaller. At η = "
        "{eta}, λ = {lam}, M = {M} the sum is off by {measured}, more than {bound}."
    },
)
