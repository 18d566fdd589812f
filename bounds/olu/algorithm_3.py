"""Algorithm 3 of olu: the Newton unlearner's distance from exact deletion, and its noise (59)."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import I1, M_H, kept, m, tau_i
from bounds.olu.series import power
from bounds.olu.symbols import D, L, alpha, beta, convexity_order, epsilon, i, k, mu, omega

statement = Statement(
    "olu.alg3.shift",
    "Algorithm 3 (sensitivity)",
    "inequality",
    words="With its sign, Algorithm 3 brings any two starts within s_i of each other.",
    left=r"s_i=\sup_{z,z'}\|U_i(z)-U_i'(z')\|",
    symbols=(i, I1, m, mu, beta, L, D, M_H),
    requires=(convexity_order, kept),
    plot=Plot(
        "I1",
        tuple(float(n) for n in range(0, 21)),
        {"i": 1, "m": 20, "mu": 1.0, "beta": 2.0, "L": 3.0, "D": 2.0, "M_H": 0.8},
    ),
    quantity="distance of the runs on log-cosh losses",
)
statement.interpreted_as(
    "repaired",
    "plus sign, or the whole gradient of the kept losses; steps 2/(beta + mu); minimisers "
    "with gradient 0",
    apart="another step: the whole gradient, in both runs",
)


def with_step(xp, i, I1, m, mu, beta, L, D, M_H):
    """s_i of Newton's step on the deleted gradients; the other run makes none."""
    remainder = power(xp, mu, beta, I1) * D
    newton = M_H / (2 * mu) * (remainder + i * L / (mu * m)) ** 2
    return newton + m / (m - i) * beta / mu * remainder + remainder


def with_gradient(xp, i, I1, m, mu, beta, L, D, M_H):
    """s_i of Newton's step on the kept gradients, in both runs."""
    remainder = power(xp, mu, beta, I1) * D
    return M_H / (2 * mu) * ((remainder + i * L / (mu * m)) ** 2 + remainder**2)


@statement.form(
    "corrected",
    tex=r"\frac{M_H}{2\mu}\Big(\rho^{I_1}D+\frac{iL}{\mu m}\Big)^2+\frac{m}{m-i}\frac{\beta}{\mu}"
    r"\rho^{I_1}D+\rho^{I_1}D",
)
def corrected(xp, i, I1, m, mu, beta, L, D, M_H):
    """The run that deletes and the run that never had the i losses end at most this far apart.

    The second makes its I_1 steps on the kept losses and no Newton step.

    Note: step + H^-1 sum_U grad f_u/(m - i) after I_1 steps 2/(beta + mu); minimisers inside K
    Proof: Newton's quadratic bound, Lemma 5 for the minimisers, the gradient left out
    """
    return with_step(xp, i, I1, m, mu, beta, L, D, M_H)


@statement.form(
    "tight",
    tex=r"\frac{M_H}{2\mu}\Big[\Big(\rho^{I_1}D+\frac{iL}{\mu m}\Big)^2+(\rho^{I_1}D)^2\Big]",
)
def tight(xp, i, I1, m, mu, beta, L, D, M_H):
    """With the whole gradient of the kept losses in the step, and in both runs.

    Note: full Newton step on the kept losses, in both runs; 0 for quadratics
    Proof: Newton's quadratic bound in both runs
    """
    return with_gradient(xp, i, I1, m, mu, beta, L, D, M_H)


M = Symbol(
    "M",
    "undefined in the paper; by its units a smoothness",
    "M",
    low=0,
    low_open=True,
    unit="loss/parameter^2",
)

noise = Statement(
    "olu.eq59",
    "(59)",
    "equality",
    words="Algorithm 3 adds noise of sigma_i = sqrt(alpha j^omega omega/(2(omega - 1) eps)) "
    "L (2 + (k beta/(mu (tau_i - k))) (M/mu - 1))/(mu (tau_i - i)).",
    left=r"\sigma_i",
    symbols=(i, k, tau_i, alpha, epsilon, omega, mu, beta, L, D, I1, M_H, M),
    requires=(
        convexity_order,
        Hypothesis("i <= tau_i - 2 (a loss is kept)", lambda i, tau_i: i <= tau_i - 2),
        Hypothesis("i <= k", lambda i, k: i <= k),
        Hypothesis("k < tau_i", lambda k, tau_i: k < tau_i),
        Hypothesis("mu <= M", lambda mu, M: mu <= M),
    ),
    plot=Plot(
        "I1",
        tuple(float(n) for n in range(0, 21)),
        {
            "i": 1,
            "k": 1,
            "tau_i": 21,
            "alpha": 2.0,
            "epsilon": 0.5,
            "mu": 1.0,
            "beta": 2.0,
            "L": 3.0,
            "D": 2.0,
            "M_H": 0.8,
            "M": 2.0,
        },
    ),
    quantity="least sigma on log-cosh losses",
    correction="s_i/sqrt(2 eps) with s_i of olu.alg3.shift.",
)
noise.interpreted_as("literal", "M and j undefined; no theorem is stated", {"printed": "=="})
noise.interpreted_as(
    "repaired",
    "Algorithm 3 with its sign, steps 2/(beta + mu), projection after the noise",
    {"corrected": "<=", "tight": "<="},
    apart="another step: the whole gradient, in both runs",
    stance="amended",
)


