"""What tests of properties draw by chance: the same again by the seed that a run prints."""

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


def test_a_suite_that_draws_nothing_says_nothing_of_seeds(project):
    run = project({"test_own.py": "def test_own():\n    pass\n"})
    assert "--forgetproof-draws" not in run.stdout


@pytest.mark.parametrize("seed", ["-1", "x"])
def test_a_seed_is_a_whole_number(project, seed):
    run = project(OWN, "--forgetproof-draws", seed)
    assert run.returncode == 4
    assert "--forgetproof-draws" in run.stderr
