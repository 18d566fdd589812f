"""Theorem 4.3 of hf after the run, and what a sum of leave-one-out vectors is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.lemma_4_1_smooth import resting
from verify.hf.line_worlds import certain, random_worlds
from verify.hf.theorem_4_3 import OPTIONS, bent, compare_logistic, compare_random

_CLASS = "C^2 losses, Hessians in [lam, M] and Lam-Lipschitz on the segments; |A_t| stored"
STORED = Claim(
    id="hf.thm4.3.stored",
    label="Theorem 4.3 a posteriori, leave-one-out approximator",
    kind="inequality",
    statement="The norms |A_t| met on the way certify the error, without a bound on gradients.",
    readings=(
        Reading(
            "literal", _CLASS, ("tight",),
            proofs={"tight": "the Hessians along [w_t, v_t] act on Delta_t, their change on A_t"},
        ),
    ),
    quantity="|v_T - w_T - a|",
)  # fmt: skip
SUM = Claim(
    id="hf.thm4.3.sum",
    label="Theorem 4.3 a posteriori, the paper's additive approximator",
    kind="inequality",
    statement="The sum of the norms of single samples' approximators certifies any set.",
    readings=(
        Reading(
            "literal", _CLASS + ", or an upper bound on it", ("tight",),
            proofs={"tight": "Hessians along [w_t, v_t] act on Delta_t, H_{B and U} on A_t"},
        ),
    ),
    quantity="|v_T - w_T - a|",
)  # fmt: skip
GAP = Claim(
    id="hf.thm3.1.gap",
    label="Theorem 3.1 for leave-one-out vectors",
    kind="inequality",
    statement="The leave-one-out vectors of the samples of U add up to that of U, up to a gap.",
    formula=False,
    readings=(
        Reading("literal", "they add up exactly, as Theorem 3.1 says of a", ("printed",)),
        Reading(
            "stored", "gap from the norms |A^u_t|", ("corrected",),
            proofs={"corrected": "G_{t+1} = (I - eta H_kept) G_t + (eta/b) sum H_{U minus u} A^u"},
            stance="repair",
        ),
        Reading(
            "learned", "|A^u_t| bounded with the factor r_t and C of the learned run",
            ("corrected",),
            proofs={"corrected": "A^u contracts with the kept part of the batch"},
            stance="repair",
        ),
        Reading(
            "drift", "|A^u_t| bounded by the models' drift, factor min(r_t, rho_t)", ("corrected",),
            stance="repair"
        ),
    ),
    correction="Exact on quadratics and additive are incompatible; use r_t or stored norms.",
)  # fmt: skip
Curve = Callable[[float], float]
CLAIMS = (STORED, SUM, GAP)


def check_stored(ctx: Context) -> Iterator[Evidence]:
    from bounds.hf.certificates import error_aposteriori

    rng = ctx.rng()
    yield from compare_random(
        ctx, rng, "tight", "kept",
        lambda worlds, runs: error_aposteriori(
            worlds.steps, worlds.missing, worlds.sizes, np.abs(runs.kept[:, :-1]), worlds.lam,
            worlds.M, worlds.Lam,
        ),
    )  # fmt: skip
    for _ in range(ctx.pick(100, 1000)):
        error, inputs = bent(rng)
        first = inputs["steps"][0] * inputs.pop("C")
        yield ctx.compare(
            "literal", "tight", error, {**inputs, "norms": [0.0, first]},
            "equality: a Hessian that grows from lam to M", relation="==",
        )  # fmt: skip
    yield from compare_logistic(ctx, rng, "tight", "kept", stored=True)


def check_sum(ctx: Context) -> Iterator[Evidence]:
    from bounds.hf.certificates import error_aposteriori

    rng = ctx.rng()
    yield from compare_random(
        ctx, rng, "tight", "batch",
        lambda worlds, runs: error_aposteriori(
            worlds.steps, worlds.missing, worlds.sizes, np.abs(runs.batch[:, :-1]), worlds.lam,
            worlds.M, worlds.Lam, "batch",
        ),
    )  # fmt: skip
    for _ in range(ctx.pick(60, 600)):
        world, inputs = resting(rng)
        runs = world.run()
        error, C = runs.error("batch")[0, -1], inputs.pop("C")
        norms = np.abs(runs.batch[0, :-1]).tolist()
        yield ctx.compare(
            "literal", "tight", float(error if error > 1e-13 * C else 0.0),
            {**inputs, "norms": norms, "Lam": 0.0},
            "equality: one curvature, retrained from its optimum", relation="==", tolerance=1e-8,
        )  # fmt: skip
    yield from compare_logistic(ctx, rng, "tight", "batch", stored=True)


def two_visits() -> tuple[float, float]:
    """(A^U, sum of A^u) for n = 3, U = {0, 1}, l = (w - c)^2/2, eta = 1/2, T = 2."""
    eta, centres = 0.5, (1.0, 2.0, -1.0)

    def approximator(gone: tuple[int, ...]) -> float:
        w = A = 0.0
        for _ in range(2):
            A -= eta / 3 * ((3 - len(gone)) * A - sum(w - centres[u] for u in gone))
            w -= eta / 3 * sum(w - c for c in centres)
        return A

    return approximator((0, 1)), approximator((0,)) + approximator((1,))


def kinked() -> tuple[float, float, np.ndarray]:
    """Gap, C and |A^u_t| of the world that separates A^u from the drift; see thm3_1_gap_drift."""
    width = 0.02

    def g_r(w: float) -> float:
        s = min(max(w + 1, 0), width)
        return -1 + (w + 1) / 2 + s * s / (4 * width) + max(w + 1 - width, 0) / 2

    gradient: dict[str, Curve] = {"u": lambda w: 1 + w / 2, "r": g_r, "x": lambda w: w}
    hessian: dict[str, Curve] = {
        "u": lambda w: 0.5, "r": lambda w: 0.5 + min(max((w + 1) / width, 0), 1) / 2,
        "x": lambda w: 1.0,
    }  # fmt: skip

    def approximator(gone: str) -> list[float]:
        w, A = 0.0, [0.0]
        for i in "urux":
            A.append(A[-1] + gradient[i](w) if i in gone else (1 - hessian[i](w)) * A[-1])
            w -= gradient[i](w)
        return A

    largest, v = 1.0, 0.0
    for i in "urux":
        largest = max(largest, abs(gradient["u"](v)))
        v -= 0 if i == "u" else gradient[i](v)
    parts = np.array([approximator("u"), approximator("x")])
    return abs(approximator("ux")[-1] - parts[:, -1].sum()), largest, np.abs(parts[:, :-1])


def check_gap(ctx: Context) -> Iterator[Evidence]:
    from bounds.hf.certificates import gap_of_sum
    from bounds.hf.drift import drift_smooth

    rng = ctx.rng()
    whole, single = two_visits()
    yield ctx.compare(
        "literal", "printed", abs(whole - single), {"n": 3, "m": 2, "eta": 0.5, "T": 2},
        "three quadratics, two visits: eta^2 |c_1 + c_2|/9", bound=0.0,
        script="thm3_1_gap_not_additive",
    )  # fmt: skip
    for options in OPTIONS:
        for _ in range(ctx.pick(3, 30)):
            worlds = random_worlds(rng, 200, **options)
            runs = worlds.run()
            gap = certain(np.abs(runs.kept - runs.each.sum(axis=1)), runs)
            present = worlds.hits.transpose(0, 2, 1).astype(float)
            schedule = (worlds.steps, worlds.missing, worlds.sizes)
            # One line a sample: its own visits, in batches of the same size.
            n = present.shape[1]
            own = drift_smooth(
                worlds.steps[:, None], present, worlds.sizes[:, None],
                np.repeat(runs.C_learned[:, None], n, axis=1), worlds.lam[:, None],
                worlds.M[:, None], "r",
            )  # fmt: skip
            for reading, norms in (("stored", np.abs(runs.each)), ("learned", own)):
                left = gap
                bound = gap_of_sum(*schedule, present, norms[:, :, :-1], worlds.lam, worlds.M)
                yield ctx.compare(
                    reading, "corrected", left, {"worlds": 200},
                    "random losses on a line, sets of any size", bound=bound, tight=bound,
                )  # fmt: skip
    apart, C, norms = kinked()
    four, present = [1.0] * 4, np.array([[1.0, 0, 1, 0], [0, 0, 0, 1]])
    missing = present.sum(axis=0)
    for reading, branch in (("stored", None), ("learned", "r"), ("drift", "min")):
        if branch:
            norms = drift_smooth([four], present, [four], C, 0.5, 1.0, branch)[:, :-1]
        bound = gap_of_sum(four, missing, four, present, norms, 0.5, 1.0)[-1]
        yield ctx.compare(
            reading, "corrected", apart, {"eta": 1.0, "lam": 0.5, "M": 1.0, "C": C},
            "batches u, r, u, x of one sample; U = {u, x}", bound=bound, tight=bound,
            script="thm3_1_gap_drift" if branch == "min" else None,
        )  # fmt: skip


CHECKERS = {STORED.id: check_stored, SUM.id: check_sum, GAP.id: check_gap}
