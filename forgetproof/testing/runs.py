"""Statements held against runs of their experiments on data at hand, and against other runs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bounds import Statement
    from simulators.runs.experiment import Run
    from verify.observed import Held

VARIANTS = 4  # other runs of each sample, in the full profile
SEEDS = 10**6  # of which their seeds are
FACTORS = (1.0, 0.5, 3.0)  # on their noise


def survive(found: list[Held]) -> None:
    """Some run is held against a form, and none contradicts what is expected to hold."""
    __tracebackhide__ = True
    _not_contradicted(found)
    whys = "; ".join(dict.fromkeys(each.why for each in found))
    assert any(each.found for each in found), f"no run is held against a form: {whys}"


def _not_contradicted(found: Iterable[Held]) -> None:
    __tracebackhide__ = True
    from verify.readings import is_green
    from verify.search.finding import expected_word

    for each in found:
        for c in each.found:
            word = expected_word(each.statement, c.reading, c.form) or ""
            assert not (c.violated and is_green(word)), (
                f"{each.statement.id} {c.reading}.{c.form} (expected: {word}): "
                f"{c.measured!r} {c.relation} {c.bound!r} fails: {c.instance} {dict(c.inputs)}"
            )


def told_apart(found: Iterable[Held]) -> None:
    """The runs contradict the forms at a billionth of their size."""
    __tracebackhide__ = True
    from verify.evidence import violates

    far = {"<=": 1e-9, ">=": 1e9, "==": 1e-9}
    compared = (c for each in found for c in each.found)
    assert any(
        violates(c.measured, far[c.relation] * c.bound, c.relation, c.tolerance) for c in compared
    ), "the forms hold at a billionth of their size"


def run_again(statement: Statement, scale: float, seed: int) -> None:
    """Other runs of every sample: they are the same ones for all statements, and run once."""
    __tracebackhide__ = True
    from verify import checks
    from verify.context import Context
    from verify.observed import experiments, holding

    kinds, count = experiments(statement), 0
    for observation in checks.check(statement).observed:
        for name in kinds[observation.experiment].samples:
            for other, factor in variants(name, seed):
                run = _run(observation.experiment, name, other, factor)
                ctx = Context(statement, seed=other, scale=scale)
                label = f"{name}, seed {other}, noise times {factor:g}"
                _not_contradicted(holding(ctx, observation, run, label))
                count += 1
    print(f"{statement.id}: held against {count} other runs")


def variants(name: str, seed: int) -> list[tuple[int, float]]:
    """Seeds, all different, and factors of the noise at which a sample is run again."""
    rng = np.random.default_rng([seed, *name.encode()])
    seeds = 1 + rng.choice(SEEDS, VARIANTS, replace=False)
    return list(zip(seeds.tolist(), rng.choice(FACTORS, VARIANTS).tolist(), strict=True))


@cache
def _run(experiment: str, name: str, seed: int, factor: float) -> Run:
    """A run on data at hand with its noise, where it has one, times a factor."""
    from bounds.declared import EXPERIMENTS

    kind = EXPERIMENTS.get(experiment)
    settings = {**kind.samples[name], "seed": seed, "device": "cpu"}
    if settings.get("sigma"):
        settings["sigma"] *= factor
    run: Run = kind(**settings).run()
    return run
