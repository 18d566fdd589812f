"""What `forgetproof explain` costs: CPU seconds of the command, of all claims, of where they lose.

    python benchmarks/explain.py [--slowest 10]

The commands are processes of their own; all claims are explained in one, after they are imported.
With --slowest N, `--where-lost` of every claim with a formula, about a minute, of which the N
slowest are shown. A table of Markdown is printed.
"""

import argparse
import contextlib
import io
import os
import resource
import subprocess
import sys
import time

import bounds
from forgetproof.cli import run
from forgetproof.commands._explanation_text import short_text
from verify.explanation import explanation

COMMANDS = (
    ("explain", "sglu.thm3.2"),
    ("explain", "olu", "Theorem 2"),
    ("cite", "sglu.alg5"),
    ("explain", "sglu.thm3.2", "--where-lost"),
)


def of_command(words: tuple[str, ...]) -> float:
    """CPU seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "forgetproof", *words],
        capture_output=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def of_all_claims() -> float:
    """CPU seconds of the text of every claim, once all are imported."""
    statements = bounds.statements()
    start = time.process_time()
    for statement in statements:
        short_text(explanation(statement))
    return time.process_time() - start


def of_where_lost() -> list[tuple[float, str]]:
    """CPU seconds and id of every claim with a formula, the slowest first."""
    spent = []
    for statement in bounds.statements():
        if not statement.forms:
            continue
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            run(["explain", statement.id, "--where-lost"])
        spent.append((time.process_time() - start, statement.id))
    return sorted(spent, reverse=True)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slowest", type=int, default=0)
    arguments = parser.parse_args()
    print("| what | CPU s |\n| --- | --- |")
    for words in COMMANDS:
        print(f"| `forgetproof {' '.join(words)}` | {of_command(words):.2f} |")
    print(f"| {len(bounds.ids())} claims in one process | {of_all_claims():.2f} |")
    if arguments.slowest:
        for seconds, id in of_where_lost()[: arguments.slowest]:
            print(f"| where {id} loses | {seconds:.2f} |")


if __name__ == "__main__":
    main()
