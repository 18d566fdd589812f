"""Figure 3b of sglu and the abstract's 10 % and 2 %: total epochs of 100 requests."""

from bounds import Plot, Statement
from bounds.sglu import algorithm_6
from bounds.sglu import sequence_plans as plans
from bounds.sglu.langevin_unlearning import sequence
from bounds.sglu.requests import all_steps, gaussian, mironov, planned
from bounds.sglu.series import sensitivity, stationary
from bounds.sglu.settings import (
    DATA,
    LIPSCHITZ,
    RADIUS,
    REQUESTS,
    regularisation,
    smoothness,
    step_and_convexity,
)
from bounds.sglu.theorem_l_2 import total_steps

EPSILON, SIGMA = 1.0, 0.03
BATCHES: tuple[int | None, ...] = (32, 64, 128, 256, 512, None)
# Total epochs stored with the authors' public code, one for each of BATCHES.
STORED = {"MNIST": (100, 100, 100, 200, 300, 886), "CIFAR-10": (100, 100, 200, 200, 350, 1183)}
# Totals of the baselines as plotted (stored with the same code; L depends on the data there).
PLOTTED = {
    "MNIST": {"Descent-to-Delete": 9118, "Langevin unlearning": 8682},
    "CIFAR-10": {"Descent-to-Delete": 10098, "Langevin unlearning": 10428},
}
# Totals of each form for BATCHES: deterministic acceptance values.
TOTALS = {
    "printed": {
        "MNIST": (100, 100, 100, 100, 149, 1786),
        "CIFAR-10": (100, 100, 100, 100, 200, 2487),
    },
    "algorithm": {
        "MNIST": (200, 200, 200, 200, 200, 500),
        "CIFAR-10": (200, 200, 200, 200, 300, 1300),
    },
    "corrected": {
        "MNIST": (100, 100, 100, 100, 100, 584),
        "CIFAR-10": (100, 100, 100, 100, 100, 762),
    },
    "tight": {"MNIST": (100, 100, 100, 100, 100, 361), "CIFAR-10": (100, 100, 100, 100, 100, 505)},
}

statement = Statement(
    "sglu.sec4.10pct2pct",
    "10 % and 2 % of the epochs (Figure 3b)",
    "claim",
    words="100 requests at (1, 1/n) and sigma = .03 take roughly 10 % (b = n) and 2 % "
    "(b = 128) of the epochs of Descent-to-Delete and of Langevin unlearning.",
    left=r"\sum_{s\le S}K_s",
    symbols=plans.SYMBOLS,
    requires=(plans.DIVIDES,),
    plot=Plot(
        "b",
        tuple(float(2**k) for k in range(5, 11)),
        {"n": 11264, "S": REQUESTS, "sigma": SIGMA, "epsilon": 0.1},
        log_x=True,
        log_y=False,
    ),
    quantity="total epochs",
    correction="As plotted 9.7 to 11.7 % at b = n, by a constant that the paper does not print; by "
    "its printed formulas 20 to 25 %, by exact accounting 4 to 5 %.",
)
statement.interpreted_as(
    "literal",
    "at most what rounds to 10 % and 2 % of the totals plotted and of those that the "
    "printed formulas of both baselines give",
    {"printed": "<=", "corrected": "<=", "tight": "<="},
)
statement.interpreted_as(
    "plotted",
    "as observed, roughly: the totals plotted for SGLU over those plotted for the baselines",
    {"printed": "<="},
)
statement.interpreted_as(
    "unprinted",
    "epochs by the interpretation that gives the authors' stored totals: shifts spread over all "
    "steps, noise variance eta sigma^2, Z = q/(1 - c)",
    {"stored": "<="},
    stance="amended",
)
statement.interpreted_as(
    "lists",
    "the twelve totals stored with the authors' public code",
    {"printed": "<=", "algorithm": "<=", "stored": "<="},
    stance="component",
)
statement.interpreted_as(
    "totals",
    "b = 32, 64, 128, 256, 512, n for both data sets",
    {"printed": "<=", "algorithm": "<=", "corrected": "<=", "tight": "<="},
    stance="component",
)
statement.interpreted_as(
    "target",
    "every request within (1, 1/n) of retraining",
    {"printed": "<=", "stored": "<=", "corrected": "<=", "tight": "<="},
    stance="component",
)


