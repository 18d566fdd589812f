"""(35) and (36) of olu: alternating streams, random runs, and the algebra of the last step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu.alternating import blocks
from verify.olu.huber_runs import draw
from verify.olu.theorem_4 import instance

IMPLICIT = Claim(
    id="olu.eq35",
    label="(35)",
    kind="inequality",
    statement="The expected regret is at most E B + (3D/2) sqrt(beta sum f_t(z_t)).",
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            ("printed", "corrected"),
            proofs={"corrected": "(31) with the path, Lemma 7, Lemma 8, Jensen"},
        ),
    ),
    correction="E B + (3D/2 + P) sqrt(2 beta E sum f_t(z_t)).",
)
EXPLICIT = Claim(
    id="olu.eq36",
    label="(36)",
    kind="inequality",
    statement="The regret is at most 9 D^2 beta/4 + 3D sqrt(sum f_t(z_i*)) + "
    "d k^{omega+1/2} omega L^2 D^2/(4 (omega-1) eps) sqrt(beta sum p(tau_i)/p(u_i)^2).",
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            ("printed", "corrected"),
            proofs={"corrected": "(35) corrected, Lemma 9 tight"},
        ),
        Reading(
            "algebra",
            "last step alone: 3D sqrt(beta (F* + B)) + B into 3D sqrt(F*) + sqrt(3 beta) D B",
            ("printed",),
            stance="part",
        ),
    ),
    correction="B + a/2 + sqrt(a (F* + B) + a^2/4), a = 2 beta (3D/2 + P)^2.",
)
CLAIMS = (IMPLICIT, EXPLICIT)


def check_implicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(blocks(2000, 30))
    inputs = {**inputs, "X": measured + float(inputs["F"]), "B": 0.0}
    yield ctx.compare(
        "literal", "printed", measured, inputs, "alternating Huber losses",
        script="eq35",
    )  # fmt: skip
    yield ctx.compare("literal", "corrected", measured, inputs, "alternating Huber losses")
    yield from random_runs(ctx)


def check_explicit(ctx: Context) -> Iterator[Evidence]:
    measured, inputs = instance(blocks(2000, 30))
    yield ctx.compare(
        "literal", "printed", measured, {**inputs, "omega": 1.5}, "alternating Huber losses",
        script="eq36", tight=np.nan,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", measured, {**inputs, "B": 0.0}, "alternating Huber losses"
    )
    for D, beta, F, B in ((1.0, 4.0, 100.0, 0.0), (1.0, 1.0, 0.0, 1e-4), (1.0, 1.0, 0.0, 1.0)):
        before = 9 * D**2 * beta / 4 + B + 3 * D * np.sqrt(beta * (F + B))
        after = 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + np.sqrt(3 * beta) * D * B
        yield ctx.compare(
            "algebra", "printed", float(before), {"D": D, "beta": beta, "F": F, "B": B},
            "the last step of (36)", bound=after, tight=np.nan, script="eq36_algebra",
        )  # fmt: skip
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Iterator[Evidence]:
    """Expected regret on random Huber losses against the corrected form of (35) or (36)."""
    rng = ctx.rng()
    T, count = 60, ctx.pick(150, 1500)
    for k in (1, 2, 3):
        runs = draw(rng, count, T, k)
        epsilon = np.exp(rng.normal(0, 3, size=count))
        played, stars = runs.play(None, epsilon, "paper", 1.5), runs.comparators()
        inputs = {
            "D": runs.diameter, "beta": runs.lipschitz / runs.width,
            "P": np.abs(np.diff(stars, axis=0)).sum(axis=0), "B": played.noise_cost(),
            "F": runs.loss(runs.served(stars)).sum(axis=0), "X": played.loss(),
        }  # fmt: skip
        if ctx.claim.id == "olu.eq36":
            del inputs["X"]
        yield ctx.compare(
            "literal", "corrected", played.regret(stars), inputs,
            f"random Huber losses, {k} deletions",
        )  # fmt: skip


CHECKERS = {"olu.eq35": check_implicit, "olu.eq36": check_explicit}
