"""The profile that varies the machine: its modes, and the tests that it picks."""

import os
import subprocess
import sys

import pytest

from tools import machines


def test_every_way_of_a_machine_is_a_mode():
    known = machines.modes()
    asked = {name for mode in known.values() for name in mode.environment}
    assert {"MKL_CBWR", "ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE", machines.THREADS} <= asked
    assert known["native"].environment == {}
    assert known["openblas-skylakex"].needs == ("AVX512F",)


def test_what_asks_for_equal_bits_is_found_by_its_calls():
    found = machines.equalities()
    file = "tests/core/simulators/streaming/test_risk.py"
    known = f"{file}::test_a_trial_does_not_depend_on_the_others"
    assert known in found
    assert len(found) == len(set(found)) > 30
    assert all((machines.ROOT / test.partition("::")[0]).is_file() for test in found)
    for test in machines.DEAR:
        file, _, name = test.partition("::")
        assert f"def {name}(" in (machines.ROOT / file).read_text("utf-8")


def test_unknown_modes_are_refused_and_absent_instructions_left_out(monkeypatch, capsys):
    with pytest.raises(SystemExit) as caught:
        machines.main(["--modes", "abacus"])
    assert caught.value.code == 2
    assert "modes must be of native, " in capsys.readouterr().err
    monkeypatch.setattr(machines, "_features", dict)
    monkeypatch.setattr(machines, "run", lambda mode, paths: (1, "1 failed", ["FAILED x"]))
    assert machines.main(["--modes", "openblas-skylakex"]) == 0
    assert "left out: this processor has no AVX512F" in capsys.readouterr().out
    assert machines.main(["--modes", "native"]) == 1
    assert "FAILED x" in capsys.readouterr().out


@pytest.mark.parametrize("threads", ["1", "4"])
def test_the_suite_has_the_threads_of_its_mode_whatever_the_shell_says(threads):
    code = "import os, tests.conftest; print(os.environ['OMP_NUM_THREADS'])"
    environment = {**os.environ, "OMP_NUM_THREADS": "3", machines.THREADS: threads}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=machines.ROOT, env=environment, capture_output=True
    )
    assert done.stdout.decode().split() == [threads]
