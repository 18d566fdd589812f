"""Definition 2.4 of sglu: W-infinity distance, in the closed form for Gaussians on the line."""

import numpy as np

from bounds import Plot, Statement, Symbol

m0 = Symbol("m0", "mean of the first law", "m_0", unit="parameter")
v0 = Symbol("v0", "variance of the first law", "v_0", low=0, unit="parameter^2")
m1 = Symbol("m1", "mean of the second law", "m_1", unit="parameter")
v1 = Symbol("v1", "variance of the second law", "v_1", low=0, unit="parameter^2")

statement = Statement(
    "sglu.def2.4",
    "Definition 2.4",
    "definition",
    words="W-infinity is the least essential supremum of the distance over all couplings.",
    left=r"W_\infty(N(m_0, v_0), N(m_1, v_1))",
    symbols=(m0, v0, m1, v1),
    plot=Plot(
        "m1", tuple(np.linspace(-2, 2, 21).tolist()), {"m0": 0, "v0": 1, "v1": 1}, log_y=False
    ),
    quantity="W-infinity distance",
    correction="Weak limits keep bounds on W-infinity (couplings on the closed set |x - y| <= z "
    "are tight); closeness in total variation says nothing about it.",
)
statement.interpreted_as("literal", "laws on the line")


@statement.form(
    "printed",
    tex=r"W_{\infty}(\mu,\nu)=\inf_{\gamma\in\Gamma(\mu,\nu)}"
    r"\operatorname*{ess\,sup}_{(x,y)\sim\gamma}\|x-y\|",
)
def printed(xp, m0, v0, m1, v1):
    """W-infinity of two Gaussians equals this value.

    Note: on Gaussians: the distance of the means, infinite when the variances differ
    Source: sglu, Definition 2.4
    """
    return xp.where(xp.equal(v0, v1), abs(m0 - m1), xp.inf)
