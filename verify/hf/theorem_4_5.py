"""Theorem 4.5 of hf: exact excess risks above (16) and (60), below the corrected bound."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import bounds
from accounting.curves.gaussian import mu_gdp
from bounds.hf.certificates import error_apriori
from bounds.hf.theorem_4_5 import AT
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.evidence import Evidence
from verify.hf.two_point_laws import TwoPoints, binomial

Inputs = dict[str, Any]
# log cosh(50 w)/50 + w^2/200 at 1, where the corrected form is nearly attained.
STEEP = float(np.log(np.cosh(50.0)) / 50 + 0.005)
VALLEY: Inputs = {"L": 1.01, "lam": 0.01, "M": 50.01, "d": 1, "sigma": 0.0, "n": 1e12, "m": 1}
SIGNS: Inputs = {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "error": 0.0, "sigma": 0.0}


def measure(
    E: float, B: float, eta: float, q: float, n: float, m: float, lam: float, L: float, **_: float
) -> float:
    """Exact excess of w_T + a without noise: all data at 0, lam w^2/2 started where its slope is L.

    Noise only adds to it, as F is convex.
    """
    w, a = L / lam, 0.0
    for t in range(int((E + 1) * B)):
        step = eta * q**t * lam
        a, w = (1 - step) * a + step * m / n * w, (1 - step) * w
    return float(lam * (w + a) ** 2 / 2)


def measure_forever(L: float, lam: float, n: float, m: float, K: float = 1) -> float:
    """The same after 200 steps of .4 (.5)^t/lam."""
    return measure(199, 1, 0.4 / lam, 0.5, n, m, lam, L)


def blind_risk(law: TwoPoints, inputs: Inputs, hessian: str, noise: float) -> float:
    """Exact E F(w_T + a + noise) - F(w*) for U = the first m of n samples of a two-point law.

    Whole batches from the right end of W; all numbers of `high` in U and out of it enumerated; the
    noise by Gauss-Hermite quadrature.  Raises ValueError if w_T + a or an iterate leaves W.
    """
    n, m, T = (int(inputs[name]) for name in ("n", "m", "T"))
    high = np.arange(n - m + 1.0)[:, None], np.arange(m + 1.0)[None, :]
    chance = binomial(high[0], n - m, law.p) * binomial(high[1], m, law.p)

    def slopes(w: np.ndarray, count: np.ndarray, size: int) -> Any:
        return count * law.slope(w, law.high) + (size - count) * law.slope(w, law.low)

    def bend(w: np.ndarray, z: float) -> Any:
        return 1 / np.cosh(w - z) ** 2 if law.kind == "log cosh" else 0.0 * w

    def curvatures(w: np.ndarray, count: np.ndarray, size: int) -> Any:
        return count * bend(w, law.high) + (size - count) * bend(w, law.low) + size * law.lam

    w = np.full(chance.shape, law.radius)
    a = np.zeros(chance.shape)
    for t in range(T):
        rate = inputs["eta"] * inputs["q"] ** t / n
        whole = curvatures(w, high[0], n - m)
        if hessian == "batch":
            whole = whole + curvatures(w, high[1], m)
        forgotten = slopes(w, high[1], m)
        a = (1 - rate * whole) * a + rate * forgotten
        w = w - rate * (slopes(w, high[0], n - m) + forgotten)
        if np.abs(w).max() > law.radius or np.abs(w + a).max() > law.radius:
            raise ValueError(f"an iterate leaves W = [-{law.radius}, {law.radius}]")
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    spread = law.excess((w + a)[..., None] + noise * nodes) @ (weights / weights.sum())
    return float((chance * spread).sum())


def certified(inputs: Inputs, hessian: str) -> Inputs:
    """error, sigma and distance for the corrected bound, from the constants alone."""
    n, m, T = (int(inputs[name]) for name in ("n", "m", "T"))
    steps = inputs["eta"] * inputs["q"] ** np.arange(T)
    constants = (inputs["L"], inputs["lam"], inputs["M"], inputs["Lam"])
    error = error_apriori(steps, np.full(T, m), np.full(T, n), *constants, hessian=hessian)[-1]
    way = {name: inputs[name] for name in ("eta", "q", "T", "lam", "M", "L")}
    distance = float(bounds.get("hf.lema5")("corrected", beta=1 - m / n, **way))
    sigma = float(error / mu_gdp(inputs["epsilon"], inputs["delta"]))
    return {"error": float(error), "sigma": sigma, "distance": distance}


def blind_cases(ctx: Context) -> Iterator[tuple[float, Inputs]]:
    """(exact excess, inputs with certificates) over random two-point problems."""
    for rng in ctx.draws(25, 400, block=1):
        kind = str(rng.choice(("quadratic", "log cosh")))
        lam = float(rng.uniform(0.3, 1))
        low = -float(rng.uniform(0.1, 0.6))
        high = float(rng.uniform(0.1, 0.6))
        law = TwoPoints(kind, lam, low, high, float(rng.uniform(0.1, 0.9)), 1.0)
        bend = kind == "log cosh"
        M, n = lam + bend, int(rng.integers(4, 25))
        inputs: Inputs = {
            "n": n,
            "m": int(rng.integers(1, max(n // 3, 2))),
            "T": int(rng.integers(1, 30)),
        }
        inputs |= {"eta": float(rng.uniform(0.1, 1)) / M, "q": float(rng.uniform(0.5, 1))}
        inputs |= {"lam": lam, "M": M, "L": law.lipschitz, "d": 1}
        inputs |= {"Lam": 4 / 27**0.5 if bend else 0.0}
        inputs |= {"epsilon": float(rng.uniform(0.3, 3)), "delta": 10.0 ** -rng.uniform(2, 6)}
        for hessian in ("kept", "batch"):
            numbers = certified(inputs, hessian)
            # Losses here are M-smooth everywhere but Lipschitz on W only.
            if M * numbers["sigma"] > 2 * inputs["L"] * np.sqrt(2 / np.pi):
                continue
            try:
                yield blind_risk(law, inputs, hessian, numbers["sigma"]), {**inputs, **numbers}
            except ValueError:
                continue


def check(ctx: Context) -> Findings:
    """Exact excess risks of random two-point problems, steep losses, and noise in a valley."""
    measurement = measure(**AT | {"E": 9, "q": 1 - 1e-9})
    at = "a bound without the noise's share"
    yield ctx.compare(
        "literal", "printed", measurement, {}, at, bound=0.5 * measurement, role="control"
    )
    cases = list(blind_cases(ctx))
    measurements = np.array([case[0] for case in cases])
    names = ("L", "lam", "M", "d", "error", "sigma", "distance", "n", "m")
    inputs = {name: np.array([case[1][name] for case in cases]) for name in names}
    yield ctx.compare(
        "literal", "corrected", measurements, inputs, "random two-point problems, w_T + a in W"
    )
    near = {**inputs, "distance": 0 * measurements}
    at = "without the distance from the minimiser"
    yield ctx.compare("literal", "corrected", measurements, near, at, role="control")
    for error in (0.0, 0.3, 0.7, 1.0):
        yield steep(ctx, error)
    for d in (1, 5):
        noisy = {**VALLEY, "L": 1.0, "lam": 2.0, "M": 2.0, "sigma": 0.1, "d": d}
        noisy |= {"error": 0.0, "distance": 0.0}
        at = "w^2 at its minimum, with noise"
        yield ctx.compare("literal", "corrected", d * 0.1**2, noisy, at, relation="==")


def steep(ctx: Context, error: float) -> Evidence:
    split = {**VALLEY, "error": error, "distance": 1 - error}
    return ctx.compare("literal", "corrected", STEEP, split, "a steep valley, nearly attained")


def worst_signs(n: int, m: int, eta: float, q: float, T: int) -> float:
    """E of the excess of exactly retrained (leave-one-out) models from 1 on random signs.

    l = (w - z)^2/2 on [-1, 1]; the adversary deletes up to m of the minority.
    """
    ups = np.arange(n + 1)
    deletions = np.minimum(m, np.minimum(ups, n - ups))
    mean = np.where(ups >= n - ups, 1, -1) * (np.abs(2 * ups - n) + deletions) / (n - deletions)
    v = np.ones(n + 1)
    for t in range(T):
        v = v - eta * q**t * (n - deletions) / n * (v - mean)
    return float(binomial(ups, n, 0.5) @ (v**2 / 2))


def check_adversarial(ctx: Context) -> Findings:
    """Exact worst excess of random signs whose minority is deleted."""
    for rng in ctx.draws(40, 400):
        n = int(rng.integers(4, 200))
        m = int(rng.integers(1, max(n // 4, 2)))
        T = int(rng.integers(1, 60))
        way = {"eta": float(rng.uniform(0.1, 1)), "q": float(rng.uniform(0.6, 1)), "T": T}
        distance = bounds.get("hf.lema5")("corrected", lam=1.0, M=1.0, L=2.0, beta=1 - m / n, **way)
        inputs = {**SIGNS, "distance": float(distance), "n": n, "m": m}
        at = "random signs, the minority deleted, exact on quadratics"
        yield ctx.compare("literal", "corrected", worst_signs(n, m, **way), inputs, at)
    for error in (0.0, 0.3, 1.0):
        yield steep(ctx, error)
    inputs = {**SIGNS, "distance": 0.0, "n": 1000, "m": 400}
    excess = worst_signs(1000, 400, 1.0, 1.0, 200)
    bound = bounds.get("hf.thm4.5")
    at = "the last term for U independent of the data"
    yield ctx.compare(
        "literal",
        "corrected",
        excess,
        inputs,
        at,
        bound=bound("corrected", **inputs),
        role="control",
    )


# The O of (16) hides K; (60) has no K.
DECAYING = Instances(
    "w^2/2 from 1",
    tuple(
        {**AT, **row, "rho": 1 - row["eta"]}
        for row in case_table(
            "E n eta q K",
            (19, 1000, 0.4, 0.5, 1),
            (59, 10**9, 0.4, 0.5, 1),
            (19, 1000, 0.5, 0.5, 1),
            (59, 10**9, 0.4, 0.5, 1e6),
        )
    ),
    interpretations=("literal",),
    forms=("printed",),
    script="thm4_5_explicit",
)
FAR: Inputs = {"E": 0, "n": 10**9, "eta": 0.01, "rho": 0.99, "L": 1000.0, "C": 1000.0, "K": 100.0}
ONE_STEP = Instances(
    "w^2/2 on [-1000, 1000], one step",
    ({**AT, **FAR},),
    interpretations=("supremum",),
    script="thm4_5_supremum",
)
FOREVER = Instances(
    "w^2/2 from 1, eta = .4",
    case_table("L lam n m K", (1, 1, 1000, 1, 1), (1, 1, 10**9, 1, 1e6), (1, 1, 10**12, 1, 1e8)),
    script="eq64_forever",
)


def _with_measurements(check: Check) -> Check:
    """The check, held to samples of the rows: O() read as the factor 1, rho that of step 0."""
    symbols = {"rho": "rho_0"} | ({"K": 1} if check.id == "hf.thm4.5" else {})
    both = {"symbols": symbols, "interpretations": ("literal",)}
    return check.measured_by(
        "recollection", "excess_risk", forms=("printed",), where=("steps that vanish",), **both
    ).measured_by("recollection", "noisy_excess_risk", forms=("corrected",), **both)


CHECKS = (
    _with_measurements(
        Check(
            "hf.thm4.5",
            check,
            measure,
            (DECAYING, ONE_STEP),
            far=(
                "adds two worst cases: kept rows that mislead the most, and steps that "
                "end the farthest off"
            ),
        )
    ),
    _with_measurements(
        Check(
            "hf.eq60",
            check,
            measure,
            (DECAYING, ONE_STEP),
            far=(
                "adds two worst cases: kept rows that mislead the most, and steps that "
                "end the farthest off"
            ),
        )
    ),
    Check("hf.eq64", exact_side=measure_forever, at=(FOREVER,)).measured_by(
        "recollection", "excess_risk", symbols={"K": 1}, where=("steps that vanish",)
    ),
    Check(
        "hf.thm4.5.adversarial",
        check_adversarial,
        far="adds two worst cases, and m rows at their worst pull all one way",
    ).measured_by("recollection", "worst_label_excess"),
)
