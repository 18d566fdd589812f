"""(18)-(20) of sglu: the distance in (18) is the one at the start, not the one after T epochs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulators.exact import line_winf
from simulators.exact.transfer import Atoms
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference

CLAIM = Claim(
    id="sglu.eq18_20",
    label="(18)-(20)",
    kind="inequality",
    statement="Over T epochs of the same updates d_alpha is at most alpha W^2 c^{2Tn/b} / "
    "(2 eta sigma^2); (18) has W-infinity(nu_D', nu'_T) for W, (19) has 2R.",
    aliases=("sglu.eq18-20",),
    readings=(
        Reading(
            "literal",
            "any start within W_0 of the stationary law",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "Lemma 3.4 with half the true variance",
                "tight": "Lemma 3.4 with its best constant and the true variance",
            },
            edits={"printed": "W-infinity(nu_D', nu'_T) should read W-infinity(nu_D', nu_0)"},
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 16)),
        {"alpha": 2.0, "eta": 0.5, "m": 0.1, "sigma": 0.5, "J": 2.0, "W0": 1.0},
    ),
    quantity="d_alpha to the stationary law",
    correction="The noise of a step is N(0, 2 eta sigma^2 I), not N(0, eta sigma^2 I).",
)  # fmt: skip


def measure(
    alpha: float, eta: float, m: float, sigma: float, J: float, T: float, W0: float
) -> float:
    """Exact d_alpha on quadratics started from their stationary law moved by W0."""
    run = LinearRun.of(eta=eta, m=m, M=0.0, b=1, J=J, sigma=sigma)
    limit = run.stationary(-1)
    return renyi_difference(run.learned(-1, T, limit.shifted(W0)), limit, alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 300)):
        inputs = {
            "alpha": 1 + float(rng.exponential(2)), "eta": float(rng.uniform(0.1, 1)),
            "m": float(rng.uniform(0.02, 0.9)), "sigma": float(rng.uniform(0.1, 1)),
            "J": int(rng.integers(1, 5)), "T": int(rng.integers(1, 6)),
            "W0": float(rng.exponential()),
        }  # fmt: skip
        yield from ctx.compare_forms(
            "literal", measure(**inputs), inputs, "quadratics, shifted stationary start"
        )
    for T in (1, 3):
        box = ProjectedRun.linear(R=1.0, eta=0.5, m=0.4, sigma=0.4, b=1, J=2, old=0.3, new=-0.3)
        limit, start = box.stationary(-1), box.learned(-1, 1, Atoms.at(1.0))
        base = {"alpha": 3.0, "eta": 0.5, "m": 0.4, "sigma": 0.4, "J": 2}
        inputs = {**base, "T": T, "W0": line_winf.winf(start, limit)}
        exact = renyi_difference(box.learned(-1, T, start), limit, 3.0)
        for form in ("corrected", "tight"):
            yield ctx.compare("literal", form, exact, inputs, "quadratics on an interval")
        inputs["W0"] = 2.0
        far = renyi_difference(box.learned(-1, T, Atoms.at(1.0)), limit, 3.0)
        yield ctx.compare(
            "literal", "corrected", far, inputs, "(19): from an end of the interval, W_0 = 2R",
            tight=math.nan,
        )  # fmt: skip
