"""The key of a ledger's digests of ids: one file that only its owner can read."""

import os
import secrets
from pathlib import Path


def key_of(path: Path) -> bytes:
    """The key in the file; a new one that only its owner can read where there is none."""
    if path.exists():
        text = path.read_text("ascii").strip()
        if len(text) != 64:
            raise ValueError(f"key must be 64 hexadecimal digits, got {len(text)} in {path}")
        return bytes.fromhex(text)
    key = secrets.token_bytes(32)
    # Complete under its name or not there: another process may be killed in between.
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, key.hex().encode("ascii"))
        os.fsync(file)
    finally:
        os.close(file)
    os.rename(draft, path)
    sync_folder(path.parent)
    return key


def sync_folder(folder: Path) -> None:
    """Waits until the names of the files in a folder are on the disk."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
