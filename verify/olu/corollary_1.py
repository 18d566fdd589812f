"""Corollary 1 of olu: exact rational chains refute gamma^(tau - u) and attain its correction."""

from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu import theorem_1
from verify.olu.deletion_chains import distance, farthest, inverse_time, kept, random_chains, ratio


def check_convex(ctx: Context) -> Findings:
    """The counterexample to Theorem 1; then the distance and D_alpha of projected convex chains."""
    (inputs,) = case_table("alpha epsilon eta omega", (2.0, 0.01, 0.5, 1.2))
    for lengths, L in (((1.0, 0.5), "its own"), ((1.0, 1.0), "the larger one")):
        divergence = theorem_1.after_projection(0.01, 2.0, lengths=lengths)
        more = {"bound": 0.02}
        words = f"the counterexample to Theorem 1; each loss has {L} Lipschitz constant on K"
        yield ctx.compare(
            "literal", "printed", divergence, inputs, words, script="thm1_outside", **more
        )
    rng = ctx.rng(1)
    words = "projected descent on log cosh losses in R^3"
    chains, distances = random_chains(rng, ctx.pick(500, 20_000), convex=True)
    yield ctx.compare("projected", "printed", distances, chains, words)
    words = "D_alpha with line 5's noise at gamma = 1, transfer operator"
    for _ in range(ctx.pick(5, 100)):
        divergences, inputs, _ = theorem_1.random_projected(rng, convex=True)
        bound = inputs["alpha"] * inputs["epsilon"]
        yield ctx.compare("projected", "printed", divergences, inputs, words, bound=bound)


def check_constant(ctx: Context) -> Findings:
    """The same step at every round."""
    words = (
        "eta = 1/(beta + mu) on quadratics: contraction beta/(beta + mu), not gamma",
        "quadratics with (1 - eta mu)^(tau - u - 1)",
    )
    for beta, omega, gap in ((3, 2, 1), (3, "6/5", 3), (3, "6/5", 10), (8, "6/5", 30)):
        step, tau = Fraction(1, beta + 1), 4 + gap

        def constant(t: int, step: Fraction = step) -> Fraction:
            return step

        inputs = {**BUDGET, "beta": beta, "eta": float(step), "u": 4, "tau": tau}
        divergence = PROMISED * ratio(constant, ONE, Fraction(beta), 4, tau, Fraction(omega))
        more = {"bound": PROMISED, "script": "cor1b_constant"}
        yield ctx.compare("literal", "printed", divergence, inputs, words[0], **more)
        true = float(beta * step) * (1 - float(step)) ** (gap - 1)
        apart = distance(constant, ONE, Fraction(beta), 4, tau, "C")
        more = {"relation": "=="}
        yield ctx.compare("literal", "corrected", apart, inputs, words[1], bound=true, **more)


def check_strong(ctx: Context) -> Findings:
    """D_alpha on quadratics with the printed noise, by both index conventions, against its promise.

    The corrected distance is attained in Fractions, and holds of losses that are no quadratics.
    """
    yield from check_constant(ctx)
    promised = {"bound": PROMISED, "script": SCRIPT}
    for order in ("A", "C"):
        words = f"D_alpha on quadratics, index convention {order}"
        for tau in (6, 7, 10, 14, 24):
            measurement = PROMISED * ratio(
                HARMONIC, ONE, Fraction(3), 4, tau, Fraction(6, 5), order
            )
            case = {**BUDGET, "beta": 3.0, "u": 4, "tau": tau, "omega": 1.2}
            yield ctx.compare("steps", "printed", measurement, case, words, **promised)
    measurement = PROMISED * ratio(HARMONIC, ONE, ONE, 4, 6, Fraction(6, 5))
    case = {**BUDGET, "beta": 1.0, "u": 4, "tau": 6, "omega": 1.2}
    words = "beta = mu: gamma = 0, no noise, but the running mean still holds x_u"
    yield ctx.compare("steps", "printed", measurement, case, words, **promised)
    rng = ctx.rng(1)
    words = "f_u = (beta/2)(z - 1)^2 among (mu/2) z^2 on [0, 1], in Fractions"
    cases = [(1, 3, 4, 6), (1, 3, 4, 14), (2, 20, 11, 60), (1, 9, 10, 11), (1, 1, 2, 30)]
    for _ in range(ctx.pick(20, 300)):
        u = int(rng.integers(2, 30))
        cases.append((1, int(rng.integers(1, u)), u, u + int(rng.integers(1, 40))))
    for mu, beta, u, tau in cases:
        measurement = float(distance(inverse_time(mu), Fraction(mu), Fraction(beta), u, tau, "C"))
        inputs = {"mu": mu, "beta": beta, "L": beta, "u": u, "tau": tau}
        yield ctx.compare("steps", "corrected", measurement, inputs, words, relation="==")
        if tau > u + 1:
            yield ctx.compare("steps", "printed", measurement, inputs, words, script=SCRIPT)
    chains, distances = random_chains(rng, ctx.pick(500, 5000))
    del chains["eta"]
    words = "losses that are not quadratic, projected, in R^3"
    yield from ctx.compare_forms("steps", distances, chains, words, script=SCRIPT)


ONE, HARMONIC = Fraction(1), inverse_time(1)
BUDGET = {"alpha": 2.0, "epsilon": 1.0, "mu": 1.0}
PROMISED = BUDGET["alpha"] * BUDGET["epsilon"]
SCRIPT = "cor1b_decreasing"
LINEAR = Instances(
    "linear losses", draws=(20, 200), interpretations=("projected",), relations={"printed": "=="}
)
ANY = Instances(
    "quadratics of curvature mu or beta, steps that expand included",
    draws=(20, 300),
    within={"u": (1, 9), "tau": (2, 40), "beta": (0.1, 10), "mu": (0.1, 10)},
    interpretations=("early",),
    relations={"corrected": "=="},
    script=SCRIPT,
)
CHECKS = (
    Check("olu.cor1a", check_convex, kept, (LINEAR,)).measured_by(
        "online",
        "adjacent_distance",
        where=("steps at most 2/beta",),
        interpretations=("projected",),
    ),
    Check("olu.cor1b", check_strong, farthest, (ANY,))
    .measured_by(
        "online", "adjacent_distance", interpretations=("steps",), where=("steps 1/(mu t)",)
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
