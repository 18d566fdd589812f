"""Whether what the site shows has changed within the last day of main's history.

    python -m tools.site.changed [COMMIT]    # or since a commit

Says so with exit code 0, and with 1 where nothing of it did.  A day of commits covers whatever
landed together, on one line of history or by merges.  The site shows documents, whatever a public
docstring stands in, what papers state and a run recorded, and what makes it.  Where git cannot say,
or has no commit that old, it is made.
"""

from __future__ import annotations

import subprocess
import sys

from tools.site.places import ROOT

SHOWN = (
    "docs",
    "README.md",
    "CHANGELOG.md",
    "tools/site",
    "docs.txt",
    "pyproject.toml",
    "papers/pyproject.toml",
    "accounting",
    "bounds",
    "simulators",
    "forgetproof",
    "verify/report",
    "verify/plots",
    "verify/*.py",
    "verify/*/expected.json",
    "verify/*/record.json",
    "verify/*/counterexamples",
)
"""Paths, as `git diff` takes them, that a page can show something of."""


DAY = 86_400  # seconds


def changed(commit: str | None = None) -> bool:
    """Whether any of them differs from the commit, or git does not know."""
    since = commit or _a_day_before()
    return not since or _git("diff", "--quiet", since, "--", *SHOWN).returncode != 0


def _a_day_before() -> str:
    """The newest commit of main that is a day older than the last one; empty where none is."""
    last = _git("log", "-1", "--format=%ct", "HEAD").stdout.strip()
    if not last:
        return ""
    before = f"--before={int(last) - DAY}"
    return _git("rev-list", "-1", "--first-parent", before, "HEAD").stdout.strip()


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(not changed(*sys.argv[1:2]))
