"""(1) to (4) and (12) of mini: one step of learning, one of retraining, and their difference.

One coordinate at a time: `kept` and `gone` are the gradients of the kept and of the forgotten
samples of the batch at the learned parameter; B = len(kept) + len(gone), dB = len(gone).
"""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.mini.batch import Dw, gone, kept, kept_there, same_kept, w
from bounds.mini.symbols import eta
from bounds.readings import Reading
from bounds.statements import Statement

first = Statement(
    "mini.eq1",
    "Equation (1)",
    "equality",
    words="The first step of retraining differs from the first step of learning by (eta/(B - "
    "dB)) sum over forgotten - (eta dB/(B (B - dB))) sum over the batch.",
    left=r"\Delta\mathbf{w}_1",
    reads={
        r"\sum_{j\in\bar{\mathbb{B}}_1}\nabla F^{(0,j)}(\mathbf{w}_0)": r"\total{gone}",
        r"\sum_{j\in\mathbb{B}_1}\nabla F^{(0,j)}(\mathbf{w}_0)": r"(\total{gone}+\total{kept})",
        r"\Delta B_1": r"\size{gone}",
        "B": r"\size{gone}+\size{kept}",
    },
    symbols=(eta, kept, gone),
    readings=(
        Reading(
            "literal",
            "differentiable losses, every batch keeps a sample",
            {"printed": "=="},
            proofs={"printed": "eq (2) minus eq (3) at w_0: eta (g_B - g_K)"},
        ),
    ),
)
retrained = Statement(
    "mini.eq2",
    "Equation (2)",
    "definition",
    words="Retraining takes the same start, batches and step, and the mean over the kept samples.",
    left=r"\mathbf{w}_s^*",
    reads={
        r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)": (
            r"\total{kept}"
        ),
        r"\mathbf{w}_{s-1}^*": "w",
        r"B-\Delta B_s": r"\size{kept}",
    },
    symbols=(w, eta, kept),
    readings=(
        Reading(
            "literal",
            "differentiable losses, every batch keeps a sample",
            {"printed": "=="},
            proofs={"printed": "it is the definition of the run"},
        ),
    ),
    aliases=("mini.eq12",),
)
learned = Statement(
    "mini.eq3",
    "Equation (3)",
    "definition",
    words="Learning takes the mean over the batch.",
    left=r"\mathbf{w}_s",
    reads={
        r"\sum_{j\in\mathbb{B}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})": (
            r"(\total{gone}+\total{kept})"
        ),
        r"\mathbf{w}_{s-1}": "w",
        "B": r"\size{gone}+\size{kept}",
    },
    symbols=(w, eta, kept, gone),
    readings=(
        Reading(
            "literal",
            "differentiable losses, every batch keeps a sample",
            {"printed": "=="},
            proofs={"printed": "it is the definition of the run"},
        ),
    ),
)
difference = Statement(
    "mini.eq4",
    "Equation (4)",
    "equality",
    words="Dw_s = Dw_{s-1} - eta (mean kept gradient at w*) + eta (mean gradient of the batch "
    "at w).",
    left=r"\Delta\mathbf{w}_s",
    reads={
        r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)": (
            r"\total{kept_there}"
        ),
        r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})": (
            r"\total{kept}"
        ),
        r"\sum_{j\in\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})": r"\total{gone}",
        r"B-\Delta B_s": r"\size{kept}",
        "B": r"\size{gone}+\size{kept}",
        r"\Delta\mathbf{w}_{s-1}": "Dw",
    },
    symbols=(Dw, eta, kept_there, kept, gone),
    requires=(same_kept,),
    readings=(
        Reading(
            "literal",
            "differentiable losses, every batch keeps a sample",
            {"printed": "=="},
            proofs={"printed": "eq (2) minus eq (3)"},
        ),
    ),
)


@first.form(
    "printed",
    tex=r"\frac{\eta}{B}\Big(\frac{B}{B-\Delta B_1}\sum_{j\in\bar{\mathbb{B}}_1}"
    r"\nabla F^{(0,j)}(\mathbf{w}_0)\Big)-\frac{\eta}{B}\Big(\frac{\Delta B_1}{B-\Delta B_1}"
    r"\sum_{j\in\mathbb{B}_1}\nabla F^{(0,j)}(\mathbf{w}_0)\Big)",
    note="exact for every differentiable loss, dB < B",
)
def first_difference(eta: Array, kept: Array, gone: Array) -> Array:
    """Dw_1 equals this value. Source: mini, eq (1); w_1* - w_1 = eta (g_B - g_K)."""
    B, dB = len(kept) + len(gone), len(gone)
    batch = kept.sum() + gone.sum()
    return np.asarray(eta / B * (B / (B - dB) * gone.sum()) - eta / B * (dB / (B - dB) * batch))


@first_difference.expression
def _(sp: Any, eta: Any, kept: Any, gone: Any) -> Any:
    B, dB = sp.Integer(len(kept) + len(gone)), sp.Integer(len(gone))
    return eta / B * (B / (B - dB) * sum(gone) - dB / (B - dB) * sum(kept + gone))


@retrained.form(
    "printed",
    tex=r"\mathbf{w}_{s-1}^*-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)",
    note="w and kept at the retrained parameter; undefined where nothing is kept",
)
def retraining_step(w: Array, eta: Array, kept: Array) -> Array:
    """w_s* equals this value. Source: mini, eqs (2) and (12): same start, batches and step."""
    return np.asarray(w - eta / len(kept) * kept.sum())


retraining_step.expr = lambda sp, w, eta, kept: w - eta * sum(kept) / len(kept)


@learned.form(
    "printed",
    tex=r"\mathbf{w}_{s-1}-\frac{\eta}{B}\sum_{j\in\mathbb{B}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})",
    note="mean over the whole batch",
)
def learning_step(w: Array, eta: Array, kept: Array, gone: Array) -> Array:
    """w_s equals this value. Source: mini, eqs (3) and (12)."""
    return np.asarray(w - eta / (len(kept) + len(gone)) * (kept.sum() + gone.sum()))


@learning_step.expression
def _(sp: Any, w: Any, eta: Any, kept: Any, gone: Any) -> Any:
    return w - eta * sum(kept + gone) / (len(kept) + len(gone))


@difference.form(
    "printed",
    tex=r"\Delta\mathbf{w}_{s-1}-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)"
    r"+\frac{\eta}{B}\Big(\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})+\sum_{j\in\bar{\mathbb{B}}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})\Big)",
    note="eq (2) minus eq (3)",
)
def one_step(Dw: Array, eta: Array, kept_there: Array, kept: Array, gone: Array) -> Array:
    """Dw_s equals this value. Source: mini, eq (4); exact for every differentiable loss."""
    B = len(kept) + len(gone)
    return np.asarray(Dw - eta / len(kept) * kept_there.sum() + eta / B * (kept.sum() + gone.sum()))


@one_step.expression
def _(sp: Any, Dw: Any, eta: Any, kept_there: Any, kept: Any, gone: Any) -> Any:
    B = len(kept) + len(gone)
    return Dw - eta * sum(kept_there) / len(kept) + eta * sum(kept + gone) / B
