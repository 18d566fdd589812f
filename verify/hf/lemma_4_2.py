"""Lemma 4.2 of hf: right for each step; not with one rho taken at the first step."""

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit, case_table


def measure(eta: float, q: float, T: float, lam: float, M: float) -> float:
    """Largest spectral norm over the steps, batches with a sample of curvature lam or M alone."""
    steps = eta * q ** np.arange(int(T))
    return float(max(np.abs(1 - steps * h).max() for h in (lam, M)))


def check(ctx: Context) -> Findings:
    """Norms of one step on random batches of Hessians."""
    for rng in ctx.draws(60, 1000, block=2):
        lam = float(rng.normal())
        eta = float(rng.uniform(0.01, 2))
        M = abs(lam) + float(rng.exponential())
        p, b = 5, int(rng.integers(1, 5))
        total = np.zeros((p, p))
        for _ in range(b):
            basis = np.linalg.qr(rng.normal(size=(p, p)))[0]
            total += basis @ np.diag(rng.uniform(lam, M, p)) @ basis.T
        norm = np.linalg.norm(np.eye(p) - eta / b * total, 2)
        inputs = {"eta": eta}
        inputs |= {"lam": lam, "M": M, "T": 1}
        yield ctx.compare("literal", "printed", norm, inputs, "random batches of Hessians")


WITHIN = {"eta": (0.01, 2), "q": (0.3, 1), "T": (1, 12), "lam": (-2, 2), "M": (0.01, 4)}
ONE = Instances(
    "a Hessian lam I or M I",
    draws=(60, 1000),
    within=WITHIN,
    interpretations=("literal",),
    relations={"printed": "=="},
)
ENDS = Instances(
    "Hessians lam I and M I",
    case_table("eta q T lam M", (0.5, 0.5, 2, 1, 1)),
    draws=(60, 1000),
    within=WITHIN,
    interpretations=("constant",),
    tolerance=1e-12,
    relations={"corrected": "=="},
    script="lem4_2",
)
STEP = Limit("rho of one step", (Hypothesis("T = 1", sets={"T": lambda: 1}),))
CHECKS = (
    Check("hf.lem4.2", check, measure, (ONE, ENDS), {"literal": STEP})
    .measured_by("recollection", "stretch", interpretations=("literal",))
    .measured_by("recollection", "longest_stretch", interpretations=("constant",)),
)
