"""(33) and (34) of olu: gradients bounded by losses, and the noise, in the proof of Theorem 4."""

from bounds import Plot, Statement, Symbol
from bounds.olu.regret_symbols import p_tau, p_u, sums_paired
from bounds.olu.series import aged, powers
from bounds.olu.symbols import D, L, beta, d, epsilon, omega

X = Symbol("X", "loss of the iterates, E sum f_t(z_t)", "X", low=0, unit="loss")

self_bound = Statement(
    "olu.eq33",
    "(33)",
    "inequality",
    words="(3D/2) sqrt(sum |grad f_t|^2) <= (3D/2) sqrt(beta sum f_t(z_t)).",
    left=r"\frac{3D}{2}\sqrt{\sum_{t=1}^T\|\nabla f_t(z_t)\|^2}",
    reads={r"\sum_{t=1}^Tf_t(z_t)": "X"},
    symbols=(D, beta, X),
    plot=Plot("X", (0.1, 0.3, 1, 3, 10), {"D": 1.0, "beta": 2.0}, log_x=True),
    quantity="(3D/2) sqrt(sum of squared gradients)",
    correction="2 beta for beta.",
)
self_bound.interpreted_as("literal", "f_t >= 0, beta-smooth on R^d")


@self_bound.form("printed", tex=r"\frac{3D}{2}\sqrt{\beta\sum_{t=1}^Tf_t(z_t)}")
def printed_33(xp, D, beta, X):
    """The left side is claimed to be at most this value. False.

    Note: loses the 2 of Lemma 8
    Fails (literal): Lemma 8 gives |∇f|² ≤ 2βf, and step (a) drops the 2. On quadratics, where the
        lemma is an equality, the left side is √2 times the right: {measured} against {bound}.
    Source: olu, (33)
    """
    return xp.rational(3, 2) * D * xp.sqrt(beta * X)


@self_bound.form("corrected", tex=r"\frac{3D}{2}\sqrt{2\beta\sum_{t=1}^Tf_t(z_t)}")
def corrected_33(xp, D, beta, X):
    """The left side is at most this value for f_t >= 0 and smooth on R^d.

    Note: attained by quadratics (beta/2)|z - x|^2
    Proof: Lemma 8 with its factor 2
    """
    return xp.rational(3, 2) * D * xp.sqrt(2 * beta * X)


noise = Statement(
    "olu.eq34",
    "(34)",
    "inequality",
    words="With eta_t = D/sqrt(p(t)) and the paper's noise, E B is at most "
    "d k^{omega+1/2} omega L^2 D/(4 sqrt 3 (omega-1) eps) sqrt(sum p(tau_i)/p(u_i)^2).",
    left=r"\mathbb{E}_{\xi_{1:k}}[B]",
    symbols=(D, L, d, epsilon, p_tau, p_u, omega),
    requires=(sums_paired,),
    quantity="expected price of the noise",
    correction="k (k + 1)/2 for k^2/sqrt 3.",
)
noise.interpreted_as(
    "literal", "sigma_i^2 = i^omega omega L^2 eta_{u_i}^2/(2 (omega-1) eps), omega = 1.5"
)


def _scale(D, L, d, epsilon, omega):
    return d * omega * L**2 * D / (4 * (omega - 1) * epsilon)


@noise.form(
    "printed",
    tex=r"\frac{dk^{\omega+0.5}\omega L^2D}{4\sqrt3(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\sum_{j=1}^{\tau[i]}\|\nabla f_j(z_j)\|^2}"
    r"{\big(\sum_{j=1}^{u[i]}\|\nabla f_j(z_j)\|^2\big)^2}}",
    reads={
        r"\sum_{j=1}^{\tau[i]}\|\nabla f_j(z_j)\|^2": r"p(\tau_i)",
        r"\sum_{j=1}^{u[i]}\|\nabla f_j(z_j)\|^2": "p(u_i)",
    },
)
def printed_34(xp, D, L, d, epsilon, p_tau, p_u, omega=1.5):
    """E B is claimed to be at most this value for the paper's noise.

    False for k <= 6 at omega = 1.5, where sqrt(sum i^3) = k (k + 1)/2 > k^2/sqrt 3.

    Note: an integral below a sum of an increasing function, as in (17)
    Fails (literal): Step (c) puts Σ i^(2ω) below its integral from 0 to k, as (17) does. At ω = 1.5
        this fails for k ≤ 6, for one deletion by a factor √3: {measured} against {bound}.
    Source: olu, (34)(d)
    """
    weight = xp.count(p_u) ** (omega + xp.rational(1, 2)) / xp.sqrt(3)
    return _scale(D, L, d, epsilon, omega) * weight * aged(xp, p_tau, p_u)


@noise.form(
    "corrected",
    tex=r"\frac{d\omega L^2D}{4(\omega-1)\varepsilon}\sqrt{\sum_{i=1}^ki^{2\omega}}"
    r"\sqrt{\sum_{i=1}^k\frac{p(\tau_i)}{p(u_i)^2}}",
)
def corrected_34(xp, D, L, d, epsilon, p_tau, p_u, omega=1.5):
    """E B is at most this value.

    Note: Cauchy-Schwarz with the sum itself, k (k + 1)/2 at omega = 1.5
    Proof: Cauchy-Schwarz for the sum over the requests
    Source: olu, (34)(c), without the integral
    """
    weight = powers(xp, xp.count(p_u), omega)
    return _scale(D, L, d, epsilon, omega) * weight * aged(xp, p_tau, p_u)


@noise.form(
    "tight",
    tex=r"\frac{d\omega L^2D}{4(\omega-1)\varepsilon}\sum_{i=1}^k"
    r"\frac{i^\omega\sqrt{p(\tau_i)}}{p(u_i)}",
)
def tight_34(xp, D, L, d, epsilon, p_tau, p_u, omega=1.5):
    """E B is at most this value; it is E B when p_tau holds the sums at tau_i - 1.

    Note: (34)(b), with p(tau_i - 1) as p_tau E B itself
    Proof: definitions; p(tau_i - 1) <= p(tau_i)
    """
    terms = xp.over(lambda i, t, v: i**omega * xp.sqrt(t) / v, p_tau, p_u)
    return _scale(D, L, d, epsilon, omega) * terms
