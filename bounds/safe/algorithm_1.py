"""Algorithm 1 of safe on two classes of a line: counts, moments, both gradients of every round.

The model has the logits (w x, 0), so that f_A = 1/(1 + e^{-w x}); z is x itself. `leave_A[i]` is
the round in which sample i of class A leaves; beyond the last round it stays.
"""

from dataclasses import dataclass

import numpy as np

from bounds import Edit, Hypothesis, Statement, Symbol
from bounds.forms import Array, Form
from bounds.safe import stream
from bounds.safe.equation_22 import printed as mean_after
from bounds.safe.equation_23 import corrected as variance_after
from bounds.safe.equation_23 import printed as printed_variance
from bounds.safe.equation_26 import printed as forgetting
from bounds.safe.symbols import lam


def _list(name: str, meaning: str, tex: str, typical: tuple[int, int], length: str) -> Symbol:
    return Symbol(name, meaning, tex, kind="list", typical=typical, length=length, unit="1")


def _leaves(name: str, which: str, length: str) -> Symbol:
    return Symbol(
        name,
        f"round in which each sample of class {which} leaves, > t where it stays",
        f"t_{which}",
        low=1,
        kind="list",
        infinite=True,
        typical=(1, 6),
        length=length,
        unit="1",
    )


_SYMBOLS = (
    _list("A", "samples of the first class", "A", (-2, 5), "k"),
    _leaves("leave_A", "A", "k"),
    _list("B", "samples of the second class", "B", (-5, 2), "m"),
    _leaves("leave_B", "B", "m"),
    Symbol("w0", "the trained model w_0", "w_0", unit="1"),
    lam,
    Symbol("t", "round", "t", low=1, high=1000, kind="integer"),
)
_REQUIRES = (
    Hypothesis("one round for every sample", lambda A, leave_A: len(A) == len(leave_A)),
    Hypothesis("one round for every sample", lambda B, leave_B: len(B) == len(leave_B)),
    Hypothesis(
        "t must leave two different samples in each class, and one sample must be gone",
        lambda t, A, leave_A, B, leave_B: (
            len(A) == len(leave_A)
            and len(B) == len(leave_B)
            and min(len(set(A[leave_A > t])), len(set(B[leave_B > t]))) >= 2
            and min(leave_A.min(), leave_B.min()) <= t
        ),
    ),
)
statement = Statement(
    "safe.alg1",
    "Algorithm 1",
    "algorithm",
    words="Each round updates the retention gradient by (15) and the class moments by (22) and "
    "(23), and steps from w_0 against the gradient of R_t^ret + R~_t^fg.",
    left=r"g_t",
    symbols=_SYMBOLS,
    requires=_REQUIRES,
    quantity="gradient of the objective",
    correction="Line 7 with the corrected (23), line 8 for all forgotten samples. All F_i and w_0 "
    "are kept for ever, so the state is not free of the deleted data.",
)
statement.interpreted_as(
    "literal",
    "g_t is the gradient of (14) plus that of (25) at w_0, with the moments of "
    "D_t; unbiased covariances, q for every class",
)
line_8 = Statement(
    "safe.alg1.line8",
    "Algorithm 1, line 8",
    "algorithm",
    words="q_t is estimated for the samples of F_t only.",
    left=r"\nabla_w\widetilde{R}_t^{\text{fg}}(w)\big|_{w=w_0}",
    symbols=_SYMBOLS,
    requires=_REQUIRES,
    quantity="forgetting part of the gradient",
    correction="Estimate q_t again for every forgotten sample, in every round.",
)
line_8.interpreted_as(
    "literal",
    "the forgetting gradient is that of eq (25), over F_1, ..., F_t with q_t",
    edits={
        "printed": Edit(
            "F_t becomes the union of F_1, ..., F_t", "F_t", r"\textstyle\bigcup_{i\le t}F_i"
        )
    },
)


@dataclass(frozen=True)
class RoundStatistics:
    """What Algorithm 1 holds after a round: per class counts and moments, and both gradients."""

    counts: tuple[int, int]
    means: tuple[float, float]
    variances: tuple[float, float]
    retention: float
    forgetting: float


