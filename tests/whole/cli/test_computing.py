"""Commands that are to compute on a device that is not there."""

import pytest
import torch

from forgetproof.cli import run


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
