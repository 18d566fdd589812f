"""The first page: what stands where, and that all of it runs.

Its console blocks are run as those of every document (`conftest.py`); here it is seen that the
commands of its table are among them, and calls in Python are made.
"""

import importlib.util
import io
import re
import sys
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text("utf-8")
LINES = TEXT.splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def first(pattern):
    """The number of the first line, from 1, that the pattern is found in."""
    return next(i for i, line in enumerate(LINES, start=1) if re.search(pattern, line))


@pytest.fixture(scope="module")
def hour():
    """The script that times the first hour, which reads the table."""
    path = ROOT / "benchmarks" / "first_hour.py"
    spec = importlib.util.spec_from_file_location("first_hour", path)
    module = importlib.util.module_from_spec(spec)
    # Data classes look for their module by its name.
    sys.modules["first_hour"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["first_hour"]


def test_the_first_screen():
    assert first(r"^!\[.+\]\(docs/\w+\.svg\)$") <= 5
    assert first(r"^git clone ") <= 15
    assert first(r"^pip install -e ") <= 15
    assert first(r"^\$ forgetproof forget ") <= 20
    table = first(r"^\| you \| one command \| you get \|$")
    assert LINES[table + 1 : table + 7] == [row for row in LINES[table + 1 :] if row[:1] == "|"][:6]
    assert table + 7 <= 40


def test_the_clone_is_of_the_address_that_the_project_names():
    url = re.search(r"^git clone (\S+)", TEXT, re.M)[1]
    assert url == PROJECT.get("urls", {}).get("Repository", "URL")


def test_the_extras_and_the_papers_are_there():
    line = re.search(r'^pip install -e "\.\[([\w,]+)\]" -e \./(\w+)', TEXT, re.M)
    assert set(line[1].split(",")) <= PROJECT["optional-dependencies"].keys()
    assert (ROOT / line[2] / "pyproject.toml").is_file()


def test_each_person_needs_so_many_commands(hour):
    assert {person.letter: len(person.calls) for person in hour.people()} == hour.COUNTS


def test_every_command_of_the_table_stands_in_a_block_that_is_run(hour):
    blocks = re.findall(r"^```console\n(.*?)^```$", TEXT, re.M | re.S)
    run = re.findall(r"^\$ (.+)$", "\n".join(blocks), re.M)
    commands = [call for person in hour.people() for call in person.calls]
    assert [c for c in commands if c.startswith("forgetproof ") and c not in run] == []


def calls(hour):
    commands = [call for person in hour.people() for call in person.calls]
    return {c.partition("(")[0]: c for c in commands if not c.startswith("forgetproof ")}


def printed(source):
    with redirect_stdout(io.StringIO()) as output:
        exec(source, {})
    return output.getvalue()


def test_the_call_for_a_training_with_opacus(hour):
    pytest.importorskip("opacus")
    pytest.importorskip("sklearn")
    call = calls(hour)["forgetproof.opacus_plan"]
    # Three steps of training are enough to be planned for.
    training = hour.TRAINING.replace("460)", "3)")
    assert training != hour.TRAINING
    assert "retraining 3" in printed(training + hour.TIMED.format(call=call))


def test_the_call_of_a_tester(hour):
    call = calls(hour)["assert_unlearning"]
    printed(hour.PEOPLE + call)
    with pytest.raises(AssertionError, match="refuted"):
        printed(hour.PEOPLE + call.replace("mu=1, detects=2", "mu=0.1"))
