"""What tests of properties draw by chance: the same again by the seed that a run prints."""

import re
import shlex

import pytest

OWN = {
    "test_own.py": (
        "from forgetproof.testing.properties import Properties\n"
        "class TestPaper(Properties):\n"
        "    paper = 'guo'\n"
        "    test_forms_survive_runs_on_data = None\n"
    ),
    # What is drawn beside the inputs that are the same in every run, in a file; then a failure.
    "conftest.py": (
        "import pathlib\n"
        "from forgetproof.testing import properties\n"
        "from verify.search import strategies\n"
        "drawn, seen = strategies.sampled, []\n"
        "def sampled(where, rng):\n"
        "    seen.append(drawn(where, rng))\n"
        "    pathlib.Path('seen').write_text(repr(seen))\n"
        "    return seen[-1]\n"
        "def hold(target, point, scale=1.0):\n"
        "    assert point not in seen, f'{target.claim.id} fails'\n"
        "    return True\n"
        "strategies.sampled, properties.hold = sampled, hold\n"
    ),
}
ONE = ("-k", "drawn and guo.residual")


def test_a_failure_by_chance_prints_the_command_that_repeats_it(project, tmp_path):
    run = project(OWN, *ONE, "-x")
    assert run.returncode == 1, run.stdout
    # Where CI is set, pytest's summary repeats the whole message.
    (command,) = set(re.findall(r"pytest --forgetproof-draws \d+ 'test_own\.py::\S+'", run.stdout))
    words = shlex.split(command)
    assert f"forgetproof: --forgetproof-draws {words[2]} draws the same inputs" in run.stdout
    first = (tmp_path / "seen").read_text()
    again = project(OWN, *words[1:])
    assert command in again.stdout
    assert (tmp_path / "seen").read_text() == first
    project(OWN, *ONE, "-x", "--forgetproof-draws", str(int(words[2]) + 1))
    assert (tmp_path / "seen").read_text() != first


def test_a_suite_that_draws_nothing_says_nothing_of_seeds(project):
    run = project({"test_own.py": "def test_own():\n    pass\n"})
    assert "--forgetproof-draws" not in run.stdout


@pytest.mark.parametrize("seed", ["-1", "x"])
def test_a_seed_is_a_whole_number(project, seed):
    run = project(OWN, "--forgetproof-draws", seed)
    assert run.returncode == 4
    assert "--forgetproof-draws" in run.stderr
