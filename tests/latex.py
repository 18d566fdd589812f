"""LaTeX, where there is one."""

import shutil
import subprocess

import pytest

needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")


def compiles(file):
    """Runs LaTeX on the file in its folder. Raises CalledProcessError where it stops."""
    subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", file.name],
        cwd=file.parent,
        check=True,
        capture_output=True,
        timeout=600,
    )
