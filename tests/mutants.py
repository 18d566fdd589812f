"""Deliberate errors in the shipped source, each of which must turn some test or verdict red.

    python tests/mutants.py [NAME ...] [--list]

Every mutant (tests/mutants/*.json) is one replacement in a copy of the source. What should notice
it (a claim's check, compared with its expected verdict, or a test file) is run on the copy and must
fail. Prints a table and exits 1 if a mutant survives.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")


@dataclass(frozen=True)
class Mutant:
    """One error: where, what becomes what, and the claims or test files that must notice."""

    name: str
    file: str
    old: str
    new: str
    killers: tuple[str, ...]


MUTANTS = tuple(
    Mutant(**{**entry, "killers": tuple(entry["killers"])})
    for path in sorted((ROOT / "tests" / "mutants").glob("*.json"))
    for entry in json.loads(path.read_text("utf-8"))
)


def survives(mutant: Mutant) -> tuple[bool, float]:
    """Whether something that should notice the mutant passes, and the seconds it took."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in (*PACKAGES, "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "conftest.py"):
            if (ROOT / name).exists():
                shutil.copy(ROOT / name, copy / name)
        target = copy / mutant.file
        target.write_text(target.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
        passed = any(_passes(killer, copy) for killer in mutant.killers)
    return passed, time.perf_counter() - start


def _passes(killer: str, folder: Path) -> bool:
    """Runs a test file, or a claim's check, on the copy; exit code 1 is what a red result gives."""
    if killer.startswith("tests/"):
        command = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", killer]
    else:
        command = ["-m", "forgetproof", "verify", killer, "--out", str(folder / "out")]
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    if found.returncode not in (0, 1):
        raise RuntimeError(f"{killer} could not be run:\n{found.stdout}\n{found.stderr}")
    return found.returncode == 0


def stale() -> list[str]:
    """Names of mutants whose text no longer stands exactly once in its file."""
    return [m.name for m in MUTANTS if (ROOT / m.file).read_text("utf-8").count(m.old) != 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names of mutants to run (all if none)")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.names or any(n in m.name for n in options.names)]
    if options.list:
        print("\n".join(m.name for m in chosen))
        return 0
    if out_of_date := stale():
        print("these mutants no longer apply: " + "; ".join(out_of_date))
        return 1
    alive = 0
    for mutant in chosen:
        passed, seconds = survives(mutant)
        alive += passed
        print(f"{'SURVIVED' if passed else 'killed':<9}{seconds:6.1f} s  {mutant.name}", flush=True)
    print(f"{len(chosen) - alive} of {len(chosen)} killed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
