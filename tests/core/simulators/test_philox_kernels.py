"""The kernel of noise and projection by Triton's interpreter, where Triton is."""

import numpy as np
import pytest
import torch

from simulators.domains import Ball, Box, WholeSpace
from simulators.random import philox_tensors
from simulators.random.normals import numbers
from tests.core.simulators.fake_device import fake_device

KEY = (0x1234ABCD, 0x89EF5678)
DOMAINS = {
    "space": (WholeSpace(), 0, (0.0, 0.0)),
    "ball": (Ball(1.2), 1, (0.0, 1.2)),
    "box": (Box(-0.5, 0.7), 2, (-0.5, 0.7)),
}
KINDS = {"double": (np.float64, torch.float64), "single": (np.float32, torch.float32)}


@pytest.fixture
def kernels(monkeypatch):
    if torch.cuda.is_available():
        pytest.skip("has a device, for which kernels are compiled")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    pytest.importorskip("triton")
    from simulators.random import philox_kernels

    return philox_kernels


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_one_kernel_adds_the_numbers_and_projects(kernels, kind, domain):
    array, dtype = kind
    space, code, limits = domain
    for rows, trials in ((7, 130), (1, 5), (4, 128)):
        first = 2**32 - 400
        found = torch.full((rows, trials), 0.2, dtype=dtype)
        wanted = found + 0.3 * torch.tensor(
            numbers(KEY, (rows, trials), first, range(7, 8), array)[0]
        )
        space.project_(wanted)
        kernels.move_(
            found,
            torch.arange(first, first + trials),
            torch.tensor(7),
            philox_tensors.round_keys(KEY, torch.device("cpu")),
            torch.tensor([0.3, *limits], dtype=dtype),
            code,
        )
        torch.testing.assert_close(found, wanted, rtol=0.0, atol=32 * np.finfo(array).eps)


def test_tensors_serve_where_no_kernel_does():
    """Silently: a device that is fake, or unknown to Triton, has none."""
    if torch.cuda.is_available():
        pytest.skip("has a device, where there may be a kernel")
    with fake_device():
        assert philox_tensors._kernels.__wrapped__() is None
