"""Blocks of an online run: threads change nothing, and a device's hold what they may."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from accounting import DeletionSchedule
from simulators.domains import Ball
from simulators.engine import blocks
from simulators.losses.logistic import Logistic
from simulators.online import rows as rows_module
from simulators.online.learners import run
from simulators.online.requests import Descent, Newton, Passive, Retrain
from simulators.online.rows import Rows
from simulators.online.steps import Adaptive, LeastAdaptiveNoise
from simulators.random import normals
from tests.core.simulators.fake_device import fake_device
from tests.equality import same_bits

DATA = np.random.default_rng(0).normal(size=(9, 5))
STREAM = Rows(Logistic(0.1), DATA, domain=Ball(2.0))
REQUESTS = DeletionSchedule([1, 3], [4, 8])
RUNS = {
    "plain": {"steps": 0.1, "sigmas": 0.2},
    "newton": {"steps": 0.1, "sigmas": 0.2, "unlearner": Newton()},
    "tree": {"steps": 0.1, "step_noise": 0.3, "sums": "lazy"},
    "adaptive": {
        "steps": Adaptive(STREAM.constants.diameter),
        "sigmas": LeastAdaptiveNoise(STREAM.constants.lipschitz, 0.1),
    },
}


@pytest.mark.parametrize("name", RUNS)
def test_threads_do_not_change_the_numbers(name):
    told: list[tuple[int, int]] = []
    found = [
        run(
            STREAM,
            REQUESTS,
            trials=50,
            block=8,
            threads=threads,
            keep_gradients=True,
            progress=lambda done, total: told.append((done, total)),
            **RUNS[name],
        )
        for threads in (1, 2, 9)
    ]
    assert told == 3 * [(9 * k, 63) for k in range(1, 8)]
    for other in found[1:]:
        for part in ("regret", "losses", "published", "final", "squared_gradients"):
            same_bits(getattr(other, part), getattr(found[0], part), part)
        assert other.gradient_evaluations == found[0].gradient_evaluations
        assert other.noise_variance == found[0].noise_variance


@pytest.mark.parametrize(
    "unlearner",
    [Passive(), Descent(2), Newton(), Newton("printed", 1), Retrain()],
    ids=["passive", "descent", "newton", "newton-printed", "retrain"],
)
def test_a_block_of_a_device_holds_about_the_entries_that_are_aimed_at(unlearner, monkeypatch):
    """Half as many again at most, in float64; a trial of Newton's is Hessians, not vectors."""
    entries, d = 1 << 17, 12
    monkeypatch.setitem(blocks.ENTRIES, "cuda", entries)
    monkeypatch.setitem(normals.PANEL, "cuda", 64)
    monkeypatch.setattr(rows_module, "CHUNK", 1 << 10)
    stream = Rows(Logistic(0.1), np.resize(DATA, (9, d)) / 3, domain=Ball(2.0))
    with fake_device() as counts:
        found = run(
            stream,
            REQUESTS,
            steps=0.1,
            sigmas=0.2,
            unlearner=unlearner,
            trials=10**4 // (d if unlearner.hessians else 1),
            keep_losses=False,
            compare=False,
            device="cuda",
        )
    block = found.settings["block"]
    assert entries / 4 <= block * (8 * d + unlearner.hessians * d * d) <= entries
    assert counts.peak <= 8 * 1.5 * entries


def test_hessians_are_summed_for_many_points_at_a_time(monkeypatch):
    """As few launches as fit the memory; the sums are those point by point."""
    points = torch.tensor(np.random.default_rng(1).normal(size=(40, 5)))

    def one(point: torch.Tensor) -> torch.Tensor:
        bends = STREAM.loss.curvature(torch.tensor(DATA) @ point)
        return (
            torch.tensor(DATA).T @ (torch.tensor(DATA) * bends[:, None])
            + 0.9 * torch.eye(5).double()
        )

    wanted = torch.stack([one(point) for point in points])
    for chunk in (1 << 22, 300, 1):
        monkeypatch.setattr(rows_module, "CHUNK", chunk)
        torch.testing.assert_close(
            STREAM.hessian_sum(points, slice(0, 9)), wanted, rtol=1e-14, atol=1e-14
        )
    monkeypatch.setattr(rows_module, "CHUNK", 1 << 22)
    for few in (points[:4], points):
        with fake_device() as counts:
            there = torch.tensor(few.numpy(), device="cuda")
            STREAM.hessian_sum(there, slice(0, 9))
        assert counts.launches["aten.baddbmm_.default"] == 1
        assert counts.launches.total() <= 20
