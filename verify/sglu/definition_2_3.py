"""Definition 2.3 of sglu: "for any alpha > 1" beside a given alpha would leave no Gaussian case."""

from __future__ import annotations

from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, renyi_difference


def check(ctx: Context) -> Iterator[Evidence]:
    run = LinearRun.of(eta=0.8, m=0.1, M=1.0, b=2, J=3, sigma=0.3)
    T, K, given = 4, 2, 2.0
    unlearned, retrained = run.unlearned(T, K), run.learned(-1, T + K)
    epsilon = renyi_difference(unlearned, retrained, given)
    for alpha in (1.5, given):
        yield ctx.compare(
            "literal", "corrected", renyi_difference(unlearned, retrained, alpha),
            {"alpha": alpha, "T": T, "K": K}, "(2, eps)-RU on quadratics: orders up to 2",
            bound=epsilon,
        )  # fmt: skip
    for alpha in (4.0, 16.0):
        yield ctx.compare(
            "literal", "printed", renyi_difference(unlearned, retrained, alpha),
            {"alpha": alpha, "T": T, "K": K}, "(2, eps)-RU on quadratics: larger orders exceed eps",
            bound=epsilon, script="def2_3",
        )  # fmt: skip


CHECKS = (Check("sglu.def2.3", evidence=check),)
