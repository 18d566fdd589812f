"""A file that cannot be loaded is named, and is no interruption."""

from forgetproof import cli
from forgetproof.commands import claims


def test_a_module_that_raises_is_not_taken_for_a_file_that_cannot_be_loaded(capsys, monkeypatch):
    def ends(*_, **__):
        raise EOFError("no data left in file")

    monkeypatch.setattr(claims.command, "callback", ends)
    assert cli.run(["claims"]) == 3
    assert capsys.readouterr().err.endswith("internal error: EOFError: no data left in file\n")
