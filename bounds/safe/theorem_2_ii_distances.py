"""The regret of SAFE between two bounds in the distances D_t = |w_0 - w_t*|."""

from bounds import Statement, Symbol
from bounds.safe.symbols import U, d, gamma, mu, phi

distances = Symbol(
    "D", "distances |w_0 - w_t*|, one for each round", "D_t", low=0, kind="list", unit="parameter"
)
smoothness = Symbol(
    "Ls", "smoothness of the risks", "L_s", low=0, low_open=True, unit="loss/parameter^2"
)
path = Statement(
    "safe.thm2ii.path",
    "Theorem 2(ii), from the distances",
    "inequality",
    words="For U-Lipschitz risks SAFE's expected regret is at most "
    "U sum sqrt((D_t + gamma)^2 + d phi).",
    left=r"\mathbb{E}\sum_t\left(R_t(w_t)-R_t(w_t^*)\right)",
    symbols=(U, distances, gamma, d, phi),
    quantity="expected regret",
)
path.interpreted_as("literal", "any U-Lipschitz risks")
smooth = Statement(
    "safe.thm2ii.smooth",
    "Theorem 2(ii), smooth risks",
    "inequality",
    words="For L_s-smooth risks SAFE's expected regret is at most "
    "(L_s/2) sum [(D_t + gamma)^2 + d phi].",
    left=path.left,
    symbols=(smoothness, distances, gamma, d, phi),
    quantity="expected regret",
)
smooth.interpreted_as("literal", "any L_s-smooth risks with minimisers w_t*")
below = Statement(
    "safe.thm2ii.below",
    "Theorem 2(ii), from below",
    "inequality",
    words="For mu-strongly convex risks SAFE's expected regret is at least "
    "(mu/2) sum [(D_t - gamma)_+^2 + d phi].",
    left=path.left,
    symbols=(mu, distances, gamma, d, phi),
    quantity="expected regret",
)
below.interpreted_as("literal", "any mu-strongly convex risks", {"tight": ">="})


@path.form("tight", tex=r"U\sum_t\sqrt{(D_t+\gamma)^2+d\phi}")
def lipschitz(xp, U, D, gamma, d, phi):
    """SAFE's expected regret is at most this value for U-Lipschitz risks, convex or not.

    Note: attained without noise by R_t = U|w - w_t*| and steps away from w_t*
    Proof: Lipschitz, Jensen, E|a - b|^2 = |a|^2 + d phi
    """
    return U * xp.over(lambda _, D_t: xp.sqrt((D_t + gamma) ** 2 + d * phi), D)


@smooth.form("tight", tex=r"\frac{L_s}{2}\sum_t\left[(D_t+\gamma)^2+d\phi\right]")
def above(xp, Ls, D, gamma, d, phi):
    """SAFE's expected regret is at most this value for L_s-smooth risks, convex or not.

    Note: attained by isotropic quadratics and steps away from w_t*
    Proof: R_t(w) - R_t(w_t*) <= (L_s/2)|w - w_t*|^2
    """
    return Ls / 2 * xp.over(lambda _, D_t: (D_t + gamma) ** 2 + d * phi, D)


@below.form("tight", tex=r"\frac{\mu}{2}\sum_t\left[(D_t-\gamma)_+^2+d\phi\right]")
def least(xp, mu, D, gamma, d, phi):
    """SAFE's expected regret is at least this value for mu-strongly convex risks.

    It moves by gamma and no farther, so that its regret is o(T) only if the stream returns to w_0
    and the noise vanishes.

    Note: attained by isotropic quadratics and steps towards w_t*
    Proof: R_t(w) - R_t(w_t*) >= (mu/2)|w - w_t*|^2, |w_t + b_t - w_0| = gamma
    """
    return mu / 2 * xp.over(lambda _, D_t: xp.maximum(D_t - gamma, 0) ** 2 + d * phi, D)
