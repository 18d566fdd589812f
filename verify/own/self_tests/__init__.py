"""Equalities that hold our views on runs of certified removal."""

SUBJECTS: dict[str, tuple[str, ...]] = {"newton_changes": ("verify.own.views.newton_changes",)}
