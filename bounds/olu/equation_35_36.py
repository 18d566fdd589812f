"""(35) and (36) of olu: the regret bound of Theorem 4, implicit and solved."""

from bounds import Statement, Symbol
from bounds.olu.equation_33_34 import X
from bounds.olu.regret_symbols import F, P, p_tau, p_u, sums_paired
from bounds.olu.series import aged
from bounds.olu.symbols import D, L, beta, d, epsilon, omega

B = Symbol("B", "cost of the noise, E sum |xi_i|^2/(2 eta)", r"\mathbb{E}[B]", low=0, unit="loss")

implicit = Statement(
    "olu.eq35",
    "(35)",
    "inequality",
    words="The expected regret is at most E B + (3D/2) sqrt(beta sum f_t(z_t)).",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    reads={r"\sum_{t=1}^Tf_t(z_t)": "X"},
    symbols=(D, beta, X, B, P),
    quantity="expected regret",
    correction="E B + (3D/2 + P) sqrt(2 beta E sum f_t(z_t)).",
)
implicit.interpreted_as("literal", "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))")


@implicit.form("printed", tex=r"\mathbb{E}[B]+\frac{3D}{2}\sqrt{\beta\sum_{t=1}^Tf_t(z_t)}")
def printed_35(xp, D, beta, X, B):
    """The expected regret is claimed to be at most this value. False.

    Note: (33) without its 2, and no path length
    Fails (literal): The path length of the comparators is left out, and the 2 of Lemma 8: on
        alternating Huber losses with a path of {P} at D = {D} the regret is {measured}, and the
        bound {bound}.
    Source: olu, (35)
    """
    return B + xp.rational(3, 2) * D * xp.sqrt(beta * X)


@implicit.form(
    "corrected",
    tex=r"\mathbb{E}[B]+\big(\tfrac32D+P\big)\sqrt{2\beta\,\mathbb{E}\sum_{t=1}^Tf_t(z_t)}",
)
def corrected_35(xp, D, beta, X, B, P):
    """The expected regret is at most this value.

    Note: (31) with the path, Lemma 8 with its 2
    Proof: (31) with the path, Lemma 7, Lemma 8, Jensen
    """
    return B + (xp.rational(3, 2) * D + P) * xp.sqrt(2 * beta * X)


explicit = Statement(
    "olu.eq36",
    "(36)",
    "inequality",
    words="The regret is at most 9 D^2 beta/4 + 3D sqrt(sum f_t(z_i*)) + "
    "d k^{omega+1/2} omega L^2 D^2/(4 (omega-1) eps) sqrt(beta sum p(tau_i)/p(u_i)^2).",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    symbols=(D, beta, F, d, L, epsilon, p_tau, p_u, omega, B, P),
    requires=(sums_paired,),
    quantity="expected regret",
    correction="B + a/2 + sqrt(a (F* + B) + a^2/4), a = 2 beta (3D/2 + P)^2.",
)
explicit.interpreted_as("literal", "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))")
explicit.interpreted_as(
    "algebra",
    "last step alone: 3D sqrt(beta (F* + B)) + B into 3D sqrt(F*) + sqrt(3 beta) D B",
    {"printed": "<="},
    stance="component",
)


@explicit.form(
    "printed",
    tex=r"\frac{9D^2\beta}{4}+3D\sqrt{\sum_{i=0}^k\sum_tf_t(z_i^\star)}"
    r"+\frac{dk^{\omega+0.5}\omega L^2D^2}{4(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\beta\,p(\tau[i])}{p(u[i])^2}}",
    reads={r"\sum_{i=0}^k\sum_tf_t(z_i^\star)": r"F^\star"},
)
def printed_36(xp, D, beta, F, d, L, epsilon, p_tau, p_u, omega=1.5):
    """The expected regret is claimed to be at most this value. False.

    Note: drops beta under the root and merges sqrt(B) with B
    Fails (literal): The second line drops β under the root and merges √(E[B]) with E[B]; the path
        length of the comparators is missing from the start. With a path of {P} at D = {D} the
        regret is {measured}, and the bound {bound}.
    Fails (algebra): β disappears from 3D√(β Σ f_t(z_i*)): at β = {beta}, Σ f_t(z_i*) = {F}, D =
        {D}, E[B] = {B} the first line is {measured} and the second {bound}.
    Source: olu, (36)
    """
    weight = d * xp.count(p_u) ** (omega + xp.rational(1, 2)) * omega * L**2 * D**2
    noise = weight / (4 * (omega - 1) * epsilon) * xp.sqrt(beta) * aged(xp, p_tau, p_u)
    return 9 * D**2 * beta / 4 + 3 * D * xp.sqrt(F) + noise


@explicit.form(
    "corrected",
    tex=r"\mathbb{E}[B]+\frac a2+\sqrt{a(F^\star+\mathbb{E}[B])+\frac{a^2}4},\quad"
    r" a=2\beta\big(\tfrac32D+P\big)^2",
)
def corrected_36(xp, D, beta, F, B, P):
    """The expected regret is at most this value, B being the cost of the noise that is used.

    Note: (35) corrected, solved with the tight form of Lemma 9
    Proof: (35) corrected, Lemma 9 tight
    """
    return solved(xp, D, beta, F, B, P)


def solved(xp, D, beta, F, B, P):
    """The largest X - F* that (35), corrected, allows the learner's loss X (Lemma 9, tight)."""
    a = 2 * beta * (3 * D / 2 + P) ** 2
    return B + a / 2 + xp.sqrt(a * (F + B) + a**2 / 4)
