"""Writes constraints.txt: every package of the development environment with its hashes.

    python -m pip install uv
    python -m tools.pins

Versions that constraints.txt has already are kept where pyproject.toml allows them: to move one,
take its lines out first.  All files of a release are named, for any platform and Python.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "constraints.txt"
HEAD = """\
# What `make` installs beside torch (torch.txt): the versions that the suite was last run with, and
# the hashes of their files on PyPI.  Written by tools/pins.py.
"""
BUILDING = ("editables", "hatchling", "pip")
"""What installs the project itself into an environment."""
OF_CUDA = re.compile(r"^(nvidia-|cuda-|triton\b)")
"""Gigabytes that only torch's builds for GPUs need, which name them with their versions."""


def versions() -> list[str]:
    """The lines NAME==VERSION of constraints.txt, without hashes."""
    lines = PINS.read_text("utf-8").splitlines()
    return [line.removesuffix(" \\") for line in lines if re.match(r"[\w.-]+==", line)]


def compiled() -> str:
    """uv's answer for pyproject.toml with all that develops it."""
    with tempfile.TemporaryDirectory() as folder:
        kept, more = Path(folder, "kept.txt"), Path(folder, "more.in")
        kept.write_text("\n".join(versions()), "utf-8")
        more.write_text("\n".join(BUILDING), "utf-8")
        command = ["-m", "uv", "pip", "compile", "pyproject.toml", str(more), "--extra", "dev"]
        command += ["--generate-hashes", "--universal", "--python-version", "3.11"]
        command += ["--no-emit-package", "torch", "--no-header", "--no-annotate", "--quiet"]
        done = subprocess.run(
            [sys.executable, *command, "--constraints", str(kept)],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
    return done.stdout


def without_cuda(text: str) -> str:
    """The packages of a list with hashes, but for those of `OF_CUDA`."""
    packages = re.split(r"\n(?=\S)", text.strip())
    return "\n".join(each for each in packages if not OF_CUDA.match(each)) + "\n"


if __name__ == "__main__":
    PINS.write_text(HEAD + without_cuda(compiled()), "utf-8")
