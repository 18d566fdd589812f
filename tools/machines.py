"""The suite as other machines would compute it: kernels, instructions, threads, a mode at a time.

    python -m tools.machines                  # every mode: simulators, and what asks for equal bits
    python -m tools.machines --modes mkl-compatible,numpy-baseline --equalities

A processor decides which kernels multiply matrices (MKL in torch, OpenBLAS in numpy), which
instructions take exp and log, and how sums are cut; so the last bits of a sum, and whatever hangs
on them, are its own.  Each mode asks for some of that by environment variables, for all tests of a
run.  What a processor has not cannot be asked for: such modes are left out, and named.
"""

import argparse
import ast
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = "FORGETPROOF_TEST_THREADS"
"""What tests/conftest.py gives to OpenMP, MKL and OpenBLAS."""
BREADTH = (
    "tests/core/simulators",
    "tests/sglu/test_sglu_gaussian_numbers.py",
    "tests/sglu/test_sglu_projected_numbers.py",
)
"""All that multiplies matrices; the files that ask for equal bits come on top."""
DEAR = (
    "tests/core/simulators/test_coupling.py::test_recursion_holds_for_every_trial_and_step",
    "tests/core/simulators/trajectory/test_recursion.py::test_the_kept_form_is_exact_on_quadratics",
    "tests/core/simulators/trajectory/test_recollection.py"
    "::test_statistics_in_a_file_are_never_resident",
)
"""Left out: a minute of inequalities and of memory, which no kernel decides."""


@dataclass(frozen=True)
class Mode:
    """Environment variables of a run, and what of numpy's list of features it needs."""

    environment: Mapping[str, str]
    needs: tuple[str, ...] = ()


def modes() -> dict[str, Mode]:
    """Each mode by its name, the processor's own kernels first."""
    optional = " ".join(name for name in _dispatched() if _features().get(name))
    found = {
        "native": Mode({}),
        "mkl-compatible": Mode({"MKL_CBWR": "COMPATIBLE"}),
        "mkl-avx2": Mode({"MKL_CBWR": "AVX2"}, ("AVX2",)),
        "torch-default": Mode({"ATEN_CPU_CAPABILITY": "default"}),
        "openblas-nehalem": Mode({"OPENBLAS_CORETYPE": "Nehalem"}, ("SSE42",)),
        "openblas-haswell": Mode({"OPENBLAS_CORETYPE": "Haswell"}, ("AVX2", "FMA3")),
        "openblas-skylakex": Mode({"OPENBLAS_CORETYPE": "SkylakeX"}, ("AVX512F",)),
        # Threads that spin while they wait take the cores from those that work.
        "four-threads": Mode({THREADS: "4", "OMP_WAIT_POLICY": "PASSIVE"}),
    }
    if optional:
        found["numpy-baseline"] = Mode({"NPY_DISABLE_CPU_FEATURES": optional})
        found["oldest"] = Mode(
            {
                "MKL_CBWR": "COMPATIBLE",
                "ATEN_CPU_CAPABILITY": "default",
                "OPENBLAS_CORETYPE": "Nehalem",
                "NPY_DISABLE_CPU_FEATURES": optional,
            }
        )
    return found


def _dispatched() -> Sequence[str]:
    """Instruction sets that numpy takes where the processor has them."""
    return _numpy("__cpu_dispatch__")


def _features() -> Mapping[str, bool]:
    """What the processor has, by numpy's names."""
    return _numpy("__cpu_features__")


def _numpy(name):
    import numpy as np

    core = getattr(np, "_core", None) or np.core
    return getattr(core._multiarray_umath, name)


def equalities() -> list[str]:
    """The tests that ask for equal bits or sums, FILE::NAME: those that call `tests.equality`."""
    found = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text("utf-8")
        if "from tests.equality import" not in text:
            continue
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if names & {"same_bits", "same_sums"}:
                found.append(f"{file.relative_to(ROOT)}::{node.name}")
    return found


def run(mode: Mode, paths: Sequence[str]) -> tuple[int, str, list[str]]:
    """pytest's exit code, its last line, and the tests that failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--tb=short", *paths]
    command += [f"--deselect={test}" for test in DEAR]
    found = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **mode.environment}, capture_output=True, text=True
    )
    lines = found.stdout.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    if found.returncode not in (0, 1):
        failed += lines[-20:] + found.stderr.splitlines()[-20:]
    return found.returncode, lines[-1] if lines else "nothing was said", failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the modes one after the other; 1 if a test failed in any of them."""
    known = modes()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--modes", default=",".join(known), help=", ".join(known))
    parser.add_argument("--equalities", action="store_true", help="only what asks for equal bits")
    options = parser.parse_args(arguments)
    wanted = options.modes.split(",")
    if unknown := set(wanted) - known.keys():
        parser.error(f"modes must be of {', '.join(known)}, got {', '.join(sorted(unknown))}")
    paths = equalities()
    if not options.equalities:
        paths = [*BREADTH, *(file for file in paths if not file.startswith(BREADTH))]
    red = 0
    for name in wanted:
        mode = known[name]
        if missing := [need for need in mode.needs if not _features().get(need)]:
            print(f"{name:18s} left out: this processor has no {', '.join(missing)}", flush=True)
            continue
        began = time.monotonic()
        code, last, failed = run(mode, paths)
        red |= code != 0
        print(f"{name:18s} {last} (in all {time.monotonic() - began:.0f} s)", flush=True)
        for line in failed:
            print(f"    {line}", flush=True)
    return int(red)


if __name__ == "__main__":
    sys.exit(main())
