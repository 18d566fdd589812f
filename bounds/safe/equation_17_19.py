"""Equations (17) to (19) of safe: the posterior after a deletion, by Bayes."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.symbols import Symbol

labels = Symbol(
    "labels", "p_t(y)/p_0(y) of every class", r"\frac{p_t(y)}{p_0(y)}",
    low=0, kind="list", typical=(1, 7),
)  # fmt: skip
conditionals = Symbol(
    "conditionals", "p_t(x|y)/p_0(x|y) of every class, at one x",
    r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}", low=0, kind="list", typical=(1, 9),
)  # fmt: skip
prior = Symbol(
    "prior", "p_0(y|x) of every class at that x, up to a common factor", r"p_0(y|\mathbf{x})",
    low=0, kind="list", typical=(1, 6),
)  # fmt: skip
model = Symbol(
    "model", "f(x; w_0) of every class at that x, up to a common factor", r"f(\mathbf{x};w_0)",
    low=0, kind="list", typical=(1, 6),
)  # fmt: skip
one_each = Requirement(
    "one entry for every class",
    lambda labels, conditionals: len(labels) == len(conditionals),
)
_RATIOS = r"\frac{p_t(y)}{p_0(y)}\cdot\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}\cdot "

bayes = Formula(
    id="safe.eq17",
    label="Equation (17)",
    left=r"p_t(y|\mathbf{x})",
    symbols=(
        Symbol(
            "marginal", "p_0(x)/p_t(x)", r"\frac{p_0(\mathbf{x})}{p_t(\mathbf{x})}",
            low=0, low_open=True,
        ),
        Symbol("label", "p_t(y)/p_0(y)", r"\frac{p_t(y)}{p_0(y)}", low=0),
        Symbol(
            "conditional", "p_t(x|y)/p_0(x|y)",
            r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}", low=0,
        ),
        Symbol("p0", "p_0(y|x)", r"p_0(y|\mathbf{x})", low=0, high=1),
    ),
    requires=(
        Requirement(
            "marginal * label * conditional * p0 <= 1",
            lambda marginal, label, conditional, p0: (
                marginal * label * conditional * p0 <= 1 + 1e-9
            ),
        ),
    ),
)  # fmt: skip
proportional = Formula(
    id="safe.eq18",
    label="Equation (18)",
    left=r"p_t(y|\mathbf{x})",
    symbols=(labels, conditionals, prior),
    requires=(
        one_each,
        Requirement(
            "one entry for every class", lambda labels, prior: len(labels) == len(prior)
        ),
    ),
)  # fmt: skip
adjusted = Formula(
    id="safe.eq19",
    label="Equation (19)",
    left=r"f(\mathbf{x};w_t^*)",
    symbols=(labels, conditionals, model),
    requires=(
        one_each,
        Requirement(
            "one entry for every class", lambda labels, model: len(labels) == len(model)
        ),
    ),
)  # fmt: skip


@bayes.form(
    "printed",
    tex=r"\frac{p_0(\mathbf{x})}{p_t(\mathbf{x})}\frac{p_t(y)}{p_0(y)}"
    r"\frac{p_t(\mathbf{x}|y)}{p_0(\mathbf{x}|y)}p_0(y|\mathbf{x})",
    note="exact for any two laws; p_0(x|y) > 0 wherever p_t(x|y) is",
)
def posterior(marginal: Array, label: Array, conditional: Array, p0: Array) -> Array:
    """p_t(y|x) equals this value: Bayes' rule twice. Source: safe, eq (17). Holds."""
    return marginal * label * conditional * p0


@posterior.expression
def _(sp: Any, marginal: Any, label: Any, conditional: Any, p0: Any) -> Any:
    return marginal * label * conditional * p0


@proportional.form(
    "printed",
    tex=r"p_t(y|\mathbf{x})\propto" + _RATIOS + r"p_0(y|\mathbf{x})",
    note="normalised over the classes, of the class listed first; p_0(x)/p_t(x) cancels exactly",
)
def normalised(labels: Array, conditionals: Array, prior: Array) -> Array:
    """p_t(y|x) of the class listed first equals this value.

    Source: safe, eq (18), called an approximation there. Holds exactly: the marginal ratio that is
    left out does not depend on y. Raises ValueError where no class has weight left.
    """
    return _share(labels * conditionals * prior)


@normalised.expression
def _(sp: Any, labels: Any, conditionals: Any, prior: Any) -> Any:
    return _exact_share(labels, conditionals, prior)


@adjusted.form(
    "printed",
    tex=r"f(\mathbf{x};w_t^*)\approx" + _RATIOS + r"f(\mathbf{x};w_0)\cdot\text{(normalization)}",
    note="of the class listed first; an equality when f(.;w_0) = p_0 and f(.;w_t*) = p_t",
)
def target(labels: Array, conditionals: Array, model: Array) -> Array:
    """f(x; w_t*) of the class listed first equals this value for saturated models.

    Source: safe, eq (19), which states no error. Its hypotheses are f(.;w_0) = p_0 (assumed in
    Theorem 1), f(.;w_t*) = p_t (assumed nowhere) and exact ratios.
    """
    return _share(labels * conditionals * model)


@target.expression
def _(sp: Any, labels: Any, conditionals: Any, model: Any) -> Any:
    return _exact_share(labels, conditionals, model)


def _share(weights: Array) -> Array:
    return np.asarray(weights[0] / weights.sum())


def _exact_share(*factors: Any) -> Any:
    weights = [a * b * c for a, b, c in zip(*factors, strict=True)]
    return weights[0] / sum(weights)
