"""Bytecode that cannot be read, of a paper's module, is named."""

import py_compile
import sys
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[3]

HEADER = 16


def bytecode(tmp_path, monkeypatch, source):
    """A whole bytecode file of one of our sources, where a child with this prefix looks for it."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    return Path(py_compile.compile(str(ROOT / source), doraise=True))


@pytest.mark.parametrize("source", ["forgetproof/commands/bound.py", "bounds/sglu/lemma_3_4.py"])
@pytest.mark.parametrize("kept", [HEADER, HEADER + 60], ids=["header only", "cut short"])
def test_truncated_bytecode_is_named(tmp_path, monkeypatch, source, kept):
    file = bytecode(tmp_path, monkeypatch, source)
    file.write_bytes(file.read_bytes()[:kept])
    complain(tmp_path, file)


def test_garbled_bytecode_is_named(tmp_path, monkeypatch):
    file = bytecode(tmp_path, monkeypatch, "bounds/sglu/lemma_3_4.py")
    file.write_bytes(file.read_bytes()[:HEADER] + b"\x7b" * 200)
    complain(tmp_path, file)


def complain(prefix, file):
    question = ["bound", "sglu.lem3.4", "alpha=3", "Z=1", "s2=1", "c=0.9", "K=20"]
    code = (
        f"import sys; sys.pycache_prefix, sys.dont_write_bytecode = {str(prefix)!r}, True\n"
        "from forgetproof.cli import main; main()"
    )
    found = forked(["-c", code, *question], cwd=ROOT)
    assert (found.returncode, found.stdout) == (3, "")
    assert len(found.stderr.splitlines()) == 1
    assert f"cannot be imported from {file} (" in found.stderr
