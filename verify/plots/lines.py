"""Over what a claim is drawn: its declared variable, or any symbol at inputs that are drawn.

Inputs come from what contradicts the claim, or are drawn from the ranges of its symbols and inside
the hypotheses of the interpretation, as a search draws them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

import bounds
import verify.plots.axis_labels as axis_labels
from bounds import Statement, Symbol
from bounds.forms import Sentence
from verify import checks
from verify.evidence import Comparison
from verify.plots.verdict import Told
from verify.search.coordinates import Axis
from verify.search.domain import Domain, domain

POINTS = 33
DECADES = 2.0  # to both sides of a number without an upper end
UPWARDS = 1.0  # of a count: what is drawn takes as many steps, or their square
REACH = 5.0  # decades that the form may move from where it started
DRAWS = 12
FEWEST = 3
LOGARITHMIC = 30.0  # ratio of the ends from which on an axis is
Inputs = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """Points of one variable, and the inputs at each of them.

    `log_y` is None where the values decide.
    """

    symbol: str
    points: tuple[float, ...]
    at: Callable[[float], Inputs]
    fixed: Mapping[str, Any]
    label: str
    log_x: bool
    log_y: bool | None = None


def declared(claim: Statement, changed: Mapping[str, Any]) -> Line:
    """Over the statement's own variable. Raises ValueError for inputs that it does not have."""
    assert claim.plot is not None
    natural = claim.plot
    names = {natural.symbol, *natural.inputs, *claim.symbols}
    insist_known(claim, changed, names)
    fixed = {**natural.inputs, **changed}
    fixed.pop(natural.symbol, None)
    points = chosen(natural.symbol, changed.get(natural.symbol, natural.values))
    return Line(
        natural.symbol,
        points,
        lambda x: _with_batches({**fixed, natural.symbol: x}),
        fixed,
        axis_labels.of_symbol(claim, natural.symbol),
        natural.log_x,
        natural.log_y,
    )


def drawn(
    claim: Statement, told: Told, over: str | None, changed: Mapping[str, Any]
) -> Line | None:
    """Over a symbol (the first over which the forms vary, by default), at inputs of the
    interpretation.

    None where there is nothing over which a form varies. Raises ValueError for a symbol or inputs
    that the claim does not have.
    """
    insist_known(claim, changed, set(claim.symbols))
    names = _arguments(claim)
    if over is not None and over not in names:
        raise ValueError(f"over must be one of {', '.join(names)} in {claim.id}, got {over!r}")
    where = domain(claim, names, where=claim.interpretation(told.interpretation).where)
    fixed_inputs = {k: v for k, v in changed.items() if k != over}
    for inputs in _instances(where, told, fixed_inputs):
        for symbol in (over,) if over else _order(claim, names):
            # A number that the caller fixed is no variable, unless it is asked for.
            if over is None and symbol in fixed_inputs and np.ndim(fixed_inputs[symbol]) == 0:
                continue
            line = _over(where, told.form, symbol, inputs, changed.get(symbol))
            if over and symbol in changed:
                return line
            if line and _varies(claim, told.form, line):
                return line
    return None


def through(
    claim: Statement, told: Told, compared: Sequence[Comparison], preferred: str | None = None
) -> Iterator[Line]:
    """Lines through what was compared with the form that decides, over one of its symbols."""
    names = _arguments(claim)
    where = domain(claim, names, where=claim.interpretation(told.interpretation).where)
    for comparison in compared[:FEWEST]:
        inputs = {k: _plain(v) for k, v in comparison.inputs.items()}
        if not set(claim[told.form].arguments) - claim[told.form].optional <= inputs.keys():
            continue
        order = _order(claim, [n for n in names if n in inputs])
        for symbol in dict.fromkeys((*([preferred] if preferred in inputs else []), *order)):
            line = _over(where, told.form, symbol, inputs, None)
            if line and _varies(claim, told.form, line):
                yield line
                break


