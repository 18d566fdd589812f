"""(48) to (53) of hf: the steps of the proof of Lemma A.5, one by one."""

import numpy as np
from scipy import integrate

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.hf.two_point_laws import random_law


def mean_hessian(rng: np.random.Generator, lam: float, M: float) -> np.ndarray:
    """Mean of three symmetric 4 x 4 matrices with spectra from lam to M."""
    total = np.zeros((4, 4))
    for _ in range(3):
        basis = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        total += basis @ np.diag(rng.uniform(lam, M, 4)) @ basis.T / 3
    return total


def largest(eta: float, lam: float, M: float) -> float:
    """Largest eigenvalue of I - eta H for diagonal H from lam to M."""
    return float(np.linalg.eigvalsh(np.eye(3) - eta * np.diag([lam, (lam + M) / 2, M]))[-1])


def factor(eta: float, lam: float, M: float) -> float:
    """Norm of the same step."""
    return float(np.linalg.norm(np.eye(3) - eta * np.diag([lam, (lam + M) / 2, M]), 2))


def excess(L: float, lam: float, M: float) -> float:
    """F(w) - F(0) of (lam/2) w^2 where its slope is L, by integrating the slope."""
    w = np.linspace(0, L / lam, 2001)
    return float(integrate.trapezoid(lam * w, w))


def one_step(rho: float, start: float, now: float) -> float:
    """Distance after one step 1 - rho of w^2/2 from `now`."""
    return abs(now - (1 - rho) * now)


def check_order(ctx: Context) -> Findings:
    """Largest eigenvalues of steps on random mean Hessians."""
    for rng in ctx.draws(40, 400, block=1):
        lam = float(rng.uniform(0.05, 1))
        eta = float(rng.uniform(0.01, 2))
        H = mean_hessian(rng, lam, lam + rng.exponential())
        top = np.linalg.eigvalsh(np.eye(4) - eta * H)[-1]
        bound = 1 - eta * lam
        at = "random Hessians (both sides + 10)"
        yield ctx.compare("literal", "corrected", top + 10, {}, at, bound=bound + 10, tight=np.nan)


def check_contraction(ctx: Context) -> Findings:
    long = factor(eta=2.5 / 2, lam=0.1, M=1.9)
    at = "a longer step expands"
    yield ctx.compare("literal", "printed", long, {}, at, bound=1.0, role="control")


def check_gradient(ctx: Context) -> Findings:
    """Gradient as the integral of the Hessian from the minimiser, log cosh losses."""
    rng = ctx.rng()
    at = "(w -+ 1)^2/2, batch of the first"
    inputs = {"w": 0.5, "z": 1.0}
    yield ctx.compare("literal", "printed", -0.5, inputs, at, bound=0.5, script="eq50_gradient")
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for _ in range(ctx.pick(20, 200)):
        centres = rng.uniform(-1, 1, 5)
        lam = float(rng.uniform(0.1, 1))
        low, high = -1.0, 1.0
        for _ in range(100):
            best = (low + high) / 2
            slope = np.tanh(best - centres).mean() + lam * best
            low, high = (best, high) if slope < 0 else (low, best)
        w = float(rng.uniform(-1, 1))
        line = best + (w - best) * (nodes + 1) / 2
        hessians = (1 / np.cosh(line[:, None] - centres) ** 2).mean(axis=1) + lam
        gradient = np.tanh(w - centres).mean() + lam * w
        along = weights @ hessians / 2 * (w - best)
        at = "log cosh plus a quadratic"
        yield ctx.compare("whole", "printed", gradient, {"w": w, "lam": lam}, at, bound=along)


def check_one_step(ctx: Context) -> Findings:
    """Distance after the last of a few steps on quadratics with a common minimiser."""
    rng = ctx.rng(1)
    at = "quadratics with a common minimiser"
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.1, 1))
        M = lam + float(rng.exponential())
        eta = 2 * rng.uniform(0.05, 1) / (lam + M)
        q = rng.uniform(0.3, 1)
        w = rng.normal(size=4)
        start, now, rho = float(np.linalg.norm(w)), 0.0, 0.0
        for t in range(int(rng.integers(1, 8))):
            H, step = mean_hessian(rng, lam, M), eta * q**t
            now = float(np.linalg.norm(w))
            rho = max(abs(1 - step * lam), abs(1 - step * M))
            w = w - step * H @ w
        after = float(np.linalg.norm(w))
        first = {"rho": max(abs(1 - eta * lam), abs(1 - eta * M)), "start": start}
        yield ctx.compare("literal", "printed", after, first, at, tight=rho * now)
        yield ctx.compare("literal", "corrected", after, {"rho": rho, "now": now}, at)
    minimiser = {"rho": 0.5, "start": 0.0, "now": 0.0}
    at = "from the minimiser, batch of one"
    yield from ctx.compare_forms(
        "sampled", 0.5, minimiser, f"(w -+ 1)^2/2 {at}", script="eq51_sampled"
    )


