"""Corollary 1 of olu: exact rational chains refute gamma^(tau - u) and attain its correction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import theorem_1
from verify.olu.deletion_chains import distance, farthest, inverse_time, kept, random_chains, ratio


def check_convex(ctx: Context) -> Iterator[Evidence]:
    for lengths, L in (((1.0, 0.5), "its own"), ((1.0, 1.0), "the larger one")):
        inputs = {"alpha": 2.0, "epsilon": 0.01, "eta": 0.5, "omega": 1.2}
        found = theorem_1.after_projection(0.01, 2.0, lengths=lengths)
        words = f"the counterexample to Theorem 1; each loss has {L} Lipschitz constant on K"
        yield ctx.compare(
            "literal", "printed", found, inputs, words, bound=0.02, script="thm1_outside"
        )
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {"eta": float(rng.exponential()), "L": float(rng.exponential())}
        yield ctx.compare(
            "projected", "printed", kept(**inputs), inputs, "linear losses", relation="=="
        )
    chains, moved = random_chains(rng, ctx.pick(500, 20_000), convex=True)
    yield ctx.compare(
        "projected", "printed", moved, chains, "projected descent on log cosh losses in R^3"
    )
    for _ in range(ctx.pick(5, 100)):
        reached, inputs, _ = theorem_1.random_projected(rng, convex=True)
        words = "D_alpha with line 5's noise at gamma = 1, transfer operator"
        bound = inputs["alpha"] * inputs["epsilon"]
        yield ctx.compare("projected", "printed", reached, inputs, words, bound=bound)


def check_strong(ctx: Context) -> Iterator[Evidence]:
    one = Fraction(1)
    budget = {"alpha": 2.0, "epsilon": 1.0}
    promised = budget["alpha"] * budget["epsilon"]
    for beta, omega, gap in ((3, 2, 1), (3, "6/5", 3), (3, "6/5", 10), (8, "6/5", 30)):
        step = one / (beta + 1)

        def constant(t: int, step: Fraction = step) -> Fraction:
            return step

        inputs = {**budget, "mu": 1.0, "beta": beta, "eta": float(step), "u": 4, "tau": 4 + gap}
        found = ratio(constant, one, Fraction(beta), 4, 4 + gap, Fraction(omega))
        left, case = promised * found, {**inputs, "omega": float(Fraction(omega))}
        words = "eta = 1/(beta + mu) on quadratics: contraction beta/(beta + mu), not gamma"
        yield ctx.compare(
            "literal", "printed", left, case, words, bound=promised, script="cor1b_constant"
        )
        true = float(beta * step) * (1 - float(step)) ** (gap - 1)
        moved = float(distance(constant, one, Fraction(beta), 4, 4 + gap, "C"))
        words = "quadratics with (1 - eta mu)^(tau - u - 1)"
        yield ctx.compare("literal", "corrected", moved, inputs, words, bound=true, relation="==")
    for order in ("A", "C"):
        for tau in (6, 7, 10, 14, 24):
            found = ratio(inverse_time(1), one, Fraction(3), 4, tau, Fraction(6, 5), order)
            left = promised * found
            case = {**budget, "mu": 1.0, "beta": 3.0, "u": 4, "tau": tau, "omega": 1.2}
            words = f"D_alpha on quadratics, index convention {order}"
            yield ctx.compare(
                "steps", "printed", left, case, words, bound=promised, script="cor1b_decreasing"
            )
    left = promised * ratio(inverse_time(1), one, one, 4, 6, Fraction(6, 5))
    case = {**budget, "mu": 1.0, "beta": 1.0, "u": 4, "tau": 6, "omega": 1.2}
    words = "beta = mu: gamma = 0, no noise, but the running mean still holds x_u"
    yield ctx.compare(
        "steps", "printed", left, case, words, bound=promised, script="cor1b_decreasing"
    )
    rng = ctx.rng()
    cases = [(1, 3, 4, 6), (1, 3, 4, 14), (2, 20, 11, 60), (1, 9, 10, 11), (1, 1, 2, 30)]
    for _ in range(ctx.pick(20, 300)):
        u = int(rng.integers(2, 30))
        cases.append((1, int(rng.integers(1, u)), u, u + int(rng.integers(1, 40))))
    for mu, beta, u, tau in cases:
        moved = float(distance(inverse_time(mu), Fraction(mu), Fraction(beta), u, tau, "C"))
        inputs = {"mu": mu, "beta": beta, "L": beta, "u": u, "tau": tau}
        instance = "f_u = (beta/2)(z - 1)^2 among (mu/2) z^2 on [0, 1], in Fractions"
        yield ctx.compare("steps", "corrected", moved, inputs, instance, relation="==")
        if tau > u + 1:
            yield ctx.compare(
                "steps", "printed", moved, inputs, instance, script="cor1b_decreasing"
            )
    for _ in range(ctx.pick(20, 300)):
        u = int(rng.integers(1, 9))
        (inputs,) = rows(
            "mu L u tau",
            (
                float(rng.exponential()) + 0.1,
                float(rng.exponential()),
                u,
                u + int(rng.integers(1, 30)),
            ),
        )
        inputs["beta"] = inputs["mu"] * float(rng.uniform(1, 12))
        moved = farthest(**inputs)
        instance = "quadratics of curvature mu or beta, steps that expand included"
        yield ctx.compare("early", "corrected", moved, inputs, instance, relation="==")
        yield ctx.compare("early", "printed", moved, inputs, instance, script="cor1b_decreasing")
    chains, moved_by = random_chains(rng, ctx.pick(500, 5000))
    del chains["eta"]
    instance = "losses that are not quadratic, projected, in R^3"
    yield ctx.compare("steps", "corrected", moved_by, chains, instance)
    yield ctx.compare("steps", "printed", moved_by, chains, instance, script="cor1b_decreasing")


CHECKS = (
    Check("olu.cor1a", evidence=check_convex, oracle=kept),
    Check("olu.cor1b", evidence=check_strong, oracle=farthest),
)
