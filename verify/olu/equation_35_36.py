"""(35) and (36) of olu: alternating streams, random runs, and the algebra of the last step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, rows
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.alternating import blocks
from verify.olu.huber_runs import draw
from verify.olu.theorem_4 import instance


def check_implicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(blocks(2000, 30))
    inputs = {**inputs, "X": measured + float(inputs["F"]), "B": 0.0}
    yield ctx.compare(
        "literal", "printed", measured, inputs, "alternating Huber losses", script="eq35"
    )
    yield ctx.compare("literal", "corrected", measured, inputs, "alternating Huber losses")
    yield from random_runs(ctx)


def check_explicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(blocks(2000, 30))
    words = "alternating Huber losses"
    yield ctx.compare(
        "literal", "printed", measured, {**inputs, "omega": 1.5}, words, script="eq36", tight=np.nan
    )
    yield ctx.compare(
        "literal", "corrected", measured, {**inputs, "B": 0.0}, "alternating Huber losses"
    )
    for D, beta, F, B in ((1.0, 4.0, 100.0, 0.0), (1.0, 1.0, 0.0, 1e-4), (1.0, 1.0, 0.0, 1.0)):
        before = 9 * D**2 * beta / 4 + B + 3 * D * np.sqrt(beta * (F + B))
        after = 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + np.sqrt(3 * beta) * D * B
        case, words = {"D": D, "beta": beta, "F": F, "B": B}, "the last step of (36)"
        more = {"tight": np.nan, "script": "eq36_algebra"}
        yield ctx.compare("algebra", "printed", float(before), case, words, bound=after, **more)
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Iterator[Evidence]:
    """Expected regret on random Huber losses against the corrected form of (35) or (36)."""
    rng = ctx.rng()
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        epsilon = np.exp(rng.normal(0, 3, size=count))
        played, stars = runs.play(None, epsilon, "paper", 1.5), runs.comparators()
        (inputs,) = rows(
            "D beta P B F X",
            (
                runs.diameter,
                runs.lipschitz / runs.width,
                np.abs(np.diff(stars, axis=0)).sum(axis=0),
                played.noise_cost(),
                runs.loss(runs.served(stars)).sum(axis=0),
                played.loss(),
            ),
        )
        if ctx.claim.id == "olu.eq36":
            del inputs["X"]
        words = f"random Huber losses, {k} deletions"
        yield ctx.compare("literal", "corrected", played.regret(stars), inputs, words)


CHECKS = (Check("olu.eq35", evidence=check_implicit), Check("olu.eq36", evidence=check_explicit))
