"""What `forgetproof noise dp-sgd --data` costs: CPU seconds and memory by rows, columns and ridge.

    python benchmarks/dp_sgd_rows.py [--largest 100000x100]

Each line is a process of its own that reads a made table, computes the noise of four numbers of
unlearning steps, and trains with it.  A table of Markdown is printed.
"""

import argparse
import tempfile
from pathlib import Path

from forget_command import SIZES, command, write_table

RIDGES = (0.01, 0.001)


def measured(path: Path, ridge: float) -> tuple[float, float, list[str]]:
    """CPU seconds, MB, and the noise of each number of steps, in words."""
    words = f"noise dp-sgd --data {path} -t label --removed 20 --epsilon 1 --delta 1e-5".split()
    spent, memory, lines = command([*words, "--ridge", str(ridge)])
    first = next(i for i, line in enumerate(lines) if line.startswith("unlearning steps K")) + 2
    # K, its share, the noise in one to three words, the accuracy.
    cells = [line.partition(" +- ")[0].split()[2:-1] for line in lines[first : first + 4]]
    return spent, memory, [" ".join(cell) for cell in cells]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="What noise dp-sgd from rows costs.")
    parser.add_argument("--largest", default="100000x100", help="ROWSxCOLUMNS")
    largest = tuple(int(x) for x in parser.parse_args().largest.split("x"))
    print("| rows x columns | ridge | CPU s | MB | sigma at K/(N+K) of 5, 9, 20, 33 % |")
    print("| --- | --- | --- | --- | --- |")
    for rows, columns in SIZES:
        if rows * columns > largest[0] * largest[1]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.csv"
            write_table(path, rows, columns)
            for ridge in RIDGES:
                spent, memory, cells = measured(path, ridge)
                size = f"{rows:,} x {columns}"
                print(f"| {size} | {ridge:g} | {spent:.1f} | {memory:.0f} | {', '.join(cells)} |")


if __name__ == "__main__":
    main()
