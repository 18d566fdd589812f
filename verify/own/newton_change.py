"""Certified removal by a Newton step: its change of variables on a line, and by logistic rows."""

import math

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit

Array = np.ndarray
SHARP = 1 / (6 * math.sqrt(3))


def derivative(gam: float, m: float, C: float, lam: float, n: float, B: float) -> float:
    """T'(b) at b = -B on a line, x = 1, by a difference quotient of the step itself.

    Removed: l' = C.  Kept: l' = -C at the minimiser w, and l'' = gam |z - z0| with a kink at z0,
    hardly beyond w: l'' falls where b moves w, and rises along the step.
    """
    import mpmath as mp

    with mp.workdps(60):
        g, c, ridge = mp.mpf(gam), mp.mpf(C), mp.mpf(lam)
        b, k = -mp.mpf(B), mp.mpf(n - m)
        at = ((k - m) * c - b) / (ridge * n)
        beyond = (c + abs(b)) / (ridge * n) * mp.mpf("1e-12")
        kink = at + beyond

        def slope(z: mp.mpf) -> mp.mpf:
            return -c + g * ((z - kink) * abs(z - kink) + beyond**2) / 2

        def other(noise: mp.mpf) -> mp.mpf:
            w = at
            for _ in range(8):  # Newton's method from next to the root
                residual = k * slope(w) + m * c + ridge * n * w + noise
                w -= residual / (k * g * abs(w - kink) + ridge * n)
            w += m * (c + ridge * w) / (k * (g * abs(w - kink) + ridge))
            return -k * (slope(w) + ridge * w)

        h = beyond * ridge * n * mp.mpf("1e-9")
        return float((other(b + h) - other(b - h)) / (2 * h))


def measure_change(gam: float, m: float, C: float, lam: float, n: float, B: float) -> float:
    """|r'(b)| = |1 - T'(b)| there."""
    return abs(1 - derivative(gam, m, C, lam, n, B))


def measure_volume(gam: float, m: float, C: float, lam: float, n: float, B: float) -> float:
    """|log|T'(b)|| there."""
    return abs(math.log(abs(derivative(gam, m, C, lam, n, B))))


def by_rows(rows: Array, m: int, lam: float, w: Array) -> tuple[float, Array]:
    """|b| and r'(b) at the b that makes w optimal: logistic rows, complex steps, any dimension."""

    def slopes(z: Array) -> Array:
        return np.asarray(1 / (1 + np.exp(-z)))

    def gradient(part: Array, v: Array) -> Array:
        return np.asarray(part.T @ slopes(part @ v) + lam * len(part) * v)

    def hessian(part: Array, v: Array) -> Array:
        s = slopes(part @ v)
        return np.asarray((part.T * (s * (1 - s))) @ part + lam * len(part) * np.eye(len(v)))

    def left(v: Array) -> Array:
        q, kept_rows = gradient(rows[:m], v), rows[m:]
        after = v + np.linalg.solve(hessian(kept_rows, v), q)
        return np.asarray(gradient(kept_rows, after) - gradient(kept_rows, v) - q)

    h = 1e-30
    by_w = np.stack([left(w + 1j * h * e).imag / h for e in np.eye(len(w))], axis=1)
    return float(np.linalg.norm(gradient(rows, w))), -by_w @ np.linalg.inv(hessian(rows, w))


def drawn(rng: np.random.Generator) -> tuple[dict[str, float], Array]:
    """Inputs and r'(b) of a random set of rows in the unit ball, and of a random model."""
    n, p = int(rng.integers(2, 12)), int(rng.integers(1, 6))
    m, lam = int(rng.integers(1, n)), float(10 ** rng.uniform(-1, 0.5))
    rows = rng.normal(size=(n, p)) * (1 if rng.random() < 0.5 else 0.1) + rng.normal(size=p)
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1)[:, None]
    rows[:m] *= -1 if rng.random() < 0.5 else 1
    length, jacobian = by_rows(rows, m, lam, rng.normal(size=p) * 10 ** rng.uniform(-2, 1))
    return {"gam": SHARP, "m": m, "C": 1.0, "lam": lam, "n": n, "B": length}, jacobian


def check_change(ctx: Context) -> Findings:
    """Trace norms of the derivative for random logistic rows, and on a line."""
    for rng in ctx.draws(40, 600):
        inputs, jacobian = drawn(rng)
        lhs = float(np.linalg.norm(jacobian, "nuc"))
        yield ctx.compare("literal", "tight", lhs, inputs, ROWS, tolerance=1e-9)
    inputs = {"gam": 0.1, "m": 5, "C": 1.0, "lam": 1.0, "n": 10, "B": 20.0}
    u = 0.1 * 5 * (2 + 20 / 5) / 10
    options = {"bound": 0.98 * u * (1.5 + u / 2), "role": "control"}
    yield ctx.compare("literal", "tight", measure_change(**inputs), inputs, LINE, **options)


def check_volume(ctx: Context) -> Findings:
    for rng in ctx.draws(40, 600):
        inputs, jacobian = drawn(rng)
        lhs = abs(float(np.linalg.slogdet(np.eye(len(jacobian)) - jacobian)[1]))
        yield ctx.compare("literal", "tight", lhs, inputs, ROWS, tolerance=1e-9)


ROWS = "logistic rows in up to five dimensions"
LINE = "a line, kept slopes with a kink"
WITHIN = {
    "gam": (1e-4, 0.02),
    "m": (1, 9),
    "C": (0.5, 2),
    "lam": (0.5, 2),
    "n": (10, 60),
    "B": (0, 50),
}
STRAIGHT = Limit(
    "the slopes of the line stay within C only for short steps",
    where=(
        Hypothesis(
            "gam D^2 <= 2 C and a removal",
            lambda gam, m, C, lam, n, B: (
                (gam * (m * (2 * C + B / (n - m)) / (lam * n)) ** 2 <= 2 * C) & (m >= 1) & (C > 0)
            ),
        ),
    ),
    within=WITHIN,
)
ROWS_OF_A_RUN = ("rows of norm at most 1", "strong convexity", "logistic")
CHECKS = (
    Check(
        "own.newton.change",
        evidence=check_change,
        exact_side=measure_change,
        at=(
            Instances(
                LINE, draws=(10, 100), within=WITHIN, relations={"tight": "=="}, tolerance=1e-6
            ),
        ),
        limits={"literal": STRAIGHT},
        far=(
            "attained in the limit by slopes whose second derivative has a kink, as "
            "no loss of rows has"
        ),
    )
    .measured_by("newton-removal", "change", where=ROWS_OF_A_RUN)
    .beside("logistic loss of two rows, much noise"),
    Check(
        "own.newton.volume",
        evidence=check_volume,
        exact_side=measure_volume,
        at=(Instances(LINE, draws=(10, 100), within=WITHIN),),
        limits={"literal": STRAIGHT},
        far=(
            "attained in the limit by slopes whose second derivative has a kink, as "
            "no loss of rows has"
        ),
    )
    .measured_by("newton-removal", "volume", where=ROWS_OF_A_RUN)
    .beside("logistic loss of two rows, much noise"),
)
