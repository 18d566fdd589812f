"""Lemma 4.2 of hf: right for each step; not with one rho taken at the first step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.lem4.2",
    label="Lemma 4.2",
    kind="inequality",
    statement="With rho = max(|1 - eta lam|, |1 - eta M|), |(I - (eta/b) H) v| <= rho |v|.",
    readings=(
        Reading(
            "literal",
            "rho is that of the step, rho_t",
            ("printed",),
            proofs={"printed": "H/b is symmetric with spectrum in [lam, M]"},
        ),
        Reading(
            "constant",
            "one rho for all steps, at eta_0, as (47) and (58) take it",
            ("printed", "corrected"),
            proofs={"corrected": "rho_t is convex in eta_t, so its maximum is at an end"},
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 41)),
        {"eta": 0.5, "q": 0.9, "lam": 0.2, "M": 1.0},
        log_y=False,
    ),
    quantity="largest norm of I - (eta_t/b) H_t over the steps",
    correction="rho must be max_t rho_t, or better the product of all rho_t.",
)


def measure(eta: float, q: float, T: float, lam: float, M: float) -> float:
    """Largest spectral norm over the steps, batches with a sample of curvature lam or M alone."""
    steps = eta * q ** np.arange(int(T))
    return float(max(np.abs(1 - steps * h).max() for h in (lam, M)))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 1000)):
        lam = float(rng.normal())
        inputs = {
            "eta": float(rng.uniform(0.01, 2)), "q": float(rng.uniform(0.3, 1)),
            "T": int(rng.integers(1, 12)), "lam": lam, "M": abs(lam) + float(rng.exponential()),
        }  # fmt: skip
        p, b = 5, int(rng.integers(1, 5))
        total = np.zeros((p, p))
        for _ in range(b):
            basis = np.linalg.qr(rng.normal(size=(p, p)))[0]
            total += basis @ np.diag(rng.uniform(inputs["lam"], inputs["M"], p)) @ basis.T
        norm = np.linalg.norm(np.eye(p) - inputs["eta"] / b * total, 2)
        yield ctx.compare("literal", "printed", norm, inputs, "random batches of Hessians")
        one = {**inputs, "T": 1}
        yield ctx.compare(
            "literal", "printed", measure(**one), one, "a Hessian lam I or M I", relation="=="
        )
        yield ctx.compare(
            "constant", "corrected", measure(**inputs), inputs, "Hessians lam I and M I",
            relation="==", tolerance=1e-12,
        )  # fmt: skip
    inputs = {"eta": 0.5, "q": 0.5, "T": 2, "lam": 1.0, "M": 1.0}
    yield ctx.compare(
        "constant", "printed", measure(**inputs), inputs, "curvature 1, eta = q = 1/2, step 1",
        script="lem4_2",
    )  # fmt: skip
