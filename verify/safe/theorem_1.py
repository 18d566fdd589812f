"""Theorem 1 of safe: refuted by a saturated table, replaced by the oscillation of the errors."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.saturated_table import Variant, difference

IDENTITY = "KL(f||t) - KL(f||f*) = log Z - sum f_c e_c, both terms in [min e, max e]"
CLAIM = Claim(
    id="safe.thm1",
    label="Theorem 1",
    kind="inequality",
    statement="If p_0(y|x) = f(x; w_0), then |R~_t(w) - R_t(w)| <= C sum_i |F_i|/|D_t|^{3/2} for "
    "every w, C the number of classes.",
    readings=(
        Reading(
            "literal",
            "f(.; w_0) = p_0 and f(.; w_t*) = p_t, normalised target, Gaussian fits",
            ("printed", "corrected"),
            proofs={"corrected": IDENTITY},
        ),
        Reading(
            "raw", "the target of (25) as printed, without its normaliser", ("printed",)
        ),
    ),
    correction="|R~_t - R_t| <= lambda times the mean over forgotten samples of max_c e_c - "
    "min_c e_c. For random deletions e is of order sqrt(M_t/(n_0 n_t)); there is no factor "
    "M_t/|D_t|.",
)  # fmt: skip


def check(ctx: Context) -> Iterator[Evidence]:
    cases: tuple[tuple[int, int, float, float, Variant], ...] = (
        (100, 1, 1.0, 0.25, "ml"), (1000, 1, 1.0, 0.25, "ml"), (30, 20, 1000.0, 0.5, "ml"),
        (100, 1, 1.0, 0.25, "unbiased"), (100, 1, 1.0, 0.25, "unnormalised"),
    )  # fmt: skip
    for N, m, lam, p, variant in cases:
        raw = variant == "unnormalised"
        yield ctx.compare(
            "raw" if raw else "literal", "printed", difference(N, m, lam, p, variant),
            {"classes": 2, "M": m, "kept": 6 * N - m, "lam": lam, "N": N, "p": p},
            f"saturated table, {variant} variances", script="thm1_raw" if raw else "thm1",
        )  # fmt: skip
        true, found = math.log1p(-m / N), 1.5 * math.log1p(-m / (3 * N))
        if variant == "ml":
            star, t = 1 / (1 + math.exp(-true)), 1 / (1 + math.exp(-found))
            e = [math.log(t / star), math.log((1 - t) / (1 - star))]
            yield ctx.compare(
                "literal", "corrected", difference(N, m, lam, p), {"lam": lam, "e": e},
                "saturated table",
            )  # fmt: skip
    yield from _random(ctx)
    yield from _attained(ctx)


def _divergence(f: np.ndarray, g: np.ndarray) -> np.ndarray:
    return np.asarray((f * np.log(f / g)).sum(axis=-1))


def _random(ctx: Context) -> Iterator[Evidence]:
    """Random predictions, optima and targets, several forgotten samples each."""
    rng = ctx.rng()
    size = ctx.pick(600, 10_000)
    for C, samples in ((2, 1), (3, 4), (10, 2)):
        shape = (size, samples)
        f, star = rng.dirichlet(np.full(C, 0.7), shape) + 1e-12, rng.dirichlet(np.ones(C), shape)
        f, star = (v / v.sum(axis=-1, keepdims=True) for v in (f, star + 1e-9))
        e = rng.normal(size=(*shape, C)) * np.exp(rng.normal(size=(size, 1, 1)))
        lam = np.exp(rng.normal(size=size) * 3)
        raw = star * np.exp(e)
        Z = raw.sum(axis=-1)
        measured = lam * np.abs(
            (_divergence(f, raw / Z[..., None]) - _divergence(f, star)).mean(axis=-1)
        )
        bound = [
            np.mean([ctx.formula("corrected", lam=lam[i], e=row) for row in e[i]])
            for i in range(size)
        ]
        yield ctx.compare(
            "literal", "corrected", measured, {"lam": lam, "C": C, "samples": samples},
            f"random predictions, {C} classes, {samples} forgotten samples",
            bound=np.array(bound) * (1 + 1e-9), tight=np.nan,
        )  # fmt: skip
        identity = np.log(Z) - (f * e).sum(axis=-1)
        yield ctx.compare(
            "literal", "corrected", 1 + lam * np.abs(identity.mean(axis=-1)) / (1 + lam),
            {"lam": lam, "C": C}, f"log Z - sum f e is the difference, {C} classes",
            bound=1 + measured / (1 + lam), relation="==", tight=np.nan,
        )  # fmt: skip


def _attained(ctx: Context) -> Iterator[Evidence]:
    """f at the least error, f* at the largest one, in the limit; normalised in logarithms."""
    for e in ([0.0, 1.0], [-0.5, 0.3, 0.1], [2.0, -1.0, 0.0, 1.0]):
        small = 1e-14
        f, star = (np.full(len(e), small) for _ in range(2))
        f[int(np.argmin(e))] = star[int(np.argmax(e))] = 1 - small * (len(e) - 1)
        log_target = np.log(star) + e - np.log((star * np.exp(e)).sum())
        measured = abs(float((f * (np.log(star) - log_target)).sum()))
        for lam in (1.0, 1000.0):
            yield ctx.compare(
                "literal", "corrected", lam * measured, {"lam": lam, "e": e},
                "opposite predictions: attained", relation="==",
            )  # fmt: skip
