"""The steps of the proof of safe's Theorem 1; a stands for q f(w_0) and b for f(w_t*)."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.safe.symbols import lam
from bounds.safe.theorem_1 import M, classes, kept

_C = Symbol("C", "constant of the O()", "C", low=0, low_open=True, unit="?", hidden=True)
_a = Symbol(
    "a", "estimated prediction q f(w_0), un-normalised", "q f_0", low=0, low_open=True, unit="1"
)
_b = Symbol("b", "prediction f(w_t*) of the optimal model", "f^*", low=0, low_open=True, unit="1")
_error = Symbol("error", "largest |q f(w_0) - f(w_t*)|", r"\eta", low=0, unit="1")
_floor = Symbol("floor", "least of q f(w_0) and f(w_t*)", "f_{min}", low=0, low_open=True, unit="1")

prefactor = Statement(
    "safe.thm1.norm",
    "Proof of Theorem 1: prefactor",
    "equality",
    words="|R~_t - R_t| is 1/|D_t| times the sum over forgotten samples.",
    left=r"(\widetilde{R}_t-R_t)\,/\sum_{i,x,c}f_c(\log f_c^*-\log q_cf_c(w_0))",
    symbols=(lam, M, kept),
    correction="The prefactor is lambda/M_t, and the sum runs over classes too.",
)
prefactor.interpreted_as("literal", "R_t and R~_t as (10) and (25) define them")
fit = Statement(
    "safe.thm1.be",
    "Proof of Theorem 1: Gaussian fit",
    "inequality",
    words="sup over D_t of |z(x|y) - Phi(n(x))| <= O(1/sqrt|D_t|), by Berry-Esseen.",
    left=r"\sup_{(\mathbf{x},y)\in D_t}|z(\mathbf{x}|y)-\Phi(n(\mathbf{x}))|",
    symbols=(kept, _C),
    plot=Plot(
        "kept", tuple(float(round(v)) for v in np.geomspace(10, 1e6, 20)), {"C": 1.0}, log_x=True
    ),
    quantity="error of one sample's fit",
    correction="The error of a fit does not fall with |D_t| unless the class is Gaussian.",
)
fit.interpreted_as("literal", "a density against a distribution function; Gaussian class")
fit.interpreted_as("laws", "both distribution functions; class uniform on -1, 0, 1")
fit.interpreted_as("densities", "both densities; class uniform on an interval")
logarithms = Statement(
    "safe.thm1.log",
    "Proof of Theorem 1: logarithms",
    "inequality",
    words="|log a - log b| <= |1/a - 1/b| with a = q f(w_0), b = f(w_t*).",
    left=r"|\log(qf(\mathbf{x};w_0))-\log f(\mathbf{x};w_t^*)|",
    symbols=(_a, _b),
    plot=Plot("a", tuple(np.geomspace(0.05, 20, 40).tolist()), {"b": 0.5}, log_x=True),
    quantity="|log a - log b|",
    correction="|log a - log b| <= |a - b|/sqrt(a b), for any positive a and b.",
)
logarithms.interpreted_as("literal", "a > 0, as q f is not normalised, and 0 < b <= 1")
logarithms.interpreted_as(
    "normalised",
    "0 < a, b <= 1",
    {"printed": "<=", "tight": "<="},
    stance="amended",
    where=(Hypothesis("0 < a, b <= 1", lambda a, b: (a <= 1) & (b <= 1)),),
)
last = Statement(
    "safe.thm1.last",
    "Proof of Theorem 1: last inequality",
    "inequality",
    words="f/(a b) |a - b| <= C |D_t|^{-1/2}, C the number of classes.",
    left=r"\frac{f(\mathbf{x};w)}{qf(\mathbf{x};w_0)f(\mathbf{x};w_t^*)}|qf(w_0)-f(w_t^*)|",
    symbols=(classes, kept, _error, _floor),
    quantity="last term of the proof",
    correction="Any such bound needs a floor under f(x; w_t*), which Theorem 1 does not assume.",
)
last.interpreted_as("literal", "|a - b| <= C |D_t|^{-1/2}, as the proof has it", {"printed": "<="})
last.interpreted_as(
    "floor", "a and b at least `floor`, |a - b| <= error, f <= 1", {"tight": "<="}, stance="amended"
)


@prefactor.form("printed", tex=r"\frac{1}{|D_t|}")
def printed_prefactor(xp, kept):
    """The difference of the risks carries this factor, says the proof; false.

    Note: and a single class instead of their sum
    Fails: By (10) and (25) the sum carries λ/M_t, and the proof writes 1/|D_t|: at λ = {lam}, {M}
        points removed and {kept} kept the factor is {measured}, not {bound}. The sum over the
        labels is missing too.
    Source: safe, proof of Theorem 1, first display
    """
    return 1 / kept


@prefactor.form("corrected", tex=r"\frac{\lambda}{M_t}")
def defined_prefactor(xp, lam, M):
    """The difference of the risks carries exactly this factor, by (10) and (25).

    Note: equations (10) and (25)
    Proof: (10) and (25) subtracted, term by term
    """
    return lam / M


@fit.form("printed", tex=r"O(\frac{1}{\sqrt{|D_t|}})")
def printed_fit(xp, kept, C):
    """One sample's Gaussian fit is off by at most this value, says the proof.

    False whatever C: Lemma 1 is about sums, not about samples.

    Note: read as C/sqrt(|D_t|)
    Fails (literal): A density is compared with a distribution function. Even for a Gaussian law
        these differ by {measured}, whatever |D_t| is; {C}/√|D_t| is {bound} at {kept} points.
    Fails (laws): Lemma 1 is about a sum of many points, not about one of them: more points bring no
        law nearer to its normal fit. For a column of real data the distance is {measured} with
        {kept} rows, and {C}/√|D_t| is {bound}.
    Fails (densities): The density of a law does not come nearer to that of its normal fit as points
        are added: for the uniform law on an interval they differ by {measured} in the middle, and
        {C}/√|D_t| is {bound} at {kept} points.
    Source: safe, proof of Theorem 1
    """
    return C / xp.sqrt(kept)


@logarithms.form(
    "printed",
    tex=r"\Big|\frac{1}{qf(\mathbf{x};w_0)}-\frac{1}{f(\mathbf{x};w_t^*)}\Big|",
    reads={r"qf(\mathbf{x};w_0)": "a", r"f(\mathbf{x};w_t^*)": "b"},
)
def printed_logarithms(xp, a, b):
    """The logarithms differ by at most this value, says the proof. False once a > 1.

    Note: holds where both are at most 1
    Proof (normalised): dx/x <= dx/x^2 on (0, 1]
    Fails (literal): It holds where both are at most 1; a = q f(w₀) is not normalised and may be
        more. At a = {a}, b = {b} the logarithms differ by {measured}, the reciprocals by {bound}.
    Source: safe, proof of Theorem 1
    """
    return abs(a - b) / a / b


@logarithms.form("corrected", tex=r"|a-b|/\min(a,b)")
def by_minimum(xp, a, b):
    """The logarithms differ by at most this value, for any positive a and b.

    Note: one edit: the square of the minimum
    Proof: the integral of dx/x between a and b
    """
    return abs(a - b) / xp.minimum(a, b)


@logarithms.form("tight", tex=r"|a-b|/\sqrt{ab}")
def by_geometric_mean(xp, a, b):
    """The logarithms differ by at most this value, for any positive a and b.

    Note: 2 sinh(x/2) >= x; ratio 1 as a -> b
    Proof: 2 sinh(x/2) >= x at x = |log a - log b|
    """
    return abs(a - b) / (xp.sqrt(a) * xp.sqrt(b))


@last.form("printed", tex=r"C|D_t|^{-1/2}")
def printed_last(xp, classes, kept):
    """Each term of the sum is at most this value, says the proof. False for every |D_t|.

    Note: C is the number of classes
    Fails (literal): Where f(x; w_t*) may be small 1/(q f(w₀) f(w_t*)) has no bound, least of all by
        the number of labels: on real data, {kept} rows kept, a term is {measured}, {ratio} times
        C|D_t|^(−1/2) = {bound}.
    Source: safe, proof of Theorem 1, last inequality: nothing keeps f(w_t*) away from 0
    """
    return classes / xp.sqrt(kept)


@last.form("tight", tex=r"\frac{\eta}{f_{min}(f_{min}+\eta)}")
def with_floor(xp, error, floor):
    """Each term is at most this value when both predictions are at least `floor`.

    Note: attained at f(w) = 1
    Proof: |1/a - 1/b| is largest at a = floor, b = floor + error
    """
    return error / floor / (floor + error)
