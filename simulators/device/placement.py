"""Where and in which precision a run computes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import numpy as np
import torch

from accounting.numerics import validation
from simulators.device.default import DEVICES, device_of_the_run

DTYPES = {"float64": torch.float64, "float32": torch.float32}
LARGE = 1 << 28
"""Bytes from which on data are not copied to save time."""
HELD = 1 << 22
"""Numbers that wait on a device before they are copied to the host."""
Place = TypeVar("Place")

LAUNCH = 5e-6
"""Seconds that an operation costs on a device, however small it is."""
START = 2.0
"""Seconds until a process has a device ready."""
PRODUCTS = 2e10
"""Multiplications and additions of matrix products in a second of one core, in float64: what
`benchmarks/engine.py` finds for the engine's whole step."""
STEPS = 1000
"""Steps that are reckoned with where a model is made before anyone says how many there are."""


def device_named(name: object, launches: float = 0.0, seconds: float = math.inf) -> torch.device:
    """ "cpu", "cuda", or "auto": that of the run (`computing_on`), else what is worth it.

    "auto" is CUDA where there is one and it is worth it: where a run of so many launches there
    would take so many seconds of one core, and these are more than START + launches LAUNCH.
    ValueError for anything else.
    """
    chosen = validation.choice("device", name, DEVICES)
    if chosen == "auto":
        chosen = device_of_the_run() or chosen
    available = torch.cuda.is_available()
    if chosen == "cuda" and not available:
        raise ValueError("device must be 'auto' or 'cpu' on this machine: it has no CUDA device")
    small = chosen == "auto" and seconds <= START + launches * LAUNCH
    return torch.device("cuda" if available and chosen != "cpu" and not small else "cpu")


def device_of_a_model(where: str | None, rows: int, parameters: int) -> torch.device:
    """`device_named` for STEPS gradients over all rows, of some 30 launches each.

    None: the device of the run, else the CPU.
    """
    name = device_of_the_run() or "cpu" if where is None else where
    return device_named(name, 30 * STEPS, STEPS * 2.0 * rows * parameters / PRODUCTS)


def dtype_named(name: object) -> torch.dtype:
    """ "float64" or "float32"; ValueError for anything else."""
    return DTYPES[validation.choice("dtype", name, tuple(DTYPES))]


def factory(device: torch.device, dtype: torch.dtype) -> Callable[[np.ndarray], torch.Tensor]:
    """A function from numpy arrays to contiguous tensors there."""
    return lambda array: torch.tensor(array, dtype=dtype, device=device)


def reader(device: torch.device, dtype: torch.dtype) -> Callable[[np.ndarray], torch.Tensor]:
    """`factory` for tensors that are only read: LARGE arrays share their memory if they can."""
    copied = factory(device, dtype)

    def tensor(array: np.ndarray) -> torch.Tensor:
        if array.nbytes < LARGE:
            return copied(array)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The given NumPy array is not writable")
            return torch.as_tensor(array, dtype=dtype, device=device)

    return tensor


class Later(Generic[Place]):
    """Writes to the host what a loop finds: at once on the CPU, from a device much at a time.

    A copy from a device waits for all that was asked of it before, so that a loop with one in every
    step leaves it idle.  What is put must not change afterwards; `flush` writes the rest.
    """

    def __init__(self, write: Callable[[Place, np.ndarray], None]) -> None:
        self.write, self.entries = write, 0
        self.held: list[tuple[Place, torch.Tensor]] = []

    def put(self, place: Place, found: torch.Tensor) -> None:
        """Write it there, now or later, in the order of the calls."""
        if found.device.type == "cpu":
            self.write(place, found.numpy())
            return
        self.held.append((place, found))
        self.entries += found.numel()
        if self.entries >= HELD:
            self.flush()

    def flush(self) -> None:
        """Write what is held; all of one type."""
        if not self.held:
            return
        flat = torch.cat([tensor.reshape(-1) for _, tensor in self.held]).cpu().numpy()
        cuts = np.cumsum([tensor.numel() for _, tensor in self.held])[:-1]
        for (place, tensor), part in zip(self.held, np.split(flat, cuts), strict=True):
            self.write(place, part.reshape(tensor.shape))
        self.held, self.entries = [], 0


def into(place: tuple[np.ndarray, Any], found: np.ndarray) -> None:
    """array[index] = found, for `Later`."""
    array, index = place
    array[index] = found


@contextmanager
def torch_threads(count: object) -> Iterator[None]:
    """Use this many threads inside, and as many as before afterwards, whatever happens."""
    threads = validation.count("threads", count, low=1)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
