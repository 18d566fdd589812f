"""Theorem 3.1 of hf: sums of single statistics, and what they miss of the exact one of a set."""

from bounds import Hypothesis, Plot, Statement
from bounds.hf.equal_hessians import LINE, exact, in_floats, part_of_all, some_kept, whole_set
from bounds.hf.symbols import m, n

one_at_least = Hypothesis("m >= 1", lambda m: m >= 1)
statement = Statement(
    "hf.thm3.1",
    "Theorem 3.1",
    "equality",
    words="The statistic of a set is the sum of its samples' statistics.",
    left=r"A^{U}_T",
    symbols=LINE,
    requires=(part_of_all, whole_set, one_at_least),
    plot=Plot(
        "m",
        tuple(float(m) for m in range(1, 10)),
        {"eta": 0.3, "h": 1.0, "n": 10.0, "T": 60.0, "cbar": 0.0, "c_U": 1.0, "w0": 0.0},
        log_y=False,
    ),
    quantity="exact difference of a set",
    correction="Holds for the vectors (11), which are derivatives; retrained models do not add up.",
)
statement.interpreted_as(
    "literal", "statistics (11), all along the learned trajectory", {"printed": "=="}
)
statement.interpreted_as(
    "kept",
    "the statistics that are exact on quadratics (kept samples' Hessians)",
    stance="amended",
    where=(
        Hypothesis(
            "with nothing kept the forgotten samples' mean is the mean",
            sets={"c_U": lambda c_U, cbar, m, n: cbar if m == n else c_U},
        ),
    ),
)
limit = Statement(
    "hf.thm3.1.limit",
    "Theorem 3.1, at convergence",
    "equality",
    words="The sum of exact single differences misses the exact one of the set by the share "
    "(m - 1)/(n - 1): equal Hessians, full batches, both runs at rest.",
    left=r"\|A^U_T-\sum_{u\in U}A^u_T\|/\|A^U_T\|",
    symbols=(n, m),
    requires=(some_kept, one_at_least),
    plot=Plot("m", tuple(float(m) for m in range(1, 10)), {"n": 10.0}, log_y=False),
    quantity="relative error of the sum",
    correction="(n - 1)/(n - m) times the sum is then exact.",
)
limit.interpreted_as("literal", "0 < eta h < 2, constant steps, c_U different from the mean")


@statement.form(
    "printed", tex=r"\mathbf{a}_{E,B}^{-\sum_{j=1}^m u_j} = \sum_{j=1}^m \mathbf{a}_{E,B}^{-u_j}"
)
def printed(xp, eta, h, n, m, T, cbar, c_U, w0):
    """The m exact single differences add up to this.

    An identity for the approximator (11), which is a derivative; false for the one that is exact.

    Note: the sum of the single vectors, each exact; full batches of quadratics on a line
    Proof (literal): one affine recursion with the same matrices; injections add
    Fails (kept): Only the approximators (11), which are derivatives, add up. With the Hessians of
        the remaining samples they are exact on quadratics and do not add up: at convergence, with
        equal Hessians, the sum is off by the share (m - 1)/(n - 1).
    Source: hf, Theorem 3.1
    """
    return m * exact(xp, eta, h, n, 1, T, cbar - c_U, w0 - cbar)


@printed.numeric
def _(eta, h, n, m, T, cbar, c_U, w0):
    return m * in_floats(eta, h, n, 1, T, cbar - c_U, w0 - cbar, w0 - c_U, (n - 1) / n)


@statement.form(
    "corrected",
    tex=r"\sum_{u\in U}A^u_T+G_T,\quad G_{t+1}=(\mathbf{I}-\tfrac{\eta_t}{b_t}"
    r"\mathbf{H}_{\mathcal{B}_t\setminus U})G_t+\tfrac{\eta_t}{b_t}\sum_{u\in U}"
    r"\mathbf{H}_{\mathcal{B}_t\cap(U\setminus\{u\})}A^u_t",
)
def corrected(xp, eta, h, n, m, T, cbar, c_U, w0):
    """The exact approximator of the set ends here, on losses h (w - c_i)^2/2.

    Note: the exact difference of the set
    Proof: subtract the recursions; on quadratics both sides are v_T - w_T
    """
    return exact(xp, eta, h, n, m, T, cbar - c_U, w0 - cbar)


@corrected.numeric
def _(eta, h, n, m, T, cbar, c_U, w0):
    return in_floats(eta, h, n, m, T, cbar - c_U, w0 - cbar, w0 - c_U, (n - m) / n)


@limit.form("tight", tex=r"\frac{m-1}{n-1}")
def tight(xp, n, m):
    """The sum's relative error tends to this: equal Hessians, full batches, 0 < eta h < 2.

    Note: 0 for one sample
    Proof: D^u -> s_u/(n - 1) with sum m s/(n - 1), D^U -> m s/(n - m)
    """
    return (m - 1) / (n - 1)
