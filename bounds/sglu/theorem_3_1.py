"""Theorem 3.1 of sglu (also Prop. C.1, Thm. C.2): the epoch chain forgets its start."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import R_finite, d, eta, sigma

G = Symbol("G", "largest norm of a batch gradient on the domain", "G", low=0, unit="loss/parameter")
t = Symbol("t", "epochs", "t", low=0, kind="integer", infinite=True)

statement = Statement(
    "sglu.thm3.1",
    "Theorem 3.1",
    "equality",
    words="On a bounded convex domain with continuous gradients the epoch chain has one "
    "invariant law and converges to it from every point.",
    quote="for any fixed mini-batch sequence B admits a unique invariant probability measure "
    "nu_{D|B}",
    left=r"\sup_x \|P^t(x,\cdot)-\nu_{\mathcal D|\mathcal B}\|_{TV}",
    reads={r"\mathrm{vol}(B_R)": r"\frac{\pi^{d/2}R^d}{\Gamma(d/2+1)}"},
    symbols=(R_finite, eta, G, sigma, d, t),
    aliases=("sglu.propC.1", "sglu.thmC.2"),
    plot=Plot(
        "t", tuple(map(float, range(1, 15))), {"R": 1, "eta": 0.5, "G": 1, "sigma": 0.8, "d": 1}
    ),
    quantity="total variation distance to the invariant law",
    correction='"P(x_t in A infinitely often) = +inf" should read = 1; batches are numbered '
    "0..n/b - 1; convexity is not needed.",
)
statement.interpreted_as(
    "literal",
    "bounded domain, continuous gradients, fixed batches; convergence with a rate",
    {"corrected": "<="},
)


def log_kappa(xp, R, eta, G, sigma, d):
    """log of kappa = vol(B_R) (2 pi s^2)^{-d/2} exp(-(2R + eta G)^2/(2 s^2)), s^2 = 2 eta sigma^2.

    From any point the last step of an epoch has a density of at least kappa/vol(B_R) on the ball.
    """
    variance = 2 * eta * sigma**2
    volume = d / 2 * xp.log(R**2 / (2 * variance)) - xp.log_gamma(d / 2 + 1)
    return volume - (2 * R + eta * G) ** 2 / (2 * variance)


@statement.form(
    "corrected",
    tex=r"(1-\kappa)^t,\quad \kappa=\mathrm{vol}(B_R)(2\pi s^2)^{-d/2}"
    r"e^{-(2R+\eta G)^2/(2s^2)},\ s^2=2\eta\sigma^2",
)
def corrected(xp, R, eta, G, sigma, d, t):
    """Total variation distance to the invariant law after t epochs is at most this value.

    Convexity is not used. Empty at the paper's scale, where kappa is below 1e-400000: use Lemma 3.6
    there.

    Note: the paper states weak convergence; Doeblin's condition gives total variation and a rate
    Proof: P(x, .) >= kappa Unif(C_R) for every x (Doeblin)
    Source: sglu, Theorem 3.1, which states the limit only
    """
    kappa = xp.exp(log_kappa(xp, R, eta, G, sigma, d))
    return xp.decay(xp.minimum(kappa, 1), t)
