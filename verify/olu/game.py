"""Section 2.1 of olu: who sees what in the game, and regret."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence

GAME = Claim(
    id="olu.eq1",
    label="Equation (1)",
    kind="definition",
    statement="The learner chooses z_t = g_t(f_{1:t}, z_{1:t-1}), then incurs f_t(z_t).",
    formula=False,
    readings=(
        Reading(
            "literal",
            "whatever g does, fair coins force regret: E Regret_T >= E|sum of T signs|",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    "z_{t+1} = g_t(f_{1:t}, z_{1:t}): z_t may not depend on f_t",
                    "f_{1:t}",
                    "f_{1:t-1}",
                )
            },
        ),
    ),
    correction="z_{t+1} = g_t(f_{1:t}, z_{1:t}); with f_t visible the game is trivial.",
)
REGRET = Claim(
    id="olu.regret",
    label="Regret (Section 2.1)",
    kind="definition",
    statement="Regret_T = sum_t f_t(z_t) - min over K of sum_t f_t(z).",
    formula=False,
    readings=(Reading("literal", "losses fixed in advance, K convex", ("printed",)),),
)
CLAIMS = (GAME, REGRET)


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


def check_game(ctx: Context) -> Iterator[Evidence]:
    T = ctx.pick(8, 12)
    for form, rule in (("printed", "leader"), ("corrected", "descent")):
        regret, spread = expected_regret(rule, T)
        yield ctx.compare(
            "literal", form, float(regret), {"T": T}, f"all sign sequences, {rule}",
            bound=float(spread), relation=">=",
            script="eq1" if form == "printed" else None,
        )  # fmt: skip
    # eq (2) read with f_t: playing after the update is never worse than before (eta <= 2/beta).
    rng = ctx.rng()
    after, before = [], []
    for _ in range(ctx.pick(100, 2000)):
        points, h = rng.uniform(-1, 1, 40), rng.uniform(0.1, 2)
        z = losses = seen = 0.0
        for t, x in enumerate(points, start=1):
            losses += h / 2 * (z - x) ** 2
            z = float(np.clip(z - min(2 / h, 1 / t) * h * (z - x), -1, 1))
            seen += h / 2 * (z - x) ** 2
        after.append(seen)
        before.append(losses)
    yield ctx.compare(
        "literal", "corrected", before, {"T": 40},
        "the loss of w_t on f_t, against that of the iterate made from f_t (descent lemma)",
        bound=np.array(after), relation=">=",
    )  # fmt: skip


def check_regret(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for d in (1, 3):
        T, mu = 60, float(rng.uniform(0.2, 3))
        points = rng.normal(size=(T, d))
        t = np.arange(1, T + 1)
        stream = QuadraticStream(points, mu, 1 / (mu * t), rng.normal(size=d))
        played = stream.laws()[0][:-1]
        mean = points.mean(axis=0)
        regret = mu / 2 * np.sum((played - points) ** 2) - mu / 2 * np.sum((mean - points) ** 2)
        yield ctx.compare(
            "literal", "printed", stream.expected_regret(moving=False), {"T": T, "d": d},
            "quadratics: from the definition, and by the mean as comparator",
            bound=regret, relation="==",
        )  # fmt: skip
        others = mean + rng.normal(size=(500, d)) * np.exp(rng.normal(-2, 2, (500, 1)))
        against = (
            mu
            / 2
            * (
                np.sum((played - points) ** 2)
                - np.sum((others[:, None, :] - points) ** 2, axis=(1, 2))
            )
        )
        yield ctx.compare(
            "literal", "printed", against, {"T": T, "d": d},
            "no other comparator gives more regret", bound=regret,
        )  # fmt: skip


CHECKERS = {GAME.id: check_game, REGRET.id: check_regret}
