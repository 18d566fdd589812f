"""A claim's hash follows the code that its evidence rests on, and nothing else."""

import dataclasses
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import bounds
import verify
from verify import fingerprint
from verify.self_tests import uses

HOME = Path(verify.__file__).parent
CACHES = (fingerprint._source, fingerprint._digest, uses._imports, uses._spec, uses._followed)


@pytest.fixture(autouse=True)
def fresh():
    yield
    for cached in CACHES:
        cached.cache_clear()


def hashes(monkeypatch, edited):
    """Hashes of two claims of mini after an edit of one file."""
    for cached in CACHES:
        cached.cache_clear()
    read = Path.read_bytes

    def read_bytes(path):
        return read(path) + (b"#" if edited and path == HOME.parent / edited else b"")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read_bytes)
        return [fingerprint.formula_hash(bounds.get(id)) for id in ("mini.thm1", "mini.tab1")]


@pytest.mark.parametrize(
    ("edited", "first", "second"),
    [
        ("verify/mini/theorem_1.py", True, False),
        ("verify/mini/problems.py", True, False),  # a module that only the first check imports
        ("verify/mini/table_1.py", False, True),
        ("verify/context.py", True, True),
        ("verify/self_tests/subjects.py", True, True),
        ("accounting/curves/gaussian.py", True, True),
        ("bounds/mini/theorem_1.py", True, True),
        ("bounds/hf/drift.py", False, False),
        ("verify/report/page.py", False, False),
    ],
)
def test_an_edit_changes_the_hashes_of_what_rests_on_it(monkeypatch, edited, first, second):
    before, after = hashes(monkeypatch, None), hashes(monkeypatch, edited)
    assert (before[0] != after[0], before[1] != after[1]) == (first, second)


THIRD_PARTY = {
    "lab/__init__.py": "",
    "lab/tools.py": "import lab.deeper\n",
    "lab/deeper.py": "",
    "lab/other.py": "",
    "lab/stated/__init__.py": "",
    "lab/stated/a.py": "from ..tools import x\n",
    "lab/checks/__init__.py": "",
    "lab/checks/a.py": "def f():\n    from lab import helper\n",
    "lab/checks/b.py": "",
    "lab/helper.py": "this is no python\n",
}


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("lab/stated/a.py", True),
        ("lab/tools.py", True),  # by a relative import
        ("lab/deeper.py", True),
        ("lab/checks/a.py", True),
        ("lab/helper.py", True),  # inside a function, and not to be read
        ("lab/checks/b.py", False),
        ("lab/other.py", False),
    ],
)
def test_a_third_partys_hash_follows_its_own_modules(tmp_path, monkeypatch, edited, changed):
    for name, text in THIRD_PARTY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    paper = dataclasses.replace(
        bounds.paper("mini"),
        key="lab",
        package="lab.stated",
        checks="lab.checks",
        statements={"lab.a": "a"},
        checked_in={},
        distribution="lab-dist",
    )
    monkeypatch.setattr(bounds, "papers", lambda: (paper,))
    monkeypatch.setattr(bounds, "paper", lambda key: paper)

    def hashed():
        for cached in CACHES:
            cached.cache_clear()
        return fingerprint.formula_hash(SimpleNamespace(id="lab.a", paper="lab"))

    before = hashed()
    assert before == hashed()
    (tmp_path / edited).write_text("EDITED = 1\n")
    after = hashed()
    for name in [n for n in sys.modules if n.split(".")[0] == "lab"]:
        del sys.modules[name]
    assert (after != before) == changed
