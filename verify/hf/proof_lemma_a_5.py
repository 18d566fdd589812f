"""(48) to (53) of hf: the steps of the proof of Lemma A.5, one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import integrate

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.two_point_laws import random_law

_STEPS = tuple(np.linspace(0.05, 1.0, 20).tolist())
ORDER = Claim(
    id="hf.eq48",
    label="(48)",
    kind="inequality",
    statement="(1 - eta lam) I <= I - (eta/b) sum of Hessians <= (1 - eta M) I.",
    readings=(
        Reading(
            "literal",
            "lam I <= Hessians <= M I; the right inequality",
            ("printed", "corrected"),
            proofs={"corrected": "the mean Hessian is at least lam I"},
            edits={"printed": Edit("exchange lam and M", "M", r"\lambda")},
        ),
    ),
    natural=Natural("eta", _STEPS, {"lam": 0.5, "M": 1.0}, log_y=False),
    quantity="largest eigenvalue of a step",
    correction="(1 - eta M) I <= ... <= (1 - eta lam) I.",
)
CONTRACTION = Claim(
    id="hf.eq49",
    label="(49)",
    kind="inequality",
    statement="For eta <= 2/(lam + M): |1 - eta lam| < 1 and |1 - eta M| < 1.",
    readings=(
        Reading(
            "literal",
            "lam > 0",
            ("printed", "tight"),
            proofs={
                "printed": "-(1 - eta lam) <= 1 - eta M",
                "tight": "-(1 - eta lam) <= 1 - eta M <= 1 - eta lam",
            },
        ),
    ),
    natural=Natural("eta", _STEPS, {"lam": 0.5, "M": 1.5}, log_y=False),
    quantity="factor of a step",
)
GRADIENT = Claim(
    id="hf.eq50",
    label="(50)",
    kind="equality",
    statement="grad l(w_T) = (integral of the Hessian along the segment) (w_T - w^), as "
    "grad l(w^) = 0.",
    readings=(
        Reading("literal", "l is the loss of the step's batch", ("printed",)),
        Reading(
            "whole",
            "l is the risk over S minus U, which whole batches follow",
            ("printed",),
            proofs={"printed": "fundamental theorem of calculus"},
        ),
    ),
    formula=False,
    correction="Batches add eta_t grad F_{B_t}(w^) at every step.",
)
ONE_STEP = Claim(
    id="hf.eq51",
    label="(51)",
    kind="inequality",
    statement="|w_{T+1} - w^| <= rho |w_0 - w^|.",
    readings=(
        Reading(
            "literal",
            "whole batches; rho that of the first step",
            ("printed", "corrected"),
            proofs={
                "printed": "the first step contracts by rho and no later step goes back",
                "corrected": "Lemma 4.2 for the step at hand",
            },
        ),
        Reading("sampled", "batches of one", ("printed", "corrected")),
    ),
    natural=Natural(
        "rho", tuple(np.linspace(0, 1, 11).tolist()), {"start": 1.0, "now": 0.5}, log_y=False
    ),
    quantity="|w_{T+1} - w^|",
    correction="w_T on the right, and rho_T: (52) repeats the step.",
)
REPEATED = Claim(
    id="hf.eq52",
    label="(52)",
    kind="inequality",
    statement="|w_T - w^| <= rho^T |w_T - w^|.",
    readings=(
        Reading(
            "literal",
            "constant steps, whole batches",
            ("printed", "corrected"),
            proofs={"corrected": "(51) with w_T on its right, T times"},
            edits={"printed": Edit("w_0 on the right", r"\mathbf{w}_T", r"\mathbf{w}_0")},
        ),
    ),
    correction="w_0 on the right.",
)
GAP = Claim(
    id="hf.eq53",
    label="(53)",
    kind="inequality",
    statement="F(w) - F(w^) <= 2M^2/lam.",
    readings=(
        Reading(
            "literal",
            "losses lam-strongly convex, M-smooth and L-Lipschitz on W",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "F is L-Lipschitz: at most L |w - w^|",
                "tight": "strong convexity: at most |grad F(w)|^2/(2 lam)",
            },
        ),
    ),
    natural=Natural(
        "L", tuple(np.linspace(0.25, 5, 20).tolist()), {"lam": 1.0, "M": 1.0}, log_y=False
    ),
    quantity="F(w) - F(w^)",
    correction="L^2/(2 lam).",
)
CLAIMS = (ORDER, CONTRACTION, GRADIENT, ONE_STEP, REPEATED, GAP)


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


def check_order(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    at = {"eta": 0.5, "lam": 0.5, "M": 1.0}
    for form in ("printed", "corrected"):
        yield ctx.compare(
            "literal", form, largest(**at), at, "curvatures from 1/2 to 1", script="eq48_order"
        )
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.05, 1))
        inputs = {"eta": float(rng.uniform(0.01, 2)), "lam": lam, "M": lam + rng.exponential()}
        H = mean_hessian(rng, inputs["lam"], inputs["M"])
        top = np.linalg.eigvalsh(np.eye(4) - inputs["eta"] * H)[-1] + 10.0
        yield ctx.compare(
            "literal", "corrected", top, inputs, "random Hessians (both sides + 10)",
            bound=ctx.formula("corrected", eta=inputs["eta"], lam=lam) + 10.0, tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", largest(**inputs), inputs, "an eigenvector of curvature lam",
            relation="==",
        )  # fmt: skip


def check_contraction(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.05, 1))
        M = lam + float(rng.exponential())
        inputs = {"eta": float(rng.uniform(0, 2)) / (lam + M) + 1e-9, "lam": lam, "M": M}
        if inputs["eta"] * (lam + M) > 2:
            continue
        yield ctx.compare("literal", "printed", factor(**inputs), inputs, "curvatures lam to M")
        yield ctx.compare(
            "literal", "tight", factor(**inputs), inputs, "curvatures lam to M", relation="=="
        )
    long = {"eta": 2.5 / 2, "lam": 0.1, "M": 1.9}
    yield ctx.compare(
        "literal", "printed", factor(**long), long, "a longer step expands", bound=1.0,
        role="control",
    )  # fmt: skip


def check_gradient(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    yield ctx.compare(
        "literal", "printed", 0.5 - 1.0, {"w": 0.5, "z": 1.0},
        "(w -+ 1)^2/2, batch of the first", bound=0.5, relation="==", script="eq50_gradient",
    )  # fmt: skip
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for _ in range(ctx.pick(20, 200)):
        centres, lam = rng.uniform(-1, 1, 5), float(rng.uniform(0.1, 1))
        low, high = -1.0, 1.0
        for _ in range(100):
            best = (low + high) / 2
            slope = np.tanh(best - centres).mean() + lam * best
            low, high = (best, high) if slope < 0 else (low, best)
        w = float(rng.uniform(-1, 1))
        line = best + (w - best) * (nodes + 1) / 2
        hessians = (1 / np.cosh(line[:, None] - centres) ** 2).mean(axis=1) + lam
        gradient = np.tanh(w - centres).mean() + lam * w
        yield ctx.compare(
            "whole", "printed", gradient, {"w": w, "lam": lam}, "log cosh plus a quadratic",
            bound=weights @ hessians / 2 * (w - best), relation="==",
        )  # fmt: skip


def check_one_step(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.1, 1))
        M = lam + float(rng.exponential())
        eta, q, H = 2 * rng.uniform(0.05, 1) / (lam + M), rng.uniform(0.3, 1), None
        w = rng.normal(size=4)
        start, now, rho = float(np.linalg.norm(w)), 0.0, 0.0
        for t in range(int(rng.integers(1, 8))):
            H, step = mean_hessian(rng, lam, M), eta * q**t
            now, rho = float(np.linalg.norm(w)), max(abs(1 - step * lam), abs(1 - step * M))
            w = w - step * H @ w
        after = float(np.linalg.norm(w))
        first = max(abs(1 - eta * lam), abs(1 - eta * M))
        yield ctx.compare(
            "literal", "printed", after, {"rho": first, "start": start},
            "quadratics with a common minimiser", tight=rho * now,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", after, {"rho": rho, "now": now},
            "quadratics with a common minimiser",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", rho * now, {"rho": rho, "now": now},
            "the direction of the extreme curvature", relation="==",
        )  # fmt: skip
    for form, inputs in (("printed", {"rho": 0.5, "start": 0.0}),
                         ("corrected", {"rho": 0.5, "now": 0.0})):  # fmt: skip
        yield ctx.compare(
            "sampled", form, 0.5, inputs, "(w -+ 1)^2/2 from the minimiser, batch of one",
            script="eq51_sampled",
        )  # fmt: skip


def check_repeated(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs = {"rho": 0.5, "T": 2, "start": 1.0, "now": 0.25}
    yield ctx.compare(
        "literal", "printed", 0.25, inputs, "w^2/2, eta = 1/2", tight=0.25, script="eq52_repeated"
    )
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.1, 1))
        M = lam + float(rng.exponential())
        eta, T = 2 * float(rng.uniform(0.05, 1)) / (lam + M), int(rng.integers(1, 10))
        w = rng.normal(size=4)
        start, H = float(np.linalg.norm(w)), mean_hessian(rng, lam, M)
        rho = max(abs(1 - eta * lam), abs(1 - eta * M))
        for _ in range(T):
            w = w - eta * H @ w
        inputs = {"rho": rho, "T": T, "start": start}
        yield ctx.compare(
            "literal", "corrected", np.linalg.norm(w), inputs, "one quadratic in 4 dimensions"
        )
        h = lam if abs(1 - eta * lam) >= abs(1 - eta * M) else M
        yield ctx.compare(
            "literal", "corrected", start * abs(1 - eta * h) ** T, inputs,
            "the extreme curvature alone", relation="==",
        )  # fmt: skip


def check_gap(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    inputs = {"L": 3.0, "lam": 1.0, "M": 1.0}
    yield ctx.compare(
        "literal", "printed", excess(**inputs), inputs, "w^2/2 on [-3, 3]", script="eq53_gap"
    )
    for _ in range(ctx.pick(60, 1000)):
        inputs = {"L": float(rng.exponential()) + 0.01, "lam": float(rng.uniform(0.1, 2))}
        inputs["M"] = inputs["lam"]
        yield ctx.compare(
            "literal", "tight", excess(**inputs), inputs, "(lam/2) w^2 attains it", relation="=="
        )
        law = random_law(rng)
        ends = np.array([-law.radius, law.radius])
        most = float(law.excess(ends).max())
        at = {"L": law.lipschitz, "lam": law.lam}
        for form in ("corrected", "tight"):
            yield ctx.compare("literal", form, most, at, f"{law.kind}, an end of W")


CHECKERS = {
    ORDER.id: check_order,
    CONTRACTION.id: check_contraction,
    GRADIENT.id: check_gradient,
    ONE_STEP.id: check_one_step,
    REPEATED.id: check_repeated,
    GAP.id: check_gap,
}
MEASURES = {ORDER.id: largest, CONTRACTION.id: factor, ONE_STEP.id: one_step, GAP.id: excess}
