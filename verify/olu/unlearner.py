"""Definition 1 and equation (3) of olu: what an unlearner is compared with, and in what order."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from simulators.exact.gaussian_divergence import renyi_gauss
from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence

UNLEARNER = Claim(
    id="olu.def1",
    label="Definition 1",
    kind="definition",
    statement="R is an (alpha, eps)-unlearner if D_alpha(R(A(S), S^U) || R(A(S minus S^U), {})) "
    "<= eps.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "the reference is the retrained model after the unlearning noise; one direction",
            ("printed",),
        ),
    ),
    correction="Ask for both directions; they differ as soon as the variances do.",
)
COMPOSITION = Claim(
    id="olu.eq3",
    label="Equation (3)",
    kind="definition",
    statement="An online learner-unlearner applies g_t = rho_t after h_t after the base update.",
    formula=False,
    readings=(
        Reading("literal", "the order of the three maps", ("printed",)),
        Reading(
            "in_k",
            "outputs lie in K, as Section 2.1 asks; rho_t adds Gaussian noise",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    "P o rho_t o h_t o g_t: the projection comes last",
                    "g_t = rho_t",
                    "g_t = P after rho_t",
                )
            },
        ),
    ),
    correction="Project after the noise: P o rho_t o h_t o g_t.",
)
CLAIMS = (UNLEARNER, COMPOSITION)


def check_unlearner(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = ctx.pick(500, 20_000)
    gap, sigma, alpha = (
        rng.exponential(size=n),
        rng.exponential(size=n),
        1 + rng.exponential(size=n),
    )
    for first, second in ((gap, 0.0), (0.0, gap)):
        yield ctx.compare(
            "literal", "printed", renyi_gauss(first, sigma**2, second, sigma**2, alpha),
            {"gap": gap, "sigma": sigma, "alpha": alpha},
            "Gaussian noise on both: alpha gap^2/(2 sigma^2), either direction",
            bound=alpha * gap**2 / (2 * sigma**2), relation="==",
        )  # fmt: skip
    # One direction says nothing about the other.
    narrow, wide = (0.0, 1.0), (0.0, 2.0)
    order = 3.0
    yield ctx.compare(
        "literal", "printed", renyi_gauss(*narrow, *wide, order), {"alpha": order},
        "variance 1 against 2: finite in the direction of the definition",
        bound=math.log(2) / 4, relation="==",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", renyi_gauss(*wide, *narrow, order), {"alpha": order},
        "variance 2 against 1: infinite in the other", bound=1e300, role="control",
    )  # fmt: skip


def check_composition(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    # g halves, h moves by 1, rho adds s N(0, 1): mean and variance tell the order.
    x, s = rng.normal(size=50), rng.exponential(size=50)
    draws = np.array([-1.0, 1.0])  # a two-point noise has the same mean and variance
    outputs = (x[:, None] / 2 + 1) + s[:, None] * draws
    mean, spread = outputs.mean(axis=1), outputs.std(axis=1)
    yield ctx.compare(
        "literal", "printed", np.concatenate((mean, spread)), {"count": 50},
        "update, then unlearning map, then noise: the noise is passed on unchanged",
        bound=np.concatenate((x / 2 + 1, s)), relation="==",
    )  # fmt: skip
    other = ((x[:, None] + s[:, None] * draws) / 2 + 1).std(axis=1)
    yield ctx.compare(
        "literal", "printed", other, {"count": 50}, "noise before the update would be halved",
        bound=s, relation="==", role="control",
    )  # fmt: skip
    for sigma in (0.1, 0.5, 2.0):
        z = float(np.clip(-3.0, -1, 1))
        outside = float(ndtr((-1 - z) / sigma) + ndtr((z - 1) / sigma))
        yield ctx.compare(
            "in_k", "printed", outside, {"sigma": sigma},
            "probability outside K = [-1, 1], noise after the projection", bound=0.0, script="eq3",
        )  # fmt: skip
        nodes = np.clip(z + sigma * np.linspace(-8, 8, 2001), -1, 1)
        yield ctx.compare(
            "in_k", "corrected", float(np.abs(nodes).max()), {"sigma": sigma},
            "largest output with the projection last", bound=1.0,
        )  # fmt: skip


CHECKERS = {UNLEARNER.id: check_unlearner, COMPOSITION.id: check_composition}
