"""Equalities that hold the views of sglu, and the runs that they read, to other routes."""

_EXPERIMENTS, _VIEWS = "simulators.runs.", "verify.sglu.views."

SUBJECTS: dict[str, tuple[str, ...]] = {
    "langevin_runs": (
        f"{_EXPERIMENTS}langevin",
        f"{_EXPERIMENTS}langevin_run",
        f"{_VIEWS}paths",
    ),
    "affine_runs": (
        f"{_EXPERIMENTS}affine_laws",
        f"{_VIEWS}exact",
        f"{_VIEWS}stationary",
        f"{_VIEWS}learning",
        f"{_VIEWS}least",
        f"{_VIEWS}requests",
    ),
    "sampled_runs": (f"{_VIEWS}samples",),
    "placed_rows": (f"{_VIEWS}places",),
    "descent_runs": (
        "simulators.langevin.descent_to_delete",
        f"{_EXPERIMENTS}d2d",
        f"{_VIEWS}descent_to_delete",
    ),
}
"""The module of each subject -> the modules that it holds."""
