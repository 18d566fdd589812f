"""Results of a run in one SQLite file, written as they come; what is finished survives a kill."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from verify.evidence import Evidence, from_dict, to_dict
from verify.jsonio import dumps, loads

SCHEMA = """
CREATE TABLE IF NOT EXISTS manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS evidence (
    claim TEXT NOT NULL, hash TEXT NOT NULL, position INTEGER NOT NULL,
    interpretation TEXT NOT NULL, form TEXT NOT NULL, instance TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (claim, hash, position));
CREATE TABLE IF NOT EXISTS finished (
    claim TEXT NOT NULL, hash TEXT NOT NULL, seconds REAL NOT NULL, error TEXT,
    PRIMARY KEY (claim, hash));
"""

# What SQLite calls troubles of the disk or the folder; all others are of the file's contents.
OUTSIDE = tuple(
    f"SQLITE_{name}" for name in ("FULL", "READONLY", "CANTOPEN", "IOERR", "BUSY", "LOCKED", "PERM")
)


class Store:
    """One run's results. Each finished claim is one transaction: all of it is there, or none.

    Raises:
        ValueError: the file is not a database of ours, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Noted before anything is made: `withdraw` must not remove what was there.
        self._fresh = not path.exists()
        self._made = [p for p in (path.parent, *path.parent.parents) if not p.exists()]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=30)
            # Write-ahead logging: a reader is not kept out while a run writes.
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.executescript(SCHEMA)
        except (sqlite3.Error, OSError) as error:
            if self._fresh:
                self._remove()
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> ValueError:
        """What to do about it: another folder, or away with a file that is damaged."""
        why = str(error)[:120]
        # Errors that SQLite's module raises by itself have no name: the message is all there is.
        name = getattr(error, "sqlite_errorname", "SQLITE_FULL" if "full" in why else "")
        if isinstance(error, OSError) or name.startswith(OUTSIDE):
            return ValueError(
                f"out must be a writable folder for results, got {self.path.parent}: {why}"
            )
        return ValueError(
            f"out must hold no damaged results: delete {self.path} or name another folder ({why})"
        )

    @contextmanager
    def _access(self) -> Iterator[sqlite3.Connection]:
        """One transaction; a damaged file or a full disk becomes a ValueError that names `out`."""
        try:
            # sqlite3's own context manager commits, or rolls back on an exception.
            with self._db:
                yield self._db
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise self._unusable(error) from error

    def finished(self, claim: str, hash: str) -> bool:
        with self._access() as db:
            row = db.execute(
                "SELECT error FROM finished WHERE claim = ? AND hash = ?", (claim, hash)
            ).fetchone()
        # A check that broke is run again: its fault may have been the machine's.
        return row is not None and row[0] is None

    def save(
        self, claim: str, hash: str, evidence: Iterable[Evidence], seconds: float, error: str | None
    ) -> None:
        """Replaces what is known of this claim at this state of the code."""
        rows = [
            (
                claim,
                hash,
                i,
                e.interpretation,
                e.form,
                getattr(e, "instance", ""),
                dumps(to_dict(e)),
            )
            for i, e in enumerate(evidence)
        ]
        with self._access() as db:
            # In one transaction with the new rows, so that a kill leaves the old or the new ones.
            db.execute("DELETE FROM evidence WHERE claim = ? AND hash = ?", (claim, hash))
            db.executemany("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            db.execute(
                "INSERT OR REPLACE INTO finished VALUES (?, ?, ?, ?)", (claim, hash, seconds, error)
            )

    def load(self, claim: str, hash: str) -> tuple[list[Evidence], float, str | None]:
        """Evidence, seconds and error of a finished claim, as they were saved."""
        with self._access() as db:
            seconds, error = db.execute(
                "SELECT seconds, error FROM finished WHERE claim = ? AND hash = ?", (claim, hash)
            ).fetchone()
            rows = db.execute(
                "SELECT body FROM evidence WHERE claim = ? AND hash = ? ORDER BY position",
                (claim, hash),
            )
            return [from_dict(loads(body)) for (body,) in rows], seconds, error

    def set_manifest(self, manifest: Mapping[str, Any]) -> None:
        with self._access() as db:
            db.executemany(
                "INSERT OR REPLACE INTO manifest VALUES (?, ?)",
                [(key, dumps(value)) for key, value in manifest.items()],
            )

    def manifest(self) -> dict[str, Any]:
        with self._access() as db:
            return {k: loads(v) for k, v in db.execute("SELECT key, value FROM manifest")}

    def close(self) -> None:
        self._db.close()

    def withdraw(self) -> None:
        """Closes it, and removes the file and folders that it made if no claim was finished."""
        finished = self._fresh and self._db.execute("SELECT 1 FROM finished").fetchone()
        self.close()
        if self._fresh and not finished:
            self._remove()

    def _remove(self) -> None:
        with suppress(OSError):
            # The log and its index belong to the file.
            for suffix in ("", "-wal", "-shm", "-journal"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            # Innermost first; a folder that holds anything else stays, and so do those above it.
            for folder in self._made:
                folder.rmdir()


def last(path: Path, claim: str, hashes: str) -> tuple[list[Evidence], float, None] | None:
    """What was finished last of a claim under a hash like this pattern of SQL, without a fault.

    The file is only read. None where it has nothing, or cannot be read.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            row = db.execute(
                "SELECT hash, seconds FROM finished WHERE claim = ? AND hash LIKE ? "
                "AND error IS NULL ORDER BY rowid DESC LIMIT 1",
                (claim, hashes),
            ).fetchone()
            bodies = db.execute(
                "SELECT body FROM evidence WHERE claim = ? AND hash = ? ORDER BY position",
                (claim, row[0] if row else ""),
            )
            evidence = [from_dict(loads(body)) for (body,) in bodies]
    except (sqlite3.Error, ValueError, TypeError, KeyError, OSError):
        return None
    return (evidence, float(row[1]), None) if row else None
