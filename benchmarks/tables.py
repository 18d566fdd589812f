"""What reading a table costs: CSV of several kinds and Parquet, beside pandas.

    python benchmarks/tables.py [--rows 100000] [--columns 100]

Processor seconds of one core, imports left out, and the largest memory of a process of its own that
reads the file once; numbers have up to 17 digits.  `rows` is the whole way to a data set,
`--scale file` included; `cells` the reader alone.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas

READ = """
import resource, sys, time
how, path = sys.argv[1:]
if how == "pandas":
    import pandas
    read = pandas.read_csv if path.endswith("csv") else pandas.read_parquet
else:
    from simulators.data.rows_of import prepared_rows, raw_table
    import pandas, pyarrow.parquet
    choices = {"missing": "mark", "scale": "file"}
    read = raw_table if how == "cells" else lambda path: prepared_rows(path, **choices)
start = time.process_time()
read(path)
spent = time.process_time() - start
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def numbers(rows: int, columns: int) -> pandas.DataFrame:
    """Numbers, and a target of 0 and 1."""
    random = np.random.default_rng(0)
    names = [f"c{j}" for j in range(columns)]
    frame = pandas.DataFrame(random.normal(size=(rows, columns)), columns=names)
    return frame.assign(y=random.integers(0, 2, rows))


def with_gaps(frame: pandas.DataFrame) -> pandas.DataFrame:
    """One cell in twenty is empty, in every column."""
    random = np.random.default_rng(1)
    empty = random.random(frame.shape) < 0.05
    empty[:, -1] = False
    return frame.mask(empty)


def with_words(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Ten columns are words."""
    random = np.random.default_rng(2)
    words = np.array(["Aarau", "Bern", "Chur", "Geneva"])
    names = frame.columns[:10]
    return frame.assign(**{name: words[random.integers(0, 4, len(frame))] for name in names})


def measured(how: str, path: Path) -> tuple[float, float]:
    """Processor seconds and MiB of one reading."""
    done = subprocess.run(
        [sys.executable, "-c", READ, how, str(path)], capture_output=True, text=True, check=True
    )
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=100)
    size = parser.parse_args()
    plain = numbers(size.rows, size.columns)
    kinds: dict[str, Callable[[Path], object]] = {
        "numbers.csv": lambda path: plain.to_csv(path, index=False),
        "gaps.csv": lambda path: with_gaps(plain).to_csv(path, index=False),
        "words.csv": lambda path: with_words(plain).to_csv(path, index=False),
        "quoted.csv": lambda path: plain.to_csv(path, index=False, quoting=1),
        "numbers.parquet": plain.to_parquet,
    }
    print(f"{size.rows} rows of {size.columns} columns and a target")
    print(f"{'file':<16}{'MiB':>8}{'cells':>8}{'rows':>8}{'pandas':>8}   s; rows, pandas MiB")
    for name, write in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            write(path)
            runs = {how: measured(how, path) for how in ("cells", "rows", "pandas")}
            size_of_file = path.stat().st_size / 2**20
        seconds = "".join(f"{spent:>8.2f}" for spent, _ in runs.values())
        memory = f"{runs['rows'][1]:.0f}, {runs['pandas'][1]:.0f}"
        print(f"{name:<16}{size_of_file:>8.0f}{seconds}   {memory}", flush=True)


if __name__ == "__main__":
    main()
