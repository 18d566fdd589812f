"""What can be searched of a claim, read off its own check.

Its interpretation says which relation a form must satisfy, and inside which hypotheses; the check's
first comparisons say of which forms its exact side is the left side. Where a claim has no exact
side, a form
that its check found attained stands in for the truth: a form that contradicts it is *inconsistent*
with it, which is evidence, and not a counterexample.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from bounds import Statement
from verify import checks
from verify.checks import Limit
from verify.context import Context
from verify.evidence import Comparison
from verify.interpretations import is_green
from verify.search.domain import Domain, Point, domain
from verify.search.finding import expected_word
from verify.search.limit import Late, limit
from verify.search.slack import ROUNDING, SlackTarget, slack, taken

SAME = 1e-9
SECONDS = 600.0  # for callers who would rather wait than learn less on a busy machine
STARTS = 40
COMPARISONS = 12  # of a check, enough to learn what most exact sides are the left side of
CONSTANT = "constant of the O"
"""How the meaning begins of a symbol of which the statement says only that it is there."""


def targets(
    claim: Statement, *, seed: int = 0, seconds: float = SECONDS, most: int | None = None
) -> list[SlackTarget]:
    """All that can be searched of a claim, in the order of its interpretations and forms.

    Runs the claim's quick check for at most `seconds`, or until it made `most` comparisons, to
    learn relations, interpretations and inputs; whatever else it needs may take as long again, or
    nothing is found.
    """
    if not claim.forms:
        return []
    compared = _comparisons(claim, seed, seconds, most)
    limits = checks.check(claim).limits
    comparisons = [c for c in compared if _searchable(limits.get(c.interpretation), c.form)]
    try:
        with limit(seconds):
            return _targets(claim, comparisons)
    except Late:
        return []


def expected_to_hold(claim: Statement, most: int | None = COMPARISONS) -> list[SlackTarget]:
    """The forms that are expected to hold and have the check's exact side as their left side.

    The constant of an O() is there for all other inputs: it stays at the largest that the check,
    which knows it, took.
    """
    return [
        _with_constants(target)
        for target in targets(claim, most=most)
        if target.source == "measure"
        and is_green(expected_word(claim, target.interpretation, target.form) or "")
    ]


def _with_constants(target: SlackTarget) -> SlackTarget:
    """The target whose constants of an O() do not vary."""
    names = [n for n, s in target.claim.symbols.items() if s.meaning.startswith(CONSTANT)]
    constants = {n: max(at[n] for at in target.starts) for n in names if n in target.domain.names}
    if not constants or not target.starts:
        return target
    where = target.domain
    free = tuple(axis for axis in where.axes if axis.symbol.name not in constants)
    where = replace(where, axes=free, fixed=(*where.fixed, *constants.items()))

    def kept(points: Iterable[Point]) -> tuple[Point, ...]:
        completed = (where.complete({**at, **constants}) for at in points)
        return tuple(at for at in completed if where.admits(at))

    return replace(target, domain=where, starts=kept(target.starts), closest=kept(target.closest))


def _searchable(limit: Limit | None, form: str) -> bool:
    """Whether the exact side is the left side of this form."""
    return limit is None or (limit.searchable and form not in limit.others)


def _targets(claim: Statement, comparisons: list[Comparison]) -> list[SlackTarget]:
    # Equal somewhere suffices to certify at that point; a stand-in for the truth must be so
    # everywhere.
    somewhere = {
        r.name: _attained(claim, r.name, r.forms, comparisons, any) for r in claim.interpretations
    }
    throughout = {
        r.name: _attained(claim, r.name, r.forms, comparisons, all) for r in claim.interpretations
    }
    exact_side = checks.check(claim).exact_side
    target_by_key: dict[tuple[str, str], SlackTarget] = {}
    # Measured targets first: a form with an exact side needs no stand-in.
    for comparison in comparisons:
        key = comparison.interpretation, comparison.form
        if key in target_by_key or exact_side is None or not _linked(claim, exact_side, comparison):
            continue
        likeness = replace(comparison, relation=claim.interpretation(key[0]).relations[key[1]])
        target_by_key[key] = _target(
            claim,
            likeness,
            exact_side,
            "measure",
            somewhere[comparison.interpretation],
            comparisons,
        )
    for comparison in comparisons:
        key = (comparison.interpretation, comparison.form)
        truth = throughout[comparison.interpretation]
        if (
            key in target_by_key
            or truth in (None, comparison.form)
            or not _prints(claim, comparison)
        ):
            continue
        likeness = replace(comparison, relation=claim.interpretation(key[0]).relations[key[1]])
        target_by_key[key] = _target(claim, likeness, claim[truth], truth, truth, comparisons)
    order = [(r.name, f) for r in claim.interpretations for f in r.forms]
    return sorted(target_by_key.values(), key=lambda t: order.index((t.interpretation, t.form)))


def _comparisons(claim: Statement, seed: int, seconds: float, most: int | None) -> list[Comparison]:
    comparisons: list[Comparison] = []
    with suppress(Late), limit(seconds):
        for evidence in islice(checks.check(claim)(Context(claim, seed=seed)), most):
            if isinstance(evidence, Comparison) and evidence.role == "bound":
                comparisons.append(evidence)
    return comparisons


def _prints(claim: Statement, comparison: Comparison) -> bool:
    """Whether the comparison's bound is the form at its inputs, and not another number."""
    form = claim.forms.get(comparison.form)
    if form is None:
        return False
    try:
        arguments = {k: v for k, v in comparison.inputs.items() if k in form.arguments}
        value = float(form(**arguments))
    except (ValueError, TypeError):
        return False
    return math.isclose(value, comparison.bound, rel_tol=SAME)


