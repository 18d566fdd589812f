"""An empty project that only pip-installs forgetproof has the plugin, by its entry point."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder into which pip has installed the wheel."""
    target = tmp_path_factory.mktemp("installed")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-compile",
            "--disable-pip-version-check",
            "--target",
            str(target),
            str(wheel),
        ],
        check=True,
        capture_output=True,
    )
    return target


def run_pytest(installed, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTEST_ADDOPTS": ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_an_empty_project_checks_claims(installed, tmp_path):
    run = run_pytest(installed, tmp_path, "--forgetproof-paper", "olu", "-k", "eq17", "-v")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "forgetproof::olu.eq17 PASSED" in run.stdout
    assert "forgetproof::olu.eq17.below PASSED" in run.stdout


def test_a_suite_with_a_verify_of_its_own_is_left_alone(installed, tmp_path):
    (tmp_path / "verify.py").write_text("MINE = True\n")
    (tmp_path / "bounds.py").write_text("MINE = True\n")
    (tmp_path / "test_own.py").write_text(
        "import sys, verify, bounds\n"
        "def test_own():\n"
        "    assert verify.MINE and bounds.MINE\n"
        "    assert 'forgetproof.pytest_plugin' in sys.modules\n"
        "    assert 'forgetproof.claim_items' not in sys.modules\n"
    )
    run = run_pytest(installed, tmp_path, "-q")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout
