"""A user's own data as NPZ archives, never pickles."""

from __future__ import annotations

import math
import zipfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np

from accounting.numerics.arguments import typed
from simulators.data._contents import MOST_VALUES, FileError, dataset, existing
from simulators.data.dataset import Dataset

FEATURES = ("features", "X")
TARGETS = ("targets", "labels", "y")
_MOST_BYTES = 8 * MOST_VALUES
# An archive may unpack to more than this only where its bytes say so: a packed array of equal
# values asks for gigabytes with kilobytes.
_UNPACKED_BYTES = 1 << 28
_MOST_PACKED = 200  # bytes in float64 for each byte of the archive


@typed
def npz(
    path: str | Path,
    *,
    features: str | tuple[str, ...] = FEATURES,
    targets: str | tuple[str, ...] | None = TARGETS,
) -> Dataset:
    """Read features (n, d) and, where there are any, targets (n,) of an NPZ archive.

    Args:
        features: name of the array, or several of which the archive has one.
        targets: likewise, but the archive may have none of several; None: leave them out.
            Words become the numbers of `class_names`, in sorted order.

    Raises FileNotFoundError when there is no such file; FileError, a ValueError, naming the path
    when it is no NPZ archive, an array is missing, claims more than 2^28 values or more than the
    file holds, takes more than 256 MiB and 200 times its packed size, has Python objects (pickles
    are refused), a wrong shape, or entries that are not finite numbers.
    """
    file = existing(path)
    try:
        with zipfile.ZipFile(file) as archive:
            names = [n.removesuffix(".npy") for n in archive.namelist() if n.endswith(".npy")]
            member = _one_of(names, features)
            right = None if targets is None else _one_of(names, targets)
            if member is None:
                raise ValueError(f"it has no array {' or '.join(features)}, only {sorted(names)}")
            rows = _member(archive, member)
            labels = None if right is None else _member(archive, right)
    except (
        ValueError,
        OSError,
        EOFError,
        KeyError,
        NotImplementedError,
        RuntimeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as problem:
        raise FileError(f"{file} cannot be used: {problem}") from None
    note = f"NPZ file {file.name}, arrays {[name for name in (member, right) if name is not None]}"
    return dataset(file, rows, labels, note)


def _one_of(names: list[str], wanted: str | tuple[str, ...]) -> str | None:
    if isinstance(wanted, str):
        if wanted not in names:
            raise ValueError(f"it has no array {wanted!r}, only {sorted(names)}")
        return wanted
    matches = [name for name in wanted if name in names]
    if len(matches) > 1:
        raise ValueError(f"it must have one array of {', '.join(wanted)}, got {matches}")
    return matches[0] if matches else None


def _member(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """One array, after its header's claim was compared with the limit and the member's size."""
    info = archive.getinfo(f"{name}.npy")
    # The header alone: no memory is asked for until its claim has been checked.
    with archive.open(info) as stream:
        shape, kind = _header(stream)
    values = math.prod(shape)
    if kind.hasobject:
        raise ValueError(f"array {name!r} holds Python objects, which are not read")
    if values > MOST_VALUES or values * kind.itemsize > min(info.file_size, _MOST_BYTES):
        raise ValueError(
            f"array {name!r} claims the shape {shape}: more than {MOST_VALUES} values, or than the "
            f"{info.file_size} bytes it has"
        )
    # 8 bytes a value, whatever the array's type: that is what it becomes.
    if 8 * values > max(_UNPACKED_BYTES, _MOST_PACKED * info.compress_size):
        raise ValueError(
            f"array {name!r} unpacks {info.compress_size} bytes to {8 * values} of float64, more "
            f"than {_MOST_PACKED} times as many: write it with np.savez, which does not pack"
        )
    with archive.open(info) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, kind = np.lib.format.read_array_header_2_0(stream)
    else:
        raise ValueError(f"format {version} of an array is not read")
    return shape, kind
