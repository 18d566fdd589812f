"""Displays (48)-(54) and (34)-(40) of sglu: one point's gradient step on two iterates."""

from bounds import Edit, Statement, Symbol
from bounds.sglu.symbols import M, contractive, eta, m

D = Symbol("D", "distance of the two iterates", r"\|x-x'\|", low=0, unit="parameter")

statement = Statement(
    "sglu.eq48_54",
    "(48)-(54), (34)-(40)",
    "inequality",
    words="For eta <= 1/L, |x - x' + eta (grad f(x; d) - grad f(x'; d'))| is at most "
    "(1 - eta m)|x - x'| + 2 eta M, without the last term when d = d'.",
    left=r"\|x-x'\pm\eta(\nabla f(x;d)-\nabla f(x';d'))\|",
    reads={r"\leq(1-\eta m)\|x_{t}^{j}-x_{t}^{j,\prime}\|": r"\leq(1-\eta m)D"},
    symbols=(eta, m, M, D),
    requires=(contractive,),
    aliases=("sglu.eq48-54", "sglu.eq34-40"),
    quantity="distance of two iterates after a gradient step",
    correction="A step of descent subtracts the gradients: minus for plus in all these displays.",
)
statement.interpreted_as(
    "literal",
    "m-strongly convex, L-smooth losses, gradient differences <= 2M, eta <= 1/L",
    edits={
        "printed": Edit("x - x' + eta (...) should read x - x' - eta (...)", r"+\eta(", r"-\eta(")
    },
)


@statement.form(
    "printed",
    tex=r"\|x_{t}^{j}-x_{t}^{j,\prime}+\eta(\nabla f(x_{t}^{j};\mathbf{d}_{i_0})"
    r"-\nabla f(x_{t}^{j,\prime};\mathbf{d}_{i_0}'))\|"
    r"\leq(1-\eta m)\|x_{t}^{j}-x_{t}^{j,\prime}\|+2\eta M",
)
def printed(xp, eta, m, M, D):
    """The right side of (50) (M = 0) and of (54), claimed of x - x' + eta (grad - grad').

    False with this sign: a quadratic of curvature m gives (1 + eta m) D + 2 eta M.

    Note: a step of ascent: expands by up to 1 + eta L; M = 0 is (50), one data point
    Fails: The displays add the difference of the gradients where a step of descent subtracts it.
        With plus, points move apart: at η = {eta}, m = {m} a quadratic takes distance {D} to
        {measured}, not to {bound} at most.
    Source: sglu, (48)-(54), and again (34)-(40)
    """
    return (1 - eta * m) * D + 2 * eta * M


@statement.form(
    "corrected",
    tex=r"\|x_{t}^{j}-x_{t}^{j,\prime}-\eta(\nabla f(x_{t}^{j};\mathbf{d}_{i_0})-\nabla f(x_"
    r"{t}^{j,\prime};\mathbf{d}_{i_0}'))\|\leq(1-\eta m)\|x_{t}^{j}-x_{t}^{j,\prime}\|+2"
    r"\eta M",
)
def corrected(xp, eta, m, M, D):
    """|x - x' - eta (grad f(x; d) - grad f(x'; d'))| is at most this value for eta <= 2/(L + m).

    Gradient differences of two data points are <= 2M; M = 0 for one data point.

    Note: the same right side for the step of descent; attained by quadratics
    Proof: the gradient step is (1 - eta m)-Lipschitz; triangle inequality
    Equality: quadratics of curvature m with d moved from M to -M
    """
    return (1 - eta * m) * D + 2 * eta * M
