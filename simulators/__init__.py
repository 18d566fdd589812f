"""Losses, domains, data and algorithms, batched over trials.  Import the submodules you need.

Nothing is imported here, so that what needs only numpy does not import torch; the names in
`__all__` are loaded when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "Ball": "domains",
    "Box": "domains",
    "CertifiedRemoval": "trajectory.removal",
    "WholeSpace": "domains",
    "Dataset": "data.dataset",
    "FunctionModel": "trajectory.generic",
    "LinearScore": "trajectory.models",
    "Recollection": "trajectory.recollection",
    "Recursion": "trajectory.recursion",
    "Run": "engine.result",
    "SoftmaxScore": "trajectory.models",
    "Training": "trajectory.training",
    "amnesiac": "trajectory.amnesiac",
    "batches_of": "trajectory.training",
    "coupled_paths": "langevin.coupling",
    "deltagrad": "trajectory.deltagrad",
    "descent_to_delete": "langevin.descent_to_delete",
    "differences": "trajectory.recursion",
    "geometric_steps": "trajectory.training",
    "infinitesimal_jackknife": "trajectory.newton",
    "langevin_unlearning": "langevin.unlearning",
    "learn_unlearn": "langevin.unlearning",
    "mini": "trajectory.mini",
    "newton_step": "trajectory.newton",
    "requests": "langevin.unlearning",
    "retrain": "langevin.retraining",
    "rewind": "trajectory.rewind",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'simulators' has no attribute {name!r}")
    return getattr(import_module(f"simulators.{_HOME[name]}"), name)
