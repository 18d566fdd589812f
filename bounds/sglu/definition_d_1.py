"""Definition D.1 of sglu: shifted Rényi divergence, in its closed form for Gaussians."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import alpha

gap = Symbol("gap", "distance of the means", "|a-b|", low=0, unit="parameter")
z = Symbol("z", "shift", "z", low=0, unit="parameter")
v = Symbol("v", "common variance", "v", low=0, low_open=True, unit="parameter^2")

statement = Statement(
    "sglu.defd.1",
    "Definition D.1",
    "definition",
    words="The z-shifted Rényi divergence is the least divergence of a law within W-infinity z "
    "of the first from the second.",
    left=r"D_\alpha^{(z)}(N(a, v) \,\|\, N(b, v)),\quad |a-b|=\text{gap}",
    symbols=(alpha, gap, z, v),
    aliases=("sglu.defD.1",),
    plot=Plot(
        "z", tuple(np.linspace(0, 2, 9).tolist()), {"alpha": 2, "gap": 1.5, "v": 1}, log_y=False
    ),
    quantity="shifted divergence",
)
statement.interpreted_as("literal", "alpha >= 1, z >= 0", {"printed": "<="})


@statement.form(
    "printed",
    tex=r"D_\alpha^{(z)}(\mu\|\nu)=\inf_{\mu':W_\infty(\mu,\mu')\le z}D_\alpha(\mu'\|\nu)",
)
def printed(xp, alpha, gap, z, v):
    """The shifted divergence of two Gaussians of one variance equals this value.

    The likelihood ratio is monotone, so the best path of distribution functions below the obstacle
    F(x + z) is the obstacle itself.

    Note: on Gaussians: alpha (gap - z)_+^2 / (2 v), attained by a translation
    Source: sglu, Definition D.1
    """
    return alpha * xp.maximum(gap - z, 0) ** 2 / (2 * v)
