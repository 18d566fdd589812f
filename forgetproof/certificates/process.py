"""The checker as a process of its own, which sees nothing of this one."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

CHECKER = Path(__file__).resolve().parents[1] / "checker.py"
_SERVE = """
import json, math, runpy, sys
checker = runpy.run_path(sys.argv[1])
for line in sys.stdin:
    question = json.loads(line)
    try:
        epsilon, _ = checker["epsilon_of"](question["mechanism"], question["delta"])
        answer = {"epsilon": epsilon if math.isfinite(epsilon) else None}
    except checker["Refused"] as reason:
        answer = {"refused": str(reason)}
    except Exception as error:
        answer = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
"""


class CheckerProcess:
    """Asks the checker for numbers: `with CheckerProcess() as checker: checker.epsilon(...)`."""

    def __enter__(self) -> Self:
        # Isolated: neither the working folder nor the environment decides what is imported.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _SERVE, str(CHECKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def epsilon(self, mechanism: Mapping[str, Any], delta: float) -> float:
        """Return what the checker certifies of the last model alone; inf where it has no number.

        Raises ValueError, with the checker's words, where it does not cover the mechanism;
        RuntimeError where its process was ended from outside.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"mechanism": mechanism, "delta": float(delta)}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise RuntimeError("the checker's process has ended without an answer")
        answer = json.loads(line)
        if "refused" in answer:
            raise ValueError(f"mechanism must be one that the checker covers: {answer['refused']}")
        epsilon = answer["epsilon"]
        return math.inf if epsilon is None else float(epsilon)


def run_checker(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Return the checker's exit code and what it printed, for its own arguments."""
    command = [sys.executable, "-I", str(CHECKER), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
