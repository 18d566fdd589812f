"""Small settings, rows and models for tests of the engine."""

import numpy as np
import torch

from forgetproof.engine import EngineSettings

ROWS, WIDTH = 40, 3


def settings(**changes):
    """Twenty steps on forty rows; one deletion takes one step, two more take five."""
    fields = {
        "rows": ROWS,
        "rate": 0.5,
        "divisor": 20,
        "noise": 4.0,
        "step_size": 1.0,
        "decay": 0.2,
        "steps": 20,
        "epsilon": 1.5,
        "delta": 1e-5,
    }
    return EngineSettings(**{**fields, **changes})


def data(outputs=1, signs=True, count=ROWS, dtype=torch.float64):
    """Rows of length 1 and below, and targets for so many outputs."""
    rng = np.random.default_rng(7)
    rows = torch.tensor(rng.normal(size=(count, WIDTH)) / 2, dtype=dtype)
    numbers = torch.tensor(rng.normal(size=(count, outputs)), dtype=dtype)
    if not signs:
        return rows, numbers
    return rows, numbers.argmax(dim=1) if outputs > 1 else (numbers[:, 0] > 0).to(dtype)


def layer(outputs=1, bias=False, dtype=torch.float64, width=WIDTH, device=None):
    """A linear layer whose first weights are zeros."""
    model = torch.nn.Linear(width, outputs, bias=bias, dtype=dtype, device=device)
    for weights in model.parameters():
        torch.nn.init.zeros_(weights)
    return model


def names(count=ROWS):
    return [f"u{place}" for place in range(count)]
