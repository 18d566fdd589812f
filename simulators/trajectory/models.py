"""The trajectory models, by name."""

from __future__ import annotations

from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.model import Dropped, Model, Tangent
from simulators.trajectory.softmax_score import SoftmaxScore

__all__ = ["Dropped", "LinearScore", "Model", "SoftmaxScore", "Tangent"]
