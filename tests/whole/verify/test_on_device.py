"""What runs of experiments and checks find on CUDA (fake where there is none) and on the CPU.

The runs on data at hand, and the checks from whose code a simulator that asks for a device can be
reached, are found by looking; all of them with `--forgetproof-profile full`, else some.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch

import bounds
from bounds.declared import EXPERIMENTS, views
from simulators.device.default import computing_on
from simulators.engine import blocks
from simulators.runs.experiment import Observable, Run
from tests.core.simulators.fake_device import Counts, on_cuda
from verify import checks
from verify.context import Context
from verify.evidence import Comparison
from verify.self_tests.uses import uses

KINDS = [EXPERIMENTS.get(name) for name in EXPERIMENTS.names()]
SMALL = {"data": "synthetic", "rows": 60, "dimension": 3}
NOISY = {**SMALL, "sigma": 0.1, "trials": 3, "learn_epochs": 2}
STREAM = {**SMALL, "rounds": 3, "trials": 2, "share": 0.05}
OWN: dict[str, dict[str, Any]] = {
    "langevin": NOISY,
    "retrain": NOISY,
    "d2d": NOISY,
    "online": {
        "data": "synthetic",
        "dimension": 3,
        "rounds": 40,
        "k": 2,
        "sigma": 0.1,
        "trials": 3,
    },
    "safe": STREAM,
    "tracking": {**STREAM, "steps": 5},
}
RUNS = {
    f"{kind.algorithm}: {name}": (kind, settings)
    for kind in KINDS
    for name, settings in {**kind.samples, "small": OWN.get(kind.algorithm, SMALL)}.items()
}
"""Those on data at hand, and a small one of every experiment."""
SIMULATING = {
    claim.id: claim
    for claim in bounds.statements()
    if bounds.paper(claim.paper).checks
    and "simulators.device.placement" in uses(bounds.paper(claim.paper).check(claim.id))
}
ON_THE_HOST = {
    "formulas by hand, of numbers that are drawn or rational": (
        "hf.eq1_2",
        "hf.eq3",
        "hf.eq7_8.remainder",
        "hf.eq17.error",
        "hf.alg1.clip",
        "hf.fig1.correlation",
        "mini.eq1",
        "mini.eq4",
        "safe.alg1.line8",
    ),
    "runs on a line or of small runs, thousands at once in numpy, that know no simulator": (
        "hf.thm3.1.gap",
        "hf.b32",
        "hf.b33",
        "mini.rewind.prior",
    ),
    "operations are counted, wherever they are done": (
        "hf.table1.unlearning",
        "hf.table1.jackknife",
    ),
    "an algorithm of the simulators that is numpy's: a few vectors, or scores": (
        "mini.alg4",
        "mini.mia",
        "mini.mia.precision",
    ),
}
"""Checks that a simulator with a device can be reached from, and that never come to one; why."""
STAYING = {claim for claims in ON_THE_HOST.values() for claim in claims}
UNTOLD = {"data", "settings", "seconds"}
FEW = {
    *(name for name in RUNS if name.endswith(": small")),
    "hf.forget_recollections",
    "sglu.alg1",
    "safe.alg1",
    "hf.alg1.clip",
}


@contextmanager
def there() -> Iterator[Counts]:
    """A device whose blocks are as small as those of the CPU: no trials without a use."""
    with pytest.MonkeyPatch.context() as patch:
        for sizes in (blocks.ENTRIES, blocks.LARGEST):
            patch.setitem(sizes, "cuda", sizes["cpu"])
        with on_cuda() as counts:
            yield counts


def pytest_generate_tests(metafunc: Any) -> None:
    full = metafunc.config.option.forgetproof_profile == "full"
    for name, known in (("asked", RUNS), ("claim", SIMULATING)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [x for x in known if full or x in FEW])


def seen(run: Run) -> dict[str, Any]:
    """Every observable, those of views too, and what it belongs to, or why it cannot be shown."""
    for view in views(run.experiment.algorithm):
        run.view(view)
    found: dict[str, Any] = {}
    with np.errstate(all="ignore"), computing_on(run.experiment.device):
        for name in run:
            try:
                found[name] = run[name]
            except (TypeError, ValueError) as why:  # what it is not defined for
                found[name] = str(why)
        try:
            told = {name: part for name, part in run.document().items() if name not in UNTOLD}
            found["document"] = Observable(np.array(list(numbers(told))), rounding=1e-9)
        except ValueError as why:
            found["document"] = str(why)
    return found


def numbers(section: Any) -> Iterator[float]:
    """All numbers of a document, in order."""
    if isinstance(section, Mapping):
        section = section.values()
    elif not isinstance(section, list | tuple | np.ndarray):
        if isinstance(section, float | int):
            yield float(section)
        return
    for part in section:
        yield from numbers(part)


def test_some_of_every_experiment_run_each_time():
    assert {name.split(": ")[0] for name in FEW if ": " in name} == set(EXPERIMENTS.names())
    assert RUNS.keys() | SIMULATING.keys() >= FEW
    assert SIMULATING.keys() >= STAYING


def test_a_run_measures_the_same(asked):
    kind, settings = RUNS[asked]
    here = seen(kind(**{**settings, "device": "cpu"}).run())
    with there() as counts:
        again = seen(kind(**{**settings, "device": "cuda"}).run())
    for observable, one in here.items():
        other = again[observable]
        if isinstance(one, str):
            assert one == other
            continue
        room = 1e-7 * float(np.max(np.abs(one.values), initial=0.0)) + 10 * one.rounding
        if math.isfinite(room):
            np.testing.assert_allclose(other.values, one.values, rtol=1e-7, atol=room)
        assert other.at.keys() == one.at.keys()
    assert counts.launches.total() or torch.cuda.is_available()


def test_a_check_finds_the_same(claim):
    check = checks.check(SIMULATING[claim])
    ctx = Context(SIMULATING[claim])
    here = list(check(ctx))
    with there() as counts, computing_on("cuda"):
        again = list(check(dataclasses.replace(ctx, device="cuda")))
    for one, other in zip(here, again, strict=True):
        assert type(one) is type(other)
        if isinstance(one, Comparison):
            assert math.isclose(one.measured, other.measured, rel_tol=1e-7, abs_tol=1e-11)
            assert math.isclose(one.bound, other.bound, rel_tol=1e-7, abs_tol=1e-11)
            assert one.violated == other.violated
    if not torch.cuda.is_available():
        assert bool(counts.launches.total()) == (claim not in STAYING)
