"""Theorem 4.5 of hf: excess population risk of the unlearned model."""

from typing import Any

from bounds import Interpretation, Plot, Statement, Symbol
from bounds.hf.equation_41 import q_below
from bounds.hf.lemma_a_4 import kept
from bounds.hf.proof_theorem_4_5 import chi_mean
from bounds.hf.series import classical, zeta
from bounds.hf.symbols import (
    B,
    C,
    E,
    L,
    M,
    d,
    delta,
    epsilon,
    error,
    eta,
    lam_positive,
    m,
    n,
    rho,
    sigma,
)
from bounds.hf.theorem_4_3 import K, in_floats

LEFT = r"\mathbb{E}[F(\tilde{\mathbf{w}}^{-U}_{E,B})-F(\mathbf{w}^*)]"
distance = Symbol(
    "distance", "retrained model to the minimiser over S minus U", "R_T", low=0, unit="parameter"
)
MODEL = (rho, E, B, lam_positive, M, L, d, epsilon, delta, eta, q_below, C, n, m)
CERTIFIED = (error, sigma, distance)

AT = {
    "rho": 0.6,
    "B": 1,
    "lam": 1.0,
    "M": 1.0,
    "L": 1.0,
    "d": 1,
    "epsilon": 1.0,
    "delta": 1e-05,
    "eta": 0.4,
    "q": 0.5,
    "C": 1.0,
    "n": 1000,
    "m": 1,
}
_SHARED: dict[str, Any] = {
    "left": LEFT,
    "requires": (kept, in_floats),
    "interpretations": (
        Interpretation(
            "literal",
            "rho = rho(eta_0) as in (47) and (58); decaying steps, U independent of the data; "
            "iterates and w_T + a in W, losses M-smooth or L-Lipschitz along the noise",
            {"printed": "<=", "corrected": "<="},
        ),
        Interpretation(
            "supremum",
            "rho = max_t rho_t; a problem with M smaller than the radius of W",
            {"printed": "<="},
            stance="amended",
        ),
    ),
    "plot": Plot(
        "E", tuple(map(float, range(0, 30))), {**AT, "error": 0.0, "sigma": 0.0, "distance": 0.4}
    ),
    "quantity": "expected excess risk",
    "correction": "L error + noise + L R_T + L^2/(lam(n - m + 1)), with R_T that does not vanish.",
}
statement = Statement(
    "hf.thm4.5",
    "Theorem 4.5 (16)",
    "asymptotic",
    words="E F(w~) - F(w*) = O(rho^T 2ML/lam + 4L^2/(lam(n - m)) + (sqrt(ln(1/delta))/eps) (2 "
    "sqrt(d) L eta^2 C/(1 - q)) zeta_T).",
    symbols=(*MODEL, K, *CERTIFIED),
    aliases=("hf.eq16",),
    growth={"L": "L**2"},
    **_SHARED,
)


def _noise(xp, L, M, d, sigma):
    return xp.minimum(M * d * sigma**2 / 2, L * sigma * chi_mean(xp, d))


def _certified(xp, L, lam, M, d, error, sigma, distance, n, m):
    return L * (error + distance) + _noise(xp, L, M, d, sigma) + L**2 / (lam * (n - m + 1))


@statement.form(
    "printed",
    tex=r"\mathcal{O}\Big(\rho^T\frac{2ML}{\lambda}+\frac{4L^2}{\lambda(n-m)}+"
    r"\frac{\sqrt{\ln(1/\delta)}}{\epsilon}\frac{2\sqrt{d}L\eta^2C}{1-q}\zeta_T^{-U}\Big)",
)
def printed(xp, rho, E, B, lam, M, L, d, epsilon, delta, eta, q, C, n, m, K=1):
    """The excess risk is at most this value.

    False for every K: for decaying steps it tends to a positive number, and the right side to 0.

    Note: O() read as a factor K
    Fails (literal): Decaying steps stop short of the minimum, so that the excess tends to a
        positive number, while with ρ = ρ(η_0) every term tends to 0 as T and n grow. At E = {E}, n
        = {n} it is {measured} before the noise, (16) with constant {K} is {bound}.
    Fails (supremum): For w²/2 on [-R, R] the first term grows like R and F(w) - F(w*) like R², so
        that no constant is enough for every problem: from R = {L}, after one step, the excess is
        {measured}, (16) with constant {K} is {bound}.
    Source: hf, Theorem 4.5 (16)
    """
    noise = xp.sqrt(-xp.log(delta)) / epsilon * xp.sqrt(d)
    first = rho ** ((E + 1) * B) * 2 * M * L / lam + 4 * L**2 / (lam * (n - m))
    return K * (first + noise * L * 2 * eta**2 * C * zeta(xp, rho, q, E, B))


@statement.form(
    "corrected",
    tex=r"L\bar\Delta+\min\Big(\frac{Md\sigma^2}{2},L\sigma\,\mathbb{E}\chi_d\Big)+LR_T+"
    r"\frac{L^2}{\lambda(n-m+1)}",
)
def corrected(xp, L, lam, M, d, error, sigma, distance, n, m):
    """The excess risk of w_T + a + N(0, sigma^2 I) is at most this value.

    Needs the iterates and w_T + a in W, |v_T - w_T - a| <= error, |v_T - w^| <= distance, and along
    the noise losses that are M-smooth (first alternative) or L-Lipschitz (second).

    Note: error from Theorem 4.3 (A)-(C), R_T from Lemma A.5 corrected, U independent of the data
    Proof: smooth or Lipschitz along the noise, Theorem 4.3 (A)/(B), Lemmas A.4 and A.5 corrected
    """
    return _certified(xp, L, lam, M, d, error, sigma, distance, n, m)


