"""Algorithm 2 of mini: what it stores suffices for (10), if it knew the request in training."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import Run, random_run

CLAIM = Claim(
    id="mini.alg2",
    label="Algorithm 2",
    kind="algorithm",
    statement="Training stores W = {w_{T-k}, ..., w_T}, G(T-k), ..., G(T) and the kept indices of "
    "the last batches, from which the unlearned parameter is computed.",
    readings=(
        Reading(
            "literal", "D_U is known while training; exact Hessians (m = 0)",
            ("printed", "corrected"),
            proofs={
                "printed": "(10) reads G(T-k+1..T), w_{T-k..T} and the kept rows only",
                "corrected": "(10) reads these iterates; G is evaluated at the request",
            },
        ),
        Reading(
            "causal", "D_U is requested after training", ("printed", "corrected"),
            proofs={"corrected": "iterates and whole index lists do not depend on D_U"},
        ),
        Reading(
            "algorithm4", "Hessian products by Algorithm 4 with m pairs, m = 2 in the paper",
            ("printed", "corrected"),
            proofs={"corrected": "the pairs of H(l) span w_{l-1-m}..w_{l-1}, l >= T-k+2"},
        ),
    ),
    natural=Natural("m", tuple(float(m) for m in range(9)), {"k": 10}, log_y=False),
    quantity="iterates needed",
    correction="Store w_{T-k+1-m}, ..., w_T and the whole index lists; evaluate G at the request.",
)  # fmt: skip


def measure(k: float, m: float) -> int:
    """How many iterates (10) reads: w_{l-1} for G(l), and those of the pairs of H(l), and w_T."""
    # Counted from T - k.  The first step starts from v = 0, so that its Hessian is not needed.
    steps = range(1, int(k) + 1)
    injections = {step - 1 for step in steps}
    pairs = {i for step in steps if step > 1 for i in range(step - 1 - int(m), step)}
    return len(injections | pairs | {int(k)})


def from_store(
    run: Run, gone: set[int], k: int, *, known: bool, rng: np.random.Generator
) -> np.ndarray:
    """Equation (10) from what Algorithm 2 stored, with G(T-k) overwritten by noise.

    known: whether D_U was there while training; otherwise the stored G belong to no request.
    """
    T, told = len(run.batches), gone if known else set()
    W = run.path()[T - k :]
    G = [rng.normal(size=len(run.start)), *run.pieces(told, k)[1][1:]]
    v = np.zeros(len(run.start))
    for step in range(1, k + 1):
        kept, rate = run.kept(T - k + step - 1, gone), run.steps[T - k + step - 1]
        v = G[step] + v - (rate * (run.hessian(kept) @ v) if len(kept) else 0.0)
    found: np.ndarray = W[-1] + v
    return found


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.mini import mini

    rng = ctx.rng()
    for k in (2, 10, 50):
        yield ctx.compare(
            "literal", "printed", measure(k, 0), {"k": k, "m": 0}, "iterates that (10) reads",
            relation="==",
        )  # fmt: skip
        for m in range(6):
            inputs = {"k": k, "m": m}
            for form in ("printed", "corrected"):
                yield ctx.compare(
                    "algorithm4", form, measure(**inputs), inputs,
                    "iterates that (10) reads with m pairs",
                    relation="<=" if form == "printed" else "==",
                    script="alg2" if form == "printed" else None,
                )  # fmt: skip
    for _ in range(ctx.pick(12, 200)):
        run, gone = random_run(rng)
        k = int(rng.integers(1, 11))
        exact = run.rewound(gone, k)
        stored = {known: from_store(run, gone, k, known=known, rng=rng) for known in (True, False)}
        later = mini(*run.subject(), gone, k)  # knows the request only after training
        about = "quadratics: the last k steps again"
        for reading, form, found in (
            ("literal", "printed", stored[True]), ("literal", "corrected", later),
            ("causal", "printed", stored[False]), ("causal", "corrected", later),
        ):  # fmt: skip
            yield ctx.compare(
                reading, form, exact, {"k": k}, about, bound=found, tight=exact, relation="==",
                tolerance=1e-8, script="alg2" if reading == "causal" else None,
            )  # fmt: skip
