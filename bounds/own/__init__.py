"""Theorems of our own: what noisy contractions certify, and the least noise for deletions."""

from bounds.library import Paper

PAPER = Paper(
    key="own",
    title="Theorems of forgetproof",
    authors=("forgetproof",),
    year=2026,
    place=7,
    package=__name__,
    checks="verify.own",
    problems={
        "tracking": "accounting.problems.tracking:Tracking",
        "d2d": "accounting.problems.descent_to_delete:DescentToDelete",
        "contraction": "accounting.problems.contraction:Contraction",
        "dp-sgd": "accounting.problems.dp_sgd:SampledDescent",
    },
    statements={
        "own.x": "theorem_x",
        "own.x0": "theorem_x",
        "own.x1": "theorem_x",
        "own.x2": "theorem_x",
        "own.dual": "theorem_m",
        "own.mix": "theorem_m",
        "own.x3.i": "theorem_x3",
        "own.x3.ii": "theorem_x3",
        "own.x3.iv": "theorem_x3",
        "own.x3.vii": "theorem_x3",
        "own.x3.viii": "theorem_x3",
        "own.opt": "optimal_allocation",
        "own.opt.aligned": "optimal_allocation",
        "own.opt.greedy": "least_noise",
    },
)
