"""The "key finding" of mini: spectra of H(l), and batches on which it does not contract."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_INTERVAL = "the eigenvalues of I - eta A lie in [1 - eta L, 1 - eta mu]"
EIG = Claim(
    id="mini.eig",
    label="Key finding (Section 4.1)",
    kind="claim",
    statement="The largest eigenvalue of H(l) is 1 - eta mu < 1, the least is 1 - eta L < 1, so "
    "the positive definite H(l) is a contraction.",
    readings=(
        Reading(
            "literal",
            "mu and L of every sample; 1 - eta mu < 1 and 1 - eta L < 1; H contracts by 1 - eta mu",
            ("printed", "corrected"),
            proofs={"corrected": _INTERVAL},
        ),
        Reading("equal", "the largest eigenvalue is 1 - eta mu", ("printed",), stance="part"),
        Reading(
            "small",
            "eta <= 2/(L + mu): the norm is at most 1 - eta mu",
            ("printed", "corrected"),
            proofs={"printed": _INTERVAL, "corrected": _INTERVAL},
            stance="repair",
        ),
        Reading(
            "objective",
            "mu and L of the mean over all samples only",
            ("corrected",),
            stance="repair",
        ),
    ),
    natural=Natural("eta", (0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.2), {"mu": 0.3, "L": 2.1}, log_y=False),
    quantity="norm of H(l)",
    correction="For mu <= Hessian <= L of every kept sample, |H(l)| <= r = max(|1 - eta mu|, "
    "|1 - eta L|), below 1 iff 0 < eta < 2/L and mu > 0; positive definite iff eta < 1/L.",
)
HALF = Claim(
    id="mini.eig.half",
    label="Steps that halve a distance",
    kind="claim",
    statement="The guaranteed contraction r^k reaches 1/2 after log 2/(-log r) steps.",
    readings=(
        Reading(
            "literal", "1-D quadratics", ("tight",), proofs={"tight": "each step multiplies by r"}
        ),
    ),
    natural=Natural("eta", (0.01, 0.03, 0.1, 0.3, 1.0), {"mu": 0.05, "L": 1.05}, log_x=True),
    quantity="steps",
)
CLAIMS = (EIG, HALF)


def measure(eta: float, mu: float, L: float) -> float:
    """|I - eta A| for a kept sample with curvatures mu and L."""
    H = np.eye(2) - eta * np.diag([mu, L])
    return float(np.abs(np.linalg.eigvalsh(H)).max())


def measure_half(eta: float, mu: float, L: float) -> float:
    """Steps that halve a distance, counted on (a/2) w^2; log-linear between two steps."""
    factor = max(abs(1 - eta * mu), abs(1 - eta * L))
    before, distance, steps = 1.0, 1.0, 0
    while distance > 0.5:
        before, distance, steps = distance, distance * factor, steps + 1
    return steps - 1 + math.log(before / 0.5) / math.log(before / distance)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for eta, mu, L in ((1.0, 0.2, 2.1), (0.9, 0.2, 2.0), (0.5, 0.1, 2.1), (0.01, 0.005, 0.25)):
        inputs = {"eta": eta, "mu": mu, "L": L}
        norm = measure(**inputs)
        yield ctx.compare(
            "literal", "corrected", norm, inputs, "curvatures mu and L", relation="=="
        )
        if eta <= 2 / (L + mu):
            yield from ctx.compare_forms(
                "small", norm, inputs, "curvatures mu and L", relation="=="
            )
    expanding = {"eta": 1.0, "mu": 0.2, "L": 2.1}
    yield ctx.compare(
        "literal",
        "printed",
        measure(**expanding),
        expanding,
        "1 - eta L = -1.1",
        script="eig_expansion",
    )
    between = {"eta": 0.1, "mu": 1.0, "L": 2.0}
    yield ctx.compare(
        "equal", "printed", 1 - 0.1 * 1.5, between, "every kept curvature is 3/2",
        relation="==", script="eig_between",
    )  # fmt: skip
    trials, p = ctx.pick(1000, 10_000), 3
    low = np.exp(rng.uniform(-3, 0, trials))
    high = low * np.exp(rng.uniform(0, 3, trials))
    Q = np.linalg.qr(rng.normal(size=(trials, 2, p, p)))[0]
    spectra = rng.uniform(low[:, None, None, None], high[:, None, None, None], (trials, 2, 1, p))
    A = ((Q * spectra) @ Q.swapaxes(2, 3)).mean(axis=1)
    for reading, most in (("literal", 3 / high), ("small", 2 / (high + low))):
        steps = rng.uniform(0.01, 1, trials) * most
        values = np.linalg.eigvalsh(np.eye(p) - steps[:, None, None] * A)
        norms = np.abs(values).max(axis=1)
        drawn = {"eta": steps, "mu": low, "L": high}
        forms = ("corrected",) if reading == "literal" else ("printed", "corrected")
        for form in forms:
            yield ctx.compare(reading, form, norms, drawn, "mean of two random Hessians in [mu, L]")
    whole = {"eta": 1.0, "mu": 0.5, "L": 0.5}
    yield ctx.compare(
        "objective", "corrected", 1.0, whole, "batches of one sample, each flat in one direction",
        script="eig_objective",
    )  # fmt: skip


def check_half(ctx: Context) -> Iterator[Evidence]:
    cases = [(0.01, 0.005, 0.25), (0.01, 0.01, 0.26), (1.0, 0.05, 1.05), (1.9, 0.05, 1.0)]
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 100)):
        mu = float(np.exp(rng.uniform(-5, 0)))
        L = mu * float(np.exp(rng.uniform(0, 2)))
        cases.append((float(rng.uniform(0.05, 1.95)) / L, mu, L))
    for case in cases:
        inputs = dict(zip(("eta", "mu", "L"), case, strict=True))
        yield ctx.compare(
            "literal", "tight", measure_half(**inputs), inputs, "1-D quadratics, counted",
            relation="==",
        )  # fmt: skip


CHECKERS = {EIG.id: check, HALF.id: check_half}
MEASURES = {EIG.id: measure, HALF.id: measure_half}
