"""Which tests there are depends on nothing: not on the second, the hash seed, zone, locale or user.

Processes that collect for themselves, as pytest-xdist's do, must find the same ids.  It compares
them in every run, each with a hash seed of its own; here the rest is changed as well, for some
folders, and for all in the full profile.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARAMETERS = re.compile(r"[^\[]*(?:\[(.*)\])?")
WORDS = re.compile(r"[\w .,:;=+*/^()[\]{}'<>|-]{0,160}", re.ASCII)
OBJECT = re.compile(r"\bobject at\b|\b0x[0-9a-f]{6,}|\bb'|\{'|<lambda>")
SOME = ("tests/core/accounting", "tests/packaging", "tests/whole/cli")


def collected(folder, places, **changed):
    """The ids that a process with these variables finds, in order.

    They do not depend on how assertions are compiled, which would be half of the time.
    """
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--assert=plain", *places],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), **changed},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert found.returncode == 0, found.stdout[-2000:] + found.stderr
    return [line for line in found.stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def places(full):
    return () if full else SOME


@pytest.fixture(scope="module")
def ids(places, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return collected(home, places, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")


def test_two_collections_seconds_apart_agree(request, ids, places, tmp_path):
    """This process has one already where all was collected; else another begins after the first."""
    again = [item.nodeid for item in request.session.items]
    again = [id for id in again if id.startswith(places or "")]
    if len(again) < len(ids):
        changed = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Chatham", "LC_ALL": "de_DE.ISO-8859-1"}
        again = collected(tmp_path, places, **changed)
    assert len(ids) > (3_000 if places else 10_000)
    assert again == ids


def wordless(parameters):
    return not WORDS.fullmatch(parameters) or bool(OBJECT.search(parameters))


def test_ids_are_words(request, ids):
    found = {*ids, *(item.nodeid for item in request.session.items)}
    parameters = {id: PARAMETERS.fullmatch(id.partition("::")[2])[1] or "" for id in found}
    assert [id for id, text in parameters.items() if wordless(text)] == []
    for odd in ("b'x'", "<f object at 1>", "a-0x7f12ab34cd", "\\x1f", "x" * 161, "{'a': 1}", "é"):
        assert wordless(odd)
