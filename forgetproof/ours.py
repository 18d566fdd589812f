"""Using forgetproof's packages inside a process whose own modules have the same names.

`accounting`, `bounds`, `simulators` and `verify` are generic names, and a test suite may have a
`verify.py` of its own, imported or about to be. Inside `ours()` the names mean our packages; where
something else hides them, they mean that again afterwards.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

from forgetproof.guard import PACKAGES, shadowed

P = ParamSpec("P")
R = TypeVar("R")
HOME = str(Path(__file__).resolve().parent.parent)
_kept: dict[str, ModuleType] = {}  # ours, while the names mean something else
_known: dict[str, ModuleType] = {}  # ours, as last seen in place: looking again takes no files


@contextmanager
def ours() -> Iterator[None]:
    """Inside, the four names are our packages; may be nested."""
    if _in_place():
        yield
        return
    # What bears the names now is put aside with all submodules, and comes back as it was.
    theirs = _taken_out()
    sys.modules.update(_kept)
    sys.path.insert(0, HOME)
    try:
        yield
    finally:
        # Kept for the next time: a second import would make other classes of the same names.
        _kept.update(_taken_out())
        sys.modules.update(theirs)
        if HOME in sys.path:
            # Someone inside may have removed it.
            sys.path.remove(HOME)


def inside_ours(function: Callable[P, R]) -> Callable[P, R]:
    """The function, run inside `ours()`."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # pytest shows the line of the test, not ours
        with ours():
            return function(*args, **kwargs)

    return wrapped


def _in_place() -> bool:
    """Whether the four names are our packages, or would be once they are imported."""
    if len(_known) == len(PACKAGES) and all(sys.modules.get(k) is m for k, m in _known.items()):
        return True
    if shadowed() is not None:
        return False
    _known.update({name: sys.modules[name] for name in PACKAGES if name in sys.modules})
    return True


def _taken_out() -> dict[str, ModuleType]:
    """Removes whatever bears one of the four names from `sys.modules`, and returns it."""
    module_names = [name for name in sys.modules if name.split(".")[0] in PACKAGES]
    return {name: sys.modules.pop(name) for name in module_names}
