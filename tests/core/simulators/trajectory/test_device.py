"""Where a trajectory's tensors live."""

import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.recursion import differences
from simulators.trajectory.training import Training, batches_of, geometric_steps
from simulators.trajectory.variants import follow

DATA = Dataset(np.random.default_rng(0).normal(size=(12, 3)), np.arange(12.0) % 2)
SIGNED = Dataset(DATA.features, 2 * DATA.targets - 1)
MAKERS = {
    "linear": lambda where: LinearScore(Logistic(0.1), SIGNED, where),
    "softmax": lambda where: SoftmaxScore(Softmax(2, 0.1), DATA, where),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_device_is_named_or_refused(make):
    assert make("cpu").device == torch.device("cpu")
    with pytest.raises(ValueError, match="device must be"):
        make("gpu")
    if not torch.cuda.is_available():
        assert make("auto").device == torch.device("cpu")
        with pytest.raises(ValueError, match="no CUDA device"):
            make("cuda")


def test_every_variant_agrees_on_the_cpu():
    model = MAKERS["softmax"]("cpu")
    batches = batches_of(12, 5, 3, seed=1)
    start = np.zeros(model.parameters)
    training = Training(batches, geometric_steps(0.2, 0.9, len(batches)), start)
    plain = differences(model, training, "each").vectors
    for variant in ("explicit", "gram"):
        np.testing.assert_allclose(
            follow(model, training, "each", variant=variant).vectors, plain, atol=1e-13
        )
