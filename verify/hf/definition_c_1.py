"""Definition C.1 of hf: the capacity of exact retraining, by full enumeration."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

from verify.checks import Check, Context, Findings


def enumerated(n: int) -> list[Fraction]:
    """E max_{|U| <= m} (mean of the rest)^2/2 for m < n, over all sign vectors and all sets."""
    totals = [Fraction(0)] * n
    for signs in product((-1, 1), repeat=n):
        best = Fraction(0)
        for m in range(n):
            sums = {sum(subset) for subset in combinations(signs, n - m)}
            best = max(best, *(Fraction(s, n - m) ** 2 / 2 for s in sums))
            totals[m] += best
    return [total / 2**n for total in totals]


def counted(n: int) -> list[Fraction]:
    """The same over the number of +1 and the number of them in U."""
    totals = [Fraction(0)] * n
    for ups in range(n + 1):
        best = Fraction(0)
        for m in range(n):
            low, high = max(0, m - (n - ups)), min(m, ups)
            for deletions in (low, high):  # the square is convex in the number: an end is best
                best = max(best, Fraction(2 * (ups - deletions) - (n - m), n - m) ** 2 / 2)
            totals[m] += comb(n, ups) * best
    return [total / 2**n for total in totals]


def measure(n: float, gamma: float) -> float:
    """The largest m < n whose exact worst excess is at most gamma, or -1."""
    return float(max((m for m, x in enumerate(counted(int(n))) if x <= gamma), default=-1))


def check(ctx: Context) -> Findings:
    """Capacities by enumeration of all sign vectors and sets, and by exact sums for larger n."""
    # Off the ties: at n = 10 the excess without deletions is 1/20 exactly.
    for at, sizes, table, levels in (
        ("all sign vectors and all sets", range(1, ctx.pick(8, 11)), enumerated, GAMMAS),
        ("exact sums over the number of +1", (20, 40, 60), counted, (0.021, 0.101, 0.26)),
    ):
        for n in sizes:
            exact = table(n)
            for gamma in levels:
                capacity = max((m for m, x in enumerate(exact) if x <= gamma), default=-1) + 2
                inputs = {"n": n, "gamma": gamma}
                bound = ctx.claim("printed", **inputs) + 2
                words = f"{at} (both sides + 2)"
                yield ctx.compare("literal", "printed", capacity, inputs, words, bound=bound)


GAMMAS = (0.051, 0.101, 0.26, 0.41, 0.6)
CHECKS = (Check("hf.defc1", check, measure),)