@noise.form(
    "printed",
    tex=r"\sigma_i=\sqrt{\frac{\alpha j^\omega\omega}{2(\omega-1)\varepsilon}}\frac{L\left(2+"
    r"\frac{k\beta}{\mu(\tau[i]-k)}\left(\frac{M}{\mu}-1\right)\right)}{\mu(\tau[i]-i)}",
    reads={"j": "i"},
)
def noise_printed(xp, i, k, tau_i, alpha, epsilon, mu, beta, L, M, omega=1.2):
    """Standard deviation of the noise of Algorithm 3. M and j are undefined.

    Note: j read as i; the order alpha inside the root
    Fails (literal): M and j are not defined, no theorem is stated for Algorithm 3, and α inside the
        root would give (α, ε) and not the (α, αε) of Theorem 6.
    Source: olu, (59)
    """
    weight = xp.sqrt(alpha * omega / (2 * (omega - 1) * epsilon)) * i ** (omega / 2)
    newton = k * beta / (mu * (tau_i - k)) * (M / mu - 1)
    return weight * L * (2 + newton) / (mu * (tau_i - i))


@noise.form(
    "corrected",
    tex=r"\sigma_i=\frac{s_i}{\sqrt{2\varepsilon}}",
    reads={"s_i": "olu.alg3.shift/corrected", "m": r"\tau_i-1"},
)
def noise_corrected(xp, i, tau_i, epsilon, mu, beta, L, D, I1, M_H):
    """Noise that gives D_alpha <= alpha eps at every request; s_i holds wherever the runs were.

    Note: s_i of olu.alg3.shift at m = tau_i - 1; nothing is carried over between requests
    Proof: s_i holds from any two starts: one Gaussian shift at the request
    """
    return with_step(xp, i, I1, tau_i - 1, mu, beta, L, D, M_H) / xp.sqrt(2 * epsilon)


@noise.form(
    "tight",
    tex=r"\frac{s_i}{\sqrt{2\varepsilon}}",
    reads={"s_i": "olu.alg3.shift/tight", "m": r"\tau_i-1"},
)
def noise_tight(xp, i, tau_i, epsilon, mu, beta, L, D, I1, M_H):
    """The same with the whole gradient of the kept losses in the Newton step of both runs.

    Note: full Newton step in both runs
    Proof: s_i with the whole gradient: one Gaussian shift at the request
    """
    return with_gradient(xp, i, I1, tau_i - 1, mu, beta, L, D, M_H) / xp.sqrt(2 * epsilon)


alg3 = Statement(
    "olu.alg3",
    "Algorithm 3",
    "algorithm",
    quantity="distance from the kept minimiser",
    words="A Newton step zhat - H^-1 sum_U grad f_u(zhat)/(tau_i - i) on the losses kept, "
    "after I_1 gradient steps on all, brings the iterate to the kept losses' minimiser.",
    correction="zhat - H^-1 (average gradient of the kept losses), projected after the noise; the "
    "displayed matrix is H, not its inverse.",
)
alg3.interpreted_as(
    "literal",
    "the step as printed, on quadratics",
    {"printed": "<="},
    fails={
        "printed": "The sign is wrong: at the minimiser of all losses the retained ones have the"
        " gradient -Σ∇f_u, so H⁻¹Σ∇f_u must be added. As it stands the step leads "
        "away from the minimiser of the retained losses, to a distance of {measured}.",
    },
)
alg3.interpreted_as(
    "repaired",
    "a plus sign",
    {"corrected": "<="},
    proofs={"corrected": "grad of the kept average is -sum_U grad f_u/(m - i) there"},
    stance="amended",
)
