"""Equalities that hold mini's views on runs on a path."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "steps": ("verify.mini.views.steps",),
    "last_steps": (
        "verify.mini.views.vectors",
        "verify.mini.views.last_steps",
        "verify.mini.views.rewinding",
        "verify.mini.views.secants",
    ),
}
"""The module of each subject -> the modules that it holds."""
