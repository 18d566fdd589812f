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

SCRIPT = '''"""Definition 2.3 of sglu with "any alpha > 1": (2, eps)-RU fails at alpha = 16, exact.

f(x; d) = x^2/20 - d x, |d| <= 1 = M, eta = 4/5 <= 1/L = 10, sigma = 3/10, n = 6, b = 2: in the last
batch D has a point d = 1 for which D' has d = -1, all others are 0. Four epochs on D and two on
D', against six on D', from 0. Every law is Gaussian.
"""
from fractions import Fraction as F
eta, m, sigma, b = F(4, 5), F(1, 10), F(3, 10), 2
c, s2 = 1 - eta * m, 2 * eta * sigma**2
def run(points):
    mean, var = F(0), F(0)
    for d in points:
        for moved in (0, 0, d):
            mean, var = c * mean + eta * moved / b, c * c * var + s2
    return mean, var
(x, var), (y, same) = run([1] * 4 + [-1] * 2), run([-1] * 6)
assert var == same
renyi = lambda alpha: alpha * (x - y) ** 2 / (2 * var)
eps = renyi(2)
print(f"alpha = 2: eps = {float(eps):.6f}; alpha = 16: {float(renyi(16)):.6f}")
assert renyi(16) > eps
'''


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
            bound=epsilon, script=SCRIPT,
        )  # fmt: skip
