"""A claim's failure by chance, in a suite that checks claims."""

import re
import shlex

from tests.core.plugin.test_draws import OWN

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
