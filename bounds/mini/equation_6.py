"""(6) and (13) of mini: the affine recursion, with the sign of the forgotten gradients."""

from bounds import Edit, Statement, Symbol
from bounds.mini.batch import Dw, added, gone, kept
from bounds.mini.symbols import eta

statement = Statement(
    "mini.eq6",
    "Equations (6) and (13)",
    "recursion",
    words="Dw_s = (eta/B)(gamma/(1 + gamma)) sum over kept - (eta/B) sum over forgotten "
    "+ H(s) Dw_{s-1}.",
    left=r"\Delta\mathbf{w}_s",
    symbols=(Dw, eta, kept, gone, Symbol("H", "factor of Dw", "H", unit="1")),
    aliases=("mini.eq13",),
    quantity="retrained minus learned iterate",
    correction="Dw_s = G(s) + Htilde_s Dw_{s-1} with G of eq (7), whose forgotten gradients have "
    "the right sign, and the averaged Hessian in Htilde_s.",
)
statement.interpreted_as(
    "literal", "strongly convex C^2 losses; the corrected form averages the Hessian along Dw"
)
statement.interpreted_as(
    "quadratic",
    "quadratic losses, where H(s) itself is exact",
    edits={
        "printed": Edit(
            "+ in place of - before the sum over the forgotten samples",
            "- (eta/B) sum over forgotten",
            "+ (eta/B) sum over forgotten",
        )
    },
    stance="amended",
)


def _pulled(xp, eta, kept, gone):
    B = xp.count(kept) + xp.count(gone)
    gamma = -xp.count(gone) / B
    return eta / B * (gamma / (1 + gamma)) * added(xp, kept)


def _left(xp, eta, kept, gone):
    return eta / (xp.count(kept) + xp.count(gone)) * added(xp, gone)


@statement.form(
    "printed",
    tex=r"\frac{\eta}{B}\Big(\frac{\gamma_s}{1+\gamma_s}\Big)\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})-\frac{\eta}{B}\sum_{j\in"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})"
    r"+H(\mathbb{B}_s,\bar{\mathbb{B}}_s,\mathbf{w}_{s-1})\cdot\Delta\mathbf{w}_{s-1}",
    reads={
        r"\sum_{j\in\mathbb{B}_s/\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})": (
            r"\total{kept}"
        ),
        r"\sum_{j\in\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})": r"\total{gone}",
        r"H(\mathbb{B}_s,\bar{\mathbb{B}}_s,\mathbf{w}_{s-1})": "H",
        r"\Delta\mathbf{w}_{s-1}": "Dw",
        r"\gamma_s": r"-\frac{\size{gone}}{\size{gone}+\size{kept}}",
        "B": r"\size{gone}+\size{kept}",
    },
)
def printed(xp, Dw, eta, kept, gone, H):
    """Dw_s equals this value, says mini; false, even for quadratics.

    Note: the forgotten gradients carry the wrong sign; eqs (4) and (7) have the right one
    Fails (literal): The gradients of the forgotten samples have the wrong sign, - for the + of (4)
        and (7), and (5) puts the Hessian at w besides. With log cosh(w - x) + w²/20, x = 1 kept and
        x = 3 forgotten, a step of 1/2 from 0 gives 0.439 for -0.058.
    Fails (quadratic): The gradients of the forgotten samples have the wrong sign, - for the + of
        (4) and (7), so that the recursion moves towards them. With (w - x)²/2, x = 1 kept and x = 3
        forgotten, a step of η = 1/2 from 0 gives 1 for -1/2.
    Source: mini, eqs (6) and (13)
    """
    return _pulled(xp, eta, kept, gone) - _left(xp, eta, kept, gone) + H * Dw


@statement.form(
    "corrected",
    tex=r"\frac{\eta}{B}\Big(\frac{\gamma_s}{1+\gamma_s}\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}+\sum_{j\in\bar{\mathbb{B}}_s}\Big)\nabla F^{(s-1,j)}(\mathbf{w}_{s-1})"
    r"+\Big(I-\eta\int_0^1\nabla^2F_K(\mathbf{w}_{s-1}+\theta\Delta\mathbf{w}_{s-1})"
    r"\mathrm{d}\theta\Big)\Delta\mathbf{w}_{s-1}",
)
def corrected(xp, Dw, eta, kept, gone, H):
    """Dw_s equals this value when H averages the Hessian from w_{s-1} to w_{s-1} + Dw_{s-1}.

    Note: exact for every C^2 loss with the averaged Hessian; for quadratics with H itself
    Proof (literal): eq (4) and the integral form of the mean-value theorem
    Proof (quadratic): eq (4), the Hessian is constant
    """
    return _pulled(xp, eta, kept, gone) + _left(xp, eta, kept, gone) + H * Dw
