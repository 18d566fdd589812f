"""`forget.py`: code that reads the table, trains the model, and deletes the rows."""

from __future__ import annotations

from dataclasses import MISSING, fields

from forgetproof.deletion.estimators import trained_step
from forgetproof.deletion.result import DeletionResult
from forgetproof.deletion.task import TableDeletion

_TEXT = '''"""Deletes rows from a trained model, as `forgetproof forget` did.

Every run draws noise of its own: release one of the models, not several.
"""

{imports}

task = TableDeletion(
{settings}
)
X, y = task.rows[task.learned], task.labels[task.learned]
model = {model}
result = forgetproof.forget(
    model,
    (X, y),
    removed=np.isin(task.learned, task.gone),
    epsilon={epsilon!r},
    delta={delta!r},
    sigma={sigma!r},{held_out}
)
print(result.guarantee)
{printed}released = result.model
'''
_HELD_OUT = """
    held_out=(task.rows[task.held], task.labels[task.held]),"""
_PRINTED = """\
print(f"accuracy {result.accuracy.released:.3f} on {result.accuracy.rows} rows held out")
"""


def deletion_script(task: TableDeletion, result: DeletionResult) -> str:
    """The program; it finds the table by the name that the task has for it."""
    step = trained_step(task.trained)
    kind = type(step)
    imports = ["import numpy as np"]
    model = "task.trained"
    if task.model is None:
        imports.append(f"from {kind.__module__.rpartition('.')[0]} import {kind.__name__}")
        model = f"{step!r}.fit(X, y)".replace("\n", " ")
    imports += ["", "import forgetproof", "from forgetproof.deletion.task import TableDeletion"]
    return _TEXT.format(
        imports="\n".join(imports),
        settings="\n".join(f"    {name}={value!r}," for name, value in _settings(task)),
        model=model,
        epsilon=result.target.epsilon,
        delta=result.target.delta,
        sigma=result.sigma,
        held_out=_HELD_OUT if len(task.held) else "",
        printed=_PRINTED if result.accuracy is not None else "",
    )


def _settings(task: TableDeletion) -> list[tuple[str, object]]:
    """Name and value of the fields that are not as usual."""
    written = []
    for each in fields(task):
        value = getattr(task, each.name)
        if each.name == "data" or (each.default is not MISSING and value != each.default):
            written.append((each.name, value))
    return written
