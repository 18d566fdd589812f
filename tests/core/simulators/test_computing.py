"""Where a run computes what names no device: its own, from the outermost call to the last model."""

import pytest

from simulators.device.default import computing_on, device_of_the_run
from simulators.device.placement import device_named, device_of_a_model
from tests.core.simulators.fake_device import fake_device


def device_for(name):
    return device_of_a_model(name, 10, 2)


def test_what_is_left_open_is_where_the_run_is():
    with fake_device():
        assert [device_named("auto").type, device_for(None).type] == ["cuda", "cpu"]
        for outer in ("cpu", "cuda"):
            with computing_on(outer), computing_on("auto"):
                assert device_named("auto").type == device_for(None).type == outer
                assert [device_for(x).type for x in ("cpu", "cuda")] == ["cpu", "cuda"]
                with computing_on("cpu"):
                    assert device_for(None).type == "cpu"


def test_an_error_leaves_no_device_behind():
    with pytest.raises(KeyError), computing_on("cpu"):
        raise KeyError
    assert device_of_the_run() is None
    with (
        pytest.raises(ValueError, match=r"device must be one of .*, got 'tpu'"),
        computing_on("tpu"),
    ):
        pass
