"""The index of pagefind, which finds Rényi as Renyi; without it Sphinx's own search stays.

A browser reads neither from a file: `python -m http.server` in the folder of the site serves both.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def index(pages: Path) -> bool:
    """Writes `pagefind/` beside the pages; whether pagefind is installed."""
    if find_spec("pagefind") is None:
        return False
    line = [sys.executable, "-m", "pagefind", "--site", str(pages), "--root-selector", "article"]
    done = subprocess.run(
        [*line, "--force-language", "en"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"pagefind ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return True
