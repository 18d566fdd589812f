"""The weights after the last event of a ledger: private, one file, known by its digest."""

import hashlib
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from forgetproof.engine.refusals import EngineRefusal

_PREFIX = "state-"


class StateFolder:
    """Keeps one state at a time beside the ledger; only its owner can read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, weights: list[NDArray[Any]]) -> str:
        """Writes a state, so that it is on the disk, and returns its SHA-256."""
        buffer = io.BytesIO()
        np.savez(buffer, *weights)
        data = buffer.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        write_whole(self._path(digest), data, 0o600)
        return digest

    def load(self, digest: str) -> list[NDArray[Any]]:
        """The state with this digest. Raises EngineRefusal where it is not there, or is another."""
        path = self._path(digest)
        data = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(data).hexdigest() != digest:
            raise EngineRefusal(
                f"{path} must have the state of the ledger's last line: a copied folder or an old "
                "state is not taken up again"
            )
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return [arrays[name] for name in arrays.files]

    def forget_all_but(self, digest: str) -> None:
        """Removes the states of earlier events: each has traces of rows that left since."""
        for path in self.folder.glob(f"{_PREFIX}*.npz"):
            if path != self._path(digest):
                path.unlink()

    def _path(self, digest: str) -> Path:
        return self.folder / f"{_PREFIX}{digest[:16]}.npz"


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes a file that is complete under its name or not there."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def model_bytes(model: Any, suffix: str) -> bytes:
    """The bytes of a model's file: of torch.save for ".pt", of numpy.savez for ".npz"."""
    state = {name: value.detach().cpu() for name, value in model.state_dict().items()}
    buffer = io.BytesIO()
    if suffix == ".pt":
        torch.save(state, buffer)
    else:
        np.savez(buffer, **{name: value.numpy() for name, value in state.items()})
    return buffer.getvalue()
