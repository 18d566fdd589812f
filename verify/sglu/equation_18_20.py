"""(18)-(20) of sglu: the distance in (18) is the one at the start, not the one after T epochs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact import line_winf
from simulators.exact.gaussian import Gaussian
from simulators.exact.transfer import Atoms
from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import RESOLUTION, LinearRun, ProjectedRun, renyi_difference

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
            edits={"printed": Edit(
                "W-infinity(nu_D', nu'_T) should read W-infinity(nu_D', nu_0)",
                r"\nu_{T|\mathcal B}^{0,\prime}",
                r"\nu_{0}",
            )},
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
    moved = run.learned(-1, T, limit.shifted(W0))
    # Only the mean moves: the covariance is the stationary one, but for rounding.
    return renyi_difference(Gaussian(moved.mean, limit.cov), limit, alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    simple = {"alpha": 2.0, "eta": 0.5, "m": 1.0, "sigma": 1.0, "J": 1, "T": 3, "W0": 1.0}
    yield ctx.compare(
        "literal", "printed", measure(**simple), simple, "x -> x/2 + N(0, 1), stationary law moved",
        script="eq18_20",
    )  # fmt: skip
    for _ in range(ctx.pick(25, 300)):
        inputs = {
            "alpha": 1 + float(rng.exponential(2)), "eta": float(rng.uniform(0.1, 1)),
            "m": float(rng.uniform(0.02, 0.9)), "sigma": float(rng.uniform(0.1, 1)),
            "J": int(rng.integers(1, 5)), "T": int(rng.integers(1, 6)),
            "W0": float(rng.exponential()),
        }  # fmt: skip
        exact = measure(**inputs)
        if exact > RESOLUTION:
            yield from ctx.compare_forms(
                "literal", exact, inputs, "quadratics, shifted stationary start"
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
    yield from _attained(ctx, rng)


def _attained(ctx: Context, rng: np.random.Generator) -> Iterator[Evidence]:
    """Equality of Lemma 3.4 from two points; (18) on an interval, from end to end."""
    for _ in range(ctx.pick(10, 100)):
        chosen = {
            "eta": float(rng.uniform(0.1, 1)), "m": float(rng.uniform(0.02, 0.9)),
            "sigma": float(rng.uniform(0.1, 1)), "J": int(rng.integers(1, 5)),
        }  # fmt: skip
        run = LinearRun.of(**chosen, M=0.0, b=1)
        T, W0, alpha = int(rng.integers(1, 5)), float(rng.exponential()), float(rng.uniform(1.1, 9))
        ends = [run.learned(-1, T, Gaussian.point(x)) for x in (W0, 0.0)]
        yield ctx.compare(
            "literal", "tight", renyi_difference(ends[0], ends[1], alpha),
            {**chosen, "T": T, "W0": W0, "alpha": alpha}, "quadratics, from two points W_0 apart",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
    inputs = {"alpha": 3.0, "eta": 0.5, "m": 0.4, "sigma": 0.25, "J": 2, "T": 3, "W0": 2.0}
    box = ProjectedRun.linear(
        R=1.0, eta=0.5, m=0.4, sigma=0.25, b=1, J=2, old=-0.4, new=-0.4, rest=-0.4
    )
    limit, law = box.stationary(-1), box.learned(-1, 3, Atoms.at(1.0))
    exact = renyi_difference(limit, law, 3.0)
    yield from ctx.compare_forms(
        "literal", exact, inputs, "from one end of the interval to the optimum at the other"
    )
    yield ctx.compare(
        "literal", "tight", exact, inputs, "a distance of R would be too small",
        bound=ctx.formula("tight", **{**inputs, "W0": 1.0}), role="control",
    )  # fmt: skip
