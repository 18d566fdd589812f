"""Equalities that hold hf's views, and the runs on a path that they read."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "runs": (
        "simulators.experiments.comparison",
        "simulators.experiments.deletion_options",
        "simulators.experiments.path_run",
        "simulators.experiments.path_samples",
        "simulators.experiments.trajectory",
        "simulators.experiments.unlearning",
        "verify.hf.views.paths",
    ),
    "steps": ("simulators.experiments.batch_means", "verify.hf.views.steps"),
    "optima": ("verify.hf.views.minima", "verify.hf.views.optima", "verify.hf.views.one_shots"),
    "recollections": (
        "verify.hf.views.recollections",
        "verify.hf.views.row_vectors",
        "verify.hf.views.clips",
    ),
    "releases": ("verify.hf.views.releases",),
    "population": ("verify.hf.views.population", "verify.hf.views.labels"),
}
"""The module of each subject -> the modules that it holds."""
