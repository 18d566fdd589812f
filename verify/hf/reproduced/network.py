"""The paper's network (B.1): two convolutions, two layers, p = 21,840, as a function of torch.

Any function of one sample is a model (`simulators.trajectory.generic`): this module is an example.
Dropout is left out: a run that draws is no function of its batches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch.nn import functional as F

from simulators.trajectory.generic import FunctionModel
from verify.hf.reproduced.setting import RIDGE, ImageTraining
from verify.showcases.work import NotRun

SHAPES = ((10, 1, 5, 5), (10,), (20, 10, 5, 5), (20,), (50, 320), (50,), (10, 50), (10,))
PARAMETERS = sum(int(np.prod(shape)) for shape in SHAPES)


def logits(w: torch.Tensor, image: torch.Tensor) -> torch.Tensor:
    """Of one image (1, 28, 28), or of several, from the flat parameters."""
    parts, at = [], 0
    for shape in SHAPES:
        size = int(np.prod(shape))
        parts.append(w[at : at + size].view(shape))
        at += size
    x = image.reshape(-1, 1, 28, 28)
    x = F.max_pool2d(F.relu(F.conv2d(x, parts[0], parts[1])), 2)
    x = F.max_pool2d(F.relu(F.conv2d(x, parts[2], parts[3])), 2)
    x = F.relu(F.linear(x.flatten(1), parts[4], parts[5]))
    return F.linear(x, parts[6], parts[7])


def loss(w: torch.Tensor, image: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of one sample, and the ridge."""
    scores = logits(w, image)[0]
    return torch.logsumexp(scores, 0) - (scores * label).sum() + 0.5 * RIDGE * (w @ w)


@dataclass(frozen=True)
class Network(ImageTraining):
    """The network from a random start of the usual scale."""

    @cached_property
    def model(self) -> FunctionModel:
        """On the rows to learn from. Raises NotRun for images of another size."""
        data = self.data.first(self.size)
        if data.dimension != 28 * 28 + 1:
            raise NotRun("needs images of 28 by 28 pixels")
        one_hot = np.eye(10)[self.labels[: self.size].astype(int)]
        images = data.features[:, :-1].copy()
        return FunctionModel(loss, images, one_hot, PARAMETERS, where=self.chosen.device)

    @property
    def start(self) -> np.ndarray:
        """Uniform within 1/sqrt(inputs) of each layer, as torch does by default."""
        random = np.random.default_rng([self.seed, 5])
        parts = []
        for weights, bias in zip(SHAPES[::2], SHAPES[1::2], strict=True):
            half_width = 1 / np.sqrt(np.prod(weights[1:]))
            parts += [random.uniform(-half_width, half_width, np.prod(s)) for s in (weights, bias)]
        return np.concatenate(parts)

    def scores(self, point: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Of every class (rows, 10)."""
        images = self.model.tensor(features[:, :-1])
        scores: np.ndarray = logits(self.model.tensor(point), images).cpu().numpy()
        return scores
