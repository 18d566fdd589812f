"""Algorithm 4 of sglu: binary search for the noise that a budget of unlearning epochs needs."""

import numpy as np

from bounds.formula import Array, Formula
from bounds.sglu import algorithm_5, ladder
from bounds.sglu.descent import epsilon_positive
from bounds.sglu.symbols import J, M, R, T, b, contractive, delta, eta, m_positive
from bounds.symbols import Symbol

TOLERANCE = 1e-8

formula = Formula(
    id="sglu.alg4",
    label="Algorithm 4",
    left=r"\min\{\sigma:\epsilon_{\hat K}(\sigma)\le\hat\epsilon\}",
    symbols=(
        epsilon_positive,
        delta,
        Symbol("K", "budget of unlearning epochs", r"\hat K", low=1, kind="integer"),
        eta,
        m_positive,
        M,
        b,
        J,
        T,
        R,
        Symbol(
            "sigma_high", "upper end of the search", r"\sigma_{\text{high}}", low=0, low_open=True
        ),
    ),
    requires=(contractive,),
)


@formula.form(
    "printed",
    tex=r"\textbf{while }\sigma_{\text{high}}-\sigma_{\text{low}}>10^{-8}:\ "
    r"K\le\hat K\ ?\ \sigma_{\text{high}}=\sigma_{\text{mid}}:\sigma_{\text{low}}"
    r"=\sigma_{\text{mid}};\quad\textbf{return }K",
    note="returns a number of epochs, not a noise",
)
def printed(
    epsilon: Array, delta: Array, K: Array, eta: Array, m: Array, M: Array, b: Array, J: Array,
    T: Array, R: Array, sigma_high: Array,
) -> Array:  # fmt: skip
    """What line 11 returns: the K that Algorithm 5 as printed found at the last midpoint.

    Source: sglu, Algorithms 4 and 5, from sigma_low = 0; inf where Algorithm 5 never ends there.
    """
    inputs = np.broadcast_arrays(epsilon, delta, K, eta, m, M, b, J, T, R, sigma_high)
    epsilon, delta, K, eta, m, M, b, J, T, R, high = inputs
    low, last = np.zeros(high.shape), np.full(high.shape, np.inf)
    while (wide := high - low > TOLERANCE).any():
        middle = (low + high) / 2
        stuck = (middle <= low) | (middle >= high)
        found = algorithm_5.printed.value(epsilon, delta, middle, eta, m, M, b, J, T, R)
        last = np.where(wide, found, last)
        high = np.where(wide & (found <= K), middle, high)
        low = np.where(wide & ~(found <= K), middle, low)
        if not (wide & ~stuck).any():
            break
    return last


@formula.form(
    "corrected",
    tex=r"\sigma=\frac{Zc^{Kn/b}}{\sqrt{2\eta\,\rho}},\quad"
    r"\rho=\frac{\epsilon^2}{B+\sqrt{B^2-\epsilon^2}},\ B=3\epsilon+4\log\tfrac1\delta",
    note="the printed bound of converged learning, inverted in closed form",
)
def corrected(
    epsilon: Array, delta: Array, K: Array, eta: Array, m: Array, M: Array, b: Array, J: Array
) -> Array:
    """Noise that the paper's bound needs for K epochs, learning converged.

    Source: sglu, Algorithms 4 and 5 repaired: sigma is returned, and K itself is tested.
    """
    return ladder.printed(epsilon, delta, eta, m, M, b, J, K)


@formula.form(
    "tight",
    tex=r"\sigma=\frac{Zc^{Kn/b}\sqrt{(1-c^2)/(2\eta)}}{\mu^*(\epsilon,\delta)}",
    note="achievable and necessary over the class of Remark 3.7, projection inactive",
)
def tight(
    epsilon: Array, delta: Array, K: Array, eta: Array, m: Array, M: Array, b: Array, J: Array
) -> Array:
    """Least noise that gives (epsilon, delta) after K epochs, learning converged."""
    return ladder.exact(epsilon, delta, eta, m, M, b, J, K)
