"""Theorem 4.5 of hf: exact excess risks above (16) and (60), below the corrected bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import bounds
from accounting.gaussian import mu_gdp
from bounds.hf.certificates import error_apriori
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.two_point_laws import TwoPoints, binomial

_PROOF = "smooth or Lipschitz along the noise, Theorem 4.3 (A)/(B), Lemmas A.4 and A.5 corrected"
_POINT: dict[str, Any] = {
    "rho": 0.6, "B": 1, "lam": 1.0, "M": 1.0, "L": 1.0, "d": 1, "epsilon": 1.0, "delta": 1e-5,
    "eta": 0.4, "q": 0.5, "C": 1.0, "n": 1000, "m": 1,
}  # fmt: skip
_CURVE = Natural(
    "E",
    tuple(float(e) for e in range(30)),
    {**_POINT, "error": 0.0, "sigma": 0.0, "distance": 0.4},
)
_LITERAL = (
    "rho = rho(eta_0) as in (47) and (58); decaying steps, U independent of the data; iterates and "
    "w_T + a in W, losses M-smooth or L-Lipschitz along the noise"
)
_SUPREMUM = Reading(
    "supremum",
    "rho = max_t rho_t; a problem with M smaller than the radius of W",
    ("printed",),
    stance="repair",
)
CLAIM = Claim(
    id="hf.thm4.5",
    label="Theorem 4.5 (16)",
    kind="asymptotic",
    statement="E F(w~) - F(w*) = O(rho^T 2ML/lam + 4L^2/(lam(n - m)) + (sqrt(ln(1/delta))/eps) "
    "(2 sqrt(d) L eta^2 C/(1 - q)) zeta_T).",
    aliases=("hf.eq16",),
    readings=(
        Reading("literal", _LITERAL, ("printed", "corrected"), proofs={"corrected": _PROOF}),
        _SUPREMUM,
    ),
    natural=_CURVE,
    quantity="expected excess risk",
    correction="L error + noise + L R_T + L^2/(lam(n - m + 1)), with R_T that does not vanish.",
)
EXPLICIT = Claim(
    id="hf.eq60",
    label="(60)",
    kind="inequality",
    statement="The same with constants: rho^T 2ML/lam + (sqrt(d) sqrt(2 ln(1.25/delta))/eps + 1) "
    "(2 L eta^2 C/(1 - q)) zeta_T + 4L^2/(lam(n - m)).",
    aliases=("hf.thm4.5 (60)",),
    readings=CLAIM.readings,
    natural=_CURVE,
    quantity="expected excess risk",
    correction=CLAIM.correction,
)
FOREVER = Claim(
    id="hf.eq64",
    label="(64)",
    kind="asymptotic",
    statement="When T is large enough, the excess risk is O(4L^2/(lam(n - m))).",
    readings=(Reading("literal", "eta_t = eta q^t, T = 200", ("printed",)),),
    natural=Natural("n", (10.0, 100.0, 1e3, 1e4, 1e6), {"L": 1.0, "lam": 1.0, "m": 1}, log_x=True),
    quantity="expected excess risk after 200 steps",
    correction="The excess tends to that of the floor (eta lam; q)_inf of Lemma A.5.",
)
ADVERSARIAL = Claim(
    id="hf.thm4.5.adversarial",
    label="Theorem 4.5, U chosen after the data",
    kind="inequality",
    statement="For the worst U the last term is mL^2/(lam n) + L^2/(lam(n + 1)).",
    readings=(
        Reading(
            "literal",
            "error and R_T for all sets of at most m",
            ("corrected",),
            proofs={"corrected": "|w^{-U} - w^| <= mL/(lam n), and Lemma A.4 on all of S"},
        ),
    ),
)
CLAIMS = (CLAIM, EXPLICIT, FOREVER, ADVERSARIAL)


def measure(
    E: float, B: float, eta: float, q: float, n: float, m: float, lam: float, L: float,
    **_: float,
) -> float:  # fmt: skip
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


def blind_risk(law: TwoPoints, inputs: dict[str, Any], hessian: str, noise: float) -> float:
    """Exact E F(w_T + a + noise) - F(w*) for U = the first m of n samples of a two-point law.

    Whole batches from the right end of W; all numbers of `high` in U and out of it enumerated; the
    noise by Gauss-Hermite quadrature.  Raises ValueError if w_T + a or an iterate leaves W.
    """
    n, m, T = (int(inputs[name]) for name in ("n", "m", "T"))
    high = np.arange(n - m + 1.0)[:, None], np.arange(m + 1.0)[None, :]
    chance = binomial(high[0], n - m, law.p) * binomial(high[1], m, law.p)

    def slopes(w: np.ndarray, count: np.ndarray, size: int) -> Any:
        return count * law.slope(w, law.high) + (size - count) * law.slope(w, law.low)

    def curvatures(w: np.ndarray, count: np.ndarray, size: int) -> Any:
        bend = [1 / np.cosh(w - z) ** 2 if law.kind == "log cosh" else 0.0 * w
                for z in (law.high, law.low)]  # fmt: skip
        return count * bend[0] + (size - count) * bend[1] + size * law.lam

    w, a = np.full(chance.shape, law.radius), np.zeros(chance.shape)
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


def certified(law: TwoPoints, inputs: dict[str, Any], hessian: str) -> dict[str, float]:
    """error, sigma and distance for the corrected bound, from the constants alone."""
    n, m, T = (int(inputs[name]) for name in ("n", "m", "T"))
    steps = inputs["eta"] * inputs["q"] ** np.arange(T)
    constants = (inputs["L"], inputs["lam"], inputs["M"], inputs["Lam"])
    error = float(
        error_apriori(steps, np.full(T, m), np.full(T, n), *constants, hessian=hessian)[-1]
    )
    distance = bounds.get("hf.lema5")(
        "corrected", beta=1 - m / n,
        **{name: inputs[name] for name in ("eta", "q", "T", "lam", "M", "L")},
    )  # fmt: skip
    sigma = error / float(mu_gdp(inputs["epsilon"], inputs["delta"]))
    return {"error": error, "sigma": sigma, "distance": float(distance)}


def blind_cases(ctx: Context) -> Iterator[tuple[float, dict[str, Any], str]]:
    """(exact excess, inputs with certificates, instance) over random two-point problems."""
    rng = ctx.rng(1)
    for _ in range(ctx.pick(25, 400)):
        kind = str(rng.choice(("quadratic", "log cosh")))
        lam = float(rng.uniform(0.3, 1))
        low, high = -float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.1, 0.6))
        law = TwoPoints(kind, lam, low, high, float(rng.uniform(0.1, 0.9)), 1.0)
        bend = kind == "log cosh"
        M = lam + bend
        n = int(rng.integers(4, 25))
        inputs = {
            "n": n, "m": int(rng.integers(1, max(n // 3, 2))), "T": int(rng.integers(1, 30)),
            "eta": float(rng.uniform(0.1, 1)) / M, "q": float(rng.uniform(0.5, 1)), "lam": lam,
            "M": M, "L": law.lipschitz, "d": 1, "Lam": 4 / 27**0.5 if bend else 0.0,
            "epsilon": float(rng.uniform(0.3, 3)), "delta": 10.0 ** -rng.uniform(2, 6),
        }  # fmt: skip
        for hessian in ("kept", "batch"):
            numbers = certified(law, inputs, hessian)
            # Losses here are M-smooth everywhere but Lipschitz on W only.
            if M * numbers["sigma"] > 2 * inputs["L"] * np.sqrt(2 / np.pi):
                continue
            try:
                found = blind_risk(law, inputs, hessian, numbers["sigma"])
            except ValueError:
                continue
            yield found, {**inputs, **numbers}, f"{kind}, two-point law, {hessian} Hessian"


def check_printed(ctx: Context, forms: dict[str, Any]) -> Iterator[Evidence]:
    for T, n, eta, q in ((20, 1000, 0.4, 0.5), (60, 10**9, 0.4, 0.5), (20, 1000, 0.5, 0.5)):
        inputs = {**_POINT, **forms, "E": T - 1, "n": n, "eta": eta, "q": q, "rho": 1 - eta}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, f"w^2/2 from 1, eta = {eta}, T = {T}",
            script="thm4_5_explicit",
        )  # fmt: skip
    far = {**_POINT, "E": 0, "n": 10**9, "eta": 0.01, "rho": 0.99, "L": 1000.0, "C": 1000.0}
    for K in forms or {"": 1}:
        inputs = {**far, K: 100.0} if K else far
        yield ctx.compare(
            "supremum", "printed", measure(**inputs), inputs, "w^2/2 on [-1000, 1000], one step",
            script="thm4_5_supremum",
        )  # fmt: skip
    constant = {**_POINT, "E": 9, "q": 1 - 1e-9, "rho": 0.6}
    yield ctx.compare(
        "literal", "printed", measure(**constant), constant, "a bound without the noise's share",
        bound=0.5 * measure(**constant), role="control",
    )  # fmt: skip


def check_corrected(ctx: Context) -> Iterator[Evidence]:
    cases = list(blind_cases(ctx))
    found = np.array([case[0] for case in cases])
    names = ("L", "lam", "M", "d", "error", "sigma", "distance", "n", "m")
    inputs = {name: np.array([case[1][name] for case in cases]) for name in names}
    yield ctx.compare(
        "literal", "corrected", found, inputs, "random two-point problems, w_T + a in W"
    )
    near = {**inputs, "distance": 0 * found}
    yield ctx.compare(
        "literal", "corrected", found, near, "without the distance from the minimiser",
        bound=ctx.formula("corrected", **near), role="control",
    )  # fmt: skip
    alone = {"L": 1.0, "lam": 0.01, "M": 50.01, "d": 1, "error": 0.0, "sigma": 0.0,
             "distance": 0.0, "n": 1e12, "m": 1}  # fmt: skip
    steep = float(np.log(np.cosh(50.0)) / 50 + 0.005)  # log cosh(50 w)/50 + w^2/200 at 1
    for name, other in (("distance", "error"), ("error", "distance")):
        for share in (1.0, 0.7):
            split = {**alone, "L": 1.01, name: share, other: 1 - share}
            yield ctx.compare(
                "literal", "corrected", steep, split, "a steep valley, nearly attained"
            )
    for d in (1, 5):
        noisy = {**alone, "lam": 2.0, "M": 2.0, "sigma": 0.1, "d": d}
        yield ctx.compare(
            "literal", "corrected", 2.0 / 2 * d * 0.1**2, noisy, "w^2 at its minimum, with noise",
            relation="==",
        )  # fmt: skip


def check_claim(ctx: Context) -> Iterator[Evidence]:
    yield from check_printed(ctx, {"K": 1.0})
    inputs = {**_POINT, "E": 59, "n": 10**9, "K": 1e6}
    yield ctx.compare(
        "literal", "printed", measure(**inputs), inputs, "w^2/2 from 1, K = 10^6",
        script="thm4_5_explicit",
    )  # fmt: skip
    yield from check_corrected(ctx)


def check_explicit(ctx: Context) -> Iterator[Evidence]:
    yield from check_printed(ctx, {})
    yield from check_corrected(ctx)


def check_forever(ctx: Context) -> Iterator[Evidence]:
    for K, n in ((1.0, 1000), (1e6, 10**9), (1e8, 10**12)):
        inputs = {"L": 1.0, "lam": 1.0, "n": n, "m": 1, "K": K}
        yield ctx.compare(
            "literal", "printed", measure_forever(**inputs), inputs, "w^2/2 from 1, eta = .4",
            script="eq64_forever",
        )  # fmt: skip


def worst_signs(n: int, m: int, eta: float, q: float, T: int) -> float:
    """E of the excess of exactly retrained (leave-one-out) models from 1 on random signs.

    l = (w - z)^2/2 on [-1, 1]; the adversary deletes up to m of the minority.
    """
    ups = np.arange(n + 1)
    gone = np.minimum(m, np.minimum(ups, n - ups))
    mean = np.where(ups >= n - ups, 1, -1) * (np.abs(2 * ups - n) + gone) / (n - gone)
    v = np.ones(n + 1)
    for t in range(T):
        v = v - eta * q**t * (n - gone) / n * (v - mean)
    return float(binomial(ups, n, 0.5) @ (v**2 / 2))


def check_adversarial(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        n = int(rng.integers(4, 200))
        m, T = int(rng.integers(1, max(n // 4, 2))), int(rng.integers(1, 60))
        eta, q = float(rng.uniform(0.1, 1)), float(rng.uniform(0.6, 1))
        distance = bounds.get("hf.lema5")(
            "corrected", eta=eta, q=q, T=T, lam=1.0, M=1.0, L=2.0, beta=1 - m / n
        )
        inputs = {
            "L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "error": 0.0, "sigma": 0.0,
            "distance": float(distance), "n": n, "m": m,
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", worst_signs(n, m, eta, q, T), inputs,
            "random signs, the minority deleted, exact on quadratics",
        )  # fmt: skip
    alone = {"L": 1.01, "lam": 0.01, "M": 50.01, "d": 1, "sigma": 0.0, "n": 1e12, "m": 1}
    steep = float(np.log(np.cosh(50.0)) / 50 + 0.005)  # log cosh(50 w)/50 + w^2/200 at 1
    for share in (0.0, 0.3, 1.0):
        split = {**alone, "error": share, "distance": 1 - share}
        yield ctx.compare("literal", "corrected", steep, split, "a steep valley, nearly attained")
    blind = bounds.get("hf.thm4.5")
    inputs = {"L": 2.0, "lam": 1.0, "M": 1.0, "d": 1, "error": 0.0, "sigma": 0.0,
              "distance": 0.0, "n": 1000, "m": 400}  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", worst_signs(1000, 400, 1.0, 1.0, 200), inputs,
        "the last term for U independent of the data", bound=blind("corrected", **inputs),
        role="control",
    )  # fmt: skip


CHECKERS = {
    CLAIM.id: check_claim,
    EXPLICIT.id: check_explicit,
    FOREVER.id: check_forever,
    ADVERSARIAL.id: check_adversarial,
}
MEASURES = {CLAIM.id: measure, EXPLICIT.id: measure, FOREVER.id: measure_forever}