def check_repeated(ctx: Context) -> Findings:
    """Distance after T constant steps on one quadratic, and along the extreme curvature."""
    rng = ctx.rng()
    inputs = {"rho": 0.5, "T": 2, "start": 1.0, "now": 0.25}
    at = "w^2/2, eta = 1/2"
    yield ctx.compare("literal", "printed", 0.25, inputs, at, tight=0.25, script="eq52_repeated")
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.1, 1))
        M = lam + float(rng.exponential())
        eta = 2 * float(rng.uniform(0.05, 1)) / (lam + M)
        T = int(rng.integers(1, 10))
        w, H = rng.normal(size=4), mean_hessian(rng, lam, M)
        ends = abs(1 - eta * lam), abs(1 - eta * M)
        inputs = {"rho": max(ends), "T": T, "start": float(np.linalg.norm(w))}
        end = np.linalg.norm(np.linalg.matrix_power(np.eye(4) - eta * H, T) @ w)
        yield ctx.compare("literal", "corrected", end, inputs, "one quadratic in 4 dimensions")
        distance = inputs["start"] * max(ends) ** T
        at = "the extreme curvature alone"
        yield ctx.compare("literal", "corrected", distance, inputs, at, relation="==")


def check_gap(ctx: Context) -> Findings:
    for rng in ctx.draws(60, 1000, block=1):
        law = random_law(rng)
        most = float(law.excess(np.array([-law.radius, law.radius])).max())
        inputs = {"L": law.lipschitz, "lam": law.lam}
        for form in ("corrected", "tight"):
            yield ctx.compare("literal", form, most, inputs, f"{law.kind}, an end of W")


STEP = {"eta": (0.01, 2), "lam": (0.05, 1), "M": (0.05, 4)}
ORDER = Instances(
    "curvatures from lam to M",
    case_table("eta lam M", (0.5, 0.5, 1)),
    draws=(40, 400),
    within=STEP,
    script="eq48_order",
    relations={"corrected": "=="},
)
CONTRACTION = Instances(
    "curvatures lam to M", draws=(40, 400), within=STEP, relations={"tight": "=="}
)
EXTREME = Instances(
    "the direction of the extreme curvature",
    draws=(40, 400),
    within={"rho": (0, 2)},
    interpretations=("literal",),
    forms=("corrected",),
    relations={"corrected": "=="},
)
GAP = Instances(
    "(lam/2) w^2 where its slope is L",
    case_table("L lam M", (3, 1, 1)),
    draws=(60, 1000),
    within={"L": (0.01, 10), "lam": (0.1, 2)},
    script="eq53_gap",
    relations={"tight": "=="},
)
CALM = ("no clip", "whole batches", "steps at most 2/(lam + M)")
CHECKS = (
    Check("hf.eq48", check_order, largest, (ORDER,)).measured_by("recollection", "top_eigenvalue"),
    Check("hf.eq49", check_contraction, factor, (CONTRACTION,)).measured_by(
        "recollection", "stretch"
    ),
    Check("hf.eq50", check_gradient).measured_by(
        "recollection", "batch_gradient", interpretations=("literal",), sides={"printed": 0.0}
    ),
    Check("hf.eq51", check_one_step, one_step, (EXTREME,))
    .measured_by(
        "recollection",
        "next_distance",
        symbols={"rho": "rho_0"},
        interpretations=("literal",),
        forms=("printed",),
        where=CALM,
    )
    .measured_by(
        "recollection",
        "next_distance",
        symbols={"rho": "rho_t"},
        interpretations=("literal",),
        forms=("corrected",),
        where=CALM,
    ),
    Check("hf.eq52", check_repeated).measured_by(
        "recollection", "optimum_distance", symbols={"rho": "rho_0"}, where=(*CALM, "one step size")
    ),
    Check("hf.eq53", check_gap, excess, (GAP,)).measured_by("recollection", "objective_gap"),
)
