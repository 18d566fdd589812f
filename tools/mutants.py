"""Deliberate errors in the shipped source, each of which must turn a test or a verdict red.

    python -m tools.mutants [NAME ...] [--list] [--jobs N]

Every mutant (tests/mutants/*.json) is one replacement in one file. Everything that should notice it
(a claim's check, compared with its expected verdict, or a test file) is run in a process that reads
the edited file, as `forgetproof verify --mutants` runs edits drawn at random, and must fail. Prints
a table and exits 1 if a mutant survives.
"""

import argparse
import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from verify.mutation.child import edit, unexpected

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Mutant:
    """One error: where, what becomes what, and the claims or test files that must notice."""

    name: str
    file: str
    old: str
    new: str
    killers: tuple[str, ...]

    @property
    def module(self) -> str:
        """The dotted name of the file."""
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def source(self) -> str:
        """The text of the file with the error."""
        return (ROOT / self.file).read_text("utf-8").replace(self.old, self.new)


MUTANTS = tuple(
    Mutant(**{**entry, "killers": tuple(entry["killers"])})
    for path in sorted((ROOT / "tests" / "mutants").glob("*.json"))
    for entry in json.loads(path.read_text("utf-8"))
)


def notices(mutant: Mutant, killer: str) -> tuple[bool, float]:
    """Whether a test file or a claim's check fails on the edited source, and the seconds it took.

    The process that runs this is good for nothing else.
    """
    start = time.perf_counter()
    edit(mutant.module, mutant.source)
    if not killer.startswith("tests/"):
        found = unexpected([killer]) is not None
        return found, time.perf_counter() - start
    import pytest

    # pytest rewrites what its plugins' packages have, this one's too, before our finder is asked.
    if mutant.module.startswith("forgetproof."):
        importlib.import_module(mutant.module)
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        code = pytest.main(["-q", "-x", str(ROOT / killer)])
    if code not in (0, 1):
        raise RuntimeError(f"{killer} could not be run on {mutant.name}: pytest left with {code}")
    return code == 1, time.perf_counter() - start


def tried(mutants: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, str, bool, float]]:
    """(mutant, killer, noticed, seconds) as they come."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        waiting = {pool.submit(notices, m, k): (m, k) for m in mutants for k in m.killers}
        for future in as_completed(waiting):
            yield *waiting[future], *future.result()


def stale() -> list[str]:
    """Names of mutants whose text no longer stands exactly once in its file."""
    return [m.name for m in MUTANTS if (ROOT / m.file).read_text("utf-8").count(m.old) != 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names of mutants to run (all if none)")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.names or any(n in m.name for n in options.names)]
    if options.list:
        print("\n".join(m.name for m in chosen))
        return 0
    if out_of_date := stale():
        print("these mutants no longer apply: " + "; ".join(out_of_date))
        return 1
    alive = set()
    for mutant, killer, noticed, seconds in tried(chosen, options.jobs):
        alive |= set() if noticed else {mutant}
        word = "noticed" if noticed else "SURVIVED"
        print(f"{word:<9}{seconds:6.1f} s  {mutant.name}  by {killer}", flush=True)
    print(f"{len(chosen) - len(alive)} of {len(chosen)} killed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
