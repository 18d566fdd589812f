"""An empty project that only installs forgetproof has the plugin, by its entry point."""

import os

from tests.forks import forked


def run_pytest(site, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTEST_ADDOPTS": ""}
    line = ["-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return forked(line, cwd=folder, env=environment)


def test_an_empty_project_checks_claims(site, tmp_path):
    run = run_pytest(site, tmp_path, "--forgetproof-paper", "olu", "-k", "eq17", "-v")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "forgetproof::olu.eq17 PASSED" in run.stdout
    assert "forgetproof::olu.eq17.below PASSED" in run.stdout


def test_a_suite_with_a_verify_of_its_own_is_left_alone(site, tmp_path):
    (tmp_path / "verify.py").write_text("MINE = True\n")
    (tmp_path / "bounds.py").write_text("MINE = True\n")
    (tmp_path / "test_own.py").write_text(
        "import sys, verify, bounds\n"
        "def test_own():\n"
        "    assert verify.MINE and bounds.MINE\n"
        "    assert 'forgetproof.pytest_plugin' in sys.modules\n"
        "    assert 'forgetproof.claim_items' not in sys.modules\n"
    )
    run = run_pytest(site, tmp_path, "-q")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout
