"""(47), (49) and (50) of olu: parts B, D and E of the regret proof of Theorem 6."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import after_it, tau_i
from bounds.olu.symbols import D, L, T, d, i, k, mu, sigma

norm = Statement(
    "olu.eq47.norm",
    "Below (47)",
    "inequality",
    words="E|xi_i| <= sigma_i for xi_i ~ N(0, sigma_i^2 I_d).",
    left=r"\mathbb{E}\|\xi_i\|,\quad\xi_i\sim N(0,\sigma^2I_d)",
    symbols=(sigma, d),
    plot=Plot("d", tuple(float(n) for n in range(1, 21)), {"sigma": 1.0}, log_y=False),
    quantity="E|xi|",
    correction="sigma_i sqrt(d); exactly sigma_i sqrt(2) Gamma((d + 1)/2)/Gamma(d/2).",
)
norm.interpreted_as("literal", "any dimension")


@norm.form("printed", tex=r"\sigma_i")
def norm_printed(xp, sigma):
    """The expected norm of the noise is at most sigma. False for d > 1.

    Note: true for d = 1 only
    Fails (literal): σ_i is the standard deviation of one coordinate; the vector's mean length is
        about √d times as much: {measured} for σ = {sigma} at d = {d}. Jensen's inequality gives σ_i
        √d.
    Source: olu, below (47)
    """
    return sigma


@norm.form("corrected", tex=r"\sigma_i\sqrt d")
def norm_corrected(xp, sigma, d):
    """The expected norm of the noise is at most this value.

    Note: Jensen
    Proof: Jensen's inequality for the square
    """
    return sigma * xp.sqrt(d)


@norm.form("tight", tex=r"\sigma_i\sqrt2\,\frac{\Gamma((d+1)/2)}{\Gamma(d/2)}")
def norm_tight(xp, sigma, d):
    """The expected norm of the noise equals this value.

    Note: equality: the mean of the chi distribution
    Proof: the mean of the chi distribution: equality
    """
    return sigma * xp.sqrt(2) * xp.gamma_ratio(d)


d_i = Symbol(
    "d_i",
    "distance of the phases' end from the kept losses' minimiser",
    "d_i",
    low=0,
    unit="parameter",
)

request = Statement(
    "olu.eq47",
    "(47)",
    "inequality",
    words="E L |z_{tau_i} - z*| <= sigma_i + d_i + L (T - i - tau_i)/(T mu) for each request.",
    left=r"\mathbb{E}\,L\|z_{\tau[i]}-z^\star\|",
    symbols=(i, T, tau_i, d, sigma, mu, L, d_i),
    requires=(after_it, Hypothesis("tau_i + i <= T", lambda tau_i, i, T: tau_i + i <= T)),
    plot=Plot(
        "T",
        tuple(float(t) for t in range(30, 200, 10)),
        {"i": 1, "tau_i": 20, "d": 1, "sigma": 0.0, "mu": 1.0, "L": 2.0, "d_i": 0.0},
        log_y=False,
    ),
    quantity="L |z_{i,0}* - z*| on quadratics",
    correction="L (sigma_i sqrt(d) + d_i + L (T - tau_i + i)/(T mu)).",
)
request.interpreted_as("literal", "z_{tau_i} = z_{i,0}* + a vector of norm d_i + noise")


@request.form("printed", tex=r"\sigma_i+d_i+\frac{L(T-i-\tau[i])}{T\mu}")
def request_printed(xp, i, T, tau_i, sigma, mu, L, d_i):
    """What request i adds to part B is at most this value in expectation.

    Note: L in front dropped, sigma for E|xi|, and T - i - tau_i for T - tau_i + i
    Fails (literal): The L in front is lost, σ_i stands for E|ξ_i|, and T - i - τ_i for T - τ_i + i:
        at L = {L}, T = {T}, τ = {tau_i} and σ = {sigma} the left side is {measured} and the right
        {bound}.
    Source: olu, (47)
    """
    return sigma + d_i + L * (T - i - tau_i) / (T * mu)


@request.form("corrected", tex=r"L\Big(\sigma_i\sqrt d+d_i+\frac{L(T-\tau_i+i)}{T\mu}\Big)")
def request_corrected(xp, i, T, tau_i, d, sigma, mu, L, d_i):
    """What request i adds to part B is at most this value in expectation.

    z_{i,0}* minimises the first tau_i losses but i.

    Note: T - tau_i + i losses tell the two minimisers apart; attained without noise
    Proof: triangle inequality, Jensen, Lemma 5 without its factor 2
    """
    return L * (sigma * xp.sqrt(d) + d_i + L * (T - tau_i + i) / (T * mu))


gradients = Statement(
    "olu.eq49",
    "(49)",
    "inequality",
    words="sum_t eta_t |grad f_t(z_t)|^2 <= sum_t L^2/(t mu) = O(log T).",
    left=r"\sum_t\eta_t\|\nabla f_t(z_t)\|^2",
    symbols=(T, mu, L),
    plot=Plot("T", tuple(float(t) for t in range(1, 60)), {"mu": 2.0, "L": 0.5}, log_y=False),
    quantity="sum of eta_t L^2",
)
gradients.interpreted_as("literal", "|grad| <= L")


@gradients.form("printed", tex=r"\sum_{t=1}^T\frac{L^2}{t\mu}")
def gradients_printed(xp, T, mu, L):
    """Part D is at most this value.

    Note: every gradient at its largest
    Proof: |grad| <= L in every term, eta_t = 1/(mu t)
    Source: olu, (49)
    """
    return L**2 / mu * xp.harmonic(T)


last = Statement(
    "olu.eq50",
    "(50)",
    "inequality",
    words="Part E is at most 2kLD.",
    left=r"\sum_{i=1}^k\nabla f_{\tau_i-1}(z_{\tau_i-1})^\top(z_{\tau_i-1}-z^\star)",
    symbols=(k, L, D),
    plot=Plot("k", tuple(float(n) for n in range(1, 21)), {"L": 2.0, "D": 1.0}, log_y=False),
    quantity="E for f_t(z) = L z at the end of an interval",
)
last.interpreted_as("literal", "|grad| <= L, diameter D")


@last.form("printed", tex=r"2kLD")
def last_printed(xp, k, L, D):
    """Part E is at most this value.

    Note: the 2 belongs into (48)
    Proof: twice the tight bound
    Source: olu, (50)
    """
    return 2 * k * L * D


@last.form("tight", tex=r"kLD")
def last_tight(xp, k, L, D):
    """Part E is at most this value.

    Note: gradients along the diameter attain it
    Proof: Cauchy-Schwarz, |grad| <= L and distances up to D; attained
    """
    return k * L * D
