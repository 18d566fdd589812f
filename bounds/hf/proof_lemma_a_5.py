"""(48) to (53) of hf: the steps of the proof of Lemma A.5 that have a formula of their own."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol
from bounds.hf.lemma_a_5 import in_floats, small_steps, start
from bounds.hf.symbols import L, M, T, curvatures, eta, lam_positive, rho

now = Symbol("now", "distance from the minimiser at w_T", "R_T", low=0, unit="parameter")

_STEPS = tuple(np.linspace(0.05, 1.0, 20).tolist())
order = Statement(
    "hf.eq48",
    "(48)",
    "inequality",
    words="(1 - eta lam) I <= I - (eta/b) sum of Hessians <= (1 - eta M) I.",
    left=r"\lambda_{\max}\Big(\mathbf{I}-\frac{\eta_T}{|\mathcal{B}_T|}\sum_i\nabla^2\ell\Big)",
    symbols=(eta, lam_positive, M),
    requires=(curvatures,),
    plot=Plot("eta", _STEPS, {"lam": 0.5, "M": 1.0}, log_y=False),
    quantity="largest eigenvalue of a step",
    correction="(1 - eta M) I <= ... <= (1 - eta lam) I.",
)
order.interpreted_as(
    "literal",
    "lam I <= Hessians <= M I; the right inequality",
    edits={"printed": Edit("exchange lam and M", "M", r"\lambda")},
)


@order.form("printed", tex=r"1-\eta_TM")
def exchanged(xp, eta, M):
    """The largest eigenvalue of a step is at most this value. False (typo).

    Note: the two ends are exchanged
    Fails: λ and M are exchanged: the largest eigenvalue of a step is up to 1 - ηλ, the least down
        to 1 - ηM. At η = {eta}, λ = {lam}, M = {M} the largest is {measured}, where (48) says at
        most {bound}.
    Source: hf, (48)
    """
    return 1 - eta * M


@order.form("corrected", tex=r"1-\eta_T\lambda")
def ordered(xp, eta, lam):
    """The largest eigenvalue of a step is at most this value, and the least at least 1 - eta M.

    Note: attained by curvature lam
    Proof: the mean Hessian is at least lam I
    """
    return 1 - eta * lam


contraction = Statement(
    "hf.eq49",
    "(49)",
    "inequality",
    words="For eta <= 2/(lam + M): |1 - eta lam| < 1 and |1 - eta M| < 1.",
    left=r"\max(|1-\eta_T\lambda|,|1-\eta_TM|)",
    symbols=(eta, lam_positive, M),
    requires=(curvatures, small_steps),
    plot=Plot("eta", _STEPS, {"lam": 0.5, "M": 1.5}, log_y=False),
    quantity="factor of a step",
)
contraction.interpreted_as("literal", "lam > 0")


@contraction.form("printed", tex=r"1")
def one(xp, eta, lam, M):
    """Steps of at most 2/(lam + M) contract by less than this.

    Note: approached by small steps
    Proof: -(1 - eta lam) <= 1 - eta M
    Source: hf, (49)
    """
    return 1


@contraction.form("tight", tex=r"1-\eta_T\lambda")
def first(xp, eta, lam, M):
    """For eta (lam + M) <= 2 the factor of a step equals this value.

    Note: the first of the two is the larger
    Proof: -(1 - eta lam) <= 1 - eta M <= 1 - eta lam
    """
    return 1 - eta * lam


one_step = Statement(
    "hf.eq51",
    "(51)",
    "inequality",
    words="|w_{T+1} - w^| <= rho |w_0 - w^|.",
    left=r"\|\mathbf{w}_{T+1}-\hat{\mathbf{w}}^{-U}\|",
    reads={
        r"\|\mathbf{w}_0-\hat{\mathbf{w}}^{-U}\|": "start",
        r"\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|": "now",
    },
    symbols=(rho, start, now),
    plot=Plot(
        "rho", tuple(np.linspace(0, 1, 11).tolist()), {"start": 1.0, "now": 0.5}, log_y=False
    ),
    quantity="|w_{T+1} - w^|",
    correction="w_T on the right, and rho_T: (52) repeats the step.",
)
one_step.interpreted_as(
    "literal",
    "whole batches; rho that of the first step",
    apart="distances of the start and of now: two arguments",
)
one_step.interpreted_as("sampled", "batches of one")


@one_step.form("printed", tex=r"\rho\|\mathbf{w}_0-\hat{\mathbf{w}}^{-U}\|")
def from_the_start(xp, rho, start):
    """A step ends at most this far from the minimiser.

    True of whole batches, as no step goes back, but nothing that (52) can repeat.

    Note: of w_0
    Proof (literal): the first step contracts by rho and no later step goes back
    Fails (sampled): With batches of one the minimiser over all samples is no fixed point of a step:
        from a distance of {start} it leads to {measured}.
    Source: hf, (51)
    """
    return rho * start


@one_step.form("corrected", tex=r"\rho_T\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|")
def from_now(xp, rho, now):
    """A whole batch ends at most this far from the minimiser, rho being that of the step.

    Note: of w_T
    Proof (literal): Lemma 4.2 for the step at hand
    Fails (sampled): With batches of one the minimiser over all samples is no fixed point of a step:
        from a distance of {now} it leads to {measured}.
    """
    return rho * now


repeated = Statement(
    "hf.eq52",
    "(52)",
    "inequality",
    words="|w_T - w^| <= rho^T |w_T - w^|.",
    left=r"\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|",
    reads={
        r"\|\mathbf{w}_0-\hat{\mathbf{w}}^{-U}\|": "start",
        r"\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|": "now",
    },
    symbols=(rho, T, start, now),
    requires=(in_floats,),
    quantity="distance from the retrained minimiser",
    correction="w_0 on the right.",
)
repeated.interpreted_as(
    "literal",
    "constant steps, whole batches",
    edits={"printed": Edit("w_0 on the right", r"\mathbf{w}_T", r"\mathbf{w}_0")},
)


@repeated.form("printed", tex=r"\rho^T\|\mathbf{w}_T-\hat{\mathbf{w}}^{-U}\|")
def itself(xp, rho, T, now):
    """The distance is at most rho^T times itself. False (typo).

    Note: itself
    Fails: w_T stands on both sides, where w_0 is meant: for ρ < 1 no distance but 0 is at most ρ^T
        times itself. At T = {T} it is {measured}, and the right side {bound}.
    Source: hf, (52)
    """
    return rho**T * now


@repeated.form("corrected", tex=r"\rho^T\|\mathbf{w}_0-\hat{\mathbf{w}}^{-U}\|")
def from_w_0(xp, rho, T, start):
    """With whole batches and constant steps the distance is at most this value.

    Note: of w_0
    Proof: (51) with w_T on its right, T times
    """
    return rho**T * start


gap = Statement(
    "hf.eq53",
    "(53)",
    "inequality",
    words="F(w) - F(w^) <= 2M^2/lam.",
    left=r"F(\mathbf{w})-F(\hat{\mathbf{w}}^{-U})",
    symbols=(lam_positive, M, L),
    plot=Plot("L", tuple(np.linspace(0.25, 5, 20).tolist()), {"lam": 1.0, "M": 1.0}, log_y=False),
    quantity="F(w) - F(w^)",
    correction="L^2/(2 lam).",
)
gap.interpreted_as("literal", "losses lam-strongly convex, M-smooth and L-Lipschitz on W")


@gap.form("printed", tex=r"\frac{2M^2}{\lambda}")
def smooth_gap(xp, lam, M):
    """The excess over the minimum is at most this value. False.

    Note: M has another unit than L
    Fails: M, the smoothness, stands for the Lipschitz constant L. Where the slope is L the excess
        can be L²/(2λ): at λ = {lam}, M = {M}, L = {L} it is {measured}, where (53) says at most
        {bound}.
    Source: hf, (53)
    """
    return 2 * M**2 / lam


@gap.form("corrected", tex=r"\frac{2L^2}{\lambda}")
def lipschitz_gap(xp, lam, L):
    """The excess over the minimum is at most this value, as |w - w'| <= 2L/lam.

    Note: L for M; four times too large
    Proof: F is L-Lipschitz: at most L |w - w^|
    """
    return 2 * L**2 / lam


@gap.form("tight", tex=r"\frac{L^2}{2\lambda}")
def least_gap(xp, lam, L):
    """The excess over the minimum is at most this value.

    Note: attained by (lam/2) w^2 where its slope is L
    Proof: strong convexity: at most |grad F(w)|^2/(2 lam)
    """
    return L**2 / (2 * lam)


gradient = Statement(
    "hf.eq50",
    "(50)",
    "equality",
    words="grad l(w_T) = (integral of the Hessian along the segment) (w_T - w^), as "
    "grad l(w^) = 0.",
    correction="Batches add eta_t grad F_{B_t}(w^) at every step.",
)
gradient.interpreted_as(
    "literal",
    "l is the loss of the step's batch",
    {"printed": "=="},
    fails={
        "printed": "The minimiser over all remaining samples is not that of a single batch: its "
        "mean gradient there is up to {measured}, not {bound}. The step holds for "
        "whole batches without U."
    },
)
gradient.interpreted_as(
    "whole",
    "l is the risk over S minus U, which whole batches follow",
    {"printed": "=="},
    proofs={"printed": "fundamental theorem of calculus"},
)
