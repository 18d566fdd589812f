"""Equalities that hold the views of our own theorems to other routes."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "separations": ("verify.own.views.separations",),
    "hockey_sticks": ("verify.own.views.hockey_sticks",),
    "newton_changes": ("verify.own.views.newton_changes",),
}
"""The module of each subject -> the modules that it holds."""