def baselines(data: str) -> dict[str, int]:
    """Total steps of 100 requests by the printed formulas of the compared methods.

    Descent-to-Delete: Theorem L.2. Langevin unlearning: (79), ten requests of ten points each,
    by the weak triangle inequality. L = 1/4 + lambda for both.
    """
    n, d = DATA[data].n, DATA[data].d
    m, L = float(regularisation(n)), float(smoothness(n))
    langevin = sequence(EPSILON, 1 / n, SIGMA, 1 / L, m, LIPSCHITZ, n, 10, REQUESTS // 10)
    return {
        "Descent-to-Delete": total_steps(L, m, d, EPSILON, 1 / n, REQUESTS),
        "Langevin unlearning": sum(langevin),
    }


@statement.form(
    "printed",
    tex=r"K_s=\min\Big\{K\ge1:\min_\alpha\Big[\frac{\alpha(Z^{(s)})^2c^{2Kn/b}}{2\eta\sigma^2}"
    r"+\frac{\log n}{\alpha-1}\Big]\le\epsilon\Big\}," + plans.UPDATE,
)
def printed(xp, n, b, S, sigma, epsilon):
    """These epochs suffice by the formulas that the paper prints.

    Note: Corollary 3.8, Theorem 3.11, Proposition K.2: 20 to 25 % of the plotted totals at b = n
    Proof (plotted): the plotted totals divided by one another: 9.7 to 11.7 % and 1.1 to 2.0 %
    Proof (target): Corollary 3.8, Theorem 3.11 and Proposition K.2
    Fails (literal): By the paper's own formulas full batches take {epochs} epochs for 100 requests,
        {measured} of the {baseline} plotted for Descent-to-Delete, not a tenth. The plotted totals
        rest on a constant that is printed nowhere.
    Fails (lists): Seven of the stored totals differ from what the printed formulas give: b ≥ 256,
        and b = 128 on CIFAR-10. For full batches the formulas give 1786 and 2487 epochs, the stored
        lists have 886 and 1183.
    Source: sglu, Section 4
    """
    eta, m = step_and_convexity(xp, n)
    return algorithm_6.corrected.formula(
        xp, epsilon, 1 / n, sigma, S, eta, m, LIPSCHITZ, b, n / b, RADIUS
    )


@statement.form("algorithm", tex=r"K_s=1+\min\{K\ge1:\epsilon(Z,K)\le\epsilon\}")
def algorithm(xp, n, b, S, sigma, epsilon):
    """The epochs that Algorithms 6 to 8 spend.

    Note: Algorithms 6 to 8 to the letter; their guarantee is false for S >= 2
    Fails (lists): Nine of the stored totals differ. To the letter Algorithms 6 to 8 spend two
        epochs or more on every request, so that no total is below 200 (five stored ones are 100),
        and full batches take 500 and 1300, not 886 and 1183.
    Source: sglu, Appendix K
    """
    eta, m = step_and_convexity(xp, n)
    return algorithm_6.printed.formula(
        xp, epsilon, 1 / n, sigma, S, eta, m, LIPSCHITZ, b, n / b, RADIUS
    )


@statement.form(
    "stored",
    tex=r"\frac{\alpha(Z^{(s)})^2c^{2Kn/b}(1-c^2)}{2\eta\sigma^2(1-c^{2Kn/b})}"
    r"\text{ for the first term of the printed form, }Z=\frac{2\eta M/b}{1-c}",
)
def stored(xp, n, b, S, sigma, epsilon):
    """These epochs suffice: twice the proved loss, from a distance that is no smaller.

    Note: printed nowhere; gives all twelve totals stored with the authors' code
    Proof (unprinted): evaluation of the totals; the guarantee by the interpretation 'target'
    Proof (target): at least the corrected loss, from a distance that is no smaller
    """
    eta, m = step_and_convexity(xp, n)
    least = all_steps(xp, mironov(xp, epsilon, 1 / n, sigma, eta), eta, m, n / b)
    fresh = sensitivity(eta, LIPSCHITZ, b) / (eta * m)
    return planned(xp, xp.total, S, least, fresh, 2 * RADIUS, eta, m, n / b)


@statement.form(
    "corrected",
    tex=r"K_s=\min\Big\{K\ge1:\frac{Z^{(s)}c^{Kn/b}}{\sqrt{2\eta G_c(Kn/b)}\,\sigma}"
    r"\le\mu^*(\epsilon,1/n)\Big\}," + plans.UPDATE,
)
def corrected(xp, n, b, S, sigma, epsilon):
    """These epochs suffice by the noise of the unlearning steps alone.

    Note: the paper's argument with its variance, all steps and the Gaussian curve
    Proof (literal): evaluation of the totals; the guarantee by the interpretation 'target'
    Proof (target): Theorem X (i) with the distance of Theorem 3.11
    """
    eta, m = step_and_convexity(xp, n)
    least = all_steps(xp, gaussian(xp, epsilon, 1 / n, sigma, eta), eta, m, n / b)
    fresh = stationary(xp, eta, m, LIPSCHITZ, b, n / b)
    return planned(xp, xp.total, S, least, fresh, 2 * RADIUS, eta, m, n / b)


@statement.form(
    "tight",
    tex=r"K_s=\min\Big\{K\ge1:\frac{Z^{(s)}c^{Kn/b}\sqrt{1-c^2}}{\sqrt{2\eta}\,\sigma}"
    r"\le\mu^*(\epsilon,1/n)\Big\}\ \text{while }Z^{(s)}\le2R,\quad Z^{(s+1)}=c^{K_sn/b}Z^{(s)}+Z",
)
def tight(xp, n, b, S, sigma, epsilon):
    """The least epochs over the class of Remark 3.7, request by request, projection inactive.

    Note: exact accounting; one epoch less at any request breaks the target on quadratics
    Proof (literal): evaluation of the totals; the guarantee by the interpretation 'target'
    Proof (target): equality, request by request, on quadratics
    """
    eta, m = step_and_convexity(xp, n)
    return algorithm_6.tight.formula(
        xp, epsilon, 1 / n, sigma, S, eta, m, LIPSCHITZ, b, n / b, RADIUS
    )
