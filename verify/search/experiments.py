"""Searching over experiments: a claim's check under many seeds, and its most extreme comparison."""

import time
from collections.abc import Iterator

from bounds import Statement
from verify import checks
from verify.context import COMPARISONS, ERROR_BUDGET, Context
from verify.evidence import Comparison
from verify.search.finding import Finding, expected_word
from verify.search.slack import slack


def extremes(
    claim: Statement,
    wanted: set[tuple[str, str]],
    *,
    seconds: float,
    runs: int,
    seed: int = 0,
    scale: float = 1.0,
) -> Iterator[Finding]:
    """The most extreme comparison of each wanted (reading, form) over several runs of the check.

    All sampled comparisons of these runs share the error budget of 1e-6, so that a violation is
    significant although it was selected; runs end when the budget or the seconds do.
    """
    best: dict[tuple[str, str], tuple[bool, float, Comparison]] = {}
    counts: dict[tuple[str, str], int] = {}
    sampled, deadline = 0, time.monotonic() + seconds
    for run in range(runs):
        context = Context(claim, seed=seed + run, scale=scale)
        for item in checks.check(claim)(context):
            if not isinstance(item, Comparison) or item.role != "bound":
                continue
            key = item.reading, item.form
            if item.basis == "statistical":
                sampled += item.count
            if key in wanted and sampled <= COMPARISONS:
                counts[key] = counts.get(key, 0) + item.count
                score = slack(item.measured, item.bound, item.relation)
                if key not in best or (item.violated, score) > best[key][:2]:
                    best[key] = item.violated, score, item
            if time.monotonic() > deadline:
                break
        if time.monotonic() > deadline or sampled > COMPARISONS:
            break
    for key in sorted(best):
        violated, score, item = best[key]
        level = ERROR_BUDGET if item.basis == "statistical" else None
        yield Finding(
            claim=claim.id,
            reading=item.reading,
            form=item.form,
            kind="extreme comparison" if violated else "none",
            relation=item.relation,
            inputs=item.inputs,
            measured=item.measured,
            bound=item.bound,
            slack=score,
            basis=item.basis,
            evaluations=counts[key],
            level=level,
            expected=expected_word(claim, *key),
            note=item.instance,
            script=item.script,
        )
