"""Equalities that hold what safe's claims are measured in: runs on streams of deletions, and views.

`SUBJECTS` is read by `verify.self_tests.subjects`: a module of this package -> the modules that it
holds.
"""

_EXPERIMENTS, _VIEWS = "simulators.runs.", "verify.safe.views."

SUBJECTS: dict[str, tuple[str, ...]] = {
    "publication_runs": (
        f"{_EXPERIMENTS}publications",
        f"{_EXPERIMENTS}publication_document",
        f"{_EXPERIMENTS}publication_run",
        f"{_EXPERIMENTS}stream_problem",
    ),
    "published_models": (f"{_EXPERIMENTS}stream_methods", f"{_EXPERIMENTS}stream_curves"),
    "rounds": (
        f"{_VIEWS}directions",
        f"{_VIEWS}gradients",
        f"{_VIEWS}noise",
        f"{_VIEWS}descent",
        "simulators.streaming.ogd",
    ),
    "cells": (f"{_VIEWS}cells", f"{_VIEWS}cell_table"),
    "means": (f"{_VIEWS}mean", f"{_VIEWS}mean_of_rows"),
}