def rounds(
    A: Array,
    leave_A: Array,
    B: Array,
    leave_B: Array,
    w0: float,
    lam: float,
    t: int,
    update: Form = variance_after,
    *,
    fresh: bool = True,
) -> list[RoundStatistics]:
    """The rounds 1..t: (15) and (22) as printed, `update` for (23), (26) over all forgotten data.

    With `fresh` false, a sample keeps the factors q of the round in which it left (line 8).
    Raises ValueError where a variance is no longer positive.
    """
    classes = ((np.asarray(A), np.asarray(leave_A)), (np.asarray(B), np.asarray(leave_B)))
    counts = [len(x) for x, _ in classes]
    start = [(len(x), float(x.mean()), float(x.var(ddof=1))) for x, _ in classes]
    now = list(start)
    gradient = float(np.mean([g for c, (x, _) in enumerate(classes) for g in _losses(x, c, w0)]))
    removals: list[tuple[float, list[float]]] = []
    history = []
    for round_ in range(1, t + 1):
        total = sum(counts)
        leaving = [x[leave == round_] for x, leave in classes]
        departures = [g for c, x in enumerate(leaving) for g in _losses(x, c, w0)]
        gradient = (total * gradient - sum(departures)) / (total - len(departures))
        for c, x in enumerate(leaving):
            if x.size:
                now[c] = _without(now[c], x, update)
                counts[c] -= x.size
        removals += [(float(x), _factors(float(x), now, start)) for part in leaving for x in part]
        factors = [
            (x, _factors(x, now, start) if fresh else old_factors) for x, old_factors in removals
        ]
        terms = [
            float(forgetting(lam=lam, logits0=[w0 * x, 0.0], log_factors=q, slopes=[x, 0.0]))
            for x, q in factors
        ]
        history.append(
            RoundStatistics(
                (counts[0], counts[1]),
                (now[0][1], now[1][1]),
                (now[0][2], now[1][2]),
                gradient,
                float(np.mean(terms)) if terms else 0.0,
            )
        )
    return history


def _log_factor(xp, x, data, leaves, t):
    """log q^(c)(x) after round t, of a class c; |D_0|/|D_t| is common to all and left out."""

    def log_weight(t):
        n, mean = stream.kept_size(xp, leaves, t), stream.best(xp, data, leaves, t)
        var = stream.over_kept(xp, lambda y: (y - mean) ** 2, data, leaves, t) / (n - 1)
        return xp.log(n) - xp.log(var) / 2 - (x - mean) ** 2 / (2 * var)

    return log_weight(t) - log_weight(0)


def _first_class(xp, x, w0):
    return 1 / (1 + xp.exp(-w0 * x))


def _forgetting(xp, A, leave_A, B, leave_B, w0, lam, t, moments):
    """Eq (26), the mean over all that has left, with the moments of the round moments(leaves)."""

    def term(x, left):
        # f (1 - f) by both factors: 1 - f would lose all digits where f is near 1.
        both = _first_class(xp, x, w0) * _first_class(xp, -x, w0)
        round_ = moments(left)
        first, second = (
            _log_factor(xp, x, data, leaves, round_)
            for data, leaves in ((A, leave_A), (B, leave_B))
        )
        return -lam * both * x * (first - second) * (1 - xp.step(left - t))

    each = [
        xp.over(lambda _, x, left: term(x, left), data, leaves)
        for data, leaves in ((A, leave_A), (B, leave_B))
    ]
    removal_counts = [
        xp.count(leaves) - stream.kept_size(xp, leaves, t) for leaves in (leave_A, leave_B)
    ]
    return sum(each) / sum(removal_counts)


@statement.form(
    "printed",
    tex=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)+\nabla_w\widetilde{R}_t^{\text{fg}}(w)\big|_{w=w_0}",
    because="it ends in the round in which eq (23) makes a variance negative",
)
def printed(
    A: Array, leave_A: Array, B: Array, leave_B: Array, w0: Array, lam: Array, t: Array
) -> Array:
    """g_t as Algorithm 1 computes it, on two classes of a line.

    It is false: eq (23) is, and may turn the forgetting gradient round. Raises ValueError where eq
    (23) makes a variance negative.

    Note: line 7 uses eq (23) as printed
    Fails: Line 7 updates the covariances by (23), which is wrong. On a stream of real data the
        gradient of the objective has length {measured}, the one that is followed {bound}; on eight
        points the first step goes the opposite way.
    Source: safe, Algorithm 1
    """
    last = rounds(A, leave_A, B, leave_B, float(w0), float(lam), int(t), printed_variance)[-1]
    return np.asarray(last.retention + last.forgetting)


