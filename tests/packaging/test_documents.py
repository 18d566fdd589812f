"""A document's examples run in a folder of their own, and leave nothing in the repository."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def runner():
    spec = importlib.util.spec_from_file_location("documents", ROOT / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_a_document_writes_is_gone_after_it(runner, monkeypatch):
    monkeypatch.chdir(ROOT)
    document = {}
    runner.enter(document)
    try:
        folder = Path.cwd()
        assert not folder.is_relative_to(ROOT)
        assert Path("docs/loans.csv").read_bytes() == (ROOT / "docs" / "loans.csv").read_bytes()
        block = "$ forgetproof plot olu.eq35 --over beta --out docs/eq35.svg --json\n...\n"
        runner.run_console(SimpleNamespace(parsed=block))
        assert (folder / "docs" / "eq35.svg").is_file()
    finally:
        runner.leave(document)
    assert Path.cwd() == ROOT
    assert not folder.exists()
    assert not (ROOT / "docs" / "eq35.svg").exists()