explicit = Statement(
    "hf.eq60",
    "(60)",
    "inequality",
    words="The same with constants: rho^T 2ML/lam + (sqrt(d) sqrt(2 ln(1.25/delta))/eps + 1) "
    "(2 L eta^2 C/(1 - q)) zeta_T + 4L^2/(lam(n - m)).",
    symbols=(*MODEL, *CERTIFIED),
    aliases=("hf.thm4.5 (60)",),
    **_SHARED,
)


@explicit.form(
    "printed",
    tex=r"\rho^T\frac{2ML}{\lambda}+\left(\frac{\sqrt{d}\sqrt{2\ln(1.25/\delta)}}{\epsilon}+1"
    r"\right)\frac{2L\eta^2C}{1-q}\zeta_T^{-U}+\frac{4L^2}{\lambda(n-m)}",
)
def constants(xp, rho, E, B, lam, M, L, d, epsilon, delta, eta, q, C, n, m):
    """The excess risk is at most this value. False.

    Note: with the three terms of zeta in the main text
    Fails (literal): Decaying steps stop short of the minimum, so that the excess tends to a
        positive number, while with ρ = ρ(η_0) every term tends to 0 as T and n grow. At E = {E}, n
        = {n} it is {measured} before the noise, (60) says at most {bound}.
    Fails (supremum): For w²/2 on [-R, R] the first term grows like R and F(w) - F(w*) like R²; the
        fault is 2M/λ in Lemma A.5, which is no length. From R = {L}, after one step, the excess is
        {measured}, (60) says at most {bound}.
    Source: hf, (60)
    """
    noise = xp.sqrt(d) * classical(xp, delta) / epsilon + 1
    first = rho ** ((E + 1) * B) * 2 * M * L / lam + 4 * L**2 / (lam * (n - m))
    return first + noise * L * 2 * eta**2 * C * zeta(xp, rho, q, E, B)


@explicit.form("corrected", tex=corrected.tex)
def certified(xp, L, lam, M, d, error, sigma, distance, n, m):
    """The excess risk is at most this value, as in Theorem 4.5.

    Note: error from Theorem 4.3 (A)-(C), R_T from Lemma A.5 corrected, U independent of the data
    Proof: smooth or Lipschitz along the noise, Theorem 4.3 (A)/(B), Lemmas A.4 and A.5 corrected
    """
    return _certified(xp, L, lam, M, d, error, sigma, distance, n, m)


forever = Statement(
    "hf.eq64",
    "(64)",
    "asymptotic",
    words="When T is large enough, the excess risk is O(4L^2/(lam(n - m))).",
    left=r"\lim_{T\to\infty}" + LEFT,
    symbols=(L, lam_positive, n, m, K),
    requires=(kept,),
    growth={"n": "1/n"},
    plot=Plot(
        "n", (10.0, 100.0, 1000.0, 10000.0, 1000000.0), {"L": 1.0, "lam": 1.0, "m": 1}, log_x=True
    ),
    quantity="expected excess risk after 200 steps",
    correction="The excess tends to that of the floor (eta lam; q)_inf of Lemma A.5.",
)
forever.interpreted_as("literal", "eta_t = eta q^t, T = 200")


@forever.form("printed", tex=r"\mathcal{O}\Big(\frac{4L^2}{\lambda(n-m)}\Big)")
def statistical(xp, L, lam, n, m, K=1):
    """For T large the excess risk is at most this value.

    False for every K: decaying steps stop short of the minimum.

    Note: O() read as a factor K
    Fails (literal): Decaying steps sum to η/(1 - q) and stop short of the minimum: the excess tends
        to a positive number that does not fall with n, whatever the constant. At n = {n}, m = {m}
        it is {measured}, with constant {K} (64) allows {bound}.
    Source: hf, after Theorem 4.5, and (64)
    """
    return K * 4 * L**2 / (lam * (n - m))


adversarial = Statement(
    "hf.thm4.5.adversarial",
    "Theorem 4.5, U chosen after the data",
    "inequality",
    words="For the worst U the last term is mL^2/(lam n) + L^2/(lam(n + 1)).",
    left=r"\mathbb{E}\max_{|U|\le m}F(\tilde{\mathbf{w}}^{-U}_{E,B})-F(\mathbf{w}^*)",
    symbols=(L, lam_positive, M, d, error, sigma, distance, n, m),
    requires=(kept,),
    quantity="expected excess risk of the worst set",
)
adversarial.interpreted_as("literal", "error and R_T for all sets of at most m")


@adversarial.form(
    "corrected",
    tex=r"L\bar\Delta+\min\Big(\frac{Md\sigma^2}{2},L\sigma\,\mathbb{E}\chi_d\Big)+LR_T+"
    r"\frac{mL^2}{\lambda n}+\frac{L^2}{\lambda(n+1)}",
)
def worst_set(xp, L, lam, M, d, error, sigma, distance, n, m):
    """The expected worst excess risk over sets of at most m is at most this value.

    Note: error and R_T for all sets of at most m
    Proof: |w^{-U} - w^| <= mL/(lam n), and Lemma A.4 on all of S
    """
    noise = _noise(xp, L, M, d, sigma)
    return L * (error + distance) + noise + m * L**2 / (lam * n) + L**2 / (lam * (n + 1))
