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
    "WholeSpace": "domains",
    "Dataset": "data.dataset",
    "Run": "result",
    "coupled_paths": "coupling",
    "descent_to_delete": "d2d",
    "langevin_unlearning": "langevin",
    "learn_unlearn": "langevin",
    "requests": "langevin",
    "retrain": "retraining",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'simulators' has no attribute {name!r}")
    return getattr(import_module(f"simulators.{_HOME[name]}"), name)
