"""What `forgetproof forget` costs: CPU seconds and memory by rows and columns.

    python benchmarks/forget_command.py [--largest 100000x100]

Each row is a process of its own that reads a made table, trains, forgets twenty rows and writes
the page.  A table of Markdown is printed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SIZES = ((5_000, 5), (100_000, 10), (100_000, 100))
COMMAND = (
    "import resource, sys\n"
    "from forgetproof.cli import run\n"
    "code = run(sys.argv[1:])\n"
    "print('peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    "sys.exit(code)\n"
)


def write_table(path: Path, rows: int, columns: int) -> None:
    """Normal columns, and a class that follows from the first of them."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(rows, columns))
    chance = 1 / (1 + np.exp(-features[:, 0]))
    words = np.where(rng.random(rows) < chance, "Yes", "No")
    names = ",".join([*(f"x{j}" for j in range(columns)), "label"])
    with path.open("w") as file:
        file.write(names + "\n")
        for row, word in zip(features, words, strict=True):
            file.write(",".join(f"{x:.4f}" for x in row) + f",{word}\n")


def command(words: list[str]) -> tuple[float, float, list[str]]:
    """CPU seconds, MB, and the lines of a command of forgetproof in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    *lines, peak = done.stdout.splitlines()
    return spent, int(peak.split()[1]) / 1024, lines


def measured(rows: int, columns: int) -> tuple[float, float, str]:
    """CPU seconds, MB, and the line of the cost."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        write_table(path, rows, columns)
        words = f"forget --data {path} -t label --removed 0:20 --epsilon 1 --delta 1e-6".split()
        spent, memory, lines = command([*words, "--save", f"{folder}/out"])
    (cost,) = (line.split(None, 1)[1] for line in lines if line.startswith("  cost"))
    return spent, memory, cost


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="What forgetproof forget costs.")
    parser.add_argument("--largest", default="100000x100", help="ROWSxCOLUMNS")
    largest = tuple(int(x) for x in parser.parse_args().largest.split("x"))
    print("| rows x columns | CPU s | MB | steps and certificate |\n| --- | --- | --- | --- |")
    for rows, columns in SIZES:
        if rows * columns <= largest[0] * largest[1]:
            spent, memory, cost = measured(rows, columns)
            print(f"| {rows:,} x {columns} | {spent:.1f} | {memory:.0f} | {cost} |", flush=True)


if __name__ == "__main__":
    main()
