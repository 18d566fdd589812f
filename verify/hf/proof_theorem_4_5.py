"""(55) to (59) of hf: the steps of the proof of Theorem 4.5."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import erf, hyp1f1

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.two_point_laws import binomial, random_law

SPLIT = Claim(
    id="hf.eq55",
    label="(55)",
    kind="equality",
    statement="E[F(w^_{E,B}) - F(w*)] = E[F(w^_{E,B}) - F(w^)] + E[F(w^) - F(w*)].",
    readings=(
        Reading(
            "literal",
            "w^_{E,B} is defined nowhere; (56) goes on with w~_{E,B}",
            ("printed", "corrected"),
            proofs={"corrected": "adding and subtracting F(w^)"},
            edits={"printed": Edit("w~ for the hatted w_{E,B}", "w^_{E,B}", "w~", everywhere=True)},
        ),
    ),
    formula=False,
    correction="w~^{-U}_{E,B} on both sides.",
)
RELEASED = Claim(
    id="hf.eq56",
    label="(56)",
    kind="inequality",
    statement="E[F(w~) - F(w*)] <= L E|w~ - w^| + 4L^2/(lam(n - m)).",
    readings=(
        Reading(
            "literal",
            "losses as in Assumption 4.4 on W; w~ = w_T + a + noise leaves W",
            ("printed", "corrected"),
            proofs={"corrected": "M-smoothness along the noise, Lipschitz before it"},
        ),
        Reading(
            "lipschitz",
            "losses that are L-Lipschitz on all of R^d, strongly convex on W",
            ("printed",),
            proofs={"printed": "L-Lipschitz F, and Lemma A.4"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "sigma", tuple(np.linspace(0, 12, 25).tolist()),
        {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "n": 101, "m": 1, "distance": 0.1}, log_y=False,
    ),
    quantity="expected excess risk",
    correction="L E|w_T + a - w^| + M d sigma^2/2 + L^2/(lam(n - m + 1)).",
)  # fmt: skip
TRIANGLE = Claim(
    id="hf.eq57",
    label="(57)",
    kind="inequality",
    statement="w~ - w_T + w_T - w^ || <= |w~ - w_T| + |w_T - w^|, the first bar missing.",
    readings=(
        Reading(
            "literal",
            "vectors",
            ("printed", "corrected"),
            proofs={"corrected": "triangle inequality for the two summands"},
            edits={
                "printed": Edit(
                    "a norm around the left side", "w~ - w_T + w_T", "|| w~ - w_T + w_T"
                )
            },
        ),
    ),
    formula=False,
    correction="|| w~ - w_T + w_T - w^ || on the left.",
)
NOISY = Claim(
    id="hf.eq59",
    label="(59)",
    kind="inequality",
    statement="E|w~ - v_T| = E|w_T + a - v_T| + E|sigma|.",
    readings=(
        Reading(
            "literal",
            "noise N(0, sigma^2 I) independent of the rest",
            ("printed", "corrected"),
            proofs={"corrected": "triangle inequality for the two summands"},
            edits={"printed": Edit("<= for =", " = E|w_T", " <= E|w_T")},
        ),
    ),
    natural=Natural(
        "sigma", tuple(np.linspace(0.01, 3, 25).tolist()), {"error": 1.0, "d": 1}, log_y=False
    ),
    quantity="expected distance from the retrained model",
    correction="<= for the first =.",
)
CLAIMS = (SPLIT, RELEASED, TRIANGLE, NOISY)


def folded(shift: float, sigma: float) -> float:
    """E|shift + sigma xi| in one dimension."""
    if sigma == 0:
        return abs(shift)
    spread = sigma * np.sqrt(2 / np.pi) * np.exp(-(shift**2) / (2 * sigma**2))
    return float(spread + shift * erf(shift / (sigma * np.sqrt(2))))


def measure_released(
    L: float, lam: float, M: float, sigma: float, n: float, m: float, distance: float, d: float = 1
) -> float:
    """Exact excess of mean of n - m signs + distance + N(0, sigma^2), scaled to L and lam."""
    R = L / (2 * lam)
    return float(lam / 2 * (R**2 / (n - m) + distance**2 + sigma**2))


def measure_noisy(error: float, sigma: float, d: float) -> float:
    """E|Delta + sigma xi| in d dimensions: the mean of a noncentral chi."""
    if sigma == 0:
        return error
    from scipy.special import gammaln

    ratio = np.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
    x = -(error**2) / (2 * sigma**2)
    return float(sigma * np.sqrt(2) * ratio * hyp1f1(-0.5, d / 2, x))


def check_split(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare("literal", "printed", "ill-typed", "the hatted w_{E,B} is defined nowhere")
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        law, N = random_law(rng), int(rng.integers(1, 20))
        k = np.arange(N + 1)
        chance, best = binomial(k, N, law.p), law.minimiser(k / N)
        released = rng.uniform(-law.radius, law.radius, N + 1)
        optimum = law.minimiser(np.array(law.p))
        left = chance @ (law.risk(released) - law.risk(optimum))
        right = chance @ (law.risk(released) - law.risk(best))
        right = right + chance @ (law.risk(best) - law.risk(optimum))
        yield ctx.compare(
            "literal", "corrected", left + 1, {"N": N}, f"{law.kind} (both sides + 1)",
            bound=right + 1, relation="==",
        )  # fmt: skip


def check_released(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n, sigma in ((101, 10.0), (11, 6.0)):
        inputs = {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "n": n, "m": 1, "sigma": sigma}
        exact = measure_released(**inputs, distance=0.0)
        yield ctx.compare(
            "literal", "printed", exact, {**inputs, "distance": folded(0.0, sigma)},
            "mean of signs with noise", tight=np.nan, script="eq56_released",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", exact, {**inputs, "distance": 0.0}, "mean of signs with noise"
        )
    for _ in range(ctx.pick(40, 400)):
        lam, L = float(rng.uniform(0.1, 2)), float(rng.exponential()) + 0.1
        inputs = {
            "L": L, "lam": lam, "M": lam, "d": 1, "n": int(rng.integers(2, 60)), "m": 1,
            "sigma": float(rng.exponential()) * L / lam,
            "distance": float(rng.uniform(0, 0.5)) * L / lam,
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", measure_released(**inputs), inputs, "mean of signs, moved"
        )
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    for _ in range(ctx.pick(20, 100)):
        N, sigma = int(rng.integers(1, 20)), float(rng.uniform(0, 6))
        k = np.arange(N + 1)
        w = (2 * k / N - 1)[:, None] + sigma * nodes
        # (w - z)^2/2 while |w - z| <= 2, linear with slope 2 beyond: strongly convex on [-1, 1].
        apart = np.abs(np.stack((w - 1, w + 1)))
        risk = np.where(apart <= 2, apart**2 / 2, 2 * apart - 2).mean(axis=0) - 0.5
        excess = binomial(k, N, 0.5) @ risk @ (weights / weights.sum())
        inputs = {"L": 2.0, "lam": 1.0, "n": N, "m": 0, "distance": folded(0.0, sigma)}
        yield ctx.compare(
            "lipschitz", "printed", excess, inputs, "Huber losses, mean of signs with noise",
            tight=np.nan,
        )  # fmt: skip


def check_triangle(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed", "the left side is a vector, the right one a number"
    )
    a, b = ctx.rng().normal(size=(2, ctx.pick(200, 2000), 3))
    b[: len(b) // 2] = 0.7 * a[: len(b) // 2]
    yield ctx.compare(
        "literal", "corrected", np.linalg.norm(a + b, axis=1), {}, "vectors, half of them parallel",
        bound=np.linalg.norm(a, axis=1) + np.linalg.norm(b, axis=1),
    )  # fmt: skip


def check_noisy(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs = {"error": 1.0, "sigma": 1.0, "d": 1}
    yield ctx.compare(
        "literal", "printed", measure_noisy(**inputs), inputs, "one dimension", relation="==",
        script="eq59_noisy",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", folded(1.0, 1.0), inputs, "one dimension, by the error function"
    )
    for _ in range(ctx.pick(60, 600)):
        inputs = {"error": float(rng.exponential()), "sigma": float(rng.exponential()),
                  "d": int(rng.integers(1, 40))}  # fmt: skip
        if inputs["error"] < 10 * inputs["sigma"]:
            yield ctx.compare(
                "literal", "corrected", measure_noisy(**inputs), inputs, "mean of a noncentral chi"
            )
        for part in ("error", "sigma"):
            alone = {**inputs, part: 0.0}
            yield ctx.compare(
                "literal", "corrected", measure_noisy(**alone), alone, "one of the two parts alone",
                relation="==",
            )  # fmt: skip


CHECKERS = {
    SPLIT.id: check_split,
    RELEASED.id: check_released,
    TRIANGLE.id: check_triangle,
    NOISY.id: check_noisy,
}
MEASURES = {RELEASED.id: measure_released, NOISY.id: measure_noisy}
