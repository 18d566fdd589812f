"""Steps in the proof of Theorem 2 of safe: (31) to (33), E[B_t], and the first inequality."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.safe.symbols import U, d, gamma, phi


def _vector(name: str, meaning: str, tex: str, unit: str = "parameter") -> Symbol:
    return Symbol(name, meaning, tex, kind="list", typical=(-4, 4), unit=unit)


noise = _vector("b", "perturbation of this round", "b_t")
before = _vector("b_prev", "perturbation of the round before", "b_{t-1}")
model = _vector("w", "model of the round before", "w_{t-1}")
moved = _vector("step", "gamma nabla_t", r"\gamma\nabla_t")
best = _vector("w_opt", "best model of the round before", "w_{t-1}^*")
turn = _vector("nabla", "g_{t+1}/|g_{t+1}| - g_t/|g_t|", r"\nabla_{t+1}", "1")
gap = _vector("gap", "w_t - w_t*", "w_t-w_t^*")
cross = Statement(
    "safe.eq31_33",
    "Equations (31) to (33)",
    "equality",
    words="The noise enters |w_t - w_t*|^2 by B_t = |b_t - b_{t-1}|^2 - "
    "2(b_t - b_{t-1}).(w_{t-1} - gamma nabla_t - b_t + b_{t-1} - w_{t-1}*).",
    left=r"B_t=\|w_t-w_{t-1}^*\|^2-\|w_{t-1}-\gamma\nabla_t-w_{t-1}^*\|^2",
    symbols=(noise, before, model, moved, best),
    requires=(
        Hypothesis(
            "vectors of one length",
            lambda b, b_prev, w, step, w_opt: (
                np.size(b) == np.size(b_prev) == np.size(w) == np.size(step) == np.size(w_opt)
            ),
        ),
    ),
    aliases=("safe.eq31-33", "safe.eq31", "safe.eq32", "safe.eq33"),
    quantity="what the noise adds to |w_t - w_{t-1}*|^2",
    correction="The inner product has no - b_t + b_{t-1}: printed is 2|b_t - b_{t-1}|^2 too much.",
)
cross.interpreted_as("literal", "any vectors")
turning = Statement(
    "safe.eq31_33.nabla",
    "Step after (33)",
    "inequality",
    words="|gamma nabla_t|^2 <= gamma^2 for nabla_t = g_t/|g_t| - g_{t-1}/|g_{t-1}|.",
    left=r"\|\gamma\nabla_t\|^2",
    symbols=(gamma,),
    plot=Plot("gamma", (0.1, 0.2, 0.5, 1.0), {}),
    quantity="|gamma nabla_t|^2",
    correction="4 gamma^2, attained by opposite gradients: two unit vectors differ by up to 2. "
    "For gamma^2 they must be at most 60 degrees apart.",
)
turning.interpreted_as("literal", "any gradients")
phi_prev = Symbol(
    "phi_prev", "variance of the round before", r"\phi_{t-1}", low=0, unit="parameter^2"
)

expected = Statement(
    "safe.thm2.eb",
    "E[B_t] in the proof of Theorem 2",
    "equality",
    words="E[B_t] disappears from the proof; B_t as printed has the mean 4 d phi.",
    left=r"\mathbb{E}[B_t]",
    symbols=(d, phi_prev, phi),
    aliases=("safe.thm2.EB",),
    quantity="mean of |w_t - w_{t-1}*|^2 less that without new noise",
    correction="d(phi_t - phi_{t-1}): 0 at constant variance, d phi in round 1.",
)
expected.interpreted_as("literal", "independent b_t of mean 0; w_{t-1} contains -b_{t-1}")
expected.interpreted_as(
    "constant", "phi_t = phi_{t-1}: E[B_t] may be dropped", {"corrected": "=="}, stance="amended"
)
expected.interpreted_as(
    "first", "t = 1, no noise before: E[B_t] may be dropped", {"corrected": "<="}, stance="amended"
)
first = Statement(
    "safe.thm2.step1",
    "First inequality in the proof of Theorem 2",
    "inequality",
    words="E|R_t(w_t) - R_t(w_t*)| <= U E|nabla_{t+1}.(w_t - w_t*)|, nabla_{t+1} being the "
    "difference of two normalised gradients at w_0.",
    left=r"\mathbb{E}|R_t(w_t)-R_t(w_t^*)|",
    symbols=(U, turn, gap),
    requires=(
        Hypothesis("vectors of one length", lambda nabla, gap: np.size(nabla) == np.size(gap)),
    ),
    quantity="|R_t(w_t) - R_t(w_t*)|",
    correction="U|w_t - w_t*|; for convex R_t a subgradient of R_t at w_t in place of U nabla.",
)
first.interpreted_as("literal", "gradients at most U; no noise")


@cross.form(
    "printed",
    tex=r"\|b_t-b_{t-1}\|^2-2(b_t-b_{t-1})^\top(w_{t-1}-\gamma\nabla_t-b_t+b_{t-1}-w_{t-1}^*)",
)
def printed(xp, b, b_prev, w, step, w_opt):
    """B_t equals this value, says safe; false unless b_t = b_{t-1}.

    Note: too large by 2|b_t - b_{t-1}|^2: the noise stands in the product once more
    Fails: The inner product subtracts b_t − b_(t−1), which ‖b_t − b_(t−1)‖² already accounts for:
        B_t comes out 2‖b_t − b_(t−1)‖² too large, in one instance {bound} for {measured}.
    Source: safe, (31)-(33)
    """

    def term(_, b, last, w, step, best):
        return (b - last) ** 2 - 2 * (b - last) * (w - step - b + last - best)

    return xp.over(term, b, b_prev, w, step, w_opt)


@cross.form(
    "corrected", tex=r"\|b_t-b_{t-1}\|^2-2(b_t-b_{t-1})^\top(w_{t-1}-\gamma\nabla_t-w_{t-1}^*)"
)
def corrected(xp, b, b_prev, w, step, w_opt):
    """B_t equals this value.

    Proof: |a - b|^2 = |a|^2 - 2 a.b + |b|^2
    """

    def term(_, b, last, w, step, best):
        return (b - last) ** 2 - 2 * (b - last) * (w - step - best)

    return xp.over(term, b, b_prev, w, step, w_opt)


@turning.form("printed", tex=r"\gamma^2")
def one(xp, gamma):
    """The left side is at most this value, says safe; false for gradients more than 60 degrees
    apart.

    Note: nabla_t is a difference of two unit vectors
    Fails: ∇_t is a difference of two unit vectors and up to 2 long, so that 4γ² is the bound. On a
        stream of real data the square is {measured}, {ratio} times γ² = {bound}.
    Source: safe, the step after (33)
    """
    return gamma**2


@turning.form("corrected", tex=r"4\gamma^2")
def four(xp, gamma):
    """The left side is at most this value.

    Note: attained by opposite gradients
    Proof: triangle inequality for two unit vectors
    """
    return 4 * gamma**2


@expected.form("printed", tex=r"d(\phi_t-\phi_{t-1})+2d(\phi_t+\phi_{t-1})")
def inflated(xp, d, phi_prev, phi):
    """The mean of B_t as safe prints it equals this value: 4 d phi at constant variance.

    Note: the mean of B_t as printed; the proof drops it
    Fails (literal): E[B_t] is dropped without a word. Of the B_t that is printed it is {bound} at d
        = {d}, φ_(t−1) = {phi_prev}, φ_t = {phi}; of the true one {measured}, as w_(t−1) contains
        −b_(t−1).
    Source: safe, E[B_t] in the proof of Theorem 2
    """
    return d * (phi - phi_prev) + 2 * d * (phi + phi_prev)


@expected.form("corrected", tex=r"d(\phi_t-\phi_{t-1})")
def dropped(xp, d, phi_prev, phi):
    """The mean of the true B_t equals this value, for independent perturbations of mean 0.

    Note: 0 at constant variance; d phi_1 in the first round
    Proof (literal): E|b_t - b_{t-1}|^2 and the product with -b_{t-1}
    Proof (constant): d(phi_t - phi_{t-1}) is 0 at equal variances
    Fails (first): In round 1 no earlier noise cancels it: E[B₁] is d φ₁ = {measured}, and dropping
        it takes it for {bound}.
    """
    return d * (phi - phi_prev)


@first.form("printed", tex=r"U\,\mathbb{E}\left|\nabla_{t+1}^\top(w_t-w_t^*)\right|")
def product(xp, U, nabla, gap):
    """The error of round t is at most this value, says safe; false.

    Note: without noise; nabla_{t+1} is no gradient of R_t, and 0 where two gradients agree
    Fails: ∇_(t+1) is the difference of two normalised gradients at w₀, not a gradient of R_t, and
        is 0 where two rounds have one direction. On a stream of real data the error is {measured}
        and the right side {bound}.
    Source: safe, first inequality in the proof of Theorem 2
    """
    return U * abs(xp.over(lambda _, x, y: x * y, nabla, gap))


@first.form("corrected", tex=r"U\|w_t-w_t^*\|")
def length(xp, U, gap):
    """The error of round t is at most this value.

    Note: attained by R_t = U|w - w_t*|
    Proof: R_t is U-Lipschitz, in the mean as well
    """
    return U * xp.norm(gap)
