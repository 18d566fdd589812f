"""Equation (2) of olu: the regret of projected online gradient descent, with its constants."""

from bounds import Plot, Statement
from bounds.olu.symbols import D, L, T, mu

strongly_convex = Statement(
    "olu.eq2",
    "Equation (2), strongly convex losses",
    "asymptotic",
    words="Projected online gradient descent has regret O(log T) for strongly convex losses.",
    quote="OGD achieves O(log T) regret for strongly convex",
    left=r"\mathrm{Regret}_T",
    symbols=(mu, L, T),
    growth={"T": "log(T)"},
    aliases=("olu.ogd", "olu.oracles.q2"),
    plot=Plot("T", (1, 3, 10, 30, 100, 300, 1000), {"mu": 0.5, "L": 2.0}, log_x=True),
    quantity="regret",
    correction="Regret <= sum_t |grad f_t(w_t)|^2/(2 mu t) <= (L^2/2mu) H_T.",
)
strongly_convex.interpreted_as(
    "literal", "with its constant: eta_t = 1/(mu t), |grad f_t(w_t)| <= L"
)
convex = Statement(
    "olu.eq2.convex",
    "Equation (2), convex losses",
    "asymptotic",
    words="Projected online gradient descent has regret O(sqrt T) for convex losses.",
    quote="and O(sqrt T) regret for convex losses",
    left=r"\mathrm{Regret}_T",
    symbols=(D, L, T),
    growth={"T": "sqrt(T)"},
    plot=Plot("T", (1, 3, 10, 30, 100, 300, 1000), {"D": 1.0, "L": 1.0}, log_x=True),
    quantity="regret",
)
convex.interpreted_as(
    "literal", "with its constant: eta_t = D/(L sqrt t), L-Lipschitz losses on diameter D"
)
constant = Statement(
    "olu.eq2.constant",
    "Equation (2), convex losses and a constant step",
    "asymptotic",
    words="With T known, descent with a constant step has regret D L sqrt(T).",
    left=r"\mathrm{Regret}_T",
    symbols=(D, L, T),
    growth={"T": "sqrt(T)"},
    plot=Plot("T", (1, 3, 10, 30, 100, 300), {"D": 1.0, "L": 1.0}, log_x=True),
    quantity="regret",
)
constant.interpreted_as("literal", "eta = D/(L sqrt T), L-Lipschitz losses on diameter D")


@strongly_convex.form("corrected", tex=r"\frac{L^2}{2\mu}(1+\ln T)")
def logarithmic(xp, mu, L, T):
    """The regret of mu-strongly convex losses is at most this value. Loose by 1 + ln T - H_T.

    Note: the paper's O(log T) with its constant; eta_t = 1/(mu t)
    Proof: H_T <= 1 + ln T
    Source: olu, Section 2.1 after eq (2) (Hazan, Agarwal and Kale 2007)
    """
    return L**2 / (2 * mu) * (1 + xp.log(T))


@strongly_convex.form("tight", tex=r"\frac{L^2}{2\mu}\sum_{t=1}^{T}\frac1t")
def harmonic_sum(xp, mu, L, T):
    """The regret of mu-strongly convex losses is at most this value.

    sum_t |grad f_t(w_t)|^2/(2 mu t) is the regret itself for (mu/2)|z - x_t|^2 on R^d.

    Note: attained by (mu/2)|z - x_t|^2 with x_t always L/mu away from w_t
    Proof: 1/eta_t - 1/eta_{t-1} = mu telescopes; equality on quadratics
    """
    return L**2 / (2 * mu) * xp.harmonic(T)


@convex.form("corrected", tex=r"\frac32DL\sqrt T")
def three_halves(xp, D, L, T):
    """The regret of convex L-Lipschitz losses on a domain of diameter D is at most this value.

    Note: the paper's O(sqrt T) with its constant; eta_t = D/(L sqrt t)
    Proof: D^2/(2 eta_T) + (L^2/2) sum_t eta_t (Zinkevich 2003)
    Source: olu, Section 2.1 after eq (2)
    """
    return xp.rational(3, 2) * D * L * xp.sqrt(T)


@constant.form("tight", tex=r"DL\sqrt T")
def one(xp, D, L, T):
    """The regret of convex L-Lipschitz losses, T known in advance, is at most this value.

    Note: eta = D/(L sqrt T); attained by orthogonal linear losses on a ball, d >= T
    Proof: D^2/(2 eta) + eta L^2 T/2; equality on orthogonal linear losses
    Equality: f_t = -L z_t on the ball whose diameter runs from the start to (D/sqrt T)(1, ..., 1)
    """
    return D * L * xp.sqrt(T)
