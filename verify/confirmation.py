"""What a check finds, and finds again where sampling has found a violation."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from bounds import Statement
from simulators.device.default import computing_on
from verify import checks
from verify.context import Context
from verify.evidence import Comparison, Evidence
from verify.extremes import on_extremes
from verify.measurements import on_data

RETEST = 0x7E57  # spawn key of the streams on which selected extremes are drawn again


def confirmed(claim: Statement, context: Context) -> list[Evidence]:
    """The check's evidence; what sampling found violated counts only if fresh samples agree.

    The extreme of many samples is selected for being extreme. It is therefore drawn again, from
    streams that the first run has not touched, and the second number is the one that is kept.
    """
    evidence = evidence_of(claim, context)
    if not any(_selected(e) for e in evidence):
        return evidence
    # Only where something was found: a second run costs as much as the first.
    fresh_context = replace(context, seed=again(context.seed))
    redrawn = evidence_of(claim, fresh_context, [e for e in evidence if _selected(e)])
    by_name = dict(zip(_numbered(redrawn, _name), redrawn, strict=True))
    by_form = dict(zip(_numbered(redrawn, _form), redrawn, strict=True))
    # Everything but the selected violations stays as first found: it was not selected.
    return [
        by_name.get(name, by_form.get(form, item)) if _selected(item) else item
        for item, name, form in zip(
            evidence, _numbered(evidence, _name), _numbered(evidence, _form), strict=True
        )
    ]


def evidence_of(
    claim: Statement, context: Context, wanted: Sequence[Comparison] | None = None
) -> list[Evidence]:
    """What data say comes first; then the constructed instances, and the extreme runs.

    wanted: these comparisons have to be among it; None: all.
    """
    with computing_on(context.device):
        if wanted is None:
            return [*on_data(context), *checks.check(claim)(context), *on_extremes(context)]
        of_runs = [e.instance for e in wanted if e.on_data or e.made_rows]
        # Constructed instances are made again only if one of them is wanted.
        built = () if len(of_runs) == len(wanted) else checks.check(claim)(context)
        return [*on_data(context, of_runs), *built, *on_extremes(context, of_runs)]


def again(seed: int) -> int:
    """The seed of the second streams, of 63 bits: larger ones are no seeds of torch."""
    # Two 32-bit words, the first one a bit short: 63 bits.
    state = np.random.SeedSequence(seed, spawn_key=(RETEST,)).generate_state(2)
    return int(state[0] >> 1) << 32 | int(state[1])


def _selected(item: Evidence) -> TypeGuard[Comparison]:
    return (
        isinstance(item, Comparison)
        and item.basis == "statistical"
        and item.role == "bound"
        and item.violated
    )


def _name(item: Evidence) -> tuple[Any, ...]:
    """What a comparison is of, in words."""
    return type(item).__name__, item.interpretation, item.form, getattr(item, "instance", "")


def _form(item: Evidence) -> tuple[Any, ...]:
    """The same where the words of an instance hold what was drawn."""
    return type(item).__name__, item.interpretation, item.form, getattr(item, "on_data", False)


def _numbered(
    evidence: Sequence[Evidence], name: Callable[[Evidence], tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """The name of each, and how many before it have the same: settings may share their words."""
    counts: Counter[tuple[Any, ...]] = Counter()
    keys = []
    for item in evidence:
        keys.append((*name(item), counts[name(item)]))
        counts[name(item)] += 1
    return keys