@statement.form(
    "corrected",
    tex=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)+\nabla_w\widetilde{R}_t^{\text{fg}}(w)\big|_{w=w_0}",
)
def corrected(xp, A, leave_A, B, leave_B, w0, lam, t):
    """g_t, the gradient of eqs (14) and (25) at w_0 computed without D_0, equals this value.

    Note: line 7 with eq (23) corrected, line 8 for all forgotten samples
    Proof: eqs (15), (22), (23) corrected and (26)
    """
    own = stream.over_kept(xp, lambda x: -_first_class(xp, -x, w0) * x, A, leave_A, t)
    other = stream.over_kept(xp, lambda x: _first_class(xp, x, w0) * x, B, leave_B, t)
    size = stream.kept_size(xp, leave_A, t) + stream.kept_size(xp, leave_B, t)
    forgetting = _forgetting(xp, A, leave_A, B, leave_B, w0, lam, t, lambda left: t)
    return (own + other) / size + forgetting


@corrected.numeric
def _(A: Array, leave_A: Array, B: Array, leave_B: Array, w0: Array, lam: Array, t: Array) -> Array:
    last = rounds(A, leave_A, B, leave_B, float(w0), float(lam), int(t))[-1]
    return np.asarray(last.retention + last.forgetting)


@line_8.form(
    "printed", tex=r"\text{Estimate }q_t^{(y)}(\mathbf{x})\text{ for }(\mathbf{x},y)\in F_t"
)
def stale(xp, A, leave_A, B, leave_B, w0, lam, t):
    """The forgetting gradient with q estimated once, when a sample leaves.

    Exact moments. Eq (25) asks for q_t on all of F_1, ..., F_t.

    Note: samples of earlier rounds keep their old factors
    Fails: q is estimated for the points that leave now, but (25) sums over all that have left, with
        the q of this round. With the old factors kept, the forgetting gradient has length {bound}
        and not {measured} on real data.
    Source: safe, Algorithm 1, line 8
    """
    return _forgetting(xp, A, leave_A, B, leave_B, w0, lam, t, lambda left: xp.minimum(left, t))


@stale.numeric
def _(A: Array, leave_A: Array, B: Array, leave_B: Array, w0: Array, lam: Array, t: Array) -> Array:
    past = rounds(A, leave_A, B, leave_B, float(w0), float(lam), int(t), fresh=False)
    return np.asarray(past[-1].forgetting)


@line_8.form(
    "corrected",
    tex=r"\text{Estimate }q_t^{(y)}(\mathbf{x})\text{ for }(\mathbf{x},y)\in \textstyle"
    r"\bigcup_{i\le t}F_i",
)
def renewed(xp, A, leave_A, B, leave_B, w0, lam, t):
    """The gradient of eq (25) at w_0, with the moments of round t for every forgotten sample.

    Note: so every forgotten sample has to be kept
    Proof: eq (26) sums over all of F_1, ..., F_t
    """
    return _forgetting(xp, A, leave_A, B, leave_B, w0, lam, t, lambda left: t)


@renewed.numeric
def _(A: Array, leave_A: Array, B: Array, leave_B: Array, w0: Array, lam: Array, t: Array) -> Array:
    return np.asarray(rounds(A, leave_A, B, leave_B, float(w0), float(lam), int(t))[-1].forgetting)


def _losses(x: Array, c: int, w0: float) -> list[float]:
    """Derivatives of the log loss at w_0, one for each sample of class c."""
    return [float(g) for g in (1 / (1 + np.exp(-w0 * x)) - (c == 0)) * x]


def _without(now: tuple[int, float, float], x: Array, update: Form) -> tuple[int, float, float]:
    n, mean, var = now
    gone_var = float(x.var(ddof=1)) if x.size > 1 else 0.0
    moments = {"n": n, "m": x.size, "mean": mean, "gone_mean": float(x.mean())}
    after = float(update.value(**moments, var=var, gone_var=gone_var))
    if not after > 0:
        raise ValueError(f"var must stay > 0 in Algorithm 1, got {after:g} after a deletion")
    return n - x.size, float(mean_after(**moments)), after


def _factors(
    x: float, now: list[tuple[int, float, float]], start: list[tuple[int, float, float]]
) -> list[float]:
    """log q^(c)(x) of both classes; |D_0|/|D_t| is common to both and left out."""
    return [
        float(np.log(n / n0) + _log_density(x, mean, var) - _log_density(x, mean0, var0))
        for (n, mean, var), (n0, mean0, var0) in zip(now, start, strict=True)
    ]


def _log_density(x: float, mean: float, var: float) -> float:
    return float(-np.log(var) / 2 - (x - mean) ** 2 / (2 * var))
