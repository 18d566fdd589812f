"""Equalities that hold guo's views, and the runs of certified removal that they read."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "removals": (
        "simulators.runs.newton_steps",
        "simulators.runs.removal_run",
        "simulators.trajectory.removal",
        "verify.guo.views.residuals",
    ),
}
"""The module of each subject -> the modules that it holds."""
