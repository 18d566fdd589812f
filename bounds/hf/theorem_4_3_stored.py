"""Theorem 4.3 of hf after the run: errors certified from stored norms of the approximator."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.hf.certificates import error_aposteriori
from bounds.hf.lemma_4_1_smooth import fitting, rates
from bounds.hf.symbols import Lam, M, curvatures, lam, missing, sizes, steps
from bounds.hf.theorem_4_3 import LEFT
from bounds.symbols import Symbol

norms = Symbol(
    "norms", "norms of the approximator A_0..A_{T-1}", r"\|A_t\|", low=0, kind="list",
    typical=(0, 3),
)  # fmt: skip
ARGUMENTS = (steps, missing, sizes, norms, lam, M, Lam)

formula = Formula(
    id="hf.thm4.3.stored",
    label="Theorem 4.3 a posteriori, leave-one-out approximator",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fitting, curvatures),
)
batch = Formula(
    id="hf.thm4.3.sum",
    label="Theorem 4.3 a posteriori, the paper's additive approximator",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fitting, curvatures),
)


@formula.form(
    "tight",
    tex=r"\delta_{t+1}=r_t\delta_t+\eta_t\beta_t\|A_t\|\int_0^1\!\min(\Lambda s(\|A_t\|+\delta_t),"
    r"M-\lambda)\,ds",
    note="form (C); needs no bound on gradients",
)
def leave_one_out(
    steps: Array, missing: Array, sizes: Array, norms: Array, lam: Array, M: Array, Lam: Array
) -> Array:
    """The error of the leave-one-out approximator is at most delta_T, from its norms on the way.

    The Hessian along [w_t, v_t] differs from that at w_t by at most the integral, acts on A_t, and
    |v_t - w_t| <= |A_t| + delta_t.
    """
    return error_aposteriori(steps, missing, sizes, norms, lam, M, Lam, "kept")[..., -1]


@batch.form(
    "tight",
    tex=r"\delta_{t+1}=r_t\delta_t+\eta_t a_t\Big[\beta_t\int_0^1\!\min(\Lambda s(a_t+\delta_t),"
    r"M-\lambda)\,ds+\frac{m_t}{b_t}\max(|\lambda|,M)\Big]",
    note="form (C') with a_t >= |A_t|, such as the sum of the stored norms of single samples",
)
def additive(
    steps: Array, missing: Array, sizes: Array, norms: Array, lam: Array, M: Array, Lam: Array
) -> Array:
    """The error of the paper's approximator is at most delta_T, from norms that can be added."""
    return error_aposteriori(steps, missing, sizes, norms, lam, M, Lam, "batch")[..., -1]


def _expression(
    sp: Any, steps: Any, missing: Any, sizes: Any, norms: Any, lam: Any, M: Any, Lam: Any, own: Any
) -> Any:
    error = sp.Integer(0)
    for eta_t, m, size, a in zip(steps, missing, sizes, norms, strict=True):
        share, spread, way = m / size, M - lam, Lam * (a + error)
        change = way / 2 if way <= spread else spread - spread**2 / (2 * way)
        kept, _ = rates(sp, eta_t, share, lam, M)
        error = kept * error + eta_t * a * ((1 - share) * change + share * own)
    return error


@leave_one_out.expression
def _(sp: Any, steps: Any, missing: Any, sizes: Any, norms: Any, lam: Any, M: Any, Lam: Any) -> Any:
    return _expression(sp, steps, missing, sizes, norms, lam, M, Lam, 0)


@additive.expression
def _(sp: Any, steps: Any, missing: Any, sizes: Any, norms: Any, lam: Any, M: Any, Lam: Any) -> Any:
    own = sp.Max(sp.Abs(lam), M)
    return _expression(sp, steps, missing, sizes, norms, lam, M, Lam, own)
