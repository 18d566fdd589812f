"""Imports read from a text are at least those that parsing it finds, and nothing is imported."""

import ast
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

import verify
from verify.self_tests import uses

ROOT = Path(verify.__file__).parent.parent
TEXTS = {
    "plain": "import a.b, c.d as e",
    "relative": "from . import x\nfrom .y import z as w\nfrom ..up import v",
    "no blanks": "from.y import z\nfrom.import x\nfrom a import(b,c)",
    "many lines": "from a import (  # (see b)\n    b,  # and c)\n    c as d,\n)",
    "continued": "from a \\\n    import b, \\\n    c\nimport \\\n  d",
    "one line": "if True: import a; from b import c; import d # e",
    "inside": "def f():\n    try:\n        from a import b\n    except E: import c",
    "a name of other letters": "from größe import maß",
    "tabs": "from\ta\timport\tb",
    "star": "from a.b import *",
    "after other words": "x = 'from'; y = [yield_ for yield_ in z]\nraise E from e; import a",
}


def parsed(text, package):
    """Modules that a text imports, by its tree."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            names.update([home, *(f"{home}.{a.name}" for a in node.names if a.name != "*")])
    return names


@pytest.mark.parametrize("name", TEXTS)
def test_every_way_to_write_an_import_is_read(name):
    text = TEXTS[name]
    assert parsed(text, "lab.inner") <= set(uses.imported(text, "lab.inner"))


def test_no_import_of_ours_is_missed_and_few_are_added():
    added = set()
    for folder in ("verify", "simulators"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.parent.name == "counterexamples":  # programs, which import little
                continue
            text, package = path.read_text("utf-8"), ".".join(path.relative_to(ROOT).parts[:-1])
            real, found = parsed(text, package), set(uses.imported(text, package))
            assert real <= found, path
            added |= {n for n in found - real if uses._spec(n) and n.startswith(folder)}
    assert len(added) < 40


def test_where_a_module_is_needs_no_import(tmp_path, monkeypatch):
    (tmp_path / "far" / "away").mkdir(parents=True)
    for name in ("far", "far/away"):
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (tmp_path / "far/away/here.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert uses._spec.__wrapped__("far.away.here").origin == str(tmp_path / "far/away/here.py")
    assert uses._spec.__wrapped__("far.away.nowhere") is None
    assert uses._spec.__wrapped__("far.away.here.inside") is None
    assert not {"far", "far.away"} & sys.modules.keys()


@pytest.mark.parametrize("package", [True, False], ids=["below a package", "without one"])
def test_a_module_in_a_folder_without_a_file_is_found(tmp_path, monkeypatch, package):
    home = f"house{package:d}"
    (tmp_path / home / "bare" / "inner").mkdir(parents=True)
    if package:
        (tmp_path / home / "__init__.py").write_text("")
    (tmp_path / home / "bare/inner/leaf.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    found = uses._spec.__wrapped__(f"{home}.bare.inner.leaf")
    assert found.origin == str(tmp_path / home / "bare/inner/leaf.py")
    for name in [n for n in sys.modules if n.split(".")[0] == home]:
        del sys.modules[name]
