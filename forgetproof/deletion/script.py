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
from forgetproof.deletion.task import TableDeletion

task = TableDeletion(
{settings}
)
X, y = task.training
model = {model}
result = forgetproof.forget(
    model,
    (X, y),
    removed=task.leaving,
    epsilon={epsilon!r},
    delta={delta!r},
    sigma={sigma!r},
    held_out=task.test,
)
print(result.guarantee)
{printed}released = result.model
'''
_PRINTED = """\
print(f"accuracy {result.accuracy.released:.3f} on {result.accuracy.rows} rows held out")
"""


def deletion_script(task: TableDeletion, result: DeletionResult) -> str:
    """The program; it finds the table by the name that the task has for it."""
    step = trained_step(task.model_before)
    kind = type(step)
    imports, model = ["import forgetproof"], "task.model_before"
    if task.model is None:
        module = kind.__module__.rpartition(".")[0]
        imports = [f"from {module} import {kind.__name__}", "", *imports]
        model = f"{step!r}.fit(X, y)".replace("\n", " ")
    return _TEXT.format(
        imports="\n".join(imports),
        settings="\n".join(f"    {name}={value!r}," for name, value in _settings(task)),
        model=model,
        epsilon=result.target.epsilon,
        delta=result.target.delta,
        sigma=result.sigma,
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