def insist_known(claim: Statement, changed: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raises ValueError for inputs that the claim does not have, or of another shape."""
    if unknown := sorted(changed.keys() - set(known)):
        raise ValueError(
            f"{unknown[0]} is not an input of {claim.id}; its inputs are {', '.join(sorted(known))}"
        )
    variable = claim.plot.symbol if claim.plot else None
    for name in changed.keys() - {variable}:
        kind = claim.symbols[name].kind if name in claim.symbols else "real"
        if kind in ("real", "integer") and not isinstance(changed[name], int | float):
            raise ValueError(f"{name} must be a single number in a plot, got {changed[name]!r}")


def chosen(symbol: str, points: Any) -> tuple[float, ...]:
    """The points of the variable. Raises ValueError unless they are two numbers or more."""
    if not isinstance(points, list | tuple) or len(points) < 2:
        raise ValueError(
            f"{symbol} is the variable of the plot: it must be a list of at least two "
            f"numbers, such as [1, 2, 5], got {points!r}"
        )
    return tuple(float(p) for p in points)


def _arguments(claim: Statement) -> list[str]:
    """The arguments of all forms and of the exact side, in the statement's order."""
    names = {a for form in claim.forms.values() for a in form.arguments}
    exact_side = checks.check(claim).exact_side if checked(claim) else None
    names |= set(signature(exact_side).parameters) if exact_side else set()
    return [n for n in claim.symbols if n in names]


def checked(claim: Statement) -> bool:
    """Whether its paper has checks."""
    return bool(bounds.paper(claim.paper).checks)


def _order(claim: Statement, names: Sequence[str]) -> list[str]:
    """What most forms take first; of those counts, then numbers, then lists."""
    rank = {"integer": 0, "real": 1, "list": 2}
    use_counts = {n: sum(n in form.arguments for form in claim.forms.values()) for n in names}
    ordered = sorted(names, key=lambda n: (-use_counts[n], rank.get(claim.symbols[n].kind, 3)))
    return [n for n in ordered if claim.symbols[n].kind in rank]


def _instances(where: Domain, told: Told, held: Mapping[str, Any]) -> Iterator[Inputs]:
    """Complete inputs: those that decide, then ones that are drawn, with the changes made."""
    names = set(where.names)
    for comparison in told.evidence[:FEWEST]:
        inputs = {k: _plain(v) for k, v in comparison.inputs.items()} | dict(held)
        if names <= inputs.keys() and _listed(where, inputs):
            yield inputs
    # The same draws each time: a page must not change with every run.
    rng = np.random.default_rng(zlib.crc32(where.statement.id.encode()))
    space = Domain(
        where.statement,
        tuple(a for a in where.axes if a.symbol.name not in held),
        where.where,
        tuple((k, v) for k, v in held.items() if k in names),
    )
    for _ in range(DRAWS):
        try:
            yield space.decode(space.sample(rng))
        except ValueError:
            return


def _listed(where: Domain, inputs: Inputs) -> bool:
    """Whether lists are lists: a check may compare at one entry."""
    kinds = {name: where.statement.symbols[name].kind for name in where.names}
    return all(np.ndim(inputs[name]) == 1 for name, kind in kinds.items() if kind == "list")


def _over(where: Domain, form: str, name: str, inputs: Inputs, given: Any) -> Line | None:
    """The line over one symbol through these inputs, as far as the hypotheses reach."""
    claim = where.statement
    symbol = claim.symbols[name]
    fixed = {k: v for k, v in inputs.items() if k != name}
    label = axis_labels.of_symbol(claim, name)
    if symbol.kind == "list":
        length = len(inputs[name])
        # Lists of one length belong together entry by entry: they are cut together.
        alike = [k for k, v in inputs.items() if np.ndim(v) == 1 and len(v) == length]
        points = chosen(name, given) if given else tuple(map(float, range(1, length + 1)))
        points = (
            points
            if len(points) <= POINTS
            else tuple(sorted({float(round(x)) for x in np.geomspace(1, length, POINTS)}))
        )
        fixed = {k: v for k, v in inputs.items() if k not in alike}
        label = axis_labels.of_entries(claim, alike)
        fixed_inputs = {**fixed, **{k: inputs[k] for k in alike}}
        # Over the entries: the point is how many of them there are.
        return Line(name, points, _prefixes(inputs, alike), fixed_inputs, label, False)

    def at(x: float) -> Inputs:
        value = int(x) if symbol.kind == "integer" and math.isfinite(x) else x
        # Hypotheses that determine other arguments apply at every point.
        return where.complete({**inputs, name: value})

    if given:
        inside = list(chosen(name, given))
    else:
        start = float(inputs[name])
        inside = _near(where, name, at, form, start, _spread(symbol, start))
        if len(inside) < FEWEST:
            return None
    # Over a half-infinite range with a large ratio of ends.
    log = inside[0] > 0 and inside[-1] > LOGARITHMIC * inside[0] and math.isinf(symbol.high)
    constants = {k: v for k, v in fixed.items() if _same(at, inside, k)}
    return Line(name, tuple(inside), at, constants, label, log)


def _near(
    where: Domain,
    name: str,
    at: Callable[[float], Inputs],
    form: str,
    start: float,
    tried: Sequence[float],
) -> list[float]:
    """Admissible points among those tried, or between them, at which the form is not far away."""
    value = _value(where.statement, form, at(start))

    def kept(points: Sequence[float]) -> list[float]:
        inside = [x for x in points if _admitted(where, at(x), name, x)]
        if not value > 0:
            return inside
        there = {x: _value(where.statement, form, at(x)) for x in inside}
        return [
            x
            for x, y in there.items()
            if not math.isfinite(y) or (y > 0 and abs(math.log10(y / value)) <= REACH)
        ]

    admissible_points = kept(tried)
    # Most of what was tried is not admitted: more points between the ends of what is.
    if FEWEST <= len(admissible_points) < len(tried) / 2:
        low, high = admissible_points[0], admissible_points[-1]
        between = np.geomspace(low, high, POINTS) if low > 0 else np.linspace(low, high, POINTS)
        whole = where.statement.symbols[name].kind == "integer"
        more = {float(round(x)) if whole else x for x in between.tolist()[1:-1]}
        admissible_points = kept(sorted({low, high, start, *more}))
    return admissible_points


def _value(claim: Sentence, form: str, inputs: Inputs) -> float:
    """Of a form; NaN where it has none."""
    body = claim.forms[form]
    try:
        return float(body(**{k: v for k, v in inputs.items() if k in body.arguments}))
    except (ValueError, ArithmeticError, TypeError):
        return math.nan


def _prefixes(inputs: Inputs, alike: Sequence[str]) -> Callable[[float], Inputs]:
    return lambda x: {**inputs, **{k: list(inputs[k])[: int(x)] for k in alike}}


def _admitted(where: Domain, point: Inputs, name: str, x: float) -> bool:
    """Whether the inputs are the interpretation's, and still at this value: nothing fixes it."""
    inputs = {k: v for k, v in point.items() if k in where.statement.symbols}
    # A hypothesis may determine this very symbol: then it does not stand at x.
    return point[name] == x and where.admits(inputs)


def _same(at: Callable[[float], Inputs], points: Sequence[float], name: str) -> bool:
    first = at(points[0]).get(name)
    last = at(points[-1]).get(name)
    return repr(first) == repr(last)


def _spread(symbol: Symbol, start: float) -> list[float]:
    """Values around one, inside its range, in order; the one itself among them."""
    if math.isinf(start):
        return []
    units = np.linspace(0, 1, POINTS)
    if math.isfinite(symbol.low) and math.isfinite(symbol.high) and symbol.kind == "real":
        values = {Axis(symbol).decode([u]) for u in units.tolist()}
    elif start > 0:
        up = UPWARDS if symbol.kind == "integer" else DECADES
        values = set(np.geomspace(start * 10**-DECADES, start * 10**up, POINTS).tolist())
    else:
        half_width = max(1.0, 2 * abs(start))
        values = set((start + half_width * (2 * units - 1)).tolist())
    if symbol.kind == "integer":
        values = {float(round(x)) for x in values}
    inside = []
    for x in {*values, start}:
        with suppress(ValueError):
            symbol.validate(x)
            inside.append(float(x))
    return sorted(inside)


def _varies(claim: Statement, form: str, line: Line) -> bool:
    """Whether the form has values at several points, and not all the same."""
    # About six points tell whether anything changes.
    some = line.points[:: max(1, len(line.points) // 6)]
    values = {_value(claim, form, line.at(x)) for x in some}
    return sum(map(math.isfinite, values)) >= min(FEWEST, len(line.points))


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _with_batches(inputs: Inputs) -> Inputs:
    if {"n", "b"} <= inputs.keys():
        inputs.setdefault("J", inputs["n"] / inputs["b"])
    return inputs
