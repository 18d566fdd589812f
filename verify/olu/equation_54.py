"""(54) of olu: contraction between requests, and the way of the minimisers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ54 = Claim(
    id="olu.eq54",
    label="(54)",
    kind="inequality",
    statement="Online descent from tau_{i-1} to tau_i + 1 is gamma^{tau_i + 1 - tau_{i-1}}-"
    "contractive.",
    readings=(
        Reading(
            "literal",
            "steps 1/(mu t), tau_{i-1} >= (1 + beta/mu)/2",
            ("printed", "corrected"),
            proofs={"corrected": "each step contracts by 1 - 1/t; the product telescopes"},
        ),
    ),
    natural=Natural(
        "tau_i",
        tuple(float(t) for t in range(11, 60)),
        {"tau_p": 10, "mu": 1.0, "beta": 3.0},
    ),
    quantity="contraction on quadratics",
    correction="(tau_{i-1} - 1)/(tau_i + 1).",
)
PATH = Claim(
    id="olu.eq54.path",
    label="(54), last line",
    kind="inequality",
    statement="|z_{i,0}* - z_{i-1,0}*| <= (tau_i - tau_{i-1}) L/(mu tau_i).",
    readings=(
        Reading(
            "literal",
            "minimisers of the losses kept, tau_{i-1} < u_i <= tau_i",
            ("printed", "corrected"),
            proofs={"corrected": "Lemma 5 without its factor 2; one new loss is deleted"},
        ),
        Reading(
            "all",
            "minimisers of all losses up to tau_i and tau_{i-1}",
            ("printed",),
            proofs={"printed": "Lemma 5 without its factor 2"},
            stance="repair",
        ),
        Reading(
            "blocks",
            "all losses under Assumption 2: at most (beta A + L)/(mu tau_{i-1})",
            ("corrected",),
            proofs={"corrected": "gradients of a block at z_i* are at most beta A/tau_i"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "tau_i",
        tuple(float(t) for t in range(4, 40)),
        {"i": 2, "tau_p": 2, "mu": 1.0, "L": 1.0},
    ),
    quantity="distance on quadratics",
    correction="(tau_i - tau_{i-1} - 1) L/(mu (tau_i - i)).",
)


def measure_54(tau_p: float, tau_i: float, mu: float, beta: float) -> float:
    """Two runs on quadratics of curvature mu, steps t = tau_{i-1}..tau_i + 1."""
    apart = Fraction(1)
    for t in range(int(tau_p), int(tau_i) + 2):
        apart -= apart / t
    return float(apart)


def measure_path(i: float, tau_p: float, tau_i: float, mu: float, L: float) -> float:
    """Quadratics: those kept by tau_{i-1} at 0, the new ones at L/mu, one of each block deleted."""
    new, old = int(tau_i - tau_p) - 1, int(tau_p) - (int(i) - 1)
    return new * L / mu / (new + old)


def check_54(ctx: Context) -> Iterator[Evidence]:
    for tau_p, tau_i in ((10, 20), (3, 4), (50, 200)):
        inputs = {"tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "beta": 3.0}
        for form, relation in (("printed", "<="), ("corrected", "==")):
            yield ctx.compare(
                "literal", form, measure_54(**inputs), inputs, "quadratics of curvature mu",
                relation=relation, script="eq54_steps" if form == "printed" else None,
            )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 2000)):
        ratio = float(rng.uniform(1, 8))
        tau_p = int(rng.integers(int(np.ceil((1 + ratio) / 2)), 12)) + 1
        tau_i = tau_p + int(rng.integers(1, 12))
        t = np.arange(tau_p, tau_i + 2)
        left = float(np.abs(1 - rng.choice([1.0, ratio], size=t.size) / t).prod())
        inputs = {"tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "beta": ratio}
        yield ctx.compare("literal", "corrected", left, inputs, "curvatures mu and beta mixed")


def check_path(ctx: Context) -> Iterator[Evidence]:
    for tau_p, tau_i in ((2, 10), (5, 9), (20, 100)):
        inputs = {"i": 2, "tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "L": 1.0}
        yield ctx.compare(
            "literal", "corrected", measure_path(**inputs), inputs, "quadratics in two groups",
            relation="==",
        )  # fmt: skip
    short = {"i": 2, "tau_p": 2, "tau_i": 10, "mu": 1.0, "L": 1.0}
    yield ctx.compare(
        "literal",
        "printed",
        measure_path(**short),
        short,
        "quadratics in two groups",
        script="eq54_path_kept",
    )
    rng = ctx.rng()
    for _ in range(ctx.pick(100, 2000)):
        tau_p = int(rng.integers(2, 12))
        tau_i, d = tau_p + int(rng.integers(1, 12)), int(rng.integers(1, 4))
        h, x = rng.uniform(1, 4, size=tau_i), rng.uniform(-1, 1, size=(tau_i, d))
        x[tau_p:] = np.abs(x[tau_p:])
        L = float((h * (np.linalg.norm(x, axis=1) + np.sqrt(d))).max())

        def star(
            last: int, out: tuple[int, ...], h: np.ndarray = h, x: np.ndarray = x
        ) -> np.ndarray:
            keep = np.array([t for t in range(last) if t not in out])
            return np.asarray(h[keep] @ x[keep] / h[keep].sum())

        inputs = {"i": 2, "tau_p": tau_p, "tau_i": tau_i, "mu": 1.0, "L": L}
        new = int(rng.integers(tau_p, tau_i))
        left = float(np.linalg.norm(star(tau_i, (0, new)) - star(tau_p, (0,))))
        yield ctx.compare("literal", "corrected", left, inputs, "random quadratics on a box")
        left = float(np.linalg.norm(star(tau_i, ()) - star(tau_p, ())))
        yield ctx.compare(
            "all", "printed", left, inputs, "random quadratics on a box", tight=np.nan
        )
        # Assumption 2 with a length: the new losses share a minimiser, but the last.
        h[tau_p:], x[tau_p:-1] = rng.uniform(1, 4), x[tau_p]
        A = tau_i * float(np.linalg.norm(star(tau_i, ()) - x[tau_p]))
        yield ctx.compare(
            "blocks", "corrected",
            float(np.linalg.norm(star(tau_i, ()) - star(tau_p, ()))),
            {**inputs, "A": A, "beta": 4.0}, "random quadratics in blocks",
            bound=(4.0 * A + L) / tau_p, tight=np.nan,
        )  # fmt: skip
    two = np.array([0.0] * 3 + [1.0] * 7)
    yield ctx.compare(
        "all", "printed", float(two.mean()), {"i": 1, "tau_p": 3, "tau_i": 10, "mu": 1.0, "L": 1.0},
        "quadratics in two groups", relation="==", tight=np.nan,
    )  # fmt: skip


CLAIMS = (EQ54, PATH)
CHECKERS = {EQ54.id: check_54, PATH.id: check_path}
MEASURES = {EQ54.id: measure_54, PATH.id: measure_path}
