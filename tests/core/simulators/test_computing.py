"""Where a run computes what names no device: its own, from the outermost call to the last model."""

import pytest
import torch

from forgetproof.cli import run
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


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
@pytest.mark.parametrize(
    "words",
    [
        "verify hf.eq41 --device cuda",
        "simulate recollection --data wine --classes 0,1 --device cuda",
        "noise langevin --data breast_cancer --regularisation 0.1 --epsilon 1 --delta 1e-5 "
        "--device cuda",
    ],
    ids=["verify", "simulate", "noise"],
)
def test_a_command_says_that_there_is_none(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(words.split()) == 2
    assert "device must be 'auto' or 'cpu' on this machine" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
