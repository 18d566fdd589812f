"""Certified removal (Guo et al. 2020), a baseline of mini: one module for each statement."""

from bounds import Paper

PAPER = Paper(
    key="guo",
    title="Certified Data Removal from Machine Learning Models",
    authors=("Chuan Guo", "Tom Goldstein", "Awni Hannun", "Laurens van der Maaten"),
    year=2020,
    arxiv="1911.03030",
    # arXiv has v1 (2019) to v6 (2023), and nothing tells which was read.
    edition="not recorded",
    place=5,
    package=__name__,
    checks="verify.guo",
    problems={"newton-removal": "bounds.guo.problem:NewtonRemoval"},
    experiments={"guo": "simulators.runs.newton_steps:PerturbedRemoval"},
    views={"newton-removal": ("verify.guo.views.residuals:RemovalResiduals",)},
    statements={
        "guo.delta": "certified_removal",
        "guo.residual": "removal_residual",
        "guo.data": "removal_residual",
        "guo.newton": "removal_step",
        "guo.shift": "removal_step",
    },
)
