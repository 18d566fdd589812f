"""Theorem 2(i) of safe: above the trivial bound without noise, false with it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]
PHI = math.sqrt(2 * math.log(1.25e5))  # W = 1, epsilon = 1, delta = 1e-5
LIPSCHITZ = "R_t is U-Lipschitz and |w_t - w_t*| <= D_t + gamma + |b_t|"
CLAIM = Claim(
    id="safe.thm2i",
    label="Theorem 2(i)",
    kind="inequality",
    statement="The expected error of each round is O(sqrt T); its proof gives "
    "(9K/2) U W^{3/2} sqrt T + U sqrt(W)/(K sqrt T).",
    readings=(
        Reading(
            "literal", "|w| <= W for every model, w_t as well, and Gaussian b_t", ("printed",)
        ),
        Reading("useful", "no noise, |w_t| <= W, and a bound below 2UW", ("printed",),
                stance="repair"),
        Reading(
            "silent", "no noise, |w_t| <= W", ("printed", "corrected", "tight"),
            proofs={"printed": "2UW, as 9x/4 + 1/(2x) >= 3/sqrt(2) for x = K sqrt(WT)",
                    "corrected": LIPSCHITZ, "tight": LIPSCHITZ},
            stance="repair",
        ),
        Reading(
            "models", "|w_0|, |w_t*| <= W; Gaussian b_t of variance phi",
            ("printed", "corrected", "tight"),
            proofs={"corrected": LIPSCHITZ + ", Jensen", "tight": LIPSCHITZ},
        ),
        Reading(
            "constants", "O(sqrt T) with a constant that may depend on U, W, K, d and phi; as a "
            "bound in T alone it says nothing, since the error is O(1)",
            ("printed",),
            proofs={"printed": "The gradient is at most U, so that the error is at most "
                    "U E|w_t - w_t*|, and |w_0 - w_t*| <= 2W. By Jensen it is at most "
                    "U sqrt((2W + gamma)^2 + d phi), which falls in T and so is at most its value "
                    "at T = 1 times sqrt T."},
        ),
    ),
    natural=Natural(
        "T", (1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1000.0, 10_000.0),
        {"U": 1.0, "W": 1.0, "K": 1.0, "D": 0.0, "d": 100, "phi": PHI}, log_x=True,
    ),
    quantity="expected error of a round",
    correction="U sqrt((D_t + gamma)^2 + d phi): O(1) in T. O(sqrt T) is weaker than 2UW.",
)  # fmt: skip
CONVEX = Claim(
    id="safe.thm2i.convex",
    label="Theorem 2(i), convex risks and exact gradients",
    kind="inequality",
    statement="For convex R_t and g_t its gradient at w_0 the expected error is at most "
    "U sqrt(D_t^2 + gamma^2 + d phi).",
    readings=(
        Reading("literal", "convex U-Lipschitz R_t, g_t = grad R_t(w_0)", ("corrected",),
                proofs={"corrected": "g_t.(w_0 - w_t*) >= 0: the step is not led away"}),
    ),
    quantity="expected error of a round",
)  # fmt: skip
ARITHMETIC = Claim(
    id="safe.thm2i.arithmetic",
    label="Theorem 2(i), last equality of the proof",
    kind="equality",
    statement="U/(2 gamma) [4W^2 + 4W^2 + gamma^2 + W^2] = "
    "(9K/2) U W^{3/2} sqrt T + U sqrt(W)/(K sqrt T).",
    readings=(
        Reading("literal", "gamma = sqrt(W)/(K sqrt T)", ("printed", "corrected"),
                proofs={"corrected": "gamma = sqrt(W)/(K sqrt T) put into both terms"},
                edits={"printed": Edit(
                    "U gamma/2 is U sqrt(W)/(2 K sqrt T)",
                    r"{K\sqrt{T}}",
                    r"{2K\sqrt{T}}",
                )}),
    ),
    natural=Natural("T", (1.0, 2.0, 4.0, 10.0, 100.0), {"U": 1.0, "W": 1.0, "K": 0.2}, log_x=True),
    quantity="left side",
)  # fmt: skip
CLAIMS = (CLAIM, CONVEX, ARITHMETIC)


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
        halves = ((-12.0, kink), (kink, 12.0))
        return float(sum(
            quad(lambda z: abs(A + sigma * z) * normal(z), *h, epsabs=0, epsrel=1e-12)[0]
            for h in halves if h[0] < h[1]
        ))  # fmt: skip
    n = d - 1
    log_norm = (n / 2 - 1) * math.log(2) + math.lgamma(n / 2)

    def chi(r: float) -> float:
        return math.exp((n - 1) * math.log(r) - r * r / 2 - log_norm) if r > 0 else float(n == 1)

    middle = math.sqrt(n)
    low, high = max(0.0, middle - 9), middle + 9
    if A == 0:
        peak = math.sqrt(d)
        scale = (d / 2 - 1) * math.log(2) + math.lgamma(d / 2)
        found, _ = quad(
            lambda r: math.exp(d * math.log(r) - r * r / 2 - scale) if r > 0 else 0.0,
            max(0.0, peak - 12), peak + 12, epsabs=0, epsrel=1e-12,
        )  # fmt: skip
        return float(sigma * found)
    found, _ = dblquad(
        lambda r, z: math.hypot(A + sigma * z, sigma * r) * normal(z) * chi(r),
        -9, 9, low, high, epsabs=0, epsrel=1e-9,
    )  # fmt: skip
    return float(found)


def measure(U: float, W: float, K: float, T: float, D: float, d: int, phi: float) -> float:
    """U E|w_t - w_t*| for a step that leads away from w_t*: R_t = U|w - w_t*|."""
    return U * mean_norm(D + math.sqrt(W / T) / K, int(d), phi)


def measure_left(U: float, W: float, K: float, T: float) -> float:
    gamma = math.sqrt(W) / (K * math.sqrt(T))
    return U / (2 * gamma) * (4 * W**2 + 4 * W**2 + gamma**2 + W**2)


def _draw(rng: np.random.Generator, n: int) -> dict[str, Array]:
    U, W, K = np.exp(2 * rng.normal(size=(3, n)))
    return {"U": U, "W": W, "K": K, "T": np.floor(np.exp(rng.uniform(0, 12, n)))}


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    one = {"U": 1.0, "W": 1.0, "K": 1.0, "T": 1, "D": 0.0, "phi": PHI}
    yield ctx.compare(
        "literal", "printed", math.erfc(1 / math.sqrt(2 * PHI)), {**one, "d": 1},
        "P(|w_t| > W) for w_t = b_t: no output of Algorithm 1 stays in a ball", bound=0.0,
        role="class", script="thm2i_ball",
    )  # fmt: skip
    best = {"U": 1.0, "W": 2.0 / 9, "K": 1.0, "T": 1}  # x = sqrt(2)/3
    least = float(ctx.formula("printed", **best)) / (2 * best["W"])
    yield ctx.compare(
        "useful", "printed", least, best,
        "the bound over 2UW is 9x/4 + 1/(2x), at least 3/sqrt(2), for every K, W, T",
        bound=1.0, role="class", script="thm2i_useful",
    )  # fmt: skip
    many = _draw(rng, ctx.pick(2000, 100_000))
    trivial = 2 * many["U"] * many["W"]
    yield ctx.compare("silent", "printed", trivial, many, "the largest error in a ball, 2UW")
    for _ in range(ctx.pick(20, 200)):
        drawn = {k: float(x[0]) for k, x in _draw(rng, 1).items()}
        gamma = math.sqrt(drawn["W"] / drawn["T"]) / drawn["K"]
        D = drawn["W"] * float(rng.random())
        if D + gamma > 2 * drawn["W"]:
            continue
        at = {**drawn, "D": D, "d": 1, "phi": 0.0}
        yield from ctx.compare_forms("silent", measure(**at), at, "a step away from w_t*")
    for d in (7, 100):
        at = {**one, "K": 1.0, "d": d}
        norm = mean_norm(0.0, d, PHI)  # 0/0 = 0: no step is made
        yield ctx.compare(
            "models", "printed", norm, at, "R_t = |w| at its minimiser", script="thm2i_noise"
        )
    tenfold = {**one, "d": 1, "phi": 10 * PHI}
    yield ctx.compare(
        "models", "printed", mean_norm(0.0, 1, 10 * PHI), tenfold, "the same, epsilon = 1/10",
        script="thm2i_noise",
    )  # fmt: skip
    for T in (1, 2, 100):
        at = {"U": 1.5, "W": 1.0, "K": 2.0, "T": T, "D": 2.0, "d": 1, "phi": 1e-3}
        largest = {**at, "T": 1}  # D = 2W: opposite ends
        yield ctx.compare(
            "constants", "printed", measure(**at), at, "opposite ends, a step away from w_t*",
            bound=ctx.formula("corrected", **largest) * math.sqrt(T), tight=np.nan,
        )  # fmt: skip
    for i in range(ctx.pick(12, 100)):
        at = {"U": float(np.exp(rng.normal())), "W": 1.0, "K": float(np.exp(rng.normal())),
              "T": 4, "D": float(rng.exponential()), "d": (1, 1, 2, 3)[i % 4],
              "phi": float(np.exp(rng.normal()))}  # fmt: skip
        found = measure(**at)
        for form, relation in (("corrected", "<="), ("tight", "==")):
            yield ctx.compare(
                "models", form, found, at, "a step away from w_t*, quadrature",
                relation=relation, tolerance=1e-7,
            )  # fmt: skip


def check_convex(ctx: Context) -> Iterator[Evidence]:
    """R_t = U|H(w - w_t*)|/|H| in two dimensions, with its own gradient at w_0 = 0."""
    rng = ctx.rng()
    z, weight = np.polynomial.hermite_e.hermegauss(16)
    nodes = np.stack(np.meshgrid(z, z), axis=-1).reshape(-1, 2)
    weights = np.outer(weight, weight).ravel() / weight.sum() ** 2
    found, rows = [], []
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
        found.append(float(weights @ risks))
        rows.append((U, 1 / gamma, D, phi))
    U, K, D, phi = np.array(rows).T
    at = {"U": U, "W": 1.0, "K": K, "T": 1, "D": D, "d": 2, "phi": phi}
    yield ctx.compare("literal", "corrected", np.array(found), at, "random norms in the plane")
    kink = {"U": 2.0, "W": 1.0, "K": 4.0, "T": 1, "D": 0.0, "d": 1, "phi": 0.0}
    yield ctx.compare(
        "literal", "corrected", 2.0 * 0.25, kink, "R_t = U|w| from its kink, subgradient U"
    )
    turned = {**kink, "D": 1.0}
    yield ctx.compare(
        "literal", "corrected", 2.0 * 1.25, turned, "a step away from w_t* breaks the bound",
        role="control",
    )  # fmt: skip


def check_arithmetic(ctx: Context) -> Iterator[Evidence]:
    for U, W, K, T in ((1.0, 1.0, 1.0, 1.0), (2.0, 5.0, 0.01, 20.0), (1.0, 10.0, 0.1, 1000.0)):
        at = {"U": U, "W": W, "K": K, "T": T}
        yield from ctx.compare_forms(
            "literal", measure_left(**at), at, "both sides", relation="==", tolerance=1e-12,
            script="thm2i_arithmetic",
        )  # fmt: skip


CHECKERS = {CLAIM.id: check, CONVEX.id: check_convex, ARITHMETIC.id: check_arithmetic}
MEASURES = {CLAIM.id: measure, ARITHMETIC.id: measure_left}
