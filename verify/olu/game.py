"""Section 2.1 of olu: who sees what in the game, and regret."""

from fractions import Fraction
from itertools import product

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings


def expected_regret(rule: str, T: int) -> tuple[Fraction, Fraction]:
    """(E Regret_T, E|s_1 + ... + s_T|) over all 2^T sign sequences, losses s_t z on [-1, 1].

    rule "leader" plays argmin f_1 + ... + f_t at t; "descent" plays w_t, w_{t+1} = P[w_t - s_t/2].
    """
    regret = spread = Fraction(0)
    for signs in product((-1, 1), repeat=T):
        total, w, loss = 0, Fraction(0), Fraction(0)
        for s in signs:
            total += s
            z = w if rule == "descent" else Fraction(-1 if total > 0 else 1)
            loss += s * z
            w = min(max(w - Fraction(s, 2), Fraction(-1)), Fraction(1))
        regret += (loss + abs(total)) / 2**T
        spread += Fraction(abs(total), 2**T)
    return regret, spread


def check_game(ctx: Context) -> Findings:
    """Regret of two rules over all sign sequences, and losses before and after the update."""
    T = ctx.pick(8, 12)
    for form, rule in (("printed", "leader"), ("corrected", "descent")):
        regret, spread = map(float, expected_regret(rule, T))
        words = f"all sign sequences, {rule}"
        yield ctx.compare("literal", form, regret, {"T": T}, words, bound=spread, script="eq1")
    # eq (2) read with f_t: playing after the update is never worse than before (eta <= 2/beta).
    rng = ctx.rng()
    after, before = [], []
    for _ in range(ctx.pick(100, 2000)):
        points, h = rng.uniform(-1, 1, 40), rng.uniform(0.1, 2)
        z = losses = loss_sum = 0.0
        for t, x in enumerate(points, start=1):
            losses += h / 2 * (z - x) ** 2
            z = float(np.clip(z - min(2 / h, 1 / t) * h * (z - x), -1, 1))
            loss_sum += h / 2 * (z - x) ** 2
        after.append(loss_sum)
        before.append(losses)
    words = "the loss of w_t on f_t, against that of the iterate made from f_t (descent lemma)"
    yield ctx.compare("literal", "corrected", before, {"T": 40}, words, bound=np.array(after))


def check_regret(ctx: Context) -> Findings:
    """Regret of quadratics from the definition and by the mean; other comparators give less."""
    rng = ctx.rng()
    for d in (1, 3):
        T, mu = 60, float(rng.uniform(0.2, 3))
        points = rng.normal(size=(T, d))
        inputs = {"T": T, "d": d}
        stream = QuadraticStream(points, mu, 1 / (mu * np.arange(1, T + 1)), rng.normal(size=d))
        mean = points.mean(axis=0)
        lost = np.sum((stream.laws()[0][:-1] - points) ** 2)
        regret = mu / 2 * (lost - np.sum((mean - points) ** 2))
        expected_regret = stream.expected_regret
        words = "quadratics: from the definition, and by the mean as comparator"
        yield ctx.compare(
            "literal",
            "printed",
            expected_regret(moving=False),
            inputs,
            words,
            bound=regret,
            relation="==",
        )
        others = mean + rng.normal(size=(500, d)) * np.exp(rng.normal(-2, 2, (500, 1)))
        against = mu / 2 * (lost - np.sum((others[:, None, :] - points) ** 2, axis=(1, 2)))
        words = "no other comparator gives more regret"
        yield ctx.compare("literal", "printed", against, inputs, words, bound=regret)


CHECKS = (Check("olu.eq1", evidence=check_game), Check("olu.regret", evidence=check_regret))
