"""Assumption 4.4 of hf, Definitions A.1 to A.3: where losses can satisfy all of it."""

import numpy as np

from bounds import Edit, Plot, Statement
from bounds.hf.symbols import L, lam_positive

statement = Statement(
    "hf.ass4.4",
    "Assumption 4.4",
    "definition",
    words="For any z and w the loss is lam-strongly convex, L-Lipschitz and M-smooth.",
    quote="For any z and w, the loss l(w, z) is lambda strongly convex and L-lipschitz with "
    "M-smooth.",
    left=r"\operatorname{diam}\mathcal{W}",
    symbols=(lam_positive, L),
    plot=Plot("lam", tuple(np.linspace(0.1, 2, 20).tolist()), {"L": 1.0}),
    quantity="largest diameter of W",
    correction="Assume it on a convex W of diameter at most 2L/lam, keep the iterates in W, and "
    "bound the effect of noise, which leaves W, by smoothness.",
)
statement.interpreted_as("literal", "for all w in R^d")
statement.interpreted_as("domain", "for w in a convex set W", {"corrected": "<="}, stance="amended")


@statement.form("corrected", tex=r"\frac{2L}{\lambda}")
def corrected(xp, lam, L):
    """A set on which a lam-strongly convex loss is L-Lipschitz has at most this diameter.

    Note: on a convex W of this diameter; on all of R^d, as printed, no loss qualifies
    Fails (literal): Strong convexity makes gradients grow like λ|w| and L bounds them, so that no
        loss satisfies both on all of R^d, and Theorem 4.5 is about none. At λ = {lam}, L = {L} the
        domain has a diameter of at most {bound}.
    Equality: (lam/2)|w|^2
    Source: hf, (43) and (44): lam |x - y| <= |g(x) - g(y)| <= 2L
    """
    return 2 * L / lam


definitions = Statement(
    "hf.defa1_a3",
    "Definitions A.1 to A.3",
    "definition",
    words="(43) strong convexity, (44) Lipschitz losses, (45) Lipschitz gradients.",
    aliases=("hf.defA1-A3", "hf.defA1", "hf.defA2", "hf.defA3", "hf.eq43", "hf.eq44"),
)
definitions.interpreted_as(
    "literal", "on a convex W; (45) with a norm on the left", {"printed": "<="}
)

norm = Statement(
    "hf.eq45",
    "(45)",
    "definition",
    words="|g(w_1) - g(w_2)| <= M ||w_1 - w_2||, an absolute value on the left.",
    correction="||g(w_1) - g(w_2)|| <= M ||w_1 - w_2||.",
)
norm.interpreted_as(
    "literal",
    "d >= 2",
    {"printed": "==", "corrected": "<="},
    edits={
        "printed": Edit(
            "a norm on the left for the absolute value", "|g(w_1) - g(w_2)|", "||g(w_1) - g(w_2)||"
        )
    },
    fails={
        "printed": "On the left stand the bars of an absolute value around a vector, the "
        "difference of two gradients. A norm is meant, as on the right."
    },
)
