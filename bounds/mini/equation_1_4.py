"""(1) to (4) and (12) of mini: one step of learning, one of retraining, and their difference.

One coordinate at a time: `kept` and `gone` are the gradients of the kept and of the forgotten
samples of the batch at the learned parameter; B = len(kept) + len(gone), dB = len(gone).
"""

from bounds import Statement
from bounds.mini.batch import Dw, added, gone, kept, kept_there, same_kept, w
from bounds.mini.symbols import eta

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
)
first.interpreted_as("literal", "differentiable losses, every batch keeps a sample")
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
    aliases=("mini.eq12",),
)
retrained.interpreted_as("literal", "differentiable losses, every batch keeps a sample")
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
)
learned.interpreted_as("literal", "differentiable losses, every batch keeps a sample")
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
)
difference.interpreted_as("literal", "differentiable losses, every batch keeps a sample")


@first.form(
    "printed",
    tex=r"\frac{\eta}{B}\Big(\frac{B}{B-\Delta B_1}\sum_{j\in\bar{\mathbb{B}}_1}"
    r"\nabla F^{(0,j)}(\mathbf{w}_0)\Big)-\frac{\eta}{B}\Big(\frac{\Delta B_1}{B-\Delta B_1}"
    r"\sum_{j\in\mathbb{B}_1}\nabla F^{(0,j)}(\mathbf{w}_0)\Big)",
)
def first_difference(xp, eta, kept, gone):
    """Dw_1 equals this value.

    Note: exact for every differentiable loss, dB < B
    Proof: eq (2) minus eq (3) at w_0: eta (g_B - g_K)
    Source: mini, eq (1)
    """
    dB = xp.count(gone)
    B = xp.count(kept) + dB
    forgotten = added(xp, gone)
    batch = added(xp, kept) + forgotten
    return eta / B * (B / (B - dB) * forgotten) - eta / B * (dB / (B - dB) * batch)


@retrained.form(
    "printed",
    tex=r"\mathbf{w}_{s-1}^*-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)",
)
def retraining_step(xp, w, eta, kept):
    """w_s* equals this value.

    Note: w and kept at the retrained parameter; undefined where nothing is kept
    Proof: it is the definition of the run
    Source: mini, eqs (2) and (12): same start, batches and step
    """
    return w - eta / xp.count(kept) * added(xp, kept)


@learned.form(
    "printed",
    tex=r"\mathbf{w}_{s-1}-\frac{\eta}{B}\sum_{j\in\mathbb{B}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})",
)
def learning_step(xp, w, eta, kept, gone):
    """w_s equals this value.

    Note: mean over the whole batch
    Proof: it is the definition of the run
    Source: mini, eqs (3) and (12)
    """
    B = xp.count(kept) + xp.count(gone)
    return w - eta / B * (added(xp, kept) + added(xp, gone))


@difference.form(
    "printed",
    tex=r"\Delta\mathbf{w}_{s-1}-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)"
    r"+\frac{\eta}{B}\Big(\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})+\sum_{j\in\bar{\mathbb{B}}_s}"
    r"\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})\Big)",
)
def one_step(xp, Dw, eta, kept_there, kept, gone):
    """Dw_s equals this value.

    Note: eq (2) minus eq (3)
    Proof: eq (2) minus eq (3)
    Source: mini, eq (4); exact for every differentiable loss
    """
    B = xp.count(kept) + xp.count(gone)
    learned_update = eta / B * (added(xp, kept) + added(xp, gone))
    return Dw - eta / xp.count(kept) * added(xp, kept_there) + learned_update
