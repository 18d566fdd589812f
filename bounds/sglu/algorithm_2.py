"""Algorithm 2 of sglu: learning of Descent-to-Delete by full-batch gradient descent."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.descent import shrunk
from bounds.sglu.symbols import L, T, convexity_order, m_positive

W0 = Symbol("W0", "initial distance to the optimum", "W_0", low=0, unit="parameter")

statement = Statement(
    "sglu.alg2",
    "Algorithm 2",
    "algorithm",
    words="Full-batch gradient descent with step 2/(L + m) brings the model to the optimum "
    "at rate gamma = (L - m)/(L + m).",
    left=r"\|\mathbf w_T-\mathbf w^*\|",
    symbols=(L, m_positive, T, W0),
    requires=(convexity_order,),
    plot=Plot("T", tuple(map(float, range(0, 31))), {"L": 1, "m": 0.2, "W0": 4}),
    quantity="distance to the optimum",
    correction="Print the projection onto the ball, on whose diameter the number of steps rests.",
)
statement.interpreted_as("literal", "m-strongly convex, L-smooth losses; projection inactive")
statement.interpreted_as(
    "10000 steps",
    "the paper's data sets: 10000 steps end within gamma^I 2M/(mn) as Theorem L.1 asks "
    "(fewer than 300 do: no number of steps above that could be noticed)",
    {"printed": "<="},
    stance="component",
)


@statement.form(
    "printed",
    tex=r"\mathbf w_t=\mathbf w_{t-1}-\frac{2}{L+m}\times\frac1n\sum_{i=1}^n"
    r"\nabla_{clip}l(\mathbf w_{t-1}^T\mathbf x_i,y_i),\quad \gamma=\frac{L-m}{L+m}",
)
def printed(xp, L, m, T, W0):
    """The distance to the optimum after T steps is at most gamma^T W0.

    Note: T steps leave gamma^T of the distance; the projection onto the ball is not printed
    Proof (literal): |1 - eta x| <= gamma for x in [m, L] and eta = 2/(L + m)
    Proof (10000 steps): evaluated for both data sets, I up to 149 (Theorem L.2)
    Source: sglu, Algorithm 2, step size 2/(L + m)
    """
    return shrunk(xp, L, m, T) * W0


@statement.form("tight", tex=r"\gamma^T W_0")
def tight(xp, L, m, T, W0):
    """The distance to the optimum after T steps is at most this value.

    Note: attained by quadratics of curvature m, or L
    Proof: equality for quadratics of curvature m
    """
    return shrunk(xp, L, m, T) * W0
