"""Section 5.1 of hf: distance and correlation, and the baseline that the tables leave out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


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


def check(ctx: Context) -> Iterator[Evidence]:
    import torch
    from scipy.stats import pearsonr, spearmanr

    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.equation_9 import measure_limit
    from verify.hf.quadratic_worlds import departure, difference, worlds

    rng = ctx.rng()
    ours, theirs, distances, relative = [], [], [], []
    changes: dict[str, list[float]] = {"actual": [], "printed": [], "exact": []}
    for world in worlds(rng, ctx.pick(20, 200), forgotten=1, most=3):
        run = (world.model, world.training)
        exact = difference(*run, world.forget)
        w = world.training.run(world.model).last
        relative.append(relative_distance(exact, 0 * exact))
        moves = {
            "actual": exact,
            "printed": differences(*run, [world.forget], Recursion("batch")).vectors[0],
            "exact": differences(*run, [world.forget]).vectors[0],
        }
        distances.append(departure(moves["exact"], exact))
        for name, move in moves.items():
            at = (world.model.values(torch.from_numpy(w + s * move), world.forget).sum()
                  for s in (1.0, 0.0))  # fmt: skip
            changes[name].append(float(next(at) - next(at)))
    actual = np.array(changes["actual"])
    for name in ("printed", "exact"):
        other = np.array(changes[name])
        ours += list(correlations(other, actual))
        theirs += [pearsonr(other, actual)[0], spearmanr(other, actual)[0]]
    left, right = np.array(distances).T
    yield ctx.compare(
        "literal", "printed", left, {}, "distance 0 where the recursion is exact", bound=right,
        relation="==", tolerance=1e-11,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", np.array(ours), {}, "both correlations, against scipy's",
        bound=np.array(theirs), relation="==",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", ours[2:], {}, "exact statistics correlate fully", bound=1.0,
        relation="==",
    )  # fmt: skip
    yield ctx.compare(
        "baseline", "corrected", relative, {}, "no unlearning, a = 0", bound=1.0, relation="=="
    )
    for n, m in ((10, 3), (20, 10)):
        yield ctx.compare(
            "baseline", "corrected", measure_limit(n, m), {"n": n, "m": m},
            "(11) at convergence, equal Hessians: the deletion rate", bound=m / n, relation="==",
        )  # fmt: skip


CHECKS = (Check("hf.metrics", evidence=check),)
