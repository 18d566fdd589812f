"""Writes constraints.txt and docs.txt: packages with their hashes.

The first has every one of the development environment, the second what `make docs` needs beside.

    python -m pip install uv
    python -m tools.pins

Versions that the two have already are kept where pyproject.toml allows them: to move one, take its
lines out first.  All files of a release are named, for any platform and Python.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS, SITE = ROOT / "constraints.txt", ROOT / "docs.txt"
HEAD = """\
# What `make` installs beside torch (torch.txt): the versions that the suite was last run with, and
# the hashes of their files on PyPI.  Written by tools/pins.py.
"""
HEAD_OF_SITE = """\
# What `make docs` installs beside constraints.txt, with the hashes of the files on PyPI.
# Written by tools/pins.py.
"""
BUILDING = ("editables", "hatchling", "pip")
"""What installs the project itself into an environment."""
OF_CUDA = re.compile(r"^(nvidia-|cuda-|triton\b)")
"""Gigabytes that only torch's builds for GPUs need, which name them with their versions."""


def versions(*files: Path) -> list[str]:
    """The lines NAME==VERSION of such files, without hashes."""
    lines = "\n".join(file.read_text("utf-8") for file in files if file.is_file()).splitlines()
    return [line.removesuffix(" \\") for line in lines if re.match(r"[\w.-]+==", line)]


def compiled(*extras: str) -> str:
    """uv's answer for pyproject.toml with these extras."""
    with tempfile.TemporaryDirectory() as folder:
        kept, more = Path(folder, "kept.txt"), Path(folder, "more.in")
        kept.write_text("\n".join(versions(PINS, SITE)), "utf-8")
        more.write_text("\n".join(BUILDING), "utf-8")
        command = ["-m", "uv", "pip", "compile", "pyproject.toml", str(more)]
        command += [word for extra in extras for word in ("--extra", extra)]
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


def packages(text: str) -> list[str]:
    """The packages of a list with hashes, but for those of `OF_CUDA`."""
    return [each for each in re.split(r"\n(?=\S)", text.strip()) if not OF_CUDA.match(each)]


if __name__ == "__main__":
    PINS.write_text(HEAD + "\n".join(packages(compiled("dev"))) + "\n", "utf-8")
    pinned = set(versions(PINS))
    more = [p for p in packages(compiled("dev", "docs")) if p.split(" \\")[0] not in pinned]
    SITE.write_text(HEAD_OF_SITE + "\n".join(more) + "\n", "utf-8")
