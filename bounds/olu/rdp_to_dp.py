"""Section 2.2 of olu: from (alpha, eps)-Rényi differential privacy to (eps', delta)."""

import numpy as np

from bounds import Plot, Statement
from bounds.olu.symbols import alpha, delta, epsilon

statement = Statement(
    "olu.rdp2dp",
    "Section 2.2, conversion to (eps, delta)",
    "inequality",
    words="Any (alpha, eps)-RDP algorithm is (2 eps, delta)-DP for alpha > 1 + ln(1/delta)/eps.",
    left=r"\varepsilon'(\delta)",
    symbols=(alpha, epsilon, delta),
    plot=Plot(
        "alpha",
        tuple(np.geomspace(1.5, 200, 30).tolist()),
        {"epsilon": 0.5, "delta": 1e-5},
        log_x=True,
    ),
    quantity="least eps' over all pairs within (alpha, eps)",
    correction="Take eps + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1).",
)
statement.interpreted_as("literal", "delta in (0, 1), eps > 0; other orders claim nothing")


@statement.form(
    "printed",
    tex=r"2\varepsilon\quad\text{for }\alpha>1+\frac{\ln\nicefrac{1}{\delta}}{\varepsilon}",
)
def printed(xp, alpha, epsilon, delta):
    """Every (alpha, eps)-RDP mechanism is (this value, delta)-DP.

    Note: inf, nothing claimed, at smaller orders
    Proof: ln(1/delta)/(alpha - 1) <= eps in Mironov 2017, Proposition 3
    Source: olu, Section 2.2 ("this interpretation is fair")
    """
    return xp.where((alpha - 1) * epsilon >= xp.log(1 / delta), 2 * epsilon, xp.inf)


@statement.form("corrected", tex=r"\varepsilon+\frac{\ln(1/\delta)}{\alpha-1}")
def corrected(xp, alpha, epsilon, delta):
    """Every (alpha, eps)-RDP mechanism is (this value, delta)-DP, whatever alpha > 1.

    Note: any order (Mironov 2017, Proposition 3); 2 eps at the paper's least order
    Proof: Mironov 2017, Proposition 3
    """
    return epsilon - xp.log(delta) / (alpha - 1)


@statement.form(
    "tight",
    tex=r"\Big(\varepsilon+\ln\big(1-\tfrac1\alpha\big)-\frac{\ln\delta+\ln\alpha}{\alpha-1}\Big)_+",
)
def tight(xp, alpha, epsilon, delta):
    """Every (alpha, eps)-RDP mechanism is (this value, delta)-DP, whatever alpha > 1.

    Note: Canonne, Kamath and Steinke 2020; two-point laws come close
    Proof: Canonne, Kamath and Steinke 2020, Proposition 12
    """
    value = epsilon + xp.log1p(-1 / alpha) - (xp.log(delta) + xp.log(alpha)) / (alpha - 1)
    return xp.maximum(value, 0)
