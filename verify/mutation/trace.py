"""Which functions of the shipped source a claim's check runs, and how long the check takes."""

from collections.abc import Callable, Iterable
from cProfile import Profile
from functools import cache, partial
from importlib.util import find_spec
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType
from typing import Any

import bounds
from verify.measurements import experiments
from verify.runner import Settings, run_claim
from verify.self_tests import departure

SHARED = ("accounting", "bounds", "simulators")

# (file relative to the folder that its package is in, qualified name of a function) -> claim
# -> seconds of its check
Users = dict[tuple[str, str], dict[str, float]]


def place(file: str) -> Path:
    """Where a file is: its first folder is the name of a package, ours or a third party's."""
    return _home(file.split("/")[0]).parent / file


@cache
def _home(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"{package} must be a package")
    return Path(spec.submodule_search_locations[0])


@cache
def _editable() -> dict[str, str]:
    """Folders whose source may be edited -> how the names of files in them begin.

    Those that only check lie deeper where they are a third party's, and stand first, with no name.
    """
    third_party = [p for p in bounds.papers() if p.foreign]
    spared = {f"{_home(p.checks)}/": "" for p in third_party if p.checks}
    packages = (*SHARED, *(p.package for p in third_party))
    return spared | {f"{_home(name)}/": name.replace(".", "/") + "/" for name in packages}


def users(
    ids: Iterable[str],
    progress: Callable[[str], None] | None = None,
    settings: Settings | None = None,
) -> Users:
    """Runs the checks and notes the functions of ours that each one calls.

    Raises RuntimeError if a check breaks: nothing can be said of mutants then.
    """
    user_table: Users = {}
    for id in ids:
        name = bounds.get(id).id
        # Imported and tried before, so that the profile holds the check alone.
        experiments(bounds.get(id))  # imports are not calls of the check
        departure(bounds.paper(name.split(".")[0]).check(name))  # nor are equalities
        called, (_, seconds, error) = _calls(partial(run_claim, name, settings or Settings()))
        if error:
            raise RuntimeError(f"the check of {name} breaks: {error.strip().splitlines()[-1]}")
        for key in called:
            user_table.setdefault(key, {})[name] = seconds
        if progress:
            progress(name)
    return user_table


def _calls(work: Callable[[], Any]) -> tuple[set[tuple[str, str]], Any]:
    """The (file, function) pairs of ours that `work` calls, and what it returns.

    A body of a class or a module is no function: it runs where an import is the first.
    """
    # The profiler of C: it slows the check little, and its seconds rank the checks.
    profile = Profile(subcalls=False, builtins=False)
    result = profile.runcall(work)
    codes = [entry.code for entry in profile.getstats()]
    calls = {
        (_named(code.co_filename), code.co_qualname.split(".<locals>")[0])
        for code in codes
        if isinstance(code, CodeType) and code.co_flags & CO_NEWLOCALS
    }
    return {(file, name) for file, name in calls if file}, result


def _named(path: str) -> str:
    """The name of a file that may be edited, "" for any other."""
    for folder, name in _editable().items():
        if path.startswith(folder):
            return name and name + path.removeprefix(folder)
    return ""
