"""(28) of safe: the surrogate risk, for two classes with logits (w x, 0)."""

from typing import Any

import numpy as np
from scipy.special import expit, log_expit

from bounds.formula import Array, Formula, Requirement
from bounds.safe.stream import w
from bounds.safe.symbols import lam
from bounds.symbols import Symbol

formula = Formula(
    id="safe.eq28",
    label="Equation (28)",
    left=r"\widetilde{R}_t(w)",
    symbols=(
        Symbol(
            "signed", "features of D_t, with the sign + for the first class and - for the second",
            r"\pm x", kind="list", typical=(-3, 3),
        ),
        Symbol("deleted", "features of the samples that have left", "x", kind="list",
               typical=(-3, 3)),
        Symbol(
            "targets", "log odds of the normalised target q f(x; w_0) at each of these",
            r"\log\frac{q_1f_1}{q_2f_2}", kind="list", typical=(-3, 3),
        ),
        w,
        lam,
    ),
    requires=(
        Requirement(
            "one target for every deleted sample",
            lambda deleted, targets: np.shape(deleted) == np.shape(targets),
        ),
    ),
)  # fmt: skip


@formula.form(
    "printed",
    tex=r"\widetilde{R}_{t}(w)=R_{t}^{\text{ret}}(w)+\widetilde{R}_{t}^{\text{fg}}(w)",
    note="with the normalised target, of which (25) omits the normaliser",
)
def surrogate(signed: Array, deleted: Array, targets: Array, w: Array, lam: Array) -> Array:
    """The risk that SAFE descends, at w. Source: safe, eq (28), a definition.

    Cross-entropy on D_t, and lambda times the mean of KL(f(x; w) || target) on what has left.
    """
    column = np.asarray(w)[..., None]
    retention = -log_expit(column * signed).mean(axis=-1)
    score = column * deleted
    first = expit(score) * (log_expit(score) - log_expit(targets))
    second = expit(-score) * (log_expit(-score) - log_expit(-targets))
    return np.asarray(retention + lam * (first + second).mean(axis=-1))


@surrogate.expression
def _(sp: Any, signed: Any, deleted: Any, targets: Any, w: Any, lam: Any) -> Any:
    def first_class(odds: Any) -> Any:
        return 1 / (1 + sp.exp(-odds))

    def divergence(x: Any, odds: Any) -> Any:
        f, q = first_class(w * x), first_class(odds)
        return f * sp.log(f / q) + (1 - f) * sp.log((1 - f) / (1 - q))

    retention = -sum(sp.log(first_class(w * x)) for x in signed) / len(signed)
    apart = sum(divergence(x, odds) for x, odds in zip(deleted, targets, strict=True))
    return retention + lam * apart / len(deleted)