def _linked(claim: Statement, left: Callable[..., Any], comparison: Comparison) -> bool:
    """Whether this comparison is of `measure` at its inputs with the form at its inputs."""
    if not _prints(claim, comparison):
        return False
    try:
        value = float(left(**taken(left, comparison.inputs, None)))
    except (ValueError, TypeError, ArithmeticError, IndexError):
        return False
    return value == comparison.measured or math.isclose(value, comparison.measured, rel_tol=SAME)


def _attained(
    claim: Statement,
    interpretation: str,
    forms: tuple[str, ...],
    comparisons: list[Comparison],
    how: Callable[[Iterable[bool]], bool],
) -> str | None:
    """The last form that unviolated comparisons "==" (any, or all) found equal to the truth."""
    for form in reversed(forms):
        mine = [c for c in comparisons if (c.interpretation, c.form) == (interpretation, form)]
        equal = (c.relation == "==" and _prints(claim, c) for c in mine)
        if mine and not any(c.violated for c in mine) and how(equal):
            return form
    return None


def _target(
    claim: Statement,
    like: Comparison,
    left: Callable[..., Any],
    source: str,
    attained: str | None,
    comparisons: list[Comparison],
) -> SlackTarget:
    arguments = set(claim[like.form].arguments)
    parameters = inspect.signature(left).parameters if source == "measure" else ()
    names = arguments | (set(parameters) & claim.symbols.keys())
    if source != "measure":
        names |= set(claim[source].arguments)
    elif any(p.kind is p.VAR_KEYWORD for p in inspect.signature(left).parameters.values()):
        names |= claim.symbols.keys()
    # Arguments of the experiment alone have no range here: they stay as the check had them.
    fixed = {
        name: like.inputs[name]
        for name in parameters
        if name not in claim.symbols and name in like.inputs
    }
    limit = checks.check(claim).limits.get(like.interpretation)
    where = domain(
        claim,
        names,
        where=(*claim.interpretation(like.interpretation).where, *(limit.where if limit else ())),
        fixed=fixed,
        within=limit.within if limit else None,
    )
    takes_seed = "seed" in parameters
    defaults = _defaults(left) | _defaults(claim[like.form].value)
    mine = [
        c for c in comparisons if (c.interpretation, c.form) == (like.interpretation, like.form)
    ]
    near = max(mine, key=lambda c: slack(c.measured, c.bound, like.relation), default=like)
    return SlackTarget(
        claim,
        like.interpretation,
        like.form,
        like.relation,
        like.tolerance,
        like.basis,
        left,
        source,
        where,
        attained,
        0 if takes_seed else None,
        _starts(claim, where, comparisons, defaults),
        _noise(limit),
        _starts(claim, where, [near], defaults)[:1],
    )


def _noise(limit: Limit | None) -> Callable[[Mapping[str, Any]], float]:
    """The absolute error of an exact side at inputs: 0 unless it subtracts rounded numbers."""
    size = limit.size if limit else None
    return (lambda point: ROUNDING * size(point)) if size else (lambda point: 0.0)


def _starts(
    claim: Statement, where: Domain, comparisons: list[Comparison], defaults: Point
) -> tuple[Point, ...]:
    """The inputs of comparisons and of the plot that lie in the domain, the check's first."""
    natural = claim.plot
    plotted = [{**natural.inputs, natural.symbol: v} for v in natural.values] if natural else []
    examples: list[Mapping[str, Any]] = [c.inputs for c in comparisons]
    starts: dict[str, Point] = {}
    for example in (*examples[:STARTS], *plotted[:: max(1, len(plotted) // STARTS)]):
        inputs = {**defaults, **example}
        if any(axis.symbol.name not in inputs for axis in where.axes):
            continue
        plain = {a.symbol.name: _plain(inputs[a.symbol.name], a.symbol.kind) for a in where.axes}
        point = where.complete(plain | dict(where.fixed))
        if all(axis.takes(point[axis.symbol.name]) for axis in where.axes) and where.admits(point):
            starts.setdefault(repr(sorted(point.items())), point)
    return tuple(starts.values())


def _defaults(function: Callable[..., Any]) -> Point:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _plain(value: Any, kind: str) -> Any:
    """The value without numpy's types, whole numbers as such, a lone entry as a list of one."""
    plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if kind == "list" and np.ndim(plain) == 0:
        plain = [plain]
    return int(plain) if kind == "integer" and np.ndim(plain) == 0 and plain % 1 == 0 else plain
