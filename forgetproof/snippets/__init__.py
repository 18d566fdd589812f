"""Python to paste: the rows as they must be, the steps, and the noise where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accounting.problems import Answer, Problem
    from simulators.runs.bounded import Bounded

_RANDOM = "rng = np.random.default_rng()  # fresh for every release, and secret"


FORMS = ("numpy", "opacus")


def snippet(task: Bounded, problem: Problem, answer: Answer, form: str = "numpy") -> str | None:
    """A program that reads the rows of the task, trains, and adds the answer's noise.

    It runs as it is where the rows came from a file or have a name; rows that were passed from
    Python it calls `data`, a loss that is no name `loss`.  None where the noise is on nothing that
    a program is known for.  form: numpy, or opacus, which makes noisy sums alone.
    """
    # With the first program: the options of a command name the forms alone.
    from forgetproof.snippets.noise import OF_OPACUS, PROGRAMS
    from forgetproof.snippets.rows import rows

    noise_on = problem.assumptions.noise_on
    write = PROGRAMS.get(noise_on) if form == "numpy" else OF_OPACUS.get(noise_on)
    program = None if write is None else write(task, problem, answer)
    if program is None:
        return None
    lines = [*rows(task), _RANDOM, *program]
    # Imports stand at the head, whoever needs them.
    imports = [line for line in lines if line.startswith(("from ", "import "))]
    imports = list(dict.fromkeys(imports))
    rest = [line for line in lines if line not in imports]
    return "\n".join(["import numpy as np", *imports, "", *rest]) + "\n"
