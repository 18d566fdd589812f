"""Theorems of our own: what noisy contractions certify, and the least noise for deletions."""

from bounds import Paper

PAPER = Paper(
    key="own",
    title="Theorems of forgetproof",
    authors=("forgetproof",),
    year=2026,
    place=7,
    package=__name__,
    checks="verify.own",
    notation={
        "c": r"1-\eta m",
        "q": r"\frac{2\eta M}{b}",
        "s": r"\sqrt{2\eta}\sigma",
        "G_c(N)": r"\begin{cases}\frac{1-c^{2N}}{1-c^2}&c<1\\N&c=1\end{cases}",
        "Z": r"\frac{q}{1-c^J}",
        "Z_t": r"qc^{J-1-j_0}\frac{1-c^{tJ}}{1-c^J}",
        "Z_T(j)": r"qc^{J-1-j}\frac{1-c^{TJ}}{1-c^J}",
        "g": r"0,1,\dots,G-1",
        "G": r"\sum_g1",
        "S": r"\sum_s1",
        r"\eta_t": r"\frac{1}{\mu t}",
        "c_t": r"\max(|1-\eta_t\mu|,|1-\eta_t\beta|)",
    },
    problems={
        "tracking": "accounting.problems.tracking:Tracking",
        "d2d": "accounting.problems.descent_to_delete:DescentToDelete",
        "contraction": "accounting.problems.contraction:Contraction",
        "erm": "simulators.erm.problem:Erm",
        "clipped": "accounting.problems.clipped:Clipped",
        "dp-sgd": "accounting.problems.dp_sgd:SampledDescent",
    },
    experiments={"tracking": "verify.safe.experiments:Tracking"},
    views={
        "online": (
            "verify.olu.views.maps:MapDistances",
            "verify.olu.views.laws:PublishedLaws",
        )
        "langevin": (
            "verify.own.views.separations:Separations",
            "verify.own.views.hockey_sticks:HockeySticks",
            "verify.sglu.views.paths:PathDistances",
        ),
    },
    statements={
        "own.x": "theorem_x",
        "own.x0": "theorem_x",
        "own.x1": "theorem_x",
        "own.x2": "theorem_x",
        "own.dual": "theorem_m",
        "own.mix": "theorem_m",
        "own.joint": "theorem_m",
        "own.x3.i": "theorem_x3",
        "own.x3.ii": "theorem_x3",
        "own.x3.iv": "theorem_x3",
        "own.x3.vii": "theorem_x3_requests",
        "own.x3.viii": "theorem_x3_requests",
        "own.opt": "optimal_allocation",
        "own.opt.aligned": "optimal_allocation",
        "own.opt.greedy": "least_noise",
        "own.clip": "clipped",
        "own.clipped": "clipped",
        "own.common": "clipped",
        "own.newton.change": "newton_change",
        "own.newton.volume": "newton_change",
    },
)
