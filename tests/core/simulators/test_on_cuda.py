"""Every public simulator on CUDA (fake where there is none), its values those of the CPU."""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any

import numpy as np
import pytest
import torch

import simulators
from simulators.losses.softmax import Softmax
from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.newton import newton_step
from simulators.trajectory.recursion import Recursion
from simulators.trajectory.training import Training, batches_of
from simulators.trajectory.variants import follow
from tests.core.invalid_input import test_simulators as calls
from tests.core.invalid_input.entries import Made
from tests.core.invalid_input.public import public
from tests.core.simulators.fake_device import Counts, on_cuda

HOST = ("data.", "domains.", "erm.", "exact.", "losses.", "lower_limit.")
"""Packages that compute on the host alone."""
ENTRIES = [entry for entry in public(simulators) if not entry.name.startswith(HOST)]
STILL = {
    "Ball",
    "Box",
    "Dataset",
    "Recollection",
    "Recursion",
    "RunResult",
    "Training",
    "WholeSpace",
    "batches_of",
    "geometric_steps",
}
"""Of the package's names: what computes nothing when it is made."""
MOVED = {
    name: f"{getattr(simulators, name).__module__.removeprefix('simulators.')}.{name}"
    for name in set(simulators.__all__) - STILL
}


@contextlib.contextmanager
def placed(device: str) -> Iterator[Counts]:
    """The calls of `tests.core.invalid_input` compute there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls, "DEVICE", device)
        if device == "cpu":
            yield Counts()
        else:
            with on_cuda() as counts:
                yield counts


def values(found: Any) -> list[np.ndarray]:
    """All numbers of an answer, in order; its settings name the device."""
    if isinstance(found, torch.Tensor):
        return [found.cpu().numpy()]
    if isinstance(found, np.ndarray | Number):
        return [np.asarray(found)]
    if dataclasses.is_dataclass(found):
        found = vars(found)
    if isinstance(found, dict):
        found = [found[name] for name in sorted(found) if name != "settings"]
    return [v for part in found for v in values(part)] if isinstance(found, list | tuple) else []


def same(call: Callable[[], Any]) -> int:
    """Assert that the call answers the same on both devices; how often it reached one."""
    with placed("cpu"):
        here = values(call())
    with placed("cuda") as counts:
        there = values(call())
    assert len(here) == len(there)
    for one, other in zip(here, there, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-11)
    return counts.launches.total() + counts.uploads.total()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_call_has_the_values_of_the_cpu(entry):
    reached = same(lambda: entry.call(calls.TABLE))
    assert reached or entry.name not in MOVED.values() or torch.cuda.is_available()


def test_every_name_of_the_package_has_a_call():
    """What is new is a simulator, whose call must reach the device, or is listed as none."""
    assert set(MOVED.values()) <= {entry.name for entry in ENTRIES}


def function_model() -> FunctionModel:
    return FunctionModel(calls.bowl, calls.X, calls.SIGNS, 2, where=calls.DEVICE)


def linear() -> LinearScore:
    return calls.model()


def softmax() -> SoftmaxScore:
    return SoftmaxScore(Softmax(2, 0.1), calls.softmax_data(), calls.DEVICE)


MODELS = {"linear": linear, "softmax": softmax, "function": function_model}
SCORED = {"gram", "Gram", "Gram.vectors", "residual", "CertifiedRemoval", "CertifiedRemoval.remove"}
"""What takes models of linear scores only."""
MOVING = [
    entry
    for entry in ENTRIES
    if entry.name.startswith("trajectory.")
    and "model" in entry.parameters()
    and entry.name.split(".", 2)[2] not in SCORED
]


@pytest.mark.parametrize("entry", MOVING, ids=lambda entry: entry.name)
def test_any_function_of_torch_runs_there(entry):
    table = dataclasses.replace(
        calls.TABLE, samples={**calls.TABLE.samples, "model": Made(function_model)}
    )
    same(lambda: entry.call(table))


@pytest.mark.parametrize("variant", ["products", "explicit", "gram"])
@pytest.mark.parametrize("scaling", ["linear", "mean"])
@pytest.mark.parametrize("hessian", ["kept", "batch"])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_recursion_has_the_values_of_the_cpu(model, hessian, scaling, variant):
    if variant == "gram" and model is function_model:
        pytest.skip("a function has no scores")

    def run() -> Any:
        made = model()
        start = np.linspace(-0.2, 0.3, made.parameters)
        training = Training(batches_of(6, 4, 2, seed=1), np.full(4, 0.2), start, clip=0.3)
        sets = [[0], [1, 2], [0, 1, 2, 3, 4, 5]]
        chosen = Recursion(hessian, scaling)
        return follow(made, training, sets, chosen, variant=variant, record_norms=True)

    same(run)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("whole", [False, True], ids=["removed", "retained"])
def test_both_solvers_have_the_values_of_the_cpu(model, whole):
    def run() -> Any:
        made = model()
        w = np.linspace(-0.2, 0.3, made.parameters)
        return [
            newton_step(made, w, [1], solver=solver, whole_gradient=whole)
            for solver in ("cholesky", "cg")
        ]

    same(run)
