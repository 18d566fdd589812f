"""Norms of the mean gradients on the way after the clip (hf Algorithm 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.path_run import PathRun


class ClippedGradients(View, of=PathRun):
    """The clip as it bounds a norm, and as hf prints it."""

    run: PathRun

    @observable
    def clipped_norm(self) -> Observable:
        """Norms of the mean gradients on the way after the clip."""
        return self._clipped("min")

    @observable
    def printed_clipped_norm(self) -> Observable:
        """Norms of the same gradients after the clip with max in place of min."""
        return self._clipped("max")

    def _clipped(self, rule: str) -> Observable:
        """After the factor min, or max, of 1 and clip/|g|."""
        import torch

        clip, task = self.run.experiment.clip, self.run.task
        if clip is None:
            raise NotMeasured("there is no clip")
        training = replace(task.training, clip_rule=rule)
        means = [task.model.tensor(mean) for mean in self.run.whole_batches.learned]
        norms = np.array([float(torch.linalg.vector_norm(mean)) for mean in means])
        factors = [float(training.shrinking(task.model, mean)) for mean in means]
        return self.run.length(norms * factors, g=norms, clip=clip)
