"""Certified removal, a baseline of mini: bounds on the gradient that its Newton step leaves.

Training minimises sum_i l(<w, x_i>, y_i) + (lam n/2)|w|^2 + <b, w>, b ~ N(0, s^2 I); removal of m
samples takes one Newton step on what is kept.  |l'| <= C, l'' is gam-Lipschitz.
"""

import math

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol

n = Symbol("n", "samples learned from", "n", low=1, kind="integer")
m = Symbol("m", "samples removed at once", "m", low=0, kind="integer")
lam = Symbol(
    "lam", "regularisation of a sample", r"\lambda", low=0, low_open=True, unit="loss/parameter^2"
)
gam = Symbol("gam", "Lipschitz constant of l''", r"\gamma", low=0, unit="loss/parameter^3")
C = Symbol("C", "bound on |l'|", "C", low=0, unit="loss/parameter")

SHARP = 1 / (6 * math.sqrt(3))
residual = Statement(
    "guo.residual",
    "Certified Data Removal: residual, worst case",
    "inequality",
    words="One Newton step for m of n samples leaves a gradient of at most "
    "4 gam m^2 C^2/(lam^2 (n - m)).",
    left=r"\|\nabla L(\mathbf{w}^-;\mathbb{D}_R)\|",
    symbols=(gam, m, C, lam, n),
    requires=(Hypothesis("m < n", lambda m, n: m < n),),
    aliases=("mini.base.guo.residual",),
    plot=Plot(
        "lam",
        tuple(np.geomspace(1e-3, 10, 25).tolist()),
        {"gam": SHARP, "m": 2, "C": 1.0, "n": 20},
        log_x=True,
    ),
    quantity="gradient left by the Newton step",
    correction="2 gam m^2 C^2 (n - m)/(lam n)^2, and for a noise b 2C + |b|/(n - m) for 2C; the "
    "data-dependent bound is smaller by orders of magnitude.",
)
residual.interpreted_as("literal", "|x| <= 1, |l'| <= C, l'' gam-Lipschitz, w* the exact minimiser")
residual.interpreted_as("noise", "w* minimises the objective with <b, w>, any b")
rows = Symbol("rows", "retained features on a line", "x_i", kind="list", typical=(-3, 3), unit="1")
step = Symbol("step", "length of the Newton step", r"|\Delta'|", low=0, unit="parameter")

data_residual = Statement(
    "guo.data",
    "Certified Data Removal: residual, data dependent",
    "inequality",
    words="The residual is at most gam |X|_2 |Delta'|_2 |X Delta'|_2, Delta' the Newton step.",
    left=r"\|\nabla L(\mathbf{w}^-;\mathbb{D}_R)\|",
    symbols=(gam, rows, step),
    aliases=("mini.base.guo.data",),
    quantity="gradient left by the Newton step",
    correction="gam/2 |X|_2 |(X Delta')^2|_2, gam = 1/(6 sqrt 3) for the logistic loss.",
)
data_residual.interpreted_as(
    "literal",
    "features of norm at most 1",
    {"printed": "<=", "corrected": "<="},
    apart="features of norm at most 1, of which the arguments say nothing",
)
data_residual.interpreted_as(
    "any", "features of any norm", {"printed": "<=", "corrected": "<="}, stance="amended"
)
data_residual.interpreted_as(
    "constant",
    "the logistic loss: gam = 1/(6 sqrt 3), where the authors' code has 1/4; features of norm at "
    "most 1",
    {"printed": "<=", "corrected": "<="},
    stance="component",
    apart="features of norm at most 1, of which the arguments say nothing",
)


@residual.form("printed", tex=r"\frac{4\gamma m^2C^2}{\lambda^2(n-m)}")
def printed_residual(xp, gam, m, C, lam, n):
    """The Newton step leaves a gradient of at most this.

    Note: features of norm at most 1; twice as large as its proof gives
    Proof (literal): twice the corrected form
    Fails (noise): The proof bounds the minimiser without b. With ⟨b, w⟩ in the objective 2C becomes
        2C + |b|/(n - m): at b = {b}, n = {n}, λ = {lam} the Newton step leaves a gradient of
        {measured}, and the bound is {bound}.
    Source: Guo et al. 2020, Theorem 4
    """
    return 4 * gam * m**2 * C**2 / (lam**2 * (n - m))


@residual.form("corrected", tex=r"\frac{2\gamma m^2C^2}{\lambda^2(n-m)}")
def corrected_residual(xp, gam, m, C, lam, n):
    """The Newton step leaves a gradient of at most this, half of the printed bound.

    |step| <= 2 m C/(lam (n - m)), and the residual is at most gam/2 (n - m) |step|^2. w* is the
    exact minimiser over all n samples without b; features of norm at most 1.

    Note: the integral of the curvature's change gives 1/2
    Proof (literal): |w*| <= C/lam, and Taylor's integral remainder
    Fails (noise): It is proved for the minimiser without b. With ⟨b, w⟩ in the objective 2C becomes
        2C + |b|/(n - m): at b = {b}, n = {n}, λ = {lam} the Newton step leaves {measured}, and the
        bound is {bound}.
    """
    return 2 * gam * m**2 * C**2 / (lam**2 * (n - m))


@residual.form("tight", tex=r"\frac{2\gamma m^2C^2(n-m)}{\lambda^2n^2}")
def tight_residual(xp, gam, m, C, lam, n):
    """The Newton step leaves a gradient of at most this.

    |Delta| = |S_U - (m/n) S| <= 2 m C (n - m)/n with S the sums of slopes, as |w*| cannot be C/lam
    too. For w* without b; a noise b adds m |b|/n to |Delta|.

    Note: attained by slopes -C kept and +C removed, while gam |step|^2 <= 4 C
    Proof (literal): lam n w* is minus the sum of all slopes: equality is attained
    Fails (noise): It is attained without b. With ⟨b, w⟩ in the objective 2C becomes 2C + |b|/(n -
        m): at b = {b}, n = {n}, λ = {lam} the Newton step leaves a gradient of {measured}, and the
        bound is {bound}.
    """
    return 2 * gam * m**2 * C**2 * (n - m) / (lam * n) ** 2


@data_residual.form("printed", tex=r"\gamma\|X\|_2\|\Delta'\|_2\|X\Delta'\|_2")
def printed_data(xp, gam, rows, step):
    """The residual of one step, from the data.

    Note: on a line gam |x|^2 step^2; for features of norm at most 1
    Proof (literal): |x_i Delta'| <= |Delta'|: at least twice the corrected form
    Proof (constant): sup of s(1 - s)(1 - 2s)
    Fails (any): The bound takes |Δ'·x_i| ≤ |Δ'|, which needs features of norm at most 1. One longer
        row and a step of {step} leave a gradient of {measured}, and the bound is {bound}.
    Source: Guo et al. 2020, Corollary 1
    """
    return gam * xp.over(lambda i, x: x**2, rows) * step**2


@data_residual.form("corrected", tex=r"\tfrac\gamma2\|X\|_2\|(X\Delta')^2\|_2")
def corrected_data(xp, gam, rows, step):
    """The residual of one step is at most |X^T r| with |r_i| <= gam/2 (x_i step)^2.

    Note: squares entry by entry; features of any norm; attained by one row and cubic losses
    Proof (literal, any): Taylor's integral remainder along the Newton step
    Proof (constant): sup of s(1 - s)(1 - 2s)
    """
    squares, fourths = (xp.over(lambda i, x, p=p: x**p, rows) for p in (2, 4))
    return gam / 2 * xp.sqrt(squares * fourths) * step**2
