"""A claim's evidence as a picture: what was measured against what is claimed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np

import bounds
import verify.plots.axis_labels as axis_labels
from bounds import Statement
from verify import checks
from verify.context import Context
from verify.evidence import Comparison
from verify.measurements import on_data
from verify.plots.picture import EXPERIMENT, Curve, Picture
from verify.plots.points import unmarked
from verify.plots.verdict import Told

UNMEASURED = (ArithmeticError, TypeError, IndexError, MemoryError, np.linalg.LinAlgError)
FIRST = 40  # comparisons that are made where no check was run
APART = 1.01  # ratio below which bounds are one number
SPREAD = 100.0  # ratio of the ends from which on the axes are logarithmic


def picture(claim: Statement, told: Told) -> Picture:
    """Each comparison of the interpretation and form that decide as a point, measured against
    claimed.

    Where what is claimed is one number, the comparisons stand in their order instead.

    Raises:
        ValueError: nothing was compared.
    """
    selection = comparisons(claim, told)
    low, high = selection[0].bound, selection[-1].bound
    # Bounds that are all one number make no axis: the comparisons stand in their order.
    one = low == high or (low > 0 and high < APART * low)
    xs = [float(i) for i in range(1, len(selection) + 1)] if one else [c.bound for c in selection]
    ys = [c.measured for c in selection]
    curves = (
        Curve(selection[0].form, tuple(xs), tuple(c.bound for c in selection)),
        *_others(claim, selection, xs),
        Curve(EXPERIMENT, tuple(xs), tuple(ys)),
    )
    marks = sorted({(x, c.measured) for x, c in zip(xs, selection, strict=True) if c.violated})
    sizes = [abs(v) for c in curves for v in c.y]
    # Logarithmic only where everything is positive and the ends are far apart.
    log = min(c.measured for c in selection) > 0 and low > 0 and max(sizes) > SPREAD * min(sizes)
    return Picture(
        claim.id,
        claim.label,
        "comparisons in their order [-]"
        if one
        else axis_labels.of_claimed(claim, selection[0].form),
        axis_labels.of_measured(claim),
        _instances(selection),
        log and not one,
        log,
        curves,
        bounds.paper(claim.paper).cited,
        judged=selection[0].form,
        relation=selection[0].relation,
        marks=tuple(marks),
        tolerance=min(
            (c.tolerance for c in selection if c.violated), default=selection[0].tolerance
        ),
        note="" if marks or not told.refutes else unmarked(told),
        basis=basis(selection),
    )


def basis(compared: Sequence[Comparison]) -> str:
    """How comparisons were measured, in words; limits of sampled ones by their level."""
    words = []
    for kind in dict.fromkeys(c.basis for c in compared):
        levels = {c.level for c in compared if c.basis == kind and c.level is not None}
        limits = f" confidence limits, error probability {min(levels):.2g}" if levels else ""
        words.append(f"{kind}{limits}")
    return ", ".join(words)


def comparisons(claim: Statement, told: Told) -> list[Comparison]:
    """Those of the interpretation and form that decide, or of the first that have any; by their
    bounds.

    Raises:
        ValueError: nothing was compared.
    """
    compared = told.evidence or tuple(islice(_compared(claim), FIRST))
    mine = [c for c in compared if math.isfinite(c.measured) and math.isfinite(c.bound)]
    selection = [c for c in mine if (c.interpretation, c.form) == told.key] or mine
    if not selection:
        raise ValueError(f"{claim.id} has no variable to plot over, and nothing was compared")
    # Interpretations and relations do not mix in one picture; that of a violation comes first.
    first = _kind(next((c for c in selection if c.violated), selection[0]))
    return sorted((c for c in selection if _kind(c) == first), key=lambda c: (c.bound, c.measured))


def _kind(compared: Comparison) -> tuple[str, str, str]:
    """What the points of one picture have in common: one side of one form is violated."""
    return compared.interpretation, compared.form, compared.relation


def _others(claim: Statement, found: Sequence[Comparison], xs: Sequence[float]) -> Iterator[Curve]:
    """Its other forms at the inputs of the comparisons, where these are all they need."""
    for name in claim.interpretation(found[0].interpretation).forms:
        if name == found[0].form or name not in claim.forms:
            continue
        form, ys = claim[name], []
        for c in found:
            with suppress(ValueError, *UNMEASURED), np.errstate(all="ignore"):
                ys.append(float(form(**{k: v for k, v in c.inputs.items() if k in form.arguments})))
        if len(ys) == len(found) and all(map(math.isfinite, ys)):
            yield Curve(name, tuple(xs), tuple(ys))


def _instances(found: Sequence[Comparison]) -> str:
    words = list(dict.fromkeys(c.instance for c in found))
    more = f", and {len(words) - 1} more" if len(words) > 1 else ""
    return f"{words[0]}{more}"


def _compared(claim: Statement) -> Iterator[Comparison]:
    """What the claim's check compares, then its runs on data."""
    for context in (checks.check(claim), on_data):
        for item in context(Context(claim)):
            if isinstance(item, Comparison) and item.role != "control":
                yield item
