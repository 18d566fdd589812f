"""The claim after Corollary 3.8 of sglu: smaller batches need fewer epochs."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.series import stationary
from bounds.sglu.symbols import J, M, alpha, b, contractive, eta, forgetting, m_positive, sigma

loss = Symbol("loss", "target Rényi loss", r"\varepsilon", low=0, low_open=True, unit="1")

statement = Statement(
    "sglu.claim.smallb",
    "Smaller batches, fewer epochs (after Corollary 3.8)",
    "claim",
    words="A smaller batch has a worse initial distance but a better decay, and needs fewer "
    "epochs for a given loss.",
    left=r"K(b)\ \text{that meets}\ d_\alpha\le\varepsilon",
    symbols=(alpha, eta, m_positive, M, sigma, b, J, loss),
    requires=(contractive, forgetting),
    plot=Plot(
        "b",
        tuple(float(b) for b in (8, 16, 32, 64, 128, 256, 512)),
        {"alpha": 2, "eta": 1, "m": 0.01, "M": 1, "sigma": 0.01, "loss": 0.01, "n": 512},
        log_x=True,
        log_y=False,
    ),
    quantity="epochs that meet the target",
    correction="Z_B = O(eta M / b) needs the factor 1/(1 - c^{n/b}); below half an epoch the "
    "order of batch sizes reverses.",
)
statement.interpreted_as("literal", "n, eta, m, M, sigma fixed; at least one epoch needed (K >= 1)")


@statement.form(
    "printed",
    tex=r"\frac{b}{2n\log(1/c)}\log\frac{\alpha Z_{\mathcal B}^2}{2\eta\sigma^2\varepsilon}",
)
def printed(xp, alpha, eta, m, M, sigma, b, J, loss):
    """This many epochs bring Corollary 3.8's bound to the target. Increases with b, n fixed.

    Note: Corollary 3.8 solved for K, as a real number (negative where no epoch is needed)
    Proof: K(u) = (A + log(u/(1 - e^-u)))/u, u = (n/b) log(1/c), falls while K >= 1/2
    Source: sglu, after Corollary 3.8, made explicit
    """
    apart = stationary(xp, eta, m, M, b, J)
    ratio = alpha * apart**2 / (2 * eta * sigma**2 * loss)
    return xp.log(ratio) / (-2 * J * xp.log1p(-eta * m))


@statement.form(
    "tight", tex=r"\frac{1}{2J\log(1/c)}\log\frac{\alpha Z^2(1-c^2)}{4\eta\sigma^2\varepsilon}"
)
def tight(xp, alpha, eta, m, M, sigma, b, J, loss):
    """This many epochs are necessary and sufficient on quadratics, projection inactive.

    Note: the exact loss of Theorem X (iii) solved for K
    Proof: the exact chain's epochs are K(u) with another A, and fall alike
    """
    apart, gap = stationary(xp, eta, m, M, b, J), eta * m
    ratio = alpha * apart**2 * gap * (2 - gap) / (4 * eta * sigma**2 * loss)
    return xp.log(ratio) / (-2 * J * xp.log1p(-gap))
