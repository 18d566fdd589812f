"""Statements compared with runs of their experiments on data at hand, and against other runs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bounds import Statement
    from simulators.runs.experiment import Run
    from verify.measurements import RunComparisons

VARIANTS = 4  # other runs of each sample, in the full profile
SEEDS = 10**6  # of which their seeds are
FACTORS = (1.0, 0.5, 3.0)  # on their noise


def survive(found: list[RunComparisons]) -> None:
    """Some run is compared with a form, and none contradicts what is expected to hold."""
    __tracebackhide__ = True
    _not_contradicted(found)
    whys = "; ".join(dict.fromkeys(each.why for each in found))
    assert any(each.comparisons for each in found), f"no run is compared with a form: {whys}"


def _not_contradicted(found: Iterable[RunComparisons]) -> None:
    __tracebackhide__ = True
    from verify.interpretations import is_green
    from verify.search.finding import expected_word

    for each in found:
        for c in each.comparisons:
            word = expected_word(each.statement, c.interpretation, c.form) or ""
            assert not (c.violated and is_green(word)), (
                f"{each.statement.id} {c.interpretation}.{c.form} (expected: {word}): "
                f"{c.measured!r} {c.relation} {c.bound!r} fails: {c.instance} {dict(c.inputs)}"
            )


def told_apart(found: Iterable[RunComparisons]) -> None:
    """The runs contradict the forms at a billionth of their size."""
    __tracebackhide__ = True
    from verify.evidence import violates

    # On the side where the form must fail: an upper bound shrunk, a lower one blown up.
    far = {"<=": 1e-9, ">=": 1e9, "==": 1e-9}
    compared = (c for each in found for c in each.comparisons)
    assert any(
        violates(c.measured, far[c.relation] * c.bound, c.relation, c.tolerance) for c in compared
    ), "the forms hold at a billionth of their size"


def run_again(statement: Statement, scale: float, seed: int) -> None:
    """Other runs of every sample: they are the same ones for all statements, and run once."""
    __tracebackhide__ = True
    from verify import checks
    from verify.context import Context
    from verify.measurements import experiments, run_comparisons

    kinds, count = experiments(statement), 0
    for measurement in checks.check(statement).measurements:
        for name in kinds[measurement.experiment].samples:
            for other, factor in variants(name, seed):
                run = _run(measurement.experiment, name, other, factor)
                ctx = Context(statement, seed=other, scale=scale)
                label = f"{name}, seed {other}, noise times {factor:g}"
                _not_contradicted(run_comparisons(ctx, measurement, run, label))
                count += 1
    print(f"{statement.id}: compared with {count} other runs")


def variants(name: str, seed: int) -> list[tuple[int, float]]:
    """Seeds, all different, and factors of the noise at which a sample is run again."""
    # Names as bytes: a list of integers seeds the generator the same way in every process.
    rng = np.random.default_rng([seed, *name.encode()])
    seeds = 1 + rng.choice(SEEDS, VARIANTS, replace=False)
    return list(zip(seeds.tolist(), rng.choice(FACTORS, VARIANTS).tolist(), strict=True))


@cache
def _run(experiment: str, name: str, seed: int, factor: float) -> Run:
    """A run on data at hand with its noise, where it has one, times a factor."""
    from bounds.declared import EXPERIMENTS

    kind = EXPERIMENTS.get(experiment)
    # On the CPU: samples on another device are other samples.
    settings = {**kind.samples[name], "seed": seed, "device": "cpu"}
    if settings.get("sigma"):
        settings["sigma"] *= factor
    run: Run = kind(**settings).run()
    return run
