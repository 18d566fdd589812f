"""Equation (27) of safe: a step of fixed length from w_0, and a perturbation."""

from bounds import Statement, Symbol
from bounds.safe.symbols import gamma

w0 = Symbol("w0", "one coordinate of w_0", "w_0", unit="parameter")
g = Symbol(
    "g", "the gradient g_t, that coordinate first", "g_t", kind="list", unit="loss/parameter"
)
b = Symbol("b", "that coordinate of the perturbation b_t", "b_t", unit="parameter")

statement = Statement(
    "safe.eq27",
    "Equation (27)",
    "definition",
    words="w_t = w_0 - gamma g_t/|g_t| - b_t, b_t ~ N(0, phi_t), with g_t the sum of both "
    "gradients at w_0.",
    left=r"w_t",
    symbols=(w0, g, gamma, b),
    correction="b_t ~ N(0, phi_t I_d), and no step at g_t = 0. SAFE never moves farther than gamma "
    "from w_0 (before b_t), whatever was deleted.",
)
statement.interpreted_as("literal", "g_t is not 0")
statement.interpreted_as("zero", "g_t = 0, as when the gradients of both terms cancel")


@statement.form("printed", tex=r"w_0-\gamma\cdot\frac{g_t}{\|g_t\|_2}-b_t")
def printed(xp, w0, g, gamma, b):
    """SAFE's model after round t equals this value, in the coordinate listed first in g.

    |w_t + b_t - w_0| = gamma, whatever was deleted. Raises ValueError at g_t = 0, where the paper
    says nothing.

    Note: one coordinate; undefined at g_t = 0; b_t ~ N(0, phi_t I_d)
    Fails (zero): At g_t = 0, as when the forgotten gradients cancel at λ = 0, g_t/‖g_t‖ is 0/0, and
        no step is given for it. N(0, φ_t) stands for N(0, φ_t I_d).
    Source: safe, eq (27)
    """
    return w0 - gamma * g[1] / xp.norm(g) - b


@statement.form("corrected", tex=r"w_0-\gamma\cdot\frac{g_t}{\|g_t\|_2}[g_t\neq 0]-b_t")
def defined_at_zero(xp, w0, g, gamma, b):
    """The same, with 0/0 = 0: no step where the gradient vanishes.

    Note: stays at w_0 - b_t where the gradient vanishes
    """
    size = xp.norm(g)
    return w0 - b - xp.where(size > 0, lambda: gamma * g[1] / size, 0)
