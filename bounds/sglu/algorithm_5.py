"""Algorithm 5 of sglu: the least number of unlearning epochs that meets a target epsilon."""

import numpy as np

from accounting.gaussian import mu_gdp
from accounting.renyi import rho_weak_triangle
from bounds.forms import Array
from bounds.readings import Reading
from bounds.sglu.descent import epsilon_positive
from bounds.sglu.symbols import J, M, R, T, b, contractive, delta, eta, m_positive, sigma
from bounds.statements import Plot, Statement

MNIST = {"eta": 1 / 0.261264, "m": 0.011264, "M": 1.0, "b": 11264, "J": 1}
statement = Statement(
    "sglu.alg5",
    "Algorithm 5",
    "algorithm",
    words="The least number of unlearning epochs whose bound by Theorem 3.2 and "
    "Proposition K.2 is at most the target epsilon.",
    left=r"\min\{K:\epsilon_K\le\hat\epsilon\}",
    symbols=(epsilon_positive, delta, sigma, eta, m_positive, M, b, J, T, R),
    requires=(contractive,),
    readings=(
        Reading(
            "literal",
            "least K of the paper's own bound; learning took T epochs in a ball of radius R",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "the bound falls with K; its minimum over alpha is explicit"},
        ),
        Reading(
            "convergent",
            "least K of the exact accounting, learning converged",
            {"tight": "<="},
            proofs={"tight": "the linear instance meets the target, and misses it with K - 1"},
            stance="repair",
        ),
        Reading(
            "loop",
            "the value that the printed lines return, run one by one",
            {"printed": "<="},
            proofs={"printed": "the bound falls with K; its minimum over alpha is explicit"},
            stance="part",
        ),
    ),
    plot=Plot(
        "sigma",
        (0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1),
        {**MNIST, "epsilon": 1, "delta": 1 / 11264, "T": 1000, "R": 100},
        log_x=True,
        log_y=False,
    ),
    quantity="unlearning epochs",
    correction="Test before increasing K; 2R c^{Tn/b} belongs into Z (line 6), capped by 2R.",
)


def least_epochs(Z: Array, tau: Array, log_c: Array, J: Array) -> Array:
    """Least K >= 1 with Z c^{KJ} <= tau, the comparison decided after rounding K."""

    def remaining(K: Array) -> Array:
        return np.asarray(Z * np.exp(K * J * log_c))

    with np.errstate(divide="ignore", over="ignore"):
        guess = np.maximum(1.0, np.ceil(np.log(Z / tau) / (-J * log_c)))
    guess = np.where((guess > 1) & (remaining(guess - 1) <= tau), guess - 1, guess)
    return np.where(remaining(guess) > tau, guess + 1, guess)


def learned_distance(eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array) -> Array:
    """Z_T = (1 - c^{TJ})/(1 - c^J) 2 eta M/b; T may be inf."""
    log_c = np.log1p(-eta * m)
    with np.errstate(invalid="ignore"):
        grown = np.where(T == 0, 0.0, -np.expm1(T * J * log_c))
    return np.asarray(2 * eta * M / b * grown / -np.expm1(J * log_c))


def leftover(eta: Array, m: Array, J: Array, T: Array, R: Array) -> Array:
    """2 R c^{TJ}, what is left of the initial distance after learning; 0 at T = inf."""
    with np.errstate(invalid="ignore"):
        power = np.where(T == 0, 1.0, np.exp(T * J * np.log1p(-eta * m)))
        return np.where(power == 0, 0.0, 2 * R * power)


def epsilon_line_9(
    k: Array, delta: Array, sigma: Array, eta: Array, m: Array, M: Array, b: Array, J: Array,
    T: Array, R: Array,
) -> Array:  # fmt: skip
    """The epsilon that lines 4 to 9 compute for k epochs, minimised over alpha in closed form.

    With a = ((2R)^2 c^{2TJ} + Z^2 c^{2kJ})/(2 eta sigma^2) and B = 2R c^{TJ} (added to eps_2 as
    printed) the minimum is 3a + B + 2 sqrt(2a (a + B/2 + log(1/delta))).
    """
    extra = leftover(eta, m, J, T, R)
    Z = learned_distance(eta, m, M, b, J, np.asarray(np.inf))
    decay = np.exp(2 * k * J * np.log1p(-eta * m))
    a = (extra**2 + Z**2 * decay) / (2 * eta * sigma**2)
    return np.asarray(3 * a + extra + 2 * np.sqrt(2 * a * (a + extra / 2 - np.log(delta))))


