"""Algorithm 1 of hf, Stage III: the noise, read in both ways, and what the paper's runs need."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.hf.equation_41 import first_terms, inside, visits
from bounds.hf.series import classical
from bounds.hf.symbols import B, C, E, b, b_u, delta, epsilon, error, eta, q, rho
from bounds.hf.theorem_4_3 import in_floats

releases = Symbol("k", "models released from one trajectory", "k", low=1, kind="integer")

_NATURAL = Plot(
    "epsilon", tuple(float(e) for e in np.linspace(0.05, 1.0, 20)), {"error": 1.0, "delta": 1e-5}
)
BELOW_1 = Hypothesis("epsilon < 1", lambda epsilon: epsilon < 1)
statement = Statement(
    "hf.alg1.noise",
    "Algorithm 1, Stage III",
    "algorithm",
    words="w_T + a + N(0, c I) is (epsilon, delta)-unlearned, c = (error bound) "
    "sqrt(2 ln(1.25/delta)).",
    left=r"\text{standard deviation of the noise}",
    symbols=(error, epsilon, delta),
    aliases=("hf.alg1-noise",),
    plot=_NATURAL,
    quantity="least standard deviation",
    correction="sigma = error/mu*, the same for every set, fixed before the data are seen.",
)
statement.interpreted_as(
    "literal",
    "c is the variance; epsilon < 1; the same noise on the retrained model",
    where=(BELOW_1,),
)
statement.interpreted_as("any_epsilon", "every epsilon > 0", {"corrected": "<=", "tight": "<="})


@statement.form(
    "printed",
    tex=r"\sigma\sim\mathcal N(0,c\mathbf I),\ c\leftarrow\frac{2\eta^2 C\sqrt{2\ln(1.25/\delta)}}"
    r"{1-q}\zeta_T^{-U}",
)
def printed(xp, error, delta):
    """Noise of this standard deviation makes the released model (epsilon, delta)-unlearned.

    It is false: it does not depend on epsilon, and a variance with the unit of a length is right in
    one unit at most.

    Note: c as the variance; the product with zeta is the error bound; no epsilon
    Fails (literal): c does not contain ε, and as a variance it has the unit of a length. At ε =
        {epsilon}, δ = {delta} and an error of {error} a standard deviation of {measured} is needed;
        √c is {bound}.
    Source: hf, Algorithm 1, Stage III
    """
    return xp.sqrt(error * classical(xp, delta))


@statement.form("corrected", tex=r"\frac{\bar\Delta\sqrt{2\ln(1.25/\delta)}}{\epsilon}")
def corrected(xp, error, epsilon, delta):
    """Noise of this standard deviation is enough for epsilon < 1.

    Note: the classical formula, as (60) uses it; for epsilon < 1
    Proof (literal): Dwork and Roth 2014, Theorem A.1, for epsilon < 1
    Fails (any_epsilon): √(2 ln(1.25/δ))/ε is proved for ε < 1 and too small for large ε: at ε =
        {epsilon}, δ = {delta} and an error of {error} a standard deviation of {measured} is needed,
        and this is {bound}.
    """
    return error * classical(xp, delta) / epsilon


@statement.form(
    "tight",
    tex=r"\bar\Delta/\mu^*,\quad \Phi\Big(\frac{\mu^*}2-\frac\epsilon{\mu^*}\Big)-e^\epsilon\Phi"
    r"\Big(-\frac{\mu^*}2-\frac\epsilon{\mu^*}\Big)=\delta",
)
def tight(xp, error, epsilon, delta):
    """Noise of this standard deviation is enough, and no less is where the error is attained.

    Note: the analytic Gaussian mechanism: least for every epsilon and delta
    Proof: the Gaussian curve at mu = error/sigma is exact and increases with mu
    """
    return error / xp.mu_star(epsilon, delta)


deviation = Statement(
    "hf.alg1.noise.std",
    "Algorithm 1, Stage III, c as the standard deviation",
    "algorithm",
    words="The same with noise of standard deviation c, as (59) uses it.",
    left=r"\text{standard deviation of the noise}",
    symbols=(error, epsilon, delta),
    plot=_NATURAL,
    quantity="least standard deviation",
    correction="Divide by epsilon, as (16) and (60) do.",
)
deviation.interpreted_as("literal", "0 < epsilon < 1", where=(BELOW_1,))


@deviation.form(
    "printed", tex=r"c\leftarrow\frac{2\eta^2 C\sqrt{2\ln(1.25/\delta)}}{1-q}\zeta_T^{-U}"
)
def as_deviation(xp, error, delta):
    """Noise of this standard deviation is enough. False.

    Note: as (59) uses c; 1/epsilon is missing
    Fails: Taken as a standard deviation, c lacks the factor 1/ε that (16) and (60) have: at ε =
        {epsilon}, δ = {delta} and an error of {error} a standard deviation of {measured} is needed;
        c is {bound}.
    Source: hf, Algorithm 1 and (59)
    """
    return error * classical(xp, delta)


@deviation.form("corrected", tex=r"\frac{\bar\Delta\sqrt{2\ln(1.25/\delta)}}{\epsilon}")
def divided(xp, error, epsilon, delta):
    """Noise of this standard deviation is enough for epsilon < 1.

    Note: divides by it
    Proof: Dwork and Roth 2014, Theorem A.1, for epsilon < 1
    """
    return error * classical(xp, delta) / epsilon


several = Statement(
    "hf.alg1.noise.releases",
    "Algorithm 1, Stage III, online",
    "algorithm",
    words="Every request of a sequence is served with the noise of one.",
    left=r"\text{standard deviation of the noise of each of }k\text{ releases}",
    symbols=(error, epsilon, delta, releases),
    plot=Plot(
        "k",
        tuple(float(k) for k in range(1, 21)),
        {"error": 1.0, "epsilon": 1.0, "delta": 1e-5},
        log_y=False,
    ),
    quantity="least standard deviation of each release",
    correction="sqrt(k) times the noise of one release, or a budget for k fixed in advance.",
)
several.interpreted_as(
    "literal", "k releases from one trajectory, independent noise, seen together"
)


@several.form("printed", tex=r"\bar\Delta/\mu^*")
def alone(xp, error, epsilon, delta):
    """k releases with this noise are together (epsilon, delta)-unlearned. False for k > 1.

    Note: as if each release were the only one
    Fails: Every request is answered with the noise of a single release. Seen together, {k} models
        from one trajectory need √k times as much: {measured} each at ε = {epsilon}, δ = {delta},
        not {bound}.
    Source: hf, Algorithm 1, Stage III, run again for every request
    """
    return error / xp.mu_star(epsilon, delta)


@several.form("tight", tex=r"\sqrt k\,\bar\Delta/\mu^*")
def together(xp, error, epsilon, delta, k):
    """k releases with fresh noise of this size are together (epsilon, delta)-unlearned.

    Note: Gaussian-DP adds squares
    Proof: independent Gaussian releases are one Gaussian with mu = sqrt(k) mu
    """
    return xp.sqrt(k) * error / xp.mu_star(epsilon, delta)


needed = Statement(
    "hf.table.noise",
    "Noise scale of the experiments",
    "claim",
    words="The experiments add noise of scale 0.1 to models that (41) is said to certify.",
    left=r"\text{standard deviation that (41) asks for}",
    reads={"(41)": "hf.eq41/printed"},
    symbols=(eta, C, q, rho, E, B, b, b_u, epsilon, delta),
    requires=(inside, in_floats),
    aliases=("hf.table-noise-needed",),
    plot=Plot(
        "E",
        tuple(float(e) for e in range(0, 50, 2)),
        {
            "eta": 0.05,
            "C": 10.0,
            "q": 0.995,
            "rho": 1.0,
            "B": 1,
            "b": 1000,
            "b_u": 0,
            "epsilon": 1.0,
            "delta": 1e-5,
        },
    ),
    quantity="least noise for the error that (41) allows",
    correction="Theorem 4.3 (A) needs 1.4e-5 to 7.5e-3 there, with lam = .1, M = 3, Lam = .5.",
)
needed.interpreted_as("literal", "0.1 is at least what (41) asks for at (1, 1e-5), rho = 1, m = 1")


@needed.form("printed", tex=r"\frac{\sqrt{2\ln(1.25/\delta)}}{\epsilon}\cdot(41)")
def papers(xp, eta, C, q, rho, E, B, b, b_u, epsilon, delta):
    """The noise that the paper's own theory asks for.

    Note: by the classical formula, as in (60)
    Fails (literal): The runs add noise of scale {bound}. For the error that (41) allows at η =
        {eta}, C = {C}, E = {E}, B = {B} the classical formula asks for a standard deviation of
        {measured} at ε = {epsilon}, δ = {delta}.
    Source: hf, (41), (60), Algorithm 1
    """
    bound = first_terms(xp, eta, C, q, rho, E, B) + visits(xp, eta, C, q, rho, E, B, b, b_u)
    return classical(xp, delta) / epsilon * bound


@needed.form("tight", tex=r"(41)/\mu^*")
def least(xp, eta, C, q, rho, E, B, b, b_u, epsilon, delta):
    """The least noise that the error bound (41) allows.

    Note: the least noise for that error bound
    Fails (literal): The runs add noise of scale {bound}. For the error that (41) allows at η =
        {eta}, C = {C}, E = {E}, B = {B} the least standard deviation at ε = {epsilon}, δ = {delta}
        is {measured}.
    """
    bound = first_terms(xp, eta, C, q, rho, E, B) + visits(xp, eta, C, q, rho, E, B, b, b_u)
    return bound / xp.mu_star(epsilon, delta)
