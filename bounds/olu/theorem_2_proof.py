"""(18) plus (19) of olu: what the proof of Theorem 2 gives before its last step."""

from bounds import Statement
from bounds.olu.equation_18 import noise
from bounds.olu.symbols import omega
from bounds.olu.theorem_2 import REQUIRES, SYMBOLS

statement = Statement(
    "olu.thm2.proof",
    "Theorem 2, (18) and (19) combined",
    "inequality",
    words="The proof ends with (L^2/mu)(1 + log T + k + k^2) and the noise term of (18), "
    "which is then stated as (L^2/mu)(log T + 2 k^2) and that noise term.",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(*SYMBOLS, omega),
    requires=REQUIRES,
    quantity="expected regret with the noise of Algorithm 1",
    correction="The statement follows from (1 + log T)/2 + k <= log T + 2 k^2 instead.",
)
statement.interpreted_as("literal", "regret of Algorithm 1 with its own noise, projected")
statement.interpreted_as("step", "1 + k + k^2 <= 2 k^2, as the statement needs", stance="component")


@statement.form(
    "printed",
    tex=r"\frac{L^2}{\mu}(1+\log T+k+k^2)+\frac{d\omega k^{\omega+0.5}L^2}"
    r"{2\sqrt3\varepsilon\mu(\omega-1)}\sqrt{\sum_i\Big(\frac{\tau[i]}{u[i]^2}"
    r"\gamma^{2(\tau[i]-u[i])}\Big)^2}",
)
def printed(xp, T, d, epsilon, L, mu, beta, u, tau, omega=1.2):
    """At least the expected regret of Algorithm 1 with its own noise.

    Note: 1 + k + k^2 where the statement has 2 k^2, which is less at k = 1
    Proof (literal): the sum of the bounds (18) and (19)
    Fails (step): The last line replaces 1 + k + k² by 2k², which is less at k = 1: {bound} against
        {measured}. The regret bound itself follows in another way, from (1 + log T)/2 + k ≤ log T +
        2k².
    Source: olu, (18), (19)
    """
    k = xp.count(tau)
    steady = L**2 / mu * (1 + k + k**2 + xp.log(T))
    return steady + noise(xp, d, epsilon, L, mu, beta, u, tau, omega)
