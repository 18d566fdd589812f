"""Theorem 2(i) of safe: the error of one round, printed, and what Lipschitz risks give."""

import math

import numpy as np
import scipy

from bounds import Edit, Hypothesis, Plot, Statement
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.safe.symbols import D, K, T, U, W, d, phi
from bounds.safe.theorem_2_ii import step_length

PHI = math.sqrt(2 * math.log(1.25e5))
statement = Statement(
    "safe.thm2i",
    "Theorem 2(i)",
    "inequality",
    words="The expected error of each round is O(sqrt T); its proof gives "
    "(9K/2) U W^{3/2} sqrt T + U sqrt(W)/(K sqrt T).",
    left=r"\mathbb{E}\left[R_t(w_t)-R_t(w_t^*)\right]",
    symbols=(U, W, K, T, D, d, phi),
    plot=Plot(
        "T",
        (1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1000.0, 10_000.0),
        {"U": 1.0, "W": 1.0, "K": 1.0, "D": 0.0, "d": 100, "phi": PHI},
        log_x=True,
    ),
    quantity="expected error of a round",
    correction="U sqrt((D_t + gamma)^2 + d phi): O(1) in T. O(sqrt T) is weaker than 2UW.",
)
statement.interpreted_as(
    "literal", "|w| <= W for every model, w_t as well, and Gaussian b_t", {"printed": "<="}
)
statement.interpreted_as(
    "useful", "no noise, |w_t| <= W, and a bound below 2UW", {"printed": "<="}, stance="amended"
)
statement.interpreted_as(
    "silent",
    "no noise, |w_t| <= W",
    stance="amended",
    where=(
        Hypothesis("no noise", sets={"phi": lambda: 0.0}),
        Hypothesis(
            "the step leads nowhere outside the ball |w_t| <= W",
            lambda D, W, T, K: D + np.sqrt(W / T) / K <= 2 * W,
        ),
    ),
)
statement.interpreted_as("models", "|w_0|, |w_t*| <= W; Gaussian b_t of variance phi")
statement.interpreted_as(
    "constants",
    "O(sqrt T) with a constant that may depend on U, W, K, d and phi; as a "
    "bound in T alone it says nothing, since the error is O(1)",
    {"printed": "<="},
)
convex = Statement(
    "safe.thm2i.convex",
    "Theorem 2(i), convex risks and exact gradients",
    "inequality",
    words="For convex R_t and g_t its gradient at w_0 the expected error is at most "
    "U sqrt(D_t^2 + gamma^2 + d phi).",
    left=statement.left,
    symbols=(U, W, K, T, D, d, phi),
    quantity="expected error of a round",
)
convex.interpreted_as("literal", "convex U-Lipschitz R_t, g_t = grad R_t(w_0)")
arithmetic = Statement(
    "safe.thm2i.arithmetic",
    "Theorem 2(i), last equality of the proof",
    "equality",
    words="U/(2 gamma) [4W^2 + 4W^2 + gamma^2 + W^2] = "
    "(9K/2) U W^{3/2} sqrt T + U sqrt(W)/(K sqrt T).",
    left=r"\frac{U}{2\gamma}\left[4W^2+4W^2+\gamma^2+W^2\right]",
    symbols=(U, W, K, T),
    plot=Plot("T", (1.0, 2.0, 4.0, 10.0, 100.0), {"U": 1.0, "W": 1.0, "K": 0.2}, log_x=True),
    quantity="left side",
    correction="U sqrt(W)/(2 K sqrt(T)) for the last term. The bound is still at least 3/2 of 2UW, "
    "whatever K, W and T are.",
)
arithmetic.interpreted_as(
    "literal",
    "gamma = sqrt(W)/(K sqrt T)",
    edits={"printed": Edit("U gamma/2 is U sqrt(W)/(2 K sqrt T)", r"{K\sqrt{T}}", r"{2K\sqrt{T}}")},
)
_NARROW = 1e-3  # phi/(A^2 + d phi) below which the law of the distance is narrow
_ORDER = 20


def mean_distance(A: Array, d: Array, phi: Array) -> Array:
    """E|A e + N(0, phi I_d)|, e a unit vector: the mean of a non-central chi law."""
    size = np.hypot(A, np.sqrt(d * phi))
    some = np.where(size > 0, size, 1.0)
    t, far = (np.sqrt(phi) / some) ** 2, (A / some) ** 2
    wide = t > _NARROW
    x, b = (np.where(wide, y, 1.0) for y in (far / np.where(wide, 2 * t, 1.0), d / 2))
    spread = (
        np.sqrt(2 * np.where(wide, t, 0.0))
        * scipy.special.poch(b, 0.5)
        * scipy.special.hyp1f1(-0.5, b, -x)
    )
    # From d = 100 on hyp1f1 overflows where A is far, and the law narrow enough for the series.
    return np.asarray(size * np.where(wide & np.isfinite(spread), spread, _narrow(t, far)))


def _narrow(t: Array, far: Array) -> Array:
    """E sqrt(Y) for Y = |A e + sqrt(t) Z|^2 with mean 1, |A|^2 = far, in powers of small t.

    The cumulants are 2^(n-1) (n-1)! t^(n-1) (1 + (n-1) far); Taylor's series of the root about 1.
    """
    moments: list[Array] = [np.ones_like(t), np.zeros_like(t)]
    cumulants = [np.zeros_like(t)] * 2
    total, share = np.ones_like(t), 0.5
    for n in range(2, _ORDER + 1):
        share *= (1.5 - n) / n
        cumulants.append(math.factorial(n - 1) * (2 * t) ** (n - 1) * (1 + (n - 1) * far))
        parts = (math.comb(n - 1, k - 1) * cumulants[k] * moments[n - k] for k in range(2, n + 1))
        moments.append(np.asarray(sum(parts)))
        total = total + share * moments[n]
    return total


