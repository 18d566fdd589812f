"""A project of a few files in a folder of its own, and pytest run there with the plugin."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import forked

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def project(tmp_path):
    """project({"test_x.py": ...}, *arguments): the finished run of pytest.

    In a process of its own where `cold`, for what a start imports; else in a fork.
    """

    def run(files, *arguments, plugins=(), cold=False):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        # Neither the installed entry point nor other plugins: exactly what is named.
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
        }
        named = [word for p in ("forgetproof.pytest_plugin", *plugins) for word in ("-p", p)]
        line = ["-m", "pytest", "-p", "no:cacheprovider", *named, *arguments]
        if not cold:
            return forked(line, cwd=tmp_path, env=environment)
        return subprocess.run(
            [sys.executable, *line],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

    return run
