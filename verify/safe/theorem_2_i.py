"""Theorem 2(i) of safe: above the trivial bound without noise, false with it."""

import math

import numpy as np
from numpy.typing import NDArray

from bounds.safe.theorem_2_i import PHI
from verify.checks import Check, Context, Findings, Instances, case_table

Array = NDArray[np.float64]


def mean_norm(A: float, d: int, phi: float) -> float:
    """E|A e + N(0, phi I_d)| by quadrature over the part along e and, in closed form, the rest.

    The rest, of norm r, has a chi law with d - 1 degrees of freedom.
    """
    from scipy.integrate import dblquad, quad

    if phi == 0:
        return A
    sigma = math.sqrt(phi)

    def normal(z: float) -> float:
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    if d == 1:
        kink = min(max(-A / sigma, -12.0), 12.0)

        def line(z: float) -> float:
            return abs(A + sigma * z) * normal(z)

        halves = ((-12.0, kink), (kink, 12.0))
        return float(sum(quad(line, *h, epsabs=0, epsrel=1e-12)[0] for h in halves if h[0] < h[1]))
    n = d - 1
    log_norm = (n / 2 - 1) * math.log(2) + math.lgamma(n / 2)

    def chi(r: float) -> float:
        return math.exp((n - 1) * math.log(r) - r * r / 2 - log_norm) if r > 0 else float(n == 1)

    middle = math.sqrt(n)
    low, high = max(0.0, middle - 9), middle + 9
    if A == 0:
        peak = math.sqrt(d)
        scale = (d / 2 - 1) * math.log(2) + math.lgamma(d / 2)

        def radius(r: float) -> float:
            return math.exp(d * math.log(r) - r * r / 2 - scale) if r > 0 else 0.0

        ends = max(0.0, peak - 12), peak + 12
        return float(sigma * quad(radius, *ends, epsabs=0, epsrel=1e-12)[0])

    def plane(r: float, z: float) -> float:
        return math.hypot(A + sigma * z, sigma * r) * normal(z) * chi(r)

    return float(dblquad(plane, -9, 9, low, high, epsabs=0, epsrel=1e-9)[0])


def measure(U: float, W: float, K: float, T: float, D: float, d: int, phi: float) -> float:
    """U E|w_t - w_t*| for a step that leads away from w_t*: R_t = U|w - w_t*|."""
    return U * mean_norm(D + math.sqrt(W / T) / K, int(d), phi)


def measure_left(U: float, W: float, K: float, T: float) -> float:
    gamma = math.sqrt(W) / (K * math.sqrt(T))
    return U / (2 * gamma) * (4 * W**2 + 4 * W**2 + gamma**2 + W**2)


def _draw(rng: np.random.Generator, n: int) -> dict[str, Array]:
    U, W, K = np.exp(2 * rng.normal(size=(3, n)))
    return {"U": U, "W": W, "K": K, "T": np.floor(np.exp(rng.uniform(0, 12, n)))}


def check(ctx: Context) -> Findings:
    """Errors with noise, without, and at opposite ends, against the bound with its constants.

    The printed bound itself is above 2UW for every K, W and T.
    """
    rng = ctx.rng()
    one = {"U": 1.0, "W": 1.0, "K": 1.0, "T": 1, "D": 0.0, "phi": PHI}
    lhs = math.erfc(1 / math.sqrt(2 * PHI))
    at = "P(|w_t| > W) for w_t = b_t: no output of Algorithm 1 stays in a ball"
    options = {"bound": 0.0, "role": "class", "script": "thm2i_ball"}
    yield ctx.compare("literal", "printed", lhs, {**one, "d": 1}, at, **options)
    best = {"U": 1.0, "W": 2.0 / 9, "K": 1.0, "T": 1}  # x = sqrt(2)/3
    least = float(ctx.claim("printed", **best)) / (2 * best["W"])
    at = "the bound over 2UW is 9x/4 + 1/(2x), at least 3/sqrt(2), for every K, W, T"
    options = {"bound": 1.0, "role": "class", "script": "thm2i_useful"}
    yield ctx.compare("useful", "printed", least, best, at, **options)
    many = _draw(rng, ctx.pick(2000, 100_000))
    trivial = 2 * many["U"] * many["W"]
    yield ctx.compare("silent", "printed", trivial, many, "the largest error in a ball, 2UW")
    for d in (7, 100):
        norm, at = mean_norm(0.0, d, PHI), "R_t = |w| at its minimiser"  # 0/0 = 0: no step is made
        yield ctx.compare("models", "printed", norm, {**one, "d": d}, at, script="thm2i_noise")
    norm = mean_norm(0.0, 1, 10 * PHI)
    tenfold = {**one, "d": 1, "phi": 10 * PHI}
    at = "the same, epsilon = 1/10"
    yield ctx.compare("models", "printed", norm, tenfold, at, script="thm2i_noise")
    at = "opposite ends, a step away from w_t*"
    for inputs in case_table(
        "U W K T D d phi", *((1.5, 1.0, 2.0, T, 2.0, 1, 1e-3) for T in (1, 2, 100))
    ):
        # D = 2W: opposite ends
        bound = ctx.claim("corrected", **inputs | {"T": 1}) * math.sqrt(inputs["T"])
        lhs = measure(**inputs)
        yield ctx.compare("constants", "printed", lhs, inputs, at, bound=bound, tight=np.nan)


