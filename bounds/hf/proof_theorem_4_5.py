"""(56) and (59) of hf: the steps of the proof of Theorem 4.5 with a formula of their own."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol
from bounds.hf.lemma_a_4 import kept
from bounds.hf.symbols import L, M, curvatures, d, error, lam_positive, m, n, sigma

distance = Symbol(
    "distance", "expected distance from the minimiser", r"\mathbb{E}R", low=0, unit="parameter"
)


def chi_mean(xp, d):
    """E|xi| of a standard Gaussian in d dimensions, at most sqrt(d)."""
    return xp.sqrt(2) * xp.gamma_ratio(d)


released = Statement(
    "hf.eq56",
    "(56)",
    "inequality",
    words="E[F(w~) - F(w*)] <= L E|w~ - w^| + 4L^2/(lam(n - m)).",
    left=r"\mathbb{E}[F(\tilde{\mathbf{w}}^{-U}_{E,B})-F(\mathbf{w}^*)]",
    reads={
        r"\|\tilde{\mathbf{w}}_{E,B}-\hat{\mathbf{w}}^{-U}\|": "distance",
        r"\|\bar{\mathbf{w}}-\hat{\mathbf{w}}^{-U}\|": "distance",
    },
    symbols=(L, lam_positive, M, distance, sigma, d, n, m),
    requires=(kept, curvatures),
    plot=Plot(
        "sigma",
        tuple(np.linspace(0, 12, 25).tolist()),
        {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "n": 101, "m": 1, "distance": 0.1},
        log_y=False,
    ),
    quantity="expected excess risk",
    correction="L E|w_T + a - w^| + M d sigma^2/2 + L^2/(lam(n - m + 1)).",
)
released.interpreted_as(
    "literal", "losses as in Assumption 4.4 on W; w~ = w_T + a + noise leaves W"
)
released.interpreted_as(
    "lipschitz",
    "losses that are L-Lipschitz on all of R^d, strongly convex on W",
    {"printed": "<="},
    stance="amended",
)


@released.form(
    "printed",
    tex=r"\mathbb{E}[L\|\tilde{\mathbf{w}}_{E,B}-\hat{\mathbf{w}}^{-U}\|]+\frac{4L^2}{\lambda(n-m)}",
)
def lipschitz(xp, L, lam, distance, n, m):
    """The excess risk of the released model is at most this value, distance = E|w~ - w^|.

    Holds where the losses are L-Lipschitz along the noise; false otherwise.

    Note: noise leaves every set on which the losses are Lipschitz
    Proof (lipschitz): L-Lipschitz F, and Lemma A.4
    Fails (literal): The noise carries w̃ out of the set W on which the losses are L-Lipschitz, and
        outside they grow like |w|². At σ = {sigma}, d = {d} the excess is {measured}, where (56)
        says at most {bound}.
    Source: hf, (56)
    """
    return L * distance + 4 * L**2 / (lam * (n - m))


@released.form(
    "corrected",
    tex=r"L\,\mathbb{E}\|\bar{\mathbf{w}}-\hat{\mathbf{w}}^{-U}\|+\frac{Md\sigma^2}{2}"
    r"+\frac{L^2}{\lambda(n-m+1)}",
)
def smooth(xp, L, lam, M, distance, sigma, d, n, m):
    """The excess risk is at most this value, distance = E|w_T + a - w^| before the noise.

    Note: Lipschitz before the noise (w-bar in W), smooth along it
    Proof: M-smoothness along the noise, Lipschitz before it
    """
    return L * distance + M * d * sigma**2 / 2 + L**2 / (lam * (n - m + 1))


noisy = Statement(
    "hf.eq59",
    "(59)",
    "inequality",
    words="E|w~ - v_T| = E|w_T + a - v_T| + E|sigma|.",
    left=r"\mathbb{E}\|\tilde{\mathbf{w}}^{-U}_{E,B}-\mathbf{w}^{-U}_{E,B}\|",
    reads={
        r"\|\Delta\|": "error",
        r"\|\mathbf{w}_{E,B}+\mathbf{a}_{E,B}^{-U}-\mathbf{w}_{E,B}^{-U}\|": "error",
        r"\|\sigma\|": r"\sigma\mathbb E\chi_d",
    },
    symbols=(error, sigma, d),
    plot=Plot(
        "sigma", tuple(np.linspace(0.01, 3, 25).tolist()), {"error": 1.0, "d": 1}, log_y=False
    ),
    quantity="expected distance from the retrained model",
    correction="<= for the first =.",
)
noisy.interpreted_as(
    "literal",
    "noise N(0, sigma^2 I) independent of the rest",
    edits={"printed": Edit("<= for =", " = E|w_T", " <= E|w_T")},
)


@noisy.form(
    "printed",
    tex=r"\mathbb{E}[\|\mathbf{w}_{E,B}+\mathbf{a}_{E,B}^{-U}-\mathbf{w}_{E,B}^{-U}\|]+"
    r"\mathbb{E}[\|\sigma\|]",
)
def equal(xp, error, sigma, d):
    """The expected distance equals this value. False (typo): at most.

    Note: as an equality
    Fails: Norms of sums are at most the sums of norms, so that the first = should be ≤: at σ =
        {sigma}, d = {d} and an error of {error} the expected distance is {measured}, the right side
        {bound}.
    Source: hf, (59)
    """
    return error + sigma * chi_mean(xp, d)


@noisy.form("corrected", tex=r"\|\Delta\|+\sigma\,\mathbb{E}\chi_d")
def at_most(xp, error, sigma, d):
    """The expected distance is at most this value.

    Note: the same, as a bound
    Proof: triangle inequality for the two summands
    Equality: where either part is 0
    """
    return error + sigma * chi_mean(xp, d)


split = Statement(
    "hf.eq55",
    "(55)",
    "equality",
    words="E[F(w^_{E,B}) - F(w*)] = E[F(w^_{E,B}) - F(w^)] + E[F(w^) - F(w*)].",
    correction="w~^{-U}_{E,B} on both sides.",
)
split.interpreted_as(
    "literal",
    "w^_{E,B} is defined nowhere; (56) goes on with w~_{E,B}",
    {"printed": "==", "corrected": "=="},
    proofs={"corrected": "adding and subtracting F(w^)"},
    edits={"printed": Edit("w~ for the hatted w_{E,B}", "w^_{E,B}", "w~", everywhere=True)},
    fails={
        "printed": "ŵ with the indices E, B is defined nowhere. (56) goes on with w̃ in its "
        "place, the model released with noise, which must be meant on both sides."
    },
)

triangle = Statement(
    "hf.eq57",
    "(57)",
    "inequality",
    quantity="norm of the sum",
    words="w~ - w_T + w_T - w^ || <= |w~ - w_T| + |w_T - w^|, the first bar missing.",
    correction="|| w~ - w_T + w_T - w^ || on the left.",
)
triangle.interpreted_as(
    "literal",
    "vectors",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "triangle inequality for the two summands"},
    edits={"printed": Edit("a norm around the left side", "w~ - w_T + w_T", "|| w~ - w_T + w_T")},
    fails={
        "printed": "The opening bars of the norm on the left are missing, so that a vector is "
        "compared with a number. With them it is the triangle inequality."
    },
)
