"""Section 5.1 of hf: distance and correlation, and the baseline that the tables leave out."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.hf.equation_9 import measure_limit


def relative_distance(exact: np.ndarray, found: np.ndarray) -> float:
    """|exact - found|/|exact|."""
    return float(np.linalg.norm(exact - found) / np.linalg.norm(exact))


def correlations(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """(Pearson, Spearman) of two samples without ties: cosine of the centred values, or ranks."""

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        a, b = a - a.mean(), b - b.mean()
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    ranks = (np.argsort(np.argsort(v)).astype(float) for v in (x, y))
    return cosine(x, y), cosine(*ranks)


def check(ctx: Context) -> Findings:
    """Distances and correlations of the statistics on random quadratics, against scipy's.

    No unlearning, a = 0, has relative error 1.
    """
    from scipy.stats import pearsonr, spearmanr

    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, difference, equal, problems

    rng = ctx.rng()
    ours, theirs, distances, relative = [], [], [], []
    changes: dict[str, list[float]] = {"actual": [], "printed": [], "exact": []}
    for problem in problems(rng, ctx.pick(20, 200), forgotten=1, most=3):
        run = (problem.model, problem.training)
        exact = difference(*run, problem.forget)
        w = problem.training.run(problem.model).last
        relative.append(relative_distance(exact, 0 * exact))
        moves = {
            "actual": exact,
            "printed": differences(*run, [problem.forget], Recursion("batch")).vectors[0],
            "exact": differences(*run, [problem.forget]).vectors[0],
        }
        distances.append(departure(moves["exact"], exact))
        for name, move in moves.items():
            shifted_loss, still = (
                problem.model.values(problem.model.tensor(x), problem.forget).sum()
                for x in (w + move, w)
            )
            changes[name].append(float(shifted_loss - still))
    actual = np.array(changes["actual"])
    for name in ("printed", "exact"):
        other = np.array(changes[name])
        ours += list(correlations(other, actual))
        theirs += [pearsonr(other, actual)[0], spearmanr(other, actual)[0]]
    at = "distance 0 where the recursion is exact"
    yield equal(ctx, "literal", "printed", distances, at)
    both = list(zip(ours, theirs, strict=True))
    at = "both correlations, against scipy's"
    yield equal(ctx, "literal", "printed", both, at, tolerance=1e-9)
    at = "exact statistics correlate fully"
    yield ctx.compare("literal", "printed", ours[2:], {}, at, bound=1.0)
    yield ctx.compare("baseline", "corrected", relative, {}, "no unlearning, a = 0", bound=1.0)
    at = "(11) at convergence, equal Hessians: the deletion rate"
    for n, m in ((10, 3), (20, 10)):
        lhs = measure_limit(n, m)
        yield ctx.compare("baseline", "corrected", lhs, {"n": n, "m": m}, at, bound=m / n)


CHECKS = (Check("hf.metrics", check),)
