"""Calling a user's functions: independent randomness for each call, and outputs as rows of numbers.

Besides the generator that a function is handed, the global ones of `random`, numpy and (once it is
loaded) torch are seeded for each call, so that functions that use those repeat with the seed too.
"""

import hashlib
import pickle
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class UserFunctionError(ValueError):
    """A user's function raised, or returned what is no sample; the message names it."""


def seeded(seed: int, *key: int) -> np.random.Generator:
    """The generator of this seed and key; the global generators are seeded from it."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    word = int(rng.integers(2**32))
    random.seed(word)
    np.random.seed(word)  # noqa: NPY002 a user's code may use the global state
    if torch := sys.modules.get("torch"):
        # Not torch.manual_seed: it queues a stack trace each time while CUDA is not in use.
        torch.default_generator.manual_seed(word)
        if torch.cuda.is_initialized():
            torch.cuda.manual_seed_all(word)
    return rng


@contextmanager
def globals_kept() -> Iterator[None]:
    """Gives the global generators their states back."""
    torch = sys.modules.get("torch")
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    other = torch.get_rng_state() if torch else None
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
        if torch:
            torch.set_rng_state(other)


def called(name: str, function: Callable[..., Any], *arguments: object) -> Any:
    """function(*arguments); UserFunctionError naming the function and its exception."""
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        raise UserFunctionError(f"{name} raised {type(error).__name__}: {error}") from error


def fingerprint(thing: object) -> bytes | None:
    """A digest of the contents; None for what cannot be pickled."""
    try:
        return hashlib.sha256(pickle.dumps(thing)).digest()
    except Exception:  # a user's object may refuse in any way
        return None


def flat(name: str, output: object) -> Array:
    """One output as a 1-D array of finite numbers."""
    return _finite(name, np.concatenate([a.ravel() for a in _arrays(name, output)]))


def rows(name: str, output: object, trials: int) -> Array:
    """A batch of outputs as (trials, numbers); the first axis of every array is the trial."""
    arrays = _arrays(name, output)
    if any(a.ndim == 0 or len(a) != trials for a in arrays):
        shape = next(a.shape for a in arrays if a.ndim == 0 or len(a) != trials)
        raise UserFunctionError(f"{name} must return {trials} rows, got shape {shape}")
    return _finite(name, np.concatenate([a.reshape(trials, -1) for a in arrays], axis=1))


def _arrays(name: str, output: object) -> list[Array]:
    """The numeric arrays of a number, array, tensor, or (nested) list, tuple or mapping of them."""
    if isinstance(output, Mapping):
        arrays = [a for key in sorted(output, key=str) for a in _arrays(name, output[key])]
    elif isinstance(output, list | tuple) and not _plain(output):
        arrays = [a for part in output for a in _arrays(name, part)]
    else:
        arrays = [_array(name, output)]
    if not sum(a.size for a in arrays):
        raise UserFunctionError(f"{name} must return numbers, got nothing in {_short(output)}")
    return arrays


def _plain(items: list[Any] | tuple[Any, ...]) -> bool:
    return all(isinstance(item, int | float | np.number | np.bool_) for item in items)


def _array(name: str, output: object) -> Array:
    try:
        if hasattr(output, "detach"):
            output = output.detach().cpu().double().numpy()
        array = np.asarray(output)
    except Exception as error:
        raise UserFunctionError(f"{name} must return numbers, got {_short(output)}") from error
    if array.dtype.kind not in "fiub":
        raise UserFunctionError(f"{name} must return real numbers, got {_short(output)}")
    return array.astype(np.float64)


def _finite(name: str, array: Array) -> Array:
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)].flat[0]
        raise UserFunctionError(f"{name} must return finite numbers, got {bad}")
    return array


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
