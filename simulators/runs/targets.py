"""The targets that a loss takes: a pair of classes, all classes, numbers, or none."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulators.data.labels import class_pair, class_value, class_word, numbered

WANTS = {"logistic": "pair", "hinge": "pair", "softmax": "classes", "quadratic": "none"}
"""Loss -> the targets that it takes; numbers, if it is not here."""
USUAL_PAIR = {"digits": (3, 8), "mnist": (3, 8), "wine": (0, 1)}
"""Data of more classes -> those that stand for -1 and +1, if none are named."""


def labelled(data: Any, loss: str, classes: str | None) -> Any:
    """The data with the targets that the loss takes, of the classes that were asked for.

    classes: two of them as "A,B", the first of which becomes -1; or "all". Raises ValueError for
    classes that the loss cannot take, and for data without the targets that it needs.
    """
    wants = WANTS.get(loss, "numbers")
    chosen = _chosen(data, wants, classes)
    if not data.has_targets:
        _insist_on_no_targets(data, loss, classes)
        return data
    if wants == "classes":
        if chosen is not None and len(set(chosen)) < max(2, len(chosen)):
            raise ValueError(f"classes must be different ones, or all, got {classes}")
        return numbered(data, chosen)
    values = data.distinct_targets()
    # Two classes that are there anyway need no name.
    if chosen is None and len(values) == 2 and (wants == "pair" or data.class_names):
        chosen = values.tolist()
    if chosen is not None:
        if len(chosen) != 2 or chosen[0] == chosen[1]:
            raise ValueError(f"classes must be two for loss {loss}, got {classes}")
        return data if chosen == [-1.0, 1.0] == values.tolist() else class_pair(data, *chosen)
    if wants == "pair" or data.class_names:
        raise ValueError(_which_two(data, loss, values))
    return data


def names_of_classes(data: Any, loss: str, classes: str | None) -> tuple[str, ...]:
    """What the classes are called, in the order of the labels that `labelled` gives them.

    Raises ValueError as `labelled` does for classes that are not there.
    """
    wants = WANTS.get(loss, "numbers")
    if not data.has_targets or wants not in ("pair", "classes"):
        return ()
    values = _chosen(data, wants, classes)
    if values is None:
        values = data.distinct_targets().tolist()
    if wants == "classes":
        values = sorted(set(values))
    return tuple(class_word(data, value) for value in values)


def _chosen(data: Any, wants: str, classes: str | None) -> list[float] | None:
    """The values of the classes that are named, or of the usual pair; None where all are meant."""
    if classes == "all":
        return None
    if classes is not None:
        words = classes.split(",")
        return [class_value(data, word.strip(), name="classes") for word in words]
    if wants == "classes":
        return None
    return list(USUAL_PAIR.get(data.name, ())) or None


def _insist_on_no_targets(data: Any, loss: str, classes: str | None) -> None:
    """ValueError where data without targets are to have some."""
    if classes is not None:
        raise ValueError(f"classes must be given for data with targets, {data.name} has none")
    if WANTS.get(loss, "numbers") != "none":
        raise ValueError(f"data must have targets for loss {loss}, {data.name} has none")


def _which_two(data: Any, loss: str, values: np.ndarray) -> str:
    """What to say where a loss takes two classes, and the data have other numbers of them."""
    names = data.class_names or tuple(f"{value:g}" for value in values)
    if len(names) < 2:
        return f"data must have two classes for loss {loss}, {data.name} has one: {names[0]}"
    return (
        f"classes must be two of the {len(names)} of {data.name} for loss {loss}, such as "
        f"{names[0]},{names[-1]}"
    )
