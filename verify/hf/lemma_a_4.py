"""Lemma A.4 of hf, by exact enumeration: loose by 4(N + 1)/N, and false for adversarial U."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.hf.two_point_laws import TwoPoints, binomial, random_law


def measure(L: float, lam: float, n: float, m: float) -> float:
    """Exact excess of the mean of n - m signs times R = L/(2 lam), on [-R, R]."""
    R = L / (2 * lam)
    return TwoPoints("quadratic", lam, -R, R, 0.5, R).expected_excess(int(n - m))


def adversarial(n: int, m: int) -> float:
    """Exact excess for L = 2, lam = 1 and random signs when U takes m of them, -1 first."""
    downs = np.arange(n + 1)
    w = 1 - 2 * np.maximum(0, downs - m) / (n - m)
    return float(binomial(downs, n, 0.5) @ (w**2 / 2))


def check(ctx: Context) -> Findings:
    """Exact expected excess of random two-point laws, N = 1, and a set that looks at the data."""
    rng = ctx.rng(1)
    cases: list[tuple[float, ...]] = []
    for _ in range(ctx.pick(200, 4000)):
        law, N = random_law(rng), int(rng.integers(1, 41))
        cases.append((law.expected_excess(N), law.lipschitz, law.lam, N))
    excesses, L, lam, kept_counts = np.array(cases).T
    arguments = {"L": L, "lam": lam, "n": kept_counts, "m": np.zeros_like(kept_counts)}
    yield from ctx.compare_forms(
        "literal", excesses, arguments, "random losses, laws on two points"
    )
    # The extreme known: N = 1, where one sample decides.
    sharp = TwoPoints("quadratic", 1.0, -1.0, 1.0, 0.5, 1.0).expected_excess(1)
    (one,) = case_table("L lam n m", (2.0, 1.0, 1, 0))
    at = "an eighth of L^2/(lam N) would be too little at p = 1/2"
    yield from ctx.compare_forms("literal", sharp, one, at, bound=0.99 * 4 / 8, role="control")
    for inputs in case_table(
        "L lam n m", *((2.0, 1.0, n, 6 * n // 10) for n in (100, 1000, 10_000))
    ):
        excess = adversarial(inputs["n"], inputs["m"])
        yield ctx.compare(
            "adversarial", "printed", excess, inputs, "all -1 deleted", script="lema4"
        )


SIGNS = Instances(
    "mean of signs",
    case_table("L lam n m", (2, 1, 2, 1), (2, 1, 33, 3), (2, 1, 1002, 3)),
    interpretations=("literal",),
)
CHECKS = (
    Check(
        "hf.lema4",
        check,
        measure,
        (SIGNS,),
        far=("best known and not known to be attained: a mean over which row is left out"),
    )
    .measured_by("recollection", "label_excess", interpretations=("literal",))
    .measured_by("recollection", "worst_label_excess", interpretations=("adversarial",)),
)
