"""hf's figures and tables on small data: what their runs are made of, against other ways to it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.core.simulators.fake_device import on_cuda
from verify.hf.reproduced import newton
from verify.hf.reproduced.network import PARAMETERS, Network, logits
from verify.hf.reproduced.networks import SMALL
from verify.hf.reproduced.setting import STATED, SoftmaxTraining
from verify.showcases import reproduced, showcase
from verify.showcases.data import Chosen

DIGITS = Chosen(stand_in="digits", quick=True)
NETWORKS = ("hf.fig1b", "hf.fig2", "hf.table5", "hf.table7")
CONVEX = [name for name in reproduced("hf") if name not in NETWORKS]


@pytest.fixture(scope="module")
def problem():
    return SoftmaxTraining(DIGITS, 0, size=60, epochs=4)


@pytest.mark.parametrize("name", CONVEX)
def test_every_showcase_runs_small(name):
    found = showcase(name).show(DIGITS, 0)
    cells = found.document["cells"]
    assert cells
    assert all(cell["ours"] or cell["cause"] for cell in cells)
    assert all(bound["attainment"] <= 1 for bound in found.document["bounds"])


def test_the_network_runs_on_images_only():
    made = showcase("hf.fig2").show(Chosen(stand_in="synthetic", quick=True), 0)
    (cell,) = made.document["cells"]
    exact = cell["ours"]["retraining"]["mean"]
    assert cell["ours"][STATED]["mean"] == pytest.approx(exact, rel=0.2)
    (refused,) = showcase("hf.fig2").show(DIGITS, 0).document["cells"]
    assert "28 by 28" in refused["cause"]


def test_the_network_is_the_papers():
    assert PARAMETERS == 21_840
    problem = Network(Chosen(stand_in="synthetic"), 0, **SMALL)
    assert problem.model.parameters == PARAMETERS
    module = torch.nn.Sequential(
        torch.nn.Conv2d(1, 10, 5),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(10, 20, 5),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(320, 50),
        torch.nn.ReLU(),
        torch.nn.Linear(50, 10),
    ).double()
    torch.nn.utils.vector_to_parameters(torch.tensor(problem.start), module.parameters())
    images = torch.tensor(problem.data.features[:3, :-1])
    with torch.no_grad():
        expected = module(images.view(-1, 1, 28, 28))
        torch.testing.assert_close(logits(torch.tensor(problem.start), images), expected)


def test_newton_statistics_solve_their_systems(problem):
    sets = [problem.forget(0.1), problem.forget(0.3)]
    gradients = problem.model.tangent(torch.tensor(problem.learned), problem.model.everything())
    for kept in (True, False):
        found = newton.statistics(problem.model, problem.learned, sets, kept=kept)
        for gone, move in zip(sets, found, strict=True):
            rows = np.setdiff1d(np.arange(60), gone) if kept else np.arange(60)
            tangent = problem.model.tangent(torch.tensor(problem.learned), rows)
            damped = tangent.hessian() + newton.DAMPING * len(rows) * torch.eye(650)
            right = gradients.gradient(torch.tensor(np.isin(np.arange(60), gone).astype(float)))
            expected = torch.linalg.solve(damped, right)
            torch.testing.assert_close(torch.tensor(move), expected, rtol=1e-4, atol=1e-5)


def test_constants_of_means_hold_for_every_hessian(problem):
    gone = problem.forget(0.3)
    lam, M, _ = problem.constants(gone)
    kept = np.setdiff1d(np.arange(60), gone)
    for scale in (0.0, 0.1, 3.0):
        w = scale * torch.tensor(np.random.default_rng(0).standard_normal(650))
        for rows in (kept, gone):
            values = torch.linalg.eigvalsh(problem.model.tangent(w, rows).hessian() / len(rows))
            assert lam * (1 - 1e-6) <= values.min() + 1e-12
            assert values.max() <= M
        whole = problem.model.tangent(w, np.arange(60)).hessian() / 60
        assert torch.linalg.eigvalsh(whole).max() <= M * len(kept) / 60 * (1 + 1e-9)


def test_one_step_is_met_exactly():
    one = SoftmaxTraining(DIGITS, 0, size=60, epochs=1)
    cells, _ = one.errors([0.2])
    assert cells["20%"][STATED] < 1e-13


@pytest.mark.parametrize("name", ["hf.fig1a", "hf.fig7"])
def test_a_device_gives_the_numbers_of_the_cpu(name):
    with on_cuda():
        there = showcase(name).show(replace(DIGITS, device="cuda"), 0)
    here = showcase(name).show(DIGITS, 0)
    for one, other in zip(there.document["cells"], here.document["cells"], strict=True):
        for interpretation, value in one["ours"].items():
            assert value["mean"] == pytest.approx(other["ours"][interpretation]["mean"], rel=1e-6)
