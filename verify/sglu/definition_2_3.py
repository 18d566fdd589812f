"""Definition 2.3 of sglu: "for any alpha > 1" beside a given alpha would leave no Gaussian case."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, renyi_difference

CLAIM = Claim(
    id="sglu.def2.3",
    label="Definition 2.3",
    kind="definition",
    statement="(M, U) achieves (alpha, eps)-RU if for any alpha > 1 and any adjacent D, D' the "
    "Rényi difference of U(M(D), D, D') and M(D') is at most eps.",
    formula=False,
    readings=(
        Reading(
            "literal",
            "the order is quantified again inside the definition, although it is given",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    'strike "any alpha > 1 and": alpha is the one of the pair',
                    "any alpha > 1 and ",
                    "",
                )
            },
        ),
    ),
    correction="Fix alpha; name the target: T epochs on D' (as here), T + K, or T = inf.",
)


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
