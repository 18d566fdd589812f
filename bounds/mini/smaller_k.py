"""Section 4.1 of mini: does a smaller k protect the forgotten samples?  The Gaussian mean says.

F_j = |w - x_j|^2/2 on n samples x_j ~ N(0, I_d), full batch from the mean: eq (10) leaves every
forgotten sample the weight a = r^k/n in w, where retraining leaves 0. The attack scores <x, w>.
"""

from bounds import Plot, Statement, Symbol
from bounds.mini.symbols import k, n, some_kept, u_some

_SYMBOLS = (
    n,
    u_some,
    Symbol("d", "dimension", "d", low=1, kind="integer"),
    Symbol("r", "contraction of a step", "r", low=0, high=1, unit="1"),
    k,
)
_SOME_KEPT = some_kept
_WEIGHTS = r"a=\frac{r^k}{n},\ b=\frac{1-|D_U|a}{n-|D_U|}"
_FRESH = "a sample against a fresh one on the same model, as the dimension grows"
_GAUSSIAN = "Gaussian mean, full batch from the mean of all data, attack <x, w>"
forgotten = Statement(
    "mini.kpriv",
    "A smaller k enhances robustness (Section 4.1)",
    "claim",
    words="A smaller k results in less private gradient information, thereby enhancing the "
    "robustness: an attack on a forgotten sample does no better at k than at k + 1.",
    left=r"\mathrm{AUC}_{\mathrm{forgotten}}(k)",
    symbols=_SYMBOLS,
    requires=(_SOME_KEPT,),
    plot=Plot("k", (0, 2, 5, 10, 20, 50), {"n": 50, "u": 5, "d": 200, "r": 0.9}, log_y=False),
    quantity="AUC on a forgotten sample",
    correction="w_T itself (k = 0) holds all of the influence; k is how much of it is removed, "
    "and the weight r^k/n that is left falls with k.",
)
forgotten.interpreted_as(
    "literal",
    _GAUSSIAN + "; one sample with |x|^2 = d, in the run or replaced",
    {"printed": "<=", "tight": "<="},
)
forgotten.interpreted_as("fresh", f"{_GAUSSIAN}; {_FRESH}", {"corrected": "<="})
retained = Statement(
    "mini.kpriv.retained",
    "The same attack on a retained sample",
    "claim",
    words="The same attack on a retained sample hardly changes with k.",
    left=r"\mathrm{AUC}_{\mathrm{retained}}(k)",
    symbols=_SYMBOLS,
    requires=(_SOME_KEPT,),
    plot=Plot("k", (0, 2, 5, 10), {"n": 50, "u": 5, "d": 200, "r": 0.9}, log_y=False),
    quantity="AUC on a retained sample",
)
retained.interpreted_as("literal", f"{_GAUSSIAN}; {_FRESH}", {"corrected": "=="})


def _weights(n, u, r, k):
    """Weight of a forgotten and of a retained sample in w, and the sum of all squared weights."""
    a = r**k / n
    b = (1 - u * a) / (n - u)
    return a, b, u * a**2 + (n - u) * b**2


@forgotten.form("printed", tex=r"\mathrm{AUC}(k)\leq\mathrm{AUC}(k+1)")
def printed(xp, n, u, d, r, k):
    """The attack's AUC at k is at most its value at k + 1, says mini; false.

    Note: the tight form at k + 1
    Fails (literal): w_T, which is k = 0, holds all of the influence of the forgotten samples; k
        steps bring their weight down to r^k/n. An attack on them has an AUC of {measured} at k =
        {k} and {bound} at k + 1: the smaller k protects less.
    Source: mini, Section 4.1
    """
    return _in_or_out(xp, n, u, d, r, k + 1)


@forgotten.form(
    "corrected",
    tex=r"\Phi\Big(\frac{a\sqrt d}{\sqrt{2V+a^2}}\Big),\quad V=|D_U|a^2+(n-|D_U|)b^2,\ " + _WEIGHTS,
)
def corrected(xp, n, u, d, r, k):
    """The AUC of <x, w>, a forgotten x against a fresh one, tends to this value as d grows.

    Note: a forgotten against a fresh sample on one model; the central limit in d
    """
    a, _, total = _weights(n, u, r, k)
    return xp.Phi(a * xp.sqrt(d) / xp.sqrt(2 * total + a**2))


@forgotten.form(
    "tight",
    tex=r"\Phi\Big(\frac{a\sqrt d}{\sqrt{2V+a^2}}\Big),\quad V=(|D_U|-1)a^2+(n-|D_U|)b^2,\ "
    + _WEIGHTS,
)
def in_or_out(xp, n, u, d, r, k):
    """The AUC of <x, w> is exactly this value: N(a d, V d) against N(0, (V + a^2) d).

    V is the sum of the other squared weights. Decreasing in k, and 1/2 once r^k = 0.

    Note: one x with |x|^2 = d, the run with it against the run with a fresh sample in its place
    Proof: two Gaussian scores; the forgotten weight is exactly r^k/n
    """
    return _in_or_out(xp, n, u, d, r, k)


def _in_or_out(xp, n, u, d, r, k):
    a, b, _ = _weights(n, u, r, k)
    others = (u - 1) * a**2 + (n - u) * b**2
    return xp.Phi(a * xp.sqrt(d) / xp.sqrt(2 * others + a**2))


@retained.form(
    "corrected",
    tex=r"\Phi\Big(\frac{b\sqrt d}{\sqrt{2V+b^2}}\Big),\quad V=|D_U|a^2+(n-|D_U|)b^2,\ " + _WEIGHTS,
)
def of_retained(xp, n, u, d, r, k):
    """The AUC of <x, w>, a retained x against a fresh one, tends to this value as d grows.

    Note: a retained against a fresh sample on one model; the central limit in d
    """
    _, b, total = _weights(n, u, r, k)
    return xp.Phi(b * xp.sqrt(d) / xp.sqrt(2 * total + b**2))
