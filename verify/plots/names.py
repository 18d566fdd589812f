"""What the lines of a plot are called, and what cannot be seen of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from verify.plots.picture import EXPERIMENT, Curve, Picture, Side

SEEN = 0.003
"""Lines closer than this share of the picture's height lie on each other."""
WORDS: Mapping[str, str] = {
    "printed": "as printed",
    "corrected": "corrected",
    "tight": "best possible",
    EXPERIMENT: "measured",
}
BREAKS: Mapping[Side, str] = {
    "above": "a point here breaks the claim",
    "below": "a point here breaks the claim",
    "above and below": "a point off the line breaks the claim",
}


@dataclass(frozen=True)
class LineName:
    """A line's name, beside the line if it is `seen`; a line under another goes by its name."""

    text: str
    seen: bool = True
    under: str = ""


def in_words(form: str) -> str:
    """A form as a reader meets it: "as printed"."""
    return WORDS.get(form, form)


def line_names(picture: Picture) -> dict[str, LineName]:
    """Curve -> its name, with what cannot be seen of it: zeros, covered lines.

    Measured points that are all crosses are named as these.
    """
    names: dict[str, LineName] = {}
    for place, curve in enumerate(picture.curves):
        text = in_words(curve.name)
        if curve.name in picture.elsewhere:
            text = f"{text} (of another quantity)"
        zeros = sum(y <= 0 for y in curve.y) if picture.logs[1] else 0
        if curve.name == EXPERIMENT and _all_crossed(picture, curve):
            continue
        if not curve.x:
            names[curve.name] = LineName(f"{text}: nowhere defined", seen=False)
        elif zeros == len(curve.y):
            below = "0" if not any(curve.y) else "not above 0"
            names[curve.name] = LineName(f"{text}: {below} everywhere", seen=False)
        else:
            if zeros:
                text = f"{text} (0 where not drawn)"
            names[curve.name] = LineName(text, under=_under(picture, place))
    return names


def joint_names(picture: Picture) -> dict[str, str]:
    """Curve -> what stands beside it; lines on each other share one name."""
    names = line_names(picture)
    shared: dict[str, list[str]] = {}
    for curve, name in names.items():
        if name.seen:
            shared.setdefault(name.under or curve, []).append(name.text)
    return {curve: " and ".join(texts) for curve, texts in shared.items()}


def _all_crossed(picture: Picture, curve: Curve) -> bool:
    drawn = {(x, y) for x, y in zip(curve.x, curve.y, strict=True) if y > 0 or not picture.logs[1]}
    return bool(drawn) and drawn <= set(picture.marks)


def _under(picture: Picture, place: int) -> str:
    """The line that this one cannot be told apart from, the first of those before it; nothing:
    none."""
    curve = picture.curves[place]
    covering = (c.name for c in picture.curves[:place] if _cover(picture, c, curve))
    return next(covering, "")


def _cover(picture: Picture, first: Curve, second: Curve) -> bool:
    """Whether two lines cannot be told apart at the picture's scale, or points lie on a line."""
    log_x, log_y = picture.logs
    if not first.x or first.name == EXPERIMENT:
        return False
    points = second.name == EXPERIMENT
    if not points and first.x != second.x:
        return False
    heights = _scaled([y for c in picture.curves for y in c.y], log_y)
    heights = heights[np.isfinite(heights)]
    order = np.argsort(first.x, kind="stable")
    a, b = _scaled(first.y, log_y)[order], _scaled(second.y, log_y)
    if not (heights.size and np.isfinite(a).all() and np.isfinite(b).all()):
        return False
    xs, places = _scaled(first.x, log_x)[order], _scaled(second.x, log_x)
    if places.min() < xs[0] or places.max() > xs[-1]:
        return False
    # Between its points a line is straight on the scales of the picture.
    here = np.interp(places, xs, a)
    if not points:
        b = np.interp(places, xs, b[order])
    return bool(np.abs(here - b).max() <= SEEN * (heights.max() - heights.min()))


def _scaled(values: list[float] | tuple[float, ...], log: bool) -> np.ndarray:
    heights = np.array(values, dtype=float)
    if not log:
        return heights
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms: np.ndarray = np.log10(heights)
    return logarithms
