"""What a ledger says has happened, and which event may come next.

    open        settings                    first, and never again
    train       steps                       so many steps on the rows that are left; `step_sizes`
                                            are [steps, step size] of its runs, where they differ
    request     rows, steps                 rows (keyed digests) leave; so many steps are planned
    unlearned   request, steps              the steps of the open request were run
    release     model                       a model (SHA-256) that may be seen
    certificate certificate                 of the model released last, by the SHA-256 of its file
    repair      bytes, sha256               half a line, left by a process that died, was set aside

An event may have further fields.  Rows leave when their request is written, before its steps: what
was reserved is run.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_HEX = re.compile(r"[0-9a-f]{64}")


def sha256_text(name: str, value: object) -> str:
    """Return the 64 lower-case digits; ValueError naming `name` for anything else."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ValueError(f"{name} must be a SHA-256 in 64 hexadecimal digits, got {value!r}")
    return value


def whole(name: str, value: object, low: int = 0) -> int:
    """Return a whole number of at least `low`; ValueError naming `name` for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name} must be a whole number >= {low}, got {value!r}")
    return value


@dataclass(frozen=True)
class DeletionRequest:
    """Rows that left together: where it stands in the ledger, when, and the steps planned."""

    sequence: int
    time: int
    rows: tuple[str, ...]
    steps: int


@dataclass(frozen=True)
class ModelRelease:
    """A model that may be seen: where it stands, when, its SHA-256, the steps made before it."""

    sequence: int
    time: int
    model: str
    steps: int


@dataclass
class History:
    """The state of a ledger after its events so far.

    Attributes:
        settings: those of `open`; None before it.
        segments: (steps, how many rows had left before them), in order.
        step_sizes: of each segment; None where it is that of the settings.
        requests: all of them; the last is `pending` until its steps were run.
        releases: all of them.
    """

    settings: Mapping[str, Any] | None = None
    segments: list[tuple[int, int]] = field(default_factory=list)
    step_sizes: list[float | None] = field(default_factory=list)
    requests: list[DeletionRequest] = field(default_factory=list)
    pending: DeletionRequest | None = None
    releases: list[ModelRelease] = field(default_factory=list)
    left: set[str] = field(default_factory=set)

    @property
    def schedule(self) -> list[tuple[int, int]]:
        """(steps, rows in them that have left by now), in order."""
        total = len(self.left)
        return [(steps, total - before) for steps, before in self.segments]

    def insist(self, event: str, fields: Mapping[str, Any]) -> None:
        """ValueError where the event may not come next, or lacks a field or has a bad one."""
        if event not in _FIELDS:
            raise ValueError(f"event must be one of {', '.join(_FIELDS)}, got {event!r}")
        if missing := [name for name in _FIELDS[event] if name not in fields]:
            raise ValueError(f"{event} must have {', '.join(missing)}")
        if (self.settings is None) != (event == "open"):
            raise ValueError(f"event must be open at first and never again, got {event}")
        if self.pending is not None and event in ("train", "request", "release", "certificate"):
            raise ValueError(
                f"event must be unlearned: request {self.pending.sequence} waits for its "
                f"{self.pending.steps} steps, got {event}"
            )
        _CHECKS[event](self, fields)

    def add(self, event: str, fields: Mapping[str, Any], sequence: int, time: int) -> None:
        """Takes the event in; errors as `insist`, which leaves all as it was."""
        self.insist(event, fields)
        if event == "open":
            self.settings = fields["settings"]
        elif event == "train":
            for count, size in fields.get("step_sizes", [[fields["steps"], None]]):
                self._made(count, size)
        elif event == "request":
            rows = tuple(fields["rows"])
            self.pending = DeletionRequest(sequence, time, rows, fields["steps"])
            self.requests.append(self.pending)
            self.left.update(rows)
        elif event == "unlearned":
            # A request may need no step at all.
            if fields["steps"]:
                self._made(fields["steps"], None)
            self.pending = None
        elif event == "release":
            steps = sum(count for count, _ in self.segments)
            self.releases.append(ModelRelease(sequence, time, fields["model"], steps))

    def _made(self, steps: int, size: float | None) -> None:
        self.segments.append((steps, len(self.left)))
        self.step_sizes.append(size)

    def _open(self, fields: Mapping[str, Any]) -> None:
        if not isinstance(fields["settings"], dict):
            raise ValueError(f"settings must be a JSON object, got {fields['settings']!r}")

    def _train(self, fields: Mapping[str, Any]) -> None:
        steps, runs = whole("steps", fields["steps"], 1), fields.get("step_sizes")
        if runs is None:
            return
        pairs = isinstance(runs, list) and all(isinstance(x, list) and len(x) == 2 for x in runs)
        if not pairs or not all(type(size) in (int, float) and size > 0 for _, size in runs):
            raise ValueError(f"step_sizes must be pairs of steps and a step size, got {runs!r:.60}")
        if sum(whole("step_sizes", count, 1) for count, _ in runs) != steps:
            raise ValueError(f"step_sizes must be of {steps} steps in all, got others")

    def _request(self, fields: Mapping[str, Any]) -> None:
        rows = fields["rows"]
        if not isinstance(rows, list) or not rows:
            raise ValueError(f"rows must be a list of one digest or more, got {rows!r}")
        digests = [sha256_text("rows", each) for each in rows]
        again = self.left.intersection(digests)
        if len(set(digests)) < len(digests) or again:
            raise ValueError(f"rows must be different ones that are there, got {sorted(again)}")
        whole("steps", fields["steps"])

    def _unlearned(self, fields: Mapping[str, Any]) -> None:
        if self.pending is None:
            raise ValueError("event must follow a request, got unlearned")
        wanted = (self.pending.sequence, self.pending.steps)
        executed = (whole("request", fields["request"]), whole("steps", fields["steps"]))
        if executed != wanted:
            raise ValueError(
                f"request and steps must be those of the open request, {wanted[0]} and "
                f"{wanted[1]}, got {executed[0]} and {executed[1]}"
            )

    def _release(self, fields: Mapping[str, Any]) -> None:
        sha256_text("model", fields["model"])
        if not self.segments:
            raise ValueError("event must follow steps of training, got release")

    def _certificate(self, fields: Mapping[str, Any]) -> None:
        sha256_text("certificate", fields["certificate"])
        if not self.releases:
            raise ValueError("event must follow a release, got certificate")

    def _repair(self, fields: Mapping[str, Any]) -> None:
        whole("bytes", fields["bytes"], 1)
        sha256_text("sha256", fields["sha256"])


_FIELDS = {
    "open": ("settings",),
    "train": ("steps",),
    "request": ("rows", "steps"),
    "unlearned": ("request", "steps"),
    "release": ("model",),
    "certificate": ("certificate",),
    "repair": ("bytes", "sha256"),
}
_CHECKS = {name: getattr(History, f"_{name}") for name in _FIELDS}
