"""`ledger.jsonl`: what was done to one model, in a file that only grows.

One event is one line of JSON with its `sequence` (0, 1, ...), `before` (the SHA-256 of the bytes of
the line before it, line break left out; 64 zeros at first) and `time` (seconds, for information:
the sequence is the order).  Digests are of bytes, so that no canonical form is needed.

A line is written under an exclusive lock of the file, after the last line was compared with the one
this process knows, and is on the disk when `append` returns.  A process that dies while it writes
leaves half a line, of which nobody was told that it is there: the next one sets it aside in a file
of its own, says so in a warning and in the ledger, and goes on.  (The lock is the operating
system's `flock`: file systems of other machines may not have it.)
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forgetproof.certificates.budget import DeletionBudget
from forgetproof.certificates.history import History
from forgetproof.certificates.keys import key_of, sync_folder
from forgetproof.certificates.strict_json import line, parse

FILE = "ledger.jsonl"
KEY = "ids.key"
START = "0" * 64
_OWN = ("sequence", "before", "time", "event")


class LedgerConflict(ValueError):
    """The file is not as this process left it; nothing was written."""


class LedgerRepaired(UserWarning):
    """Half a line was set aside."""


class Ledger:
    """The ledger of one model, opened by `Ledger.open`.

    Attributes:
        path: of the file.
        head: SHA-256 of the last line that this process knows, in hexadecimal digits.
        history: what the lines up to `head` say.
        budget: the limits in the settings.
    """

    def __init__(self, folder: Path, key: bytes | None, clock: Callable[[], float]) -> None:
        self.path = folder / FILE
        self.head = START
        self.history = History()
        self.budget = DeletionBudget()
        self._events: list[dict[str, Any]] = []
        self._size = 0  # bytes of the lines that are known
        self._last = 0  # bytes of the last of them
        self._key = key
        self._clock = clock

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        settings: Mapping[str, Any],
        *,
        key: bytes | None = None,
        clock: Callable[[], float] = time.time,
        **fields: Any,
    ) -> Ledger:
        """Return the ledger in the folder; a new one begins with the event `open`.

        settings: JSON, fixed from now on; `budget` in it has the limits (`DeletionBudget`).
        key: of the digests of ids, 32 bytes or more; by default drawn and kept in `ids.key`, which
            only the operator should see.
        fields: further ones of the event `open`, such as the digests of code and state.

        Raises ValueError where the file is no ledger, was opened with other settings or another
        key, or the settings are none; OSError where it cannot be written.
        """
        settings = dict(settings)
        budget = DeletionBudget.of(settings)
        if key is not None and (not isinstance(key, bytes) or len(key) < 32):
            raise ValueError("key must be 32 bytes or more")
        Path(folder).mkdir(parents=True, exist_ok=True)
        ledger = cls(Path(folder), key, clock)
        with ledger._locked() as file:
            ledger._key = key or key_of(Path(folder) / KEY)
            ledger._read(file)
            check = hmac.new(ledger._key, b"ledger", hashlib.sha256).hexdigest()
            if ledger.history.settings is None:
                ledger.budget = budget
                ledger._write(file, "open", {"settings": settings, "key": check, **fields})
                sync_folder(Path(folder))
            elif ledger.history.settings != settings:
                names = _unequal(ledger.history.settings, settings)
                raise ValueError(
                    f"settings must be those that {ledger.path} was opened with, got other values "
                    f"of {', '.join(names)}"
                )
            elif ledger._events[0].get("key") != check:
                raise ValueError(f"key must be the one that {ledger.path} was opened with")
        return ledger

    @classmethod
    def at(cls, folder: str | os.PathLike[str], name: str = FILE) -> Ledger:
        """Return the ledger of a folder to be looked at: nothing is written, half a line is left.

        Raises ValueError where the file is no ledger, OSError where it cannot be read.
        """
        ledger = cls(Path(folder), None, time.time)
        ledger.path = Path(folder) / name
        ledger._take_lines(ledger.path.read_bytes())
        if ledger.history.settings is None:
            raise ValueError(f"{ledger.path} must begin with the event open, got no line")
        return ledger

    def append(self, event: str, **fields: Any) -> int:
        """Write one event, and return its sequence; it is on the disk then.

        Raises LedgerConflict where another process has written (`refresh` takes that in),
        BudgetExceeded where the event would spend more than is left, ValueError where it may not
        come next or its fields are none.  After any of them the ledger is as it was.
        """
        with self._locked() as file:
            self._compare(file)
            return self._write(file, event, fields)

    def refresh(self) -> None:
        """Take in what other processes have written; ValueError where that is no continuation."""
        with self._locked() as file:
            self._read(file)

    def events(self) -> tuple[dict[str, Any], ...]:
        """The events up to `head`, with the fields that the ledger adds."""
        return tuple(dict(each) for each in self._events)

    @property
    def heads(self) -> tuple[str, ...]:
        """The digest of every line."""
        return (*(str(each["before"]) for each in self._events[1:]), self.head)

    def digest(self, identity: object) -> str:
        """The keyed digest (HMAC-SHA-256) that stands for a row's id, of text or a whole number.

        Who has an id and the key can find it in the ledger; without the key nobody can try ids.
        """
        if not isinstance(identity, str | int) or isinstance(identity, bool):
            raise ValueError(f"identity must be text or a whole number, got {identity!r}")
        # Text and numbers are told apart: "7" is not 7.
        name = f"{type(identity).__name__}:{identity}".encode("utf-8", "surrogatepass")
        if self._key is None:
            raise ValueError("key must be there: open the ledger by Ledger.open")
        return hmac.new(self._key, name, hashlib.sha256).hexdigest()

    @contextmanager
    def _locked(self) -> Iterator[int]:
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)  # and with it the lock

    def _compare(self, file: int) -> None:
        """LedgerConflict unless the file is what this process knows, but for half a line."""
        size = os.fstat(file).st_size
        last = _bytes_at(file, self._size - self._last, self._last)
        same = size >= self._size and _sha256(last[:-1]) == self.head
        more = _bytes_at(file, self._size, size - self._size) if same and size > self._size else b""
        if not same:
            raise LedgerConflict(f"{self.path} was cut short or exchanged after {self.head}")
        if b"\n" in more:
            raise LedgerConflict(f"another process has written to {self.path} after {self.head}")
        if more:
            self._set_aside(file, more)

    def _read(self, file: int) -> None:
        """Takes in the lines after those that are known."""
        if self._size:
            size = os.fstat(file).st_size
            last = _bytes_at(file, self._size - self._last, self._last)
            if size < self._size or _sha256(last[:-1]) != self.head:
                raise LedgerConflict(f"{self.path} was cut short or exchanged after {self.head}")
        data = _bytes_at(file, self._size, os.fstat(file).st_size - self._size)
        if rest := self._take_lines(data):
            self._set_aside(file, rest)

    def _take_lines(self, data: bytes) -> bytes:
        """Takes in whole lines, and returns what stands after the last of them."""
        *lines, rest = data.split(b"\n")
        for each in lines:
            name = f"{self.path} line {len(self._events) + 1}"
            event = parse(each, name)
            if (event.get("sequence"), event.get("before")) != (len(self._events), self.head):
                raise ValueError(f"{name} must follow the line before it")
            self._take_in(name, event, each + b"\n")
        return rest

    def _take_in(self, name: str, event: dict[str, Any], data: bytes) -> None:
        fields = {key: value for key, value in event.items() if key not in _OWN}
        at = event.get("time")
        if not isinstance(at, int) or isinstance(at, bool):
            raise ValueError(f"{name} must have a time in whole seconds, got {at!r}")
        try:
            self.history.add(str(event.get("event")), fields, len(self._events), at)
            if event["event"] == "open":
                self.budget = DeletionBudget.of(fields["settings"])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        self._events.append(event)
        self.head = _sha256(data[:-1])
        self._size += len(data)
        self._last = len(data)

    def _write(self, file: int, event: str, fields: Mapping[str, Any]) -> int:
        if clash := sorted(set(fields) & set(_OWN)):
            raise ValueError(f"fields must not be named {', '.join(clash)}")
        self.history.insist(event, fields)
        self.budget.insist(self.history, event, fields)
        sequence, now = len(self._events), round(self._clock())
        own = {"sequence": sequence, "before": self.head, "time": now, "event": event}
        data = line({**own, **fields}, event)
        self._put(file, data)
        # Read back from the bytes: the caller may change what it has given.
        self._take_in(str(self.path), parse(data, event), data)
        return sequence

    def _put(self, file: int, data: bytes) -> None:
        """Writes at the end of what is known, all of it or nothing, and waits for the disk."""
        at = self._size
        try:
            while at < self._size + len(data):
                at += os.pwrite(file, data[at - self._size :], at)
            # What was longer than the line is half a line that was set aside.
            os.ftruncate(file, at)
            os.fsync(file)
        except OSError:  # a full disk: what was written of the line goes again
            os.ftruncate(file, self._size)
            raise

    def _set_aside(self, file: int, rest: bytes) -> None:
        """Keeps half a line in a file of its own, and says so in its place."""
        digest = _sha256(rest)
        aside = self.path.with_name(f"{FILE}.{digest[:16]}")
        with aside.open("wb") as copy:
            copy.write(rest)
            copy.flush()
            os.fsync(copy.fileno())
        if self.history.settings is None:  # not even the first line is there
            os.ftruncate(file, 0)
        else:
            self._write(file, "repair", {"bytes": len(rest), "sha256": digest})
        warnings.warn(
            f"{self.path} ended in half a line of {len(rest)} bytes, left by a process that died; "
            f"it was set aside in {aside.name}",
            LedgerRepaired,
            stacklevel=4,
        )


def _bytes_at(file: int, start: int, count: int) -> bytes:
    parts = []
    while count > 0 and (part := os.pread(file, count, start)):
        parts.append(part)
        start, count = start + len(part), count - len(part)
    return b"".join(parts)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _unequal(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    return sorted(k for k in {*first, *second} if first.get(k) != second.get(k))
