"""Equalities that hold hf's views, and the runs on a path that they read."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "runs": (
        "simulators.runs.comparison",
        "simulators.runs.deletion_options",
        "simulators.runs.path_run",
        "simulators.runs.path_samples",
        "simulators.runs.trajectory",
        "simulators.runs.unlearning",
        "verify.hf.views.paths",
    ),
    "steps": ("simulators.runs.batch_means", "verify.hf.views.steps"),
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
