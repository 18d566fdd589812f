"""Every form twice: its numpy function against its symbolic expression with 50 digits."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

import bounds
from bounds import Formula
from bounds.formula import Form
from bounds.symbols import Symbol

TRIES = 400
POINTS = 8
TOLERANCE = 1e-10


def draw(symbol: Symbol, rng: np.random.Generator) -> Any:
    """A random value in the range of one symbol, small enough for exact arithmetic."""
    if symbol.kind == "hits":
        return {int(j): int(rng.integers(1, 4)) for j in rng.choice(3, size=2, replace=False)}
    if symbol.kind == "list":
        low, high = symbol.typical
        values = rng.choice(np.arange(int(low), int(high) + 1), size=4, replace=False)
        return [int(k) for k in (np.sort(values) if symbol.increasing else values)]
    if symbol.kind == "integer":
        top = min(symbol.high, symbol.low + 40) if np.isfinite(symbol.low) else 40
        return int(rng.integers(int(max(symbol.low, 0)), int(top) + 1))
    if np.isfinite(symbol.low) and np.isfinite(symbol.high):
        return float(rng.uniform(symbol.low, symbol.high))
    if np.isfinite(symbol.low):
        return float(symbol.low + np.exp(rng.uniform(-5, 2)))
    return float(rng.normal())


def corner(symbol: Symbol, rng: np.random.Generator) -> Any:
    """An end of the range that belongs to it, where formulas branch; else a random value."""
    ends = [symbol.low, symbol.low + 1] if symbol.kind == "integer" else [symbol.low]
    chosen = [end for end in ends if np.isfinite(end) and not symbol.low_open]
    if np.isfinite(symbol.high) and not symbol.high_open:
        chosen.append(symbol.high)
    if symbol.infinite:
        chosen.append(np.inf)
    if not chosen or symbol.kind in ("list", "hits"):
        return draw(symbol, rng)
    return float(rng.choice(chosen))


def admissible(
    formula: Formula, form: Form, rng: np.random.Generator, corners: float = 0.0
) -> dict[str, Any]:
    """Random inputs inside every range and hypothesis of the form. RuntimeError if none is met.

    Each symbol takes an end of its range with the probability `corners`.
    """
    for _ in range(TRIES):
        inputs = {
            name: (corner if rng.uniform() < corners else draw)(formula.symbols[name], rng)
            for name in form.arguments
        }
        try:
            form.validate(inputs)
        except ValueError:
            continue
        return inputs
    raise RuntimeError(f"no admissible inputs found for {formula.id} {form.name}")


def disagreement(formula: Formula, form: Form, points: int = POINTS) -> dict[str, Any] | None:
    """Inputs at which the function and the expression differ; None if they agree everywhere tried.

    Every other point takes some of the ends of its ranges. Forms without an expression agree with
    themselves.
    """
    if form.expr is None:
        return None
    rng = np.random.default_rng(zlib.crc32(f"{formula.id}.{form.name}".encode()))
    for point in range(points):
        inputs = admissible(formula, form, rng, corners=0.3 * (point % 2))
        try:
            exact = form.exact(**inputs)
            found = float(form(**inputs))
        except (ValueError, TypeError):
            if point % 2:  # the expression has no value at this end, or the function refuses it
                continue
            raise
        if str(exact) in ("nan", "zoo") and point % 2:
            continue
        if exact.is_infinite:
            same = found == np.inf
        elif abs(exact) < 1e-300:
            same = abs(found) < 1e-290
        else:
            same = bool(abs(float(found / exact) - 1) < TOLERANCE)
        if not same:
            return inputs
    return None


def first_disagreement(ids: Iterable[str]) -> str | None:
    """The first form of these ids that differs from its expression, said in one line."""
    for id in ids:
        if id not in bounds.ids():
            continue
        formula = bounds.get(id)
        for form in formula.forms.values():
            inputs = disagreement(formula, form)
            if inputs is not None:
                return f"{id} {form.name} differs from its expression at {inputs}"
    return None
