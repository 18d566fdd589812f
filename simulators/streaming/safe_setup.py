"""The settings of a run of SAFE, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from accounting.numerics import validation
from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax
from simulators.streaming.deletions import Deletions
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk


def checked_deletions(data: object, deletions: object, trials: object) -> tuple[np.ndarray, int]:
    """Removal times (trials or 1, n) and the number of trials.

    Raises ValueError unless they fit the data, and have as many trials or one.
    """
    if not isinstance(data, Dataset):
        raise ValueError(f"data must be a Dataset, got {data!r}")
    if not isinstance(deletions, Deletions):
        raise ValueError(f"deletions must be Deletions, got {deletions!r}")
    if deletions.n != len(data):
        raise ValueError(f"deletions must be of the data's {len(data)} rows, got {deletions.n}")
    if trials is None:
        return deletions.removed_at, deletions.trials
    number = validation.count("trials", trials, low=1)
    if deletions.trials not in (1, number):
        raise ValueError(
            f"trials must be {deletions.trials}, as many as the deletions have, got {number}"
        )
    return deletions.removed_at, number


def checked_loss(data: Dataset, classes: object, regularisation: float) -> Softmax:
    """The softmax loss of so many classes (None: the largest target plus 1)."""
    if classes is not None:
        number = validation.count("classes", classes, low=2)
    elif data.targets is None:
        raise ValueError(f"data must have class numbers as targets, got none in {data.name!r}")
    else:
        number = max(2, int(data.targets.max()) + 1)
    loss = Softmax(number, regularisation)
    # For its refusal of targets that are no class numbers.
    loss.one_hot(data)
    return loss


def checked_schedule(name: str, value: Any, rounds: int) -> np.ndarray:
    """One number >= 0 for each round, from one or from (rounds,)."""
    numbers = validation.real(name, value, low=0.0, high_open=True)
    if numbers.shape not in ((), (rounds,)):
        raise ValueError(f"{name} must be one number or {rounds} of them, got {numbers.shape}")
    return np.array(np.broadcast_to(numbers, (rounds,)))


def checked_scales(sigma: Any, phi: Any, rounds: int) -> np.ndarray:
    """Standard deviations of b_t from sigma, or from the variance phi; 0 from neither."""
    if sigma is not None and phi is not None:
        raise ValueError("sigma must be None when phi is given: phi is sigma squared")
    if phi is not None:
        variances: np.ndarray = np.sqrt(checked_schedule("phi", phi, rounds))
        return variances
    return checked_schedule("sigma", 0.0 if sigma is None else sigma, rounds)


def checked_start(loss: Softmax, data: Dataset, w0: Any, device: str) -> np.ndarray:
    """w_0 (d, classes) as given, or the minimiser of the mean loss over all rows."""
    shape = loss.parameter_shape(data)
    if w0 is None:
        if not loss.regularisation > 0:
            raise ValueError(
                "regularisation must be > 0 for a minimiser to start from (or give w0), got 0"
            )
        trained: np.ndarray = Minimiser(Risk(data, loss, device)).center.cpu().numpy()
        return trained
    point = w0.detach().cpu().numpy() if isinstance(w0, torch.Tensor) else w0
    start = validation.real("w0", point, low_open=True, high_open=True)
    if start.shape != shape:
        raise ValueError(f"w0 must have shape {shape}, got {start.shape}")
    return start
