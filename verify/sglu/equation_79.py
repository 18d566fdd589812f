"""Equations (79) to (81) of sglu, compared with the exact stationary laws of quadratics."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LINE
from verify.sglu.linear_instance import privacy_mu


def measure_80(
    alpha: float,
    eta: float,
    m: float,
    M: float,
    sigma: float,
    b: float,
    J: float,
    K: float,
    S: float = 1,
) -> float:
    """Exact divergence between the unlearned and the retrained law of the linear instance.

    Their covariances are one stationary covariance, so that only the means' distance counts.
    """
    return alpha * privacy_mu(eta, m, M, sigma, b, int(J), int(K), int(S)) ** 2 / 2


def measure_full(
    alpha: float, eta: float, m: float, M: float, sigma: float, n: float, K: float, S: float = 1
) -> float:
    """The same with one batch an epoch and S replaced points."""
    return measure_80(alpha, eta, m, M, sigma, n, 1, K, S)


def check(ctx: Context) -> Findings:
    exact_side, fixed = CASES[ctx.claim.id]
    inputs = fixed[0]
    more = {**fixed[0], "K": fixed[0]["K"] + 1}
    exact, less = exact_side(**inputs), ctx.claim("tight", **more)
    instance = "one more epoch for free"
    yield ctx.compare("literal", "tight", exact, inputs, instance, bound=less, role="control")


SMALL = case_table(
    "alpha eta m M sigma b J K", (3, 0.5, 0.4, 1, 0.3, 2, 3, 1), (2, 1, 0.98, 1, 0.3, 1, 1, 1)
)
FULL = case_table(
    "alpha eta m M sigma n K",
    (3, 0.5, 0.4, 1, 0.3, 6, 2),
    (1.5, 1e-3, 0.1, 1, 0.3, 40, 0),
    (1.001, 1, 0.98, 1, 0.3, 6, 0),
)
SEVERAL = tuple({**row, "S": S} for row in FULL for S in (1, 6))
WITHIN = {**LINE, "n": (1, 40), "S": (1, 40), "K": (0, 11), "m": (0.01, 0.5)}
CASES: dict[str, tuple[Callable[..., float], Sequence[Mapping[str, Any]]]] = {
    "sglu.eq79": (measure_full, SEVERAL),
    "sglu.eq80": (measure_80, SMALL),
    "sglu.eq81": (measure_full, FULL),
}
WHOLE = ("short steps", "full batch")
WHERE = {
    "sglu.eq79": WHOLE,
    "sglu.eq80": ("short steps", "one row"),
    "sglu.eq81": (*WHOLE, "one row"),
}
WORDS = "quadratics, stationary laws"
EQUAL = {"tight": "=="}
CHECKS = tuple(
    Check(
        id, check, exact_side, (Instances(WORDS, fixed, (40, 400), WITHIN, relations=EQUAL),)
    ).measured_by("langevin", "stationary_renyi", where=WHERE[id])
    for id, (exact_side, fixed) in CASES.items()
)
