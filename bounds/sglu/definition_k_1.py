"""Definition K.1 of sglu: (epsilon, delta)-unlearning, evaluated on Gaussian laws."""

import numpy as np

from bounds import Edit, Plot, Statement, Symbol
from bounds.sglu.symbols import epsilon

mu = Symbol(
    "mu", "distance of the means in standard deviations", r"\mu", low=0, low_open=True, unit="1"
)

statement = Statement(
    "sglu.defk.1",
    "Definition K.1",
    "definition",
    words="(epsilon, delta)-unlearning: for every event, the probabilities of the unlearned "
    "and of the retrained model are within exp(epsilon) and delta, both ways.",
    left=r"\delta(\epsilon)",
    symbols=(mu, epsilon),
    aliases=("sglu.defK.1", "sglu.eq66", "sglu.eq67"),
    plot=Plot("epsilon", tuple(np.linspace(0.0, 4.0, 21).tolist()), {"mu": 1}),
    quantity="least delta of two Gaussians",
    correction="A random parameter lies in E; it is not a subset of E.",
)
statement.interpreted_as(
    "literal",
    "every event E, both directions",
    edits={
        "printed": Edit(
            "membership in E for inclusion in E", r"\subseteq E", r"\in E", everywhere=True
        )
    },
)


@statement.form(
    "printed",
    tex=r"\mathbb P\left(\mathcal U(\mathcal M(\mathcal D),\mathcal D,\mathcal D')\subseteq "
    r"E\right)\le\exp(\epsilon)\,\mathbb P\left(\mathcal M(\mathcal D')\subseteq E\right)+\delta",
)
def printed(xp, mu, epsilon):
    """Least delta of the definition for N(0, 1) against N(mu, 1), read with membership.

    Note: a random parameter is a point of E, not a subset; evaluated with the membership meant
    Fails: “⊆ E” should read “∈ E”: a random model is a point that lies in the event or does not,
        and no subset of it. With membership it is the usual (ε, δ) definition.
    Source: sglu, Definition K.1, (66) and (67)
    """
    return xp.gaussian_delta(epsilon, mu)


@statement.form(
    "corrected",
    tex=r"\mathbb P\left(\mathcal U(\mathcal M(\mathcal D),\mathcal D,\mathcal D')\in E"
    r"\right)\le\exp(\epsilon)\,\mathbb P\left(\mathcal M(\mathcal D')\in E\right)+\delta",
)
def corrected(xp, mu, epsilon):
    """Least delta of (66) and (67) for N(0, 1) against N(mu, 1): the Gaussian profile.

    Note: membership in place of inclusion
    """
    return xp.gaussian_delta(epsilon, mu)
