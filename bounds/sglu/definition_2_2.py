"""Definition 2.2 of sglu (Rényi differential privacy), evaluated on full-batch noisy learning."""

from bounds import Plot, Statement
from bounds.sglu.series import sensitivity
from bounds.sglu.symbols import M, T_positive, alpha, b, contractive, eta, m_positive, sigma

statement = Statement(
    "sglu.def2.2",
    "Definition 2.2",
    "definition",
    words="An algorithm is (alpha, eps)-RDP if the Rényi difference of order alpha between its "
    "laws on any two adjacent data sets is at most eps.",
    quote="A randomized algorithm satisfies (alpha, eps)-RDP if for any adjacent dataset pair "
    "the alpha Rényi difference d_alpha(nu, nu') <= eps",
    left=r"d_\alpha(\nu, \nu'),\quad \mathcal M(\mathcal D)\sim\nu,\ "
    r"\mathcal M(\mathcal D')\sim\nu'",
    symbols=(alpha, eta, m_positive, M, b, sigma, T_positive),
    requires=(contractive,),
    plot=Plot(
        "T",
        tuple(map(float, range(1, 31))),
        {"alpha": 2, "eta": 0.8, "m": 0.1, "M": 1, "b": 6, "sigma": 0.3},
        log_y=False,
    ),
    quantity="d_alpha(learning on D, learning on D')",
)
statement.interpreted_as(
    "literal", "replace-one adjacency; learning only, full batch", {"tight": "<="}
)


@statement.form(
    "tight",
    tex=r"\frac{\alpha}{2}\mu^2,\quad \mu=\frac{q}{\sqrt{2\eta}\,\sigma}"
    r"\sqrt{\frac{(1+c)(1-c^{T})}{(1-c)(1+c^{T})}}",
)
def tight(xp, alpha, eta, m, M, b, sigma, T):
    """Noisy full-batch learning is (alpha, this value)-RDP.

    Note: the RDP curve of T full-batch epochs (b = n); attained by quadratics
    Source: Theorem X2 with K = 0 and J = 1 (Bok, Su and Altschuler 2024 for noisy GD)
    """
    ratio = (2 - eta * m) * xp.geometric(eta * m, T) / (1 + xp.decay(eta * m, T))
    return alpha / 2 * sensitivity(eta, M, b) ** 2 / (2 * eta * sigma**2) * ratio
