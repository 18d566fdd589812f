"""Rows in pieces: processor seconds and memory of passes and whole answers, by the number of rows.

    python benchmarks/row_pieces.py [--rows 100000 1000000] [--kinds npy parquet] [--folder FOLDER]

Normal rows of 20 numbers with a label, written once into the folder (168 bytes a row).  Every work
runs in a process of its own; the ratio of its peak memory to that at the first size is to be near
1.  `read` reads the file and does nothing; `pass` has norms and hash, `newton` value, gradient and
Hessian of the logistic loss; `certify` certifies a model (0) by balls; `forget` deletes two rows;
`noise` and `simulate` are commands with one epoch.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

COLUMNS = 20
_TOGETHER = 50_000  # rows that are written at a time
WORKS = ("read", "pass", "newton", "noise", "simulate", "certify", "forget")


def made(n: int, kind: str, folder: Path) -> Path:
    """The file of so many rows, written where it is not there yet."""
    path = folder / f"rows_{n}.{kind}"
    if path.exists():
        return path
    random, write = np.random.default_rng(0), _writer(path, n, kind)
    slope = random.standard_normal(COLUMNS) / COLUMNS**0.5
    for first in range(0, n, _TOGETHER):
        rows = random.standard_normal((min(_TOGETHER, n - first), COLUMNS))
        noise = 0.5 * random.standard_normal(len(rows))
        write(np.column_stack([rows, np.where(rows @ slope + noise > 0, 1.0, -1.0)]))
    write(None)
    return path


def _writer(path: Path, n: int, kind: str) -> Callable[[Any], None]:
    """Takes rows some at a time, and None after the last."""
    if kind == "npy":
        file = path.open("wb")
        shape = {"descr": "<f8", "fortran_order": False, "shape": (n, COLUMNS + 1)}
        np.lib.format.write_array_header_1_0(file, shape)
        return lambda rows: file.close() if rows is None else rows.tofile(file)
    import pyarrow
    import pyarrow.parquet

    names = [*(f"x{j}" for j in range(COLUMNS)), "y"]
    schema = pyarrow.schema([(name, pyarrow.float64()) for name in names])
    writer = pyarrow.parquet.ParquetWriter(path, schema, compression="NONE", use_dictionary=False)

    def write(rows: Any) -> None:
        if rows is None:
            writer.close()
        else:
            writer.write_table(pyarrow.table(dict(zip(names, rows.T, strict=True))))

    return write


def work(name: str, path: str) -> None:
    """One of the works on the rows of a file."""
    from simulators.data.pieced import arrow_rows, npy_rows

    data = (npy_rows if path.endswith(".npy") else arrow_rows)(path)
    if name == "read":
        for piece in data.reader.read(0, len(data), 26_214):
            len(piece)
    elif name == "pass":
        _ = data.summary
    elif name in ("noise", "simulate"):
        _command(name, path)
    elif name == "forget":
        _forget(data)
    else:
        from simulators.erm.objective import Objective
        from simulators.losses.logistic import Logistic

        objective = Objective(Logistic(0.05))
        if name == "certify":
            objective.distance(data.without([1, 5]), np.zeros(COLUMNS))
        else:
            objective.in_floats(data)._hessian(np.zeros(COLUMNS))


def _forget(data: Any) -> None:
    from sklearn.linear_model import LogisticRegression

    import forgetproof

    first = next(data.pieces())
    model = LogisticRegression(C=1 / (0.05 * len(data)), fit_intercept=False)
    model.fit(first.features, first.targets)
    forgetproof.forget(model, data, removed=[1, 5], sigma=1e-3)


def _command(name: str, path: str) -> None:
    from forgetproof.cli import run

    asked = {
        "noise": "noise langevin --regularisation 0.05 --epochs 1 --epsilon 1 --delta 1e-5",
        "simulate": "simulate langevin --regularisation 0.05 --learn-epochs 1 --sigma 0.01 "
        "--trials 16",
    }[name]
    pieces = [] if path.endswith(".npy") else ["--in-pieces"]
    with contextlib.redirect_stdout(io.StringIO()):
        code = run([*asked.split(), "--data", path, "--batch-size", "5000", *pieces])
    if code:
        raise RuntimeError(f"{name} of {path} ended with {code}")


def measured(name: str, path: Path) -> tuple[float, float]:
    """Processor seconds of the work, and MB of its process at most."""
    code = [sys.executable, __file__, "--work", name, str(path)]
    seconds, peak = json.loads(subprocess.run(code, check=True, capture_output=True).stdout)
    return seconds, peak


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[10**5, 10**6])
    parser.add_argument("--kinds", nargs="+", default=["npy", "parquet"])
    parser.add_argument("--works", nargs="+", default=WORKS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--work", nargs=2, metavar=("NAME", "FILE"))
    asked = parser.parse_args()
    if asked.work:
        before = time.process_time()
        work(*asked.work)
        seconds = time.process_time() - before
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps([seconds, peak]))
        return
    with contextlib.ExitStack() as stack:
        folder = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        print(f"{'':18}{'rows':>12}{'seconds':>10}{'ns a number':>13}{'MB':>8}{'ratio':>8}")
        for kind in asked.kinds:
            for name in asked.works:
                first = None
                for n in asked.rows:
                    seconds, peak = measured(name, made(n, kind, folder))
                    first = first or peak
                    each = 1e9 * seconds / n / COLUMNS
                    label = f"{kind} {name}"
                    cost = f"{label:18}{n:12,}{seconds:10.2f}{each:13.1f}"
                    print(f"{cost}{peak:8.0f}{peak / first:8.2f}", flush=True)


if __name__ == "__main__":
    main()
