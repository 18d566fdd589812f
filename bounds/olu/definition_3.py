"""Definition 3 of olu: how large L must be for strongly convex Lipschitz losses to exist."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import mu

D = Symbol(
    "D", "diameter of the domain", "D", low=0, low_open=True, infinite=True, unit="parameter"
)

statement = Statement(
    "olu.def3",
    "Definition 3",
    "definition",
    words="L-Lipschitz, mu-strongly convex and beta-smooth functions, for all x, y of the domain.",
    quote="A function is L-Lipschitz if the following hold for all x, y",
    left=r"\min\{L:\ \text{some } \mu\text{-strongly convex } L\text{-Lipschitz } f"
    r"\text{ exists on } \mathcal K\}",
    symbols=(mu, D),
    plot=Plot("D", tuple(np.linspace(0.5, 5, 10).tolist()), {"mu": 0.5}, log_y=False),
    quantity="least Lipschitz constant",
    correction="Say on which domain; L >= mu D/2 there. Smoothness is one-sided, and for convex "
    "losses the same as a beta-Lipschitz gradient.",
)
statement.interpreted_as("literal", "on a domain of diameter D <= 2L/mu", {"corrected": "<="})
# Definition 3 is of f on a domain X, and the paper's losses live on a bounded one.
statement.interpreted_as("everywhere", "all three on R^d with mu > 0", stance="out_of_context")


@statement.form("corrected", tex=r"\frac{\mu D}{2}")
def corrected(xp, mu, D):
    """A mu-strongly convex loss on a domain of diameter D has a gradient at least this long.

    Note: inf on R^d (D = inf): the three properties can hold together on bounded K only
    Fails (everywhere): On all of R^d no such function exists: at distance {distance} μ-strong
        convexity puts gradients at least {measured} apart, and L = {L} allows {bound}. A bounded
        domain has to be named, of diameter ≤ 2L/μ.
    Equality: (mu/2)|z - c|^2 on a ball with centre c
    Source: olu, Definition 3: mu D <= |grad f(x) - grad f(y)| <= 2L across a diameter
    """
    return mu * D / 2