def check_convex(ctx: Context) -> Findings:
    """R_t = U|H(w - w_t*)|/|H| in two dimensions, with its own gradient at w_0 = 0."""
    rng = ctx.rng()
    z, weight = np.polynomial.hermite_e.hermegauss(16)
    nodes = np.stack(np.meshgrid(z, z), axis=-1).reshape(-1, 2)
    weights = np.outer(weight, weight).ravel() / weight.sum() ** 2
    regrets, parameters = [], []
    for _ in range(ctx.pick(300, 5000)):
        U, gamma, D = (float(x) for x in np.exp(rng.normal(size=3)))
        phi = float(rng.exponential() * rng.integers(0, 2))
        H = rng.normal(size=(2, 2))
        H /= np.linalg.norm(H, 2)
        best = rng.normal(size=2)
        best *= D / np.linalg.norm(best)
        g = U * H.T @ (H @ -best) / np.linalg.norm(H @ best)
        model = -gamma * g / np.linalg.norm(g) - math.sqrt(phi) * nodes
        risks = U * np.linalg.norm((model - best) @ H.T, axis=1)
        regrets.append(float(weights @ risks))
        parameters.append((U, 1 / gamma, D, phi))
    U, K, D, phi = np.array(parameters).T
    at = {"U": U, "W": 1.0, "K": K, "T": 1, "D": D, "d": 2, "phi": phi}
    yield ctx.compare("literal", "corrected", regrets, at, "random norms in the plane")
    (kink,) = case_table("U W K T D d phi", (2, 1, 4, 1, 0, 1, 0))
    words = "R_t = U|w| from its kink, subgradient U"
    yield ctx.compare("literal", "corrected", 2.0 * 0.25, kink, words)
    turned = {**kink, "D": 1.0}
    words = "a step away from w_t* breaks the bound"
    yield ctx.compare("literal", "corrected", 2.0 * 1.25, turned, words, role="control")


BOTH = Instances(
    "both sides",
    case_table("U W K T", (1, 1, 1, 1), (2, 5, 0.01, 20), (1, 10, 0.1, 1000)),
    tolerance=1e-12,
    script="thm2i_arithmetic",
)
AWAY = Instances(
    "a step away from w_t*",
    draws=(20, 200),
    within={"D": (0, 10), "d": (1, 1), "phi": (0, 0)},
    interpretations=("silent",),
)
QUADRATURE = Instances(
    "a step away from w_t*, quadrature",
    case_table("U W K T D d phi", (0.6, 1, 1.7, 4, 0.8, 2, 0.9), (2, 1, 0.5, 4, 0.2, 3, 2)),
    draws=(12, 100),
    within={"W": (1, 1), "T": (4, 4), "D": (0, 4), "d": (1, 3), "phi": (0.05, 8)},
    interpretations=("models",),
    forms=("corrected", "tight"),
    tolerance=1e-7,
    relations={"tight": "=="},
)
CHECKS = (
    Check(
        "safe.thm2i",
        check,
        measure,
        (AWAY, QUADRATURE),
        far=(
            "attained by a risk U|w - w*| with a corner at its minimiser, which no "
            "differentiable loss has"
        ),
    )
    .measured_by(
        "safe",
        "round_regret",
        interpretations=("silent",),
        where=("public constants", "no noise", "no weight", "minimisers in the ball"),
    )
    .beside("softmax on one row with both labels, weak regularisation"),
    Check(
        "safe.thm2i.convex",
        check_convex,
        far=(
            "attained by a risk U|w - w*| with a corner at its minimiser, which no "
            "differentiable loss has"
        ),
    )
    .measured_by(
        "safe",
        "round_regret",
        where=("public constants", "no noise", "no weight", "minimisers in the ball"),
    )
    .beside("softmax on one row with both labels, weak regularisation"),
    Check("safe.thm2i.arithmetic", exact_side=measure_left, at=(BOTH,)),
)
