"""A claim's hash follows the code that its evidence rests on, and nothing else."""

from pathlib import Path

import pytest

import bounds
import verify
from verify import fingerprint
from verify.oracles import uses

HOME = Path(verify.__file__).parent


@pytest.fixture(autouse=True)
def fresh():
    yield
    for cached in (fingerprint._source, uses._imports):
        cached.cache_clear()


def hashes(monkeypatch, edited):
    """Hashes of two claims of mini after an edit of one file."""
    for cached in (fingerprint._source, uses._imports):
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
        ("verify/mini/worlds.py", True, False),  # a module that only the first check imports
        ("verify/mini/table_1.py", False, True),
        ("verify/context.py", True, True),
        ("verify/oracles/subjects.py", True, True),
        ("accounting/gaussian.py", True, True),
        ("bounds/mini/theorem_1.py", True, True),
        ("bounds/hf/drift.py", False, False),
        ("verify/report/page.py", False, False),
    ],
)
def test_an_edit_changes_the_hashes_of_what_rests_on_it(monkeypatch, edited, first, second):
    before, after = hashes(monkeypatch, None), hashes(monkeypatch, edited)
    assert (before[0] != after[0], before[1] != after[1]) == (first, second)
