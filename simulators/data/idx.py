"""MNIST and its kin in IDX form, gzipped or plain, from local files."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data._contents import MOST_VALUES, FileError
from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair

_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
_DEFLATE = 1032  # no deflated byte stands for more


@typed
def read_idx(path: str | Path) -> np.ndarray:
    """Read one IDX file: two zero bytes, type, number of axes, big-endian sizes, then the values.

    Raises FileNotFoundError when there is no such file and ValueError naming the path when its
    contents are not one complete IDX array of at most 2^28 values.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no IDX file at {file}")
    with open(file, "rb") as probe:
        zipped = probe.read(2) == b"\x1f\x8b"
    opener = gzip.open if zipped else open
    try:
        with opener(file, "rb") as stream:
            head = stream.read(4)
            if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _TYPES or not head[3]:
                raise FileError(f"{file} is not an IDX file: it starts with {head.hex()!r}")
            sizes = stream.read(4 * head[3])
            if len(sizes) < 4 * head[3]:
                raise FileError(f"{file} ends within its header")
            shape = struct.unpack(f">{head[3]}I", sizes)
            kind = np.dtype(_TYPES[head[2]])
            values = math.prod(shape)
            if not 0 < values <= MOST_VALUES:
                raise FileError(f"{file} claims the shape {shape}, which is empty or too large")
            expected = kind.itemsize * values
            size = file.stat().st_size * (_DEFLATE if zipped else 1)
            if expected > size:
                raise FileError(
                    f"{file} claims the shape {shape}: {expected} bytes, more than it can hold"
                )
            body = stream.read(expected + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise FileError(f"{file} cannot be read: {problem}") from None
    if len(body) != expected:
        more = "more" if len(body) > expected else f"{len(body)}"
        raise FileError(f"{file} must hold {expected} bytes of values, got {more}")
    return np.frombuffer(body, dtype=kind).reshape(shape)


@typed
def images(
    image_path: str | Path,
    label_path: str | Path,
    *,
    negative: int | None = 3,
    positive: int = 8,
) -> Dataset:
    """Images as rows of pixels divided by 255, two digits as -1 and +1 (negative None: all ten).

    Rows are not normalised (`Dataset.normalised`).  Raises as `read_idx`, and ValueError when the
    two files do not belong together.
    """
    pixels, labels = read_idx(image_path), read_idx(label_path)
    if pixels.ndim < 2 or pixels.dtype != np.dtype(">u1"):
        raise ValueError(f"{image_path} must hold images of bytes, got shape {pixels.shape}")
    if labels.shape != pixels.shape[:1]:
        raise ValueError(
            f"{label_path} must hold {len(pixels)} labels for {image_path}, got {labels.shape}"
        )
    data = Dataset(
        pixels.reshape(len(pixels), -1) / 255.0,
        labels.astype(np.float64),
        "mnist",
        (f"IDX files {Path(image_path).name}, {Path(label_path).name}", "pixels divided by 255"),
    )
    return data if negative is None else class_pair(data, negative, positive)


@typed
def mnist(
    folder: str | Path,
    *,
    part: str = "train",
    negative: int | None = 3,
    positive: int = 8,
) -> Dataset:
    """The "train" (60,000) or "t10k" (10,000) images of MNIST in a folder, under their usual names.

    Files may be gzipped (.gz) or plain.  Raises FileNotFoundError naming the missing file.
    """
    word = validation.choice("part", part, ("train", "t10k"))
    paths = []
    for stem in (f"{word}-images-idx3-ubyte", f"{word}-labels-idx1-ubyte"):
        matches = [
            path for path in (Path(folder, stem), Path(folder, stem + ".gz")) if path.is_file()
        ]
        if not matches:
            raise FileNotFoundError(f"no MNIST file {stem} or {stem}.gz in {folder}")
        paths.append(matches[0])
    return images(*paths, negative=negative, positive=positive)


@typed
def part_in(folder: str | Path) -> str:
    """ "train" if the folder holds the training images, else "t10k"."""
    return "train" if list(Path(folder).glob("train-images*")) else "t10k"
