"""(11)-(15) of olu: one step of projected descent with noise, and what the steps add up to."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.symbols import L, T, eta, mu

r = Symbol(
    "r", "distance to the comparator before the step", r"\|z_t-z^*\|", low=0, unit="parameter"
)
s = Symbol(
    "s", "distance to the comparator after the step", r"\|z_{t+1}-z^*\|", low=0, unit="parameter"
)
g = Symbol("g", "norm of the gradient", r"\|\nabla f_t(z_t)\|", low=0, unit="loss/parameter")
p = Symbol("p", "gradient times distance", r"\nabla f_t(z_t)^\top(z_t-z^*)", unit="loss")
q = Symbol("q", "gradient times noise", r"\nabla f_t(z_t)^\top\xi_i", unit="loss")
cauchy = Hypothesis("|p| <= r g", lambda p, r, g: np.abs(p) <= r * g * (1 + 1e-12))


def one_step(r, g, p, eta):
    """r^2 + eta^2 g^2 - 2 eta p, written so that nothing cancels."""
    return (r - eta * g) ** 2 + 2 * eta * (r * g - p)


eq11 = Statement(
    "olu.eq11",
    "(11)",
    "inequality",
    words="|z_{t+1} - z*|^2 <= |z_t - z*|^2 + eta^2 |grad|^2 - 2 eta grad.(z_t - z*).",
    left=r"\|z_{t+1}-z^*\|^2",
    reads={r"(\nabla f_t(z_t))^\top(z_t-z^*)": "p"},
    symbols=(r, g, p, eta),
    requires=(cauchy,),
    quantity="left side, on random steps",
    correction="z* stands outside the projection, and is the minimiser up to T, not tau_i.",
)
eq11.interpreted_as("literal", "z* in K, any gradient")


@eq11.form(
    "printed",
    tex=r"\|z_t-z^*\|^2+\eta_t^2\|\nabla f_t(z_t)\|^2-2\eta_t(\nabla f_t(z_t))^\top(z_t-z^*)",
)
def printed_11(xp, r, g, p, eta):
    """At least the squared distance after a projected step.

    Note: equality while the projection is inactive
    Proof: the projection does not increase distances to points of K
    Source: olu, (11)
    """
    return one_step(r, g, p, eta)


eq12 = Statement(
    "olu.eq12",
    "(12)",
    "inequality",
    words="The same with z_t - z* + xi_i in place of z_t - z* at a request.",
    left=r"\|z_{t+1}-z^*\|^2\ (t+1=\tau[i])",
    reads={r"(\nabla f_t(z_t))^\top(z_t-z^*+\xi_i)": "p"},
    symbols=(
        Symbol("r", "distance with the noise", r"\|z_t-z^*+\xi_i\|", low=0, unit="parameter"),
        g,
        Symbol("p", "gradient times that", r"\nabla f_t(z_t)^\top(z_t-z^*+\xi_i)", unit="loss"),
        eta,
    ),
    requires=(cauchy,),
    quantity="left side, on random steps",
    correction="Holds for noise inside the projection; Algorithm 1 adds it outside.",
)
eq12.interpreted_as("literal", "z* in K, any gradient")


@eq12.form(
    "printed",
    tex=r"\|z_t-z^*+\xi_i\|^2+\eta_t^2\|\nabla f_t(z_t)\|^2"
    r"-2\eta_t(\nabla f_t(z_t))^\top(z_t-z^*+\xi_i)",
)
def printed_12(xp, r, g, p, eta):
    """At least the squared distance after a step whose noise is projected.

    Note: for noise inside the projection, which Algorithm 1 puts outside
    Proof: the projection does not increase distances to points of K
    Source: olu, (12)
    """
    return one_step(r, g, p, eta)


eq13 = Statement(
    "olu.eq13",
    "(13)",
    "inequality",
    words="grad.(z_t - z*) is at most what (11) and (12) leave after division by 2 eta.",
    left=r"(\nabla f_t(z_t))^\top(z_t-z^*)",
    reads={r"\|z_t-z^*+\xi_i\|": "r"},
    symbols=(r, s, g, q, eta),
    quantity="left side, on random steps",
    correction="z_i* on the left must be z*.",
)
eq13.interpreted_as("literal", "z* in K, any gradient")


@eq13.form(
    "printed",
    tex=r"-\nabla f_t(z_t)^\top\xi_i+\frac{\|z_t-z^*+\xi_i\|^2-\|z_{t+1}-z^*\|^2}{2\eta_t}"
    r"+\frac{\eta_t\|\nabla f_t(z_t)\|^2}{2}",
)
def printed_13(xp, r, s, g, q, eta):
    """At least gradient times distance, by (11) and (12).

    Note: without noise q = 0; r is the distance with the noise
    Proof: (11) put into (12), divided by 2 eta
    Source: olu, (13)
    """
    return (r - s) * (r + s) / (2 * eta) + eta * g**2 / 2 - q


A = Symbol("A", "expected sum of steps and gradients", r"\mathbb{E}A", unit="parameter^2")
B = Symbol("B", "expected sum of noise", r"\mathbb{E}B", low=0, unit="parameter^2")

eq14 = Statement(
    "olu.eq14",
    "(14)",
    "inequality",
    words="The expected regret against one point is E[A] + E[B].",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]",
    reads={
        r"\mathbb{E}_{\xi_{1:k}}\mathbb{E}[A|\xi_{1:k}]": "A",
        r"\mathbb{E}_{\xi_{1:k}}[B]": "B",
    },
    symbols=(A, B),
    quantity="expected regret against one point",
    correction="'<=' for '='; (mu/2)|z - z*|^2 for (gamma/2)|z - z*|.",
)
eq14.interpreted_as(
    "literal", "as an upper bound, A with its last term -|z_{T+1} - z*|^2/(2 eta_T)"
)


@eq14.form(
    "printed", tex=r"\mathbb{E}_{\xi_{1:k}}\mathbb{E}[A|\xi_{1:k}]+\mathbb{E}_{\xi_{1:k}}[B]"
)
def printed_14(xp, A, B):
    """At least the expected regret against one point.

    Note: printed with '='; equality for isotropic quadratics without projection
    Proof: strong convexity and (13), summed
    Source: olu, (14)
    """
    return A + B


eq15 = Statement(
    "olu.eq15",
    "(15)",
    "inequality",
    words="E[A] <= (L^2/mu)(1 + log T).",
    left=r"\mathbb{E}_{\xi_{1:k}}[A]",
    symbols=(T, L, mu),
    plot=Plot("T", (1, 3, 10, 30, 100, 300, 1000), {"L": 1.0, "mu": 1.0}, log_x=True, log_y=False),
    quantity="regret of losses that follow the learner",
    correction="(L^2/2mu) H_T; a factor 1/2 is dropped.",
)
eq15.interpreted_as("literal", "gradients of norm at most L, steps 1/(mu t)")


@eq15.form("printed", tex=r"\frac{L^2}{\mu}(1+\log T)")
def printed_15(xp, T, L, mu):
    """At least sum_t eta_t |grad f_t(z_t)|^2/2. Loose by 2.

    Note: drops the 1/2 of the line before
    Proof: from the corrected form: H_T <= 1 + log T
    Source: olu, (15)
    """
    return L**2 / mu * (1 + xp.log(T))


@eq15.form("corrected", tex=r"\frac{L^2}{2\mu}H_T")
def corrected_15(xp, T, L, mu):
    """At least sum_t |grad f_t(z_t)|^2/(2 mu t).

    Note: attained by losses that follow the learner
    Proof: sum of eta_t L^2/2; equality where the losses follow the learner
    Equality: where all gradients have norm L
    """
    return L**2 / (2 * mu) * xp.harmonic(T)