@statement.form(
    "printed", tex=r"\frac{9K}{2}UW^{\frac{3}{2}}\sqrt{T}+U\frac{\sqrt{W}}{K\sqrt{T}}=O(\sqrt{T})"
)
def printed(xp, U, W, K, T):
    """The expected error is at most this value, says safe.

    2UW follows from the gradients alone where |w_t| <= W; with Gaussian noise, whose size is not in
    it, it is false.

    Note: at least 3/sqrt(2) times 2UW, whatever K, W and T; no noise in it
    Proof (silent): 2UW, as 9x/4 + 1/(2x) >= 3/sqrt(2) for x = K sqrt(WT)
    Proof (constants): The gradient is at most U, so that the error is at most U E|w_t - w_t*|, and
        |w_0 - w_t*| <= 2W. By Jensen it is at most U sqrt((2W + gamma)^2 + d phi), which falls in T
        and so is at most its value at T = 1 times sqrt T.
    Fails (literal): ‖w_t‖ ≤ W is assumed of every model, but w_t contains Gaussian noise, which
        leaves every ball: at W = {W} and variance {phi} with probability {measured}. So no run of
        Algorithm 1 meets the hypothesis.
    Fails (useful): Without noise the bound U on the gradients alone gives 2UW. The bound with its
        constants is never less than 3/√2 = {measured} times that, whatever K, W and T are.
    Fails (models): Where W bounds w₀ and w_t* alone, the noise adds an error of order √(d φ), which
        the bound lacks: at d = {d} the expected error of R_t = ‖w‖ is {measured} in a round, and
        the bound is {bound}.
    Source: safe, Theorem 2(i) and the last line of its proof
    """
    return 9 * K / 2 * U * W ** xp.rational(3, 2) * xp.sqrt(T) + U * step_length(xp, W, K, T)


@statement.form("corrected", tex=r"U\sqrt{(D_t+\gamma)^2+d\phi_t}")
def corrected(xp, U, W, K, T, D, d, phi):
    """The expected error is at most this value for every U-Lipschitz risk.

    Note: equality without noise where the step leads away from w_t*
    Proof (silent): R_t is U-Lipschitz and |w_t - w_t*| <= D_t + gamma + |b_t|
    Proof (models): R_t is U-Lipschitz and |w_t - w_t*| <= D_t + gamma + |b_t|, Jensen
    """
    return U * xp.hypot(D + step_length(xp, W, K, T), xp.sqrt(d * phi))


@statement.form(
    "tight",
    tex=r"U\sqrt{2\phi}\,\frac{\Gamma((d+1)/2)}{\Gamma(d/2)}\,"
    r"{}_1F_1\!\left(-\tfrac12;\tfrac d2;-\tfrac{(D_t+\gamma)^2}{2\phi}\right)",
)
def tight(xp, U, W, K, T, D, d, phi):
    """The expected error is at most this value, with the noise's mean in place of Jensen.

    Note: U E|w_t - w_t*|: attained by R_t = U|w - w_t*| and a step away from w_t*
    Proof: R_t is U-Lipschitz and |w_t - w_t*| <= D_t + gamma + |b_t|
    """
    A = D + step_length(xp, W, K, T)

    def spread():
        kummer = xp.hyp1f1(-xp.rational(1, 2), d / 2, -(A**2) / (2 * phi))
        return xp.sqrt(2 * phi) * xp.gamma_ratio(d) * kummer

    return U * xp.where(phi > 0, spread, A)


@tight.numeric
def _(U: Array, W: Array, K: Array, T: Array, D: Array, d: Array, phi: Array) -> Array:
    return U * mean_distance(D + step_length(numeric, W, K, T), d, phi)


@convex.form("corrected", tex=r"U\sqrt{D_t^2+\gamma^2+d\phi_t}")
def descent(xp, U, W, K, T, D, d, phi):
    """The expected error is at most this value for convex R_t, if g_t is its gradient at w_0.

    Note: the step does not lead away from w_t*: g_t.(w_0 - w_t*) >= 0
    Proof: g_t.(w_0 - w_t*) >= 0: the step is not led away
    """
    return U * xp.sqrt(D**2 + step_length(xp, W, K, T) ** 2 + d * phi)


@arithmetic.form("printed", tex=r"\frac{9K}{2}UW^{\frac{3}{2}}\sqrt{T}+U\frac{\sqrt{W}}{K\sqrt{T}}")
def twice(xp, U, W, K, T):
    """The left side equals this value, says safe; its last term is twice what it should be.

    Note: U/(2 gamma) times gamma^2 is U gamma/2
    Fails: (U/2γ)·γ² is Uγ/2 = U√W/(2K√T): the last term lacks a factor ½. At U = {U}, W = {W}, K =
        {K}, T = {T} the left side is {measured}, the right one {bound}.
    Source: safe, Theorem 2(i), last equality of the proof
    """
    return 9 * K / 2 * U * W ** xp.rational(3, 2) * xp.sqrt(T) + U * step_length(xp, W, K, T)


@arithmetic.form(
    "corrected", tex=r"\frac{9K}{2}UW^{\frac{3}{2}}\sqrt{T}+U\frac{\sqrt{W}}{2K\sqrt{T}}"
)
def once(xp, U, W, K, T):
    """The left side equals this value; still at least 3/2 of 2UW for every K, W and T.

    Proof: gamma = sqrt(W)/(K sqrt T) put into both terms
    """
    return 9 * K / 2 * U * W ** xp.rational(3, 2) * xp.sqrt(T) + U * step_length(xp, W, K, T) / 2
