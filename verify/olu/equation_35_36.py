"""(35) and (36) of olu: alternating streams, random runs, and the algebra of the last step."""

import numpy as np

from verify.checks import Check, Context, Findings, case_table
from verify.olu.alternating import blocks
from verify.olu.huber_runs import batches
from verify.olu.theorem_4 import instance

ALTERNATING = "alternating Huber losses"


def check_implicit(ctx: Context) -> Findings:
    regret, inputs = instance(blocks(2000, 30))
    inputs = {**inputs, "X": regret + float(inputs["F"]), "B": 0.0}
    yield from ctx.compare_forms("literal", regret, inputs, ALTERNATING, script="eq35")
    yield from random_runs(ctx, with_loss=True)


def check_explicit(ctx: Context) -> Findings:
    """Regret of alternating streams against both forms, and the algebra that ends (36)."""
    regret, inputs = instance(blocks(2000, 30))
    inputs = {**inputs, "omega": 1.5, "B": 0.0}
    yield from ctx.compare_forms("literal", regret, inputs, ALTERNATING, script="eq36")
    for case in case_table(
        "D beta F B", (1.0, 4.0, 100.0, 0.0), (1.0, 1.0, 0.0, 1e-4), (1.0, 1.0, 0.0, 1.0)
    ):
        D, beta, F, B = case.values()
        before = 9 * D**2 * beta / 4 + B + 3 * D * np.sqrt(beta * (F + B))
        after = 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + np.sqrt(3 * beta) * D * B
        words = "the last step of (36)"
        more = {"tight": np.nan, "script": "eq36_algebra"}
        yield ctx.compare("algebra", "printed", before, case, words, bound=after, **more)
    yield from random_runs(ctx)


def random_runs(ctx: Context, with_loss: bool = False) -> Findings:
    """Expected regret on random Huber losses against the corrected form of (35) or (36)."""
    for runs, epsilon, words in batches(ctx):
        played = runs.play(None, epsilon, "paper", 1.5)
        stars = runs.comparators()
        inputs = {"D": runs.diameter, "beta": runs.lipschitz / runs.width, "B": played.noise_cost()}
        inputs["P"] = np.abs(np.diff(stars, axis=0)).sum(axis=0)
        inputs["F"] = runs.loss(runs.served(stars)).sum(axis=0)
        if with_loss:
            inputs["X"] = played.loss()
        yield ctx.compare("literal", "corrected", played.regret(stars), inputs, words)


CHECKS = (
    Check("olu.eq35", evidence=check_implicit)
    .measured_by("online", "adaptive_regret", where=("losses at least 0", "adaptive steps"))
    .beside("Huber loss of 1 and -1 by turns, adaptive"),
    Check("olu.eq36", evidence=check_explicit)
    .measured_by(
        "online",
        "adaptive_regret",
        interpretations=("literal",),
        forms=("corrected",),
        where=("losses at least 0", "adaptive steps"),
    )
    .beside("Huber loss of 1 and -1 by turns, adaptive"),
)
