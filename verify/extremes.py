"""Runs near the end of what a bound allows: at extreme settings, or on rows made for it.

Rows at hand are seldom as bad as a bound allows, so that an error in the bound would not show in
them. An experiment has extreme runs besides (`Experiment.extremes`), and a check names those to
which its statement is held. What is compared there says whether its rows are at hand or made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bounds import Statement
from simulators.runs.data import AT_HAND
from verify import checks
from verify.context import Context
from verify.evidence import Comparison
from verify.measurements import RunComparisons, experiments, of_run, run_comparisons, sample


def on_extremes(ctx: Context, instances: Iterable[str] | None = None) -> Iterator[Comparison]:
    """The statement against the extreme runs that its check names.

    instances: only against those that these are of.
    """
    for name, outcome in extreme_outcomes(ctx, instances):
        real = at_hand(ctx.claim, name)
        for comparison in outcome.comparisons:
            yield replace(comparison, on_data=real, made_rows=not real)


def extreme_outcomes(
    ctx: Context, instances: Iterable[str] | None = None
) -> Iterator[tuple[str, RunComparisons]]:
    """What each of them says of it, after the name of the run."""
    check, kinds = checks.check(ctx.claim), experiments(ctx.claim)
    for entry in check.measurements:
        for name in kinds[entry.experiment].extremes:
            if name in check.extremes and of_run(name, instances):
                run = sample(entry.experiment, name, ctx.seed, ctx.device)
                for outcome in run_comparisons(ctx, entry, run, name):
                    yield name, outcome


def at_hand(claim: Statement, name: str) -> bool:
    """Whether the extreme run of this name has rows of a data set at hand, not made ones."""
    for kind in experiments(claim).values():
        if name in kind.extremes:
            data = kind.extremes[name].get("data", kind.data)
            return isinstance(data, str) and data in AT_HAND
    raise ValueError(f"name must be an extreme run that {claim.id} is measured by, got {name!r}")
