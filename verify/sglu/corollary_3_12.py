"""Corollary 3.12 of sglu: its exponent contradicts its own recursion, which quadratics attain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import quadratic
from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun

CLAIM = Claim(
    id="sglu.cor3.12",
    label="Corollary 3.12",
    kind="inequality",
    statement="Learning on data sets that differ in S points, S_j of them in batch j, ends within "
    "W-infinity min((1 - c^T)/(1 - c) sum_j c^{n/b - j - 1} 2 eta M S_j / b, 2R).",
    readings=(
        Reading(
            "literal",
            "the closed form of recursion (43) over T epochs, as the proof derives it; it is "
            "Lemma 3.5 at S = 1",
            ("printed", "corrected"),
            proofs={"corrected": "recursion (43), attained by quadratics"},
            edits={"printed": Edit(
                "(1 - c^T)/(1 - c) should read (1 - c^{Tn/b})/(1 - c^{n/b})",
                r"\frac{1-c^{T}}{1-c}",
                r"\frac{1-c^{Tn/b}}{1-c^{n/b}}",
            )},
        ),
        Reading(
            "bound",
            "an upper bound, whatever its derivation",
            ("printed", "corrected"),
            proofs={
                "printed": "at least the corrected form: sum_t c^t >= sum_t c^{tJ}",
                "corrected": "synchronous coupling, one kick for each replaced point",
            },
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 21)),
        {
            "eta": 0.8, "m": 0.1, "M": 1.0, "b": 2.0, "J": 3.0, "R": math.inf,
            "hits": {0: 2, 2: 1},
        },
        log_y=False,
    ),
    quantity="W-infinity distance of learning on D and on D'",
    correction="(1 - c^{TJ})/(1 - c^J) for (1 - c^T)/(1 - c), as in Lemma 3.5.",
)  # fmt: skip


def measure(
    eta: float, m: float, M: float, b: float, J: float, T: float, R: float,
    hits: Mapping[int, int],
) -> float:  # fmt: skip
    """Exact distance on quadratics, hits[j] points of batch j moved from M to -M, R inactive."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, hits=hits)
    return winf(run.learned(1, T), run.learned(-1, T), rtol=1e-9)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [
        (0.8, 0.5, 1.0, 2, 3, 4, {0: 2, 2: 1}),
        (0.8, 0.5, 1.0, 2, 3, math.inf, {0: 1, 1: 1, 2: 2}),
        (0.5, 0.0, 1.0, 2, 3, 5, {1: 2}),
        (0.5, 0.4, 1.0, 4, 1, 6, {0: 3}),
    ]
    for _ in range(ctx.pick(20, 200)):
        J = int(rng.integers(2, 8))
        b = int(rng.integers(1, 6))
        some = rng.choice(J, size=int(rng.integers(1, J + 1)), replace=False)
        hits = {int(j): int(rng.integers(1, b + 1)) for j in some}
        cases.append(
            (float(rng.uniform(0.1, 1)), float(rng.uniform(0.01, 0.9)), float(rng.exponential()),
             b, J, int(rng.integers(1, 9)), hits)
        )  # fmt: skip
    for case in cases:
        names = ("eta", "m", "M", "b", "J", "T", "hits")
        inputs = {**dict(zip(names, case, strict=True)), "R": math.inf}
        exact = measure(**inputs)
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, exact, inputs, "quadratics, points moved from M to -M",
                relation="==", tolerance=1e-8, script="cor3_12" if form == "printed" else None,
            )  # fmt: skip
        yield from ctx.compare_forms(
            "bound", exact, inputs, "quadratics, points moved from M to -M", tolerance=1e-8
        )
    inputs = {"eta": 0.8, "m": 0.25, "M": 1.0, "b": 2, "J": 2, "hits": {0: 1, 1: 2}}
    for R in (0.4, 1.0, 3.0):
        batches = {side: [[side, 0.0], [side, side]] for side in (1.0, -1.0)}
        old, new = (
            [[quadratic(0.25, d) for d in batch] for batch in batches[side]] for side in (1.0, -1.0)
        )
        box = ProjectedRun(R, 0.8, 0.3, old, new)
        for T in (1, 4):
            exact = line_winf.winf(box.learned(1, T), box.learned(-1, T))
            yield from ctx.compare_forms(
                "bound", exact, {**inputs, "R": R, "T": T}, "quadratics on an interval"
            )
