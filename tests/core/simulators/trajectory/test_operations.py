"""Counted operations against the formulas."""

import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax
from simulators.trajectory import operations
from simulators.trajectory.adjoint import scores
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.operations import VARIANTS, Counter, fastest
from simulators.trajectory.recursion import Recursion
from simulators.trajectory.training import Training, batches_of
from simulators.trajectory.variants import follow


def test_the_counter_counts_products():
    A, B, v = torch.ones(3, 4), torch.ones(4, 5), torch.ones(4)
    with Counter() as counter:
        torch.addmm(torch.ones(3, 5), A, B)
        A @ B
        A @ v
        v @ v
        A + 1.0
    assert counter.flops == 2 * (60 + 60 + 12 + 4)


def test_counting_does_not_import_the_compiler():
    """Torch wraps a mode that skips its compiler in a function that imports it first."""
    assert not hasattr(Counter.__torch_dispatch__, "__wrapped__")


@pytest.mark.parametrize("lines", ["each", [[0, 1], [2]]], ids=["each", "sets"])
@pytest.mark.parametrize("hessian", ["kept", "batch"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["logistic", "softmax"])
def test_every_variant_takes_what_its_formula_says(problems, name, variant, hessian, lines):
    problem = getattr(problems, name)()
    with Counter() as counter:
        follow(problem.model, problem.training, lines, Recursion(hessian), variant=variant)
    count = problem.n if lines == "each" else 2
    predicted = getattr(operations, variant)(problem.model, problem.training, count)
    assert counter.flops == predicted.flops


@pytest.mark.parametrize("name", ["logistic", "softmax"])
def test_training_and_the_adjoint_take_what_their_formulas_say(problems, name):
    problem = getattr(problems, name)()
    with Counter() as counter:
        for _ in problem.training.walk(problem.model):
            pass
    assert counter.flops == operations.training_run(problem.model, problem.training).flops
    with Counter() as counter:
        scores(problem.model, problem.training, np.ones((3, problem.model.parameters)))
    assert counter.flops == operations.adjoint(problem.model, problem.training, 3).flops


def test_table_1_of_hf_with_its_own_configuration():
    """n = b = 1000, d = 7850, T = 50: 1.57e12 operations where the paper's nTd is 3.9e8."""
    data = Dataset(np.zeros((1000, 785)), np.zeros(1000))
    model = SoftmaxScore(Softmax(classes=10, regularisation=1e-6), data)
    training = Training((np.arange(1000),) * 50, np.full(50, 0.05), np.zeros(7850))
    one = operations.training_run(model, training).flops
    assert one == 4 * 50 * 1000 * 7850 == 1_570_000_000
    every = operations.products(model, training, 1000)
    assert every.flops == 1001 * one
    assert every.flops / 1.57e12 == pytest.approx(1.0, abs=2e-3)
    assert every.flops > 4000 * (1000 * 50 * 7850)
    assert every.state_bytes == 8 * 1000 * 7850
    assert operations.one_by_one(model, training, 1000).flops == every.flops
    assert operations.adjoint(model, training, 1).flops < 3 * one
    assert fastest(model, training, 1000) == "gram"
    assert fastest(model, training, 1000, started=True) == "products"


def test_the_cheapest_variant_follows_the_sizes():
    """Explicit Hessians for d < 2b and many lines, Gram for n < 2d, products otherwise."""

    def choice(n, d, b):
        data = Dataset(np.ones((n, d)), np.where(np.arange(n) % 2, 1.0, -1.0))
        model = LinearScore(Logistic(0.1), data)
        batches = batches_of(n, b, 4)
        return fastest(model, Training(batches, np.full(len(batches), 0.1), np.zeros(d)), n)

    assert choice(500, 20, 250) == "explicit"
    assert choice(100, 400, 50) == "gram"
    assert choice(500, 100, 10) == "products"
