"""From MODULE:OBJECT, as written on a command line, to the object that describes a problem."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from verify.audit.outputs import UserFunctionError
from verify.audit.problem import AuditedProblem


def load(target: str) -> AuditedProblem:
    """Return the problem that `target` names: "package.module:NAME" or "path/to/file.py:NAME".

    NAME may be dotted, and names an object (or a class, which is instantiated) with the attributes
    learn, unlearn, retrain, data, request.  The folder of a file, or the current one, is put last
    on `sys.path`.  Raises ValueError naming what is missing, or the exception that importing
    raised.
    """
    return AuditedProblem.of(named(target))


def named(target: str) -> object:
    """The object that MODULE:NAME names, whatever it is; errors as for `load`."""
    place, colon, name = target.rpartition(":")
    if not (colon and place and all(part.isidentifier() for part in name.split("."))):
        raise ValueError(f"target must be MODULE:OBJECT, got {target!r}")
    value: object = _module(place)
    for part in name.split("."):
        if not hasattr(value, part):
            raise ValueError(f"{place} must have {name!r}, got no {part!r}")
        value = getattr(value, part)
    return value


def _module(place: str) -> ModuleType:
    is_file = place.endswith(".py")
    folder = str(Path(place).resolve().parent) if is_file else os.getcwd()
    # Last, so that a user's folder shadows no installed module.
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        return _from_file(Path(place)) if is_file else importlib.import_module(place)
    except UserFunctionError:
        raise
    except (Exception, SystemExit) as error:
        raise UserFunctionError(f"{place} raised {type(error).__name__}: {error}") from error


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UserFunctionError(f"module must be a file that exists, got {str(path)!r}")
    name = f"_audited_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserFunctionError(f"module must be a Python file, got {str(path)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
