"""(55) to (59) of hf: the steps of the proof of Theorem 4.5."""

from dataclasses import replace

import numpy as np
from scipy.special import erf, gammaln, hyp1f1

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit, case_table
from verify.hf.two_point_laws import binomial, random_law


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
    ratio = np.exp(gammaln((d + 1) / 2) - gammaln(d / 2))
    x = -(error**2) / (2 * sigma**2)
    return float(sigma * np.sqrt(2) * ratio * hyp1f1(-0.5, d / 2, x))


def check_split(ctx: Context) -> Findings:
    """The excess split at the kept minimiser, exactly, over random two-point laws."""
    yield ctx.declare("literal", "printed", "ill-typed", "the hatted w_{E,B} is defined nowhere")
    for rng in ctx.draws(20, 200):
        law, N = random_law(rng), int(rng.integers(1, 20))
        k = np.arange(N + 1)
        chance, best = binomial(k, N, law.p), law.minimiser(k / N)
        released = rng.uniform(-law.radius, law.radius, N + 1)
        optimum = law.minimiser(np.array(law.p))
        lhs = 1 + chance @ (law.risk(released) - law.risk(optimum))
        right = 1 + chance @ (law.risk(released) - law.risk(best))
        right = right + chance @ (law.risk(best) - law.risk(optimum))
        at = f"{law.kind} (both sides + 1)"
        yield ctx.compare("literal", "corrected", lhs, {"N": N}, at, bound=right)


def check_released(ctx: Context) -> Findings:
    """Excess of the mean of signs with noise, and of losses that are linear far out."""
    for n, sigma in ((101, 10.0), (11, 6.0)):
        inputs = {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "n": n, "m": 1, "sigma": sigma}
        exact = measure_released(**inputs, distance=0.0)
        at = "mean of signs with noise"
        inputs["distance"] = folded(0.0, sigma)
        yield ctx.compare(
            "literal", "printed", exact, inputs, at, tight=np.nan, script="eq56_released"
        )
    rng = ctx.rng(1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(200)
    for _ in range(ctx.pick(20, 100)):
        N = int(rng.integers(1, 20))
        sigma = float(rng.uniform(0, 6))
        k = np.arange(N + 1)
        w = (2 * k / N - 1)[:, None] + sigma * nodes
        # (w - z)^2/2 while |w - z| <= 2, linear with slope 2 beyond: strongly convex on [-1, 1].
        apart = np.abs(np.stack((w - 1, w + 1)))
        risk = np.where(apart <= 2, apart**2 / 2, 2 * apart - 2).mean(axis=0) - 0.5
        excess = binomial(k, N, 0.5) @ risk @ (weights / weights.sum())
        inputs = {"L": 2.0, "lam": 1.0, "n": N, "m": 0, "distance": folded(0.0, sigma)}
        yield ctx.compare(
            "lipschitz", "printed", excess, inputs, "Huber losses, mean of signs with noise"
        )


def check_triangle(ctx: Context) -> Findings:
    """Norms of sums of random vectors, half of them parallel."""
    yield ctx.declare(
        "literal", "printed", "ill-typed", "the left side is a vector, the right one a number"
    )
    a, b = ctx.rng().normal(size=(2, ctx.pick(200, 2000), 3))
    b[: len(b) // 2] = 0.7 * a[: len(b) // 2]
    sum_norms, one, other = (np.linalg.norm(x, axis=1) for x in (a + b, a, b))
    at = "vectors, half of them parallel"
    yield ctx.compare("literal", "corrected", sum_norms, {}, at, bound=one + other)


def check_noisy(ctx: Context) -> Findings:
    """The expected distance in one dimension, by quadrature and by the error function."""
    inputs = {"error": 1.0, "sigma": 1.0, "d": 1}
    at = "one dimension"
    mean_distance = measure_noisy(**inputs)
    yield ctx.compare(
        "literal", "printed", mean_distance, inputs, at, relation="==", script="eq59_noisy"
    )
    at = "one dimension, by the error function"
    yield ctx.compare("literal", "corrected", folded(1.0, 1.0), inputs, at)


NEAR = Hypothesis("distance <= L/(2 lam)", lambda distance, L, lam: distance <= L / (2 * lam))
STAYS = Limit("the exact side's mean, moved, stays where its risk is L-Lipschitz", (NEAR,))
SIGNS = Instances(
    "mean of signs, moved",
    case_table(
        "L lam M d n m sigma distance", (2, 1, 1, 1, 101, 1, 10, 0), (2, 1, 1, 1, 11, 1, 6, 0)
    ),
    draws=(40, 400),
    within={"n": (2, 60), "m": (1, 1), "d": (1, 1), "lam": (0.1, 2), "distance": (0, 2)},
    interpretations=("literal",),
    forms=("corrected",),
)
CHI = Instances(
    "mean of a noncentral chi",
    draws=(60, 600),
    within={"error": (0, 4), "sigma": (0.4, 4), "d": (1, 40)},
    forms=("corrected",),
)
ALONE = replace(CHI, words="one of the two parts alone", relations={"corrected": "=="})
CHECKS = (
    Check("hf.eq55", check_split),
    Check(
        "hf.eq56",
        check_released,
        measure_released,
        (SIGNS,),
        {"literal": STAYS},
        far=(
            "adds two worst cases: kept rows that mislead the most, and steps that "
            "end the farthest off"
        ),
    )
    .measured_by(
        "recollection", "far_excess_risk", interpretations=("literal",), forms=("printed",)
    )
    .measured_by(
        "recollection", "near_excess_risk", interpretations=("literal",), forms=("corrected",)
    ),
    Check("hf.eq57", check_triangle).measured_by(
        "recollection", "triangle", forms=("corrected",), sides={"corrected": "ways"}
    ),
    Check(
        "hf.eq59",
        check_noisy,
        measure_noisy,
        (CHI, replace(ALONE, within={"error": (0, 0)}), replace(ALONE, within={"sigma": (0, 0)})),
    )
    .measured_by("recollection", "noisy_distance", forms=("printed",), relation="==")
    .measured_by("recollection", "noisy_distance", forms=("corrected",)),
)