def _least(
    Z: Array, lost: Array, extra: Array, epsilon: Array, delta: Array, sigma: Array, eta: Array,
    m: Array, J: Array,
) -> Array:  # fmt: skip
    """Least k >= 1 with Z^2 c^{2kJ} + lost^2 within the budget; inf where no k is enough.

    `extra` is charged on top of the Rényi curve: it leaves epsilon - extra and multiplies delta by
    exp(-extra/2).
    """
    left, shrunk = epsilon - extra, delta * np.exp(-extra / 2)
    possible = (left > 0) & (shrunk > 0)
    rho = rho_weak_triangle(np.where(possible, left, 1.0), np.where(possible, shrunk, delta))
    room = 2 * eta * sigma**2 * rho - lost**2
    possible &= room > 0
    tau = np.sqrt(np.where(possible, room, 1.0))
    return np.where(possible, least_epochs(Z, tau, np.log1p(-eta * m), J), np.inf)


@statement.form(
    "printed",
    tex=r"\textbf{while }\epsilon>\hat\epsilon:\ \epsilon=\min_{\alpha>1}[\varepsilon(\alpha)"
    r"+\log(1/\delta)/(\alpha-1)];\ K=K+1;\quad\textbf{return }K",
    note="tests k, then returns k + 1; adds 2R c^{Tn/b} to epsilon instead of to Z",
)
def printed(
    epsilon: Array, delta: Array, sigma: Array, eta: Array, m: Array, M: Array, b: Array, J: Array,
    T: Array, R: Array,
) -> Array:  # fmt: skip
    """What the printed loop returns: one more than the least k; inf where it never ends.

    Source: sglu, Algorithm 5.
    """
    extra = leftover(eta, m, J, T, R)
    Z = learned_distance(eta, m, M, b, J, np.asarray(np.inf))
    return np.asarray(_least(Z, extra, extra, epsilon, delta, sigma, eta, m, J) + 1)


@statement.form(
    "corrected",
    tex=r"\min\{K\ge1:\epsilon_K\le\hat\epsilon\},\quad"
    r" Z=\min\big(2R,\,2Rc^{Tn/b}+\tfrac{1-c^{Tn/b}}{1-c^{n/b}}\tfrac{2\eta M}{b}\big),\ "
    r"\epsilon_K=\min_{\alpha>1}\Big[\frac{\alpha(2\alpha-1)}{\alpha-1}"
    r"\frac{(2Rc^{Tn/b})^2+Z^2c^{2Kn/b}}{2\eta\sigma^2}+\frac{\log(1/\delta)}{\alpha-1}\Big]",
    note="Theorem 3.2's own bound, tested before K grows",
)
def corrected(
    epsilon: Array, delta: Array, sigma: Array, eta: Array, m: Array, M: Array, b: Array, J: Array,
    T: Array, R: Array,
) -> Array:  # fmt: skip
    """Least K >= 1 for which Theorem 3.2 and Proposition K.2 give epsilon at delta."""
    lost = leftover(eta, m, J, T, R)
    Z = np.minimum(lost + learned_distance(eta, m, M, b, J, T), 2 * R)
    return _least(Z, lost, np.zeros_like(lost), epsilon, delta, sigma, eta, m, J)


@statement.form(
    "tight",
    tex=r"\min\{K\ge1: Zc^{KJ}\sqrt{1-c^2}\le\mu^*(\epsilon,\delta)\sqrt{2\eta}\,\sigma\}",
    note="exact accounting of converged learning (T = inf)",
)
def tight(
    epsilon: Array, delta: Array, sigma: Array, eta: Array, m: Array, M: Array, b: Array, J: Array
) -> Array:
    """Least K >= 1 that gives (epsilon, delta) from the stationary law, attained by quadratics."""
    Z = learned_distance(eta, m, M, b, J, np.asarray(np.inf))
    tau = mu_gdp(epsilon, delta) * sigma * np.sqrt(2 / (m * (2 - eta * m)))
    return least_epochs(Z, tau, np.log1p(-eta * m), J)
