"""What people do with a formula: solve it, differentiate it, take it to the limit, compare it.

    solve(form, "K")             K as a function of the form's value
    differentiate(form, "K")     the derivative
    limit(form, "K", inf)        the limit, at infinity or at a number
    order(form, "T")             the leading term c T^p log(T)^q as T grows
    ratio(form, other)           one form of a statement over another, simplified
    direction(form, "K")         increasing or decreasing, proved or sampled
    elasticity(form, "K")        K f'(K)/f(K)
    root(form, "K", v, inputs)   a number where there is no closed form
    grows(form, "T")             what of the leading term depends on T
    shown(expression, statement) as text, LaTeX, Unicode or Python
    shown_answer(expression, conditions, statement) with its conditions, in the same letters

Each opens minima, maxima and cases, answers on every branch that occurs at random points inside
the hypotheses, and puts every answer back at these points before it is given: an answer is closed,
closed on a branch that is named, or numeric.  `certificates` checks proofs that one form is
at most another.  Importing this imports sympy.
"""

from bounds.algebra.answer import Derived
from bounds.algebra.direction import direction, elasticity
from bounds.algebra.questions import GIVES_UP, differentiate, limit, order, ratio, solve
from bounds.algebra.root import root
from bounds.algebra.show import ShownAnswer, shown, shown_answer
from bounds.algebra.stated import grows

__all__ = [
    "GIVES_UP",
    "Derived",
    "ShownAnswer",
    "differentiate",
    "direction",
    "elasticity",
    "grows",
    "limit",
    "order",
    "ratio",
    "root",
    "shown",
    "shown_answer",
    "solve",
]
