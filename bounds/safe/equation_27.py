"""(27) of safe: the published model, one normalised gradient step from w_0 and a perturbation."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.safe.symbols import gamma
from bounds.symbols import Symbol

update = Formula(
    id="safe.eq27",
    label="Equation (27)",
    left="w_t",
    symbols=(
        Symbol("w0", "coordinate of the trained model", "w_0"),
        gamma,
        Symbol("g", "that coordinate of g_t", "g_t"),
        Symbol("norm", "Euclidean norm of g_t", r"\|g_t\|_2", low=0),
        Symbol("b", "that coordinate of the perturbation", "b_t"),
    ),
    requires=(
        Requirement("|g| <= norm", lambda g, norm: np.abs(g) <= norm * (1 + 1e-12)),
    ),
)  # fmt: skip
length = Formula(
    id="safe.eq27.length",
    label="Length of the step (27)",
    left=r"\|w_t+b_t-w_0\|_2",
    symbols=(gamma,),
)


@update.form(
    "printed",
    tex=r"w_{t}=w_{0}-\gamma\cdot\frac{g_{t}}{\|g_{t}\|_{2}}-b_{t},\quad "
    r"b_{t}\sim\mathcal{N}(0,\phi_{t})",
    note="0/0 := 0 at g_t = 0, which the paper leaves open; the law is N(0, phi_t I_d)",
)
def published(w0: Array, gamma: Array, g: Array, norm: Array, b: Array) -> Array:
    """A coordinate of the model that SAFE publishes. Source: safe, eq (27), a definition.

    Give the vectors w0, g, b and the number norm = |g| to have w_t whole.
    """
    direction = np.divide(g, norm, out=np.zeros(np.broadcast(g, norm).shape), where=norm > 0)
    return np.asarray(w0 - gamma * direction - b)


@published.expression
def _(sp: Any, w0: Any, gamma: Any, g: Any, norm: Any, b: Any) -> Any:
    return w0 - gamma * g / norm - b if norm > 0 else w0 - b


@length.form(
    "tight",
    tex=r"\gamma",
    note="whatever was deleted: SAFE never moves farther than gamma from w_0",
)
def length_of_the_step(gamma: Array) -> Array:
    """|w_t + b_t - w_0| equals this value whenever g_t is not 0, whatever was deleted."""
    return np.asarray(gamma * 1.0)


@length_of_the_step.expression
def _(sp: Any, gamma: Any) -> Any:
    return gamma
