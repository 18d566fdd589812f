"""The sum (11) of hf with its matrices multiplied out, in each way that the paper prints."""

import numpy as np

from simulators.trajectory.model import Model
from simulators.trajectory.training import Training

Array = np.ndarray


def recollected(
    model: Model, training: Training, sample: int, per_epoch: int, interpretation: str = "corrected"
) -> Array:
    """sum over visits of M g_u, shape (p,), with explicit matrices; `per_epoch` batches an epoch.

    interpretation: "corrected" multiplies all later steps' matrices, later ones on the left;
    "literal" is (10): in every epoch from the visit's on, batches b(u) + 1..B - 1; "late" is (23):
    its own step's matrix too; "skipped" leaves out epoch 0 (Algorithm 1, (35)).
    """
    factors = []
    gradients = []
    identity = np.eye(model.parameters)
    for t, _, tangent in training.walk(model):
        if t == training.length:
            break
        rate = float(training.steps[t]) / len(training.batches[t])
        factors.append(identity - rate * tangent.hessian().cpu().numpy())
        weights = (training.batches[t] == sample).astype(float)
        gradients.append(rate * tangent.gradient(model.tensor(weights)).cpu().numpy())
    visits = [t for t, rows in enumerate(training.batches) if sample in rows]
    total = np.zeros(model.parameters)
    for epoch, visit in enumerate(visits):
        if interpretation == "skipped" and epoch == 0:
            continue
        term = gradients[visit]
        for s in range(visit if interpretation == "late" else visit + 1, training.length):
            place = visit % per_epoch
            if interpretation != "literal" or s % per_epoch > place:
                term = factors[s] @ term
        total += term
    return total
