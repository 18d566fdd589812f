"""Pictures in words: for who does not see them, and below them in a paper."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

from simulators.data.disk import write
from verify.plots.facts import compared, crossed, title
from verify.plots.labels import plain
from verify.plots.names import in_words, line_names
from verify.plots.picture import SIDES, Curve, Picture
from verify.words import number, typeset

LONGEST = 400
"""Characters of an alternative text."""
PACKAGE = "forgetproof"


def source(picture: Picture) -> str:
    """Package with its version, id and seed: what draws the picture again."""
    return f"{PACKAGE} {_version()}, {picture.id}, seed {picture.seed}"


def alternative(picture: Picture) -> str:
    """Axes, the course of each line, the number at the cross, and the verdict: 60 to 400
    characters."""
    axes = f"{_capital(plain(picture.y_label))} against {plain(picture.x_label)}."
    courses = [_course(in_words(c.name), c) for c in picture.curves if c.x]
    end = [_cross(picture), f"Verdict: {picture.verdict or 'none'}."]
    # What does not fit goes: lines from the last before the measured one, then the axes' ends.
    while len(courses) > 1 and _length(axes, courses, end) > LONGEST:
        courses.pop(-2)
    text = " ".join(filter(None, (axes, *courses, *end)))
    if len(text) > LONGEST:
        room = LONGEST - _length("", courses, end) - 2
        text = " ".join(filter(None, (f"{axes[: max(room, 20)]}…", *courses, *end)))
    return text[:LONGEST]


def caption(picture: Picture, command: str) -> str:
    """For a paper: what is drawn, how it was measured, verdict and citation; ends with a newline.

    command: what draws the picture.
    """
    names = line_names(picture)
    lines = ", ".join(name.text for name in names.values())
    parts = [
        f"{title(picture)}.",
        f"{_capital(plain(picture.y_label))} against {plain(picture.x_label)}: {lines}.",
        _hatched(picture),
        f"Measured: {picture.basis}.",
        f"Held fixed: {plain(picture.fixed)}." if picture.fixed else "",
        f"Read as: {picture.reading.rstrip('.')}." if picture.reading else "",
        f"{_capital(picture.note)}." if picture.note else "",
        f"Verdict: {picture.verdict or 'none'}"
        + (f" ({picture.origin})." if picture.origin else "."),
        f"Statement: {picture.title} of {picture.paper}." if picture.paper else "",
        f"Drawn by {source(picture)}: {command}",
    ]
    return "\n".join(filter(None, parts)) + "\n"


def save_caption(picture: Picture, path: Path, command: str) -> Path:
    """Writes the caption; returns the file. Raises ValueError where it cannot be written."""
    try:
        write(path, caption(picture, command).encode("utf-8"))
    except OSError as error:
        raise ValueError(f"out must be writable, got {path}: {error.strerror}") from error
    return path


def _hatched(picture: Picture) -> str:
    if picture.side is None:
        return ""
    where = "on either side of" if picture.relation == "==" else f"{SIDES[picture.relation]}"
    crosses = f"; crosses are points that do ({len(picture.marks)})" if picture.marks else ""
    return (
        f"A point in the hatched part, {where} the line that is judged, breaks the claim{crosses}."
    )


def _cross(picture: Picture) -> str:
    cross = crossed(picture)
    if cross is None:
        return ""
    x, left, right = cross
    place = f"at {typeset(number(x, 4))}"
    return f"A cross {place}: {compared(picture, left, right)}."


def _course(name: str, curve: Curve) -> str:
    """How a line runs, from its first to its last point."""
    pairs = sorted(zip(curve.x, curve.y, strict=True))
    ys = [y for _, y in pairs]
    first, last, least, most = (typeset(number(y, 3)) for y in (ys[0], ys[-1], min(ys), max(ys)))
    steps = [b - a for a, b in pairwise(ys)]
    if least == most:
        return f"{_capital(name)}: {least}."
    if all(step >= 0 for step in steps):
        return f"{_capital(name)}: rises from {first} to {last}."
    if all(step <= 0 for step in steps):
        return f"{_capital(name)}: falls from {first} to {last}."
    return f"{_capital(name)}: between {least} and {most}."


def _length(axes: str, courses: list[str], end: list[str]) -> int:
    return len(" ".join(filter(None, (axes, *courses, *end))))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _version() -> str:
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "not installed"
