"""(21)-(25) of sglu: exact W-infinity distances on an interval, from its ends."""

from __future__ import annotations

from collections.abc import Iterator

from simulators.exact import line_winf
from simulators.exact.transfer import Atoms
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import ProjectedRun

CLAIM = Claim(
    id="sglu.eq21_25",
    label="(21)-(25)",
    kind="inequality",
    statement="M(D) after T epochs is within 2R c^{Tn/b} + min(2 eta M/(b(1 - c^{n/b})), 2R) of "
    "the stationary law of D'.",
    aliases=("sglu.eq21-25",),
    readings=(
        Reading(
            "literal",
            "start in C_R, gradient differences <= 2M",
            ("printed", "corrected"),
            proofs={
                "printed": "triangle inequality through nu_D, Lemmas 3.5 and 3.6",
                "corrected": "triangle inequality through nu'_T; the diameter",
            },
        ),
    ),
    natural=Natural(
        "T",
        tuple(float(t) for t in range(1, 11)),
        {"eta": 0.5, "m": 0.4, "M": 0.2, "R": 1.0, "b": 1.0, "J": 2.0},
        log_y=False,
    ),
    quantity="W-infinity distance to the stationary law of D'",
    correction="The proof ends with the factor of T = inf, the theorem has that of finite T.",
)


def measure(
    eta: float, m: float, M: float, R: float, b: float, J: float, T: float, sigma: float = 0.3
) -> float:
    """Exact distance on [-R, R]: quadratics that drift towards -R, from the end R."""
    drift = -m * R
    box = ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=sigma, b=int(b), J=int(J), old=drift + M, new=drift - M,
        rest=drift,
    )  # fmt: skip
    return line_winf.winf(box.learned(1, T, Atoms.at(R)), box.stationary(-1))


def check(ctx: Context) -> Iterator[Evidence]:
    base = {"eta": 0.5, "m": 0.4, "M": 0.2, "R": 1.0, "b": 1, "J": 2}
    cases = [{**base, "T": T} for T in (1, 2, 5)] + [{**base, "M": 3.0, "T": 2}]
    cases += [{**base, "R": 0.4, "b": 2, "T": 1}, {**base, "R": 2.0, "m": 0.8, "T": 3}]
    for inputs in cases:
        exact = measure(**inputs, sigma=0.1 if inputs["M"] < 1 else 0.3)
        yield from ctx.compare_forms("literal", exact, inputs, "quadratics with a drift, from an end")
    close = {**base, "M": 0.01, "T": 2}
    exact = measure(**close, sigma=0.08)
    yield ctx.compare(
        "literal", "corrected", exact, close, "without the 2R term the bound would be too small",
        bound=ctx.formula("corrected", **{**close, "T": 200}), role="control",
    )  # fmt: skip
