"""Equalities that hold guo's views, and the runs of certified removal that they read."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "removals": (
        "simulators.experiments.newton_steps",
        "simulators.experiments.removal_run",
        "simulators.trajectory.removal",
        "verify.guo.views.residuals",
    ),
}
"""The module of each subject -> the modules that it holds."""
