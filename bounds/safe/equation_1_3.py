"""(1) to (3) of safe: exact unlearning, and what approximate unlearning minimises.

In closed form for losses (w - x)^2/2 and predictions N(w, 1), with diff the KL divergence.
"""

import numpy as np

from bounds import Plot, Statement
from bounds.safe.stream import gone, kept, w
from bounds.safe.symbols import lam

exact = Statement(
    "safe.eq1",
    "Equation (1)",
    "definition",
    words="Exact unlearning: w* = argmin_w L(D \\ F, w), L the sum of the losses.",
    left="w^*",
    symbols=(kept,),
    quantity="retrained model",
    correction="Take losses with one minimiser (ridge), or name the one that is meant.",
)
exact.interpreted_as("literal", "one minimiser: strictly convex losses", {"printed": "<="})
exact.interpreted_as("flat", "convex losses with several minimisers")
_POINTS = tuple(np.linspace(-2, 6, 33).tolist())
_SPLIT = {"kept": (0.0, 1.0, 5.0), "gone": (10.0,)}
whole = Statement(
    "safe.eq2",
    "Equation (2)",
    "definition",
    words="Approximate unlearning minimises sum_D diff(f(x; w), f(x; w*)).",
    left=r"\mathrm{Obj}(w)",
    symbols=(kept, gone, w),
    plot=Plot("w", _POINTS, _SPLIT, log_y=False),
    quantity="objective",
)
whole.interpreted_as("literal", "diff a divergence")
weighted = Statement(
    "safe.eq3",
    "Equation (3)",
    "definition",
    words="The objective with weight lambda on F: sum over D \\ F plus lambda sum over F.",
    left=r"\mathrm{Obj}(w)",
    symbols=(kept, gone, w, lam),
    plot=Plot("w", _POINTS, {**_SPLIT, "lam": 0.7}, log_y=False),
    quantity="objective",
)
weighted.interpreted_as("literal", "lambda >= 0, diff a divergence")
_DIFF = r"\mathrm{diff}(f(\mathbf{x};w),f(\mathbf{x};w^{*}))"


def _mean(xp, values):
    return xp.prefix(values, xp.count(values)) / xp.count(values)


@exact.form(
    "printed",
    tex=r"w^{*}=\arg\min_{w}\mathcal{L}(D\setminus F,w),\quad \mathcal{L}(D\setminus F,w)="
    r"\sum_{(\mathbf{x},y)\in D\setminus F}\ell(f(\mathbf{x};w),y)",
)
def exact_unlearning(xp, kept):
    """The retrained model of eq (1), for losses (w - x)^2/2.

    Note: the mean of the kept samples, for losses (w - x)^2/2
    Fails (flat): The argmin is one model only where there is one minimiser: for losses |w − x| and
        an even number of points every model between the middle two is one, and which of them is
        meant is not said.
    Source: safe, eq (1), a definition; it takes for granted that there is one minimiser
    """
    return _mean(xp, kept)


@whole.form("printed", tex=r"\sum_{(\mathbf{x},y)\in D}" + _DIFF)
def approximate_unlearning(xp, kept, gone, w):
    """The objective of approximate unlearning at w.

    Zero exactly where all predictions on D are those of w*.

    Note: n (w - w*)^2/2 for predictions N(w, 1)
    Source: safe, eq (2), a definition
    """
    return (xp.count(kept) + xp.count(gone)) * (w - _mean(xp, kept)) ** 2 / 2


@weighted.form(
    "printed",
    tex=r"\sum_{(\mathbf{x},y)\in D\setminus F}"
    + _DIFF
    + r"+\lambda\sum_{(\mathbf{x},y)\in F}"
    + _DIFF,
)
def weighted_unlearning(xp, kept, gone, w, lam):
    """The objective of eq (2) with weight lambda >= 0 on F.

    Note: (n - m + lambda m)(w - w*)^2/2 for predictions N(w, 1)
    Source: safe, eq (3), a definition
    """
    return (xp.count(kept) + lam * xp.count(gone)) * (w - _mean(xp, kept)) ** 2 / 2
