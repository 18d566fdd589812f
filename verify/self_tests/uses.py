"""Which source a module of a check or a statement imports, at any depth and wherever in it."""

import re
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from pathlib import Path

import bounds

_PACKAGES = ("verify", "simulators")


@cache
def _followed() -> frozenset[str]:
    """Packages whose source is read: ours, and those that papers from outside are kept in."""
    homes = (home for p in bounds.papers() if p.foreign for home in (p.package, p.checks))
    return frozenset({*_PACKAGES, *(home.split(".")[0] for home in homes)} - {""})


def uses(module: str) -> dict[str, Path]:
    """Modules of these packages that it imports, itself among them, with files.

    A module that cannot be found is left out: whoever imports it says so.
    """
    module_paths: dict[str, Path] = {}
    visited: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in visited:
            visited.add(name)
            path, imported = _imports(name)
            if path is not None:
                module_paths[name] = path
            waiting.extend(imported)
    return module_paths


@cache
def names(module: str) -> frozenset[str]:
    """The names of these modules."""
    return frozenset(uses(module))


@cache
def _imports(module: str) -> tuple[Path | None, tuple[str, ...]]:
    """The file of a module, and the modules of these packages that its text may import."""
    spec = _spec(module)
    if spec is None or not spec.has_location or spec.origin is None:
        return None, ()
    path = Path(spec.origin)
    names = imported(path.read_text("utf-8", errors="replace"), spec.parent or "")
    return path, tuple(n for n in names if n.split(".")[0] in _followed())


def imported(text: str, package: str) -> list[str]:
    """Names of the modules that a text may import: all that it does, and words that look so.

    A string or a comment may look so.  (Parsing the text would take ten times as long.)
    """
    names: list[str] = []
    for home, what in _IMPORT.findall(text.replace("\\\n", " ")):
        words = _NAME.findall(_COMMENT.sub("", what))
        if not home:
            names += words
            continue
        try:
            above = resolve_name("".join(home.split())[len("from") :], package)
        except ImportError:  # no statement, or one that climbs out of its package
            continue
        names += [above, *(f"{above}.{word}" for word in words)]
    return list(dict.fromkeys(names))


_IMPORT = re.compile(r"\b(from\b[ \t\f.\w]*?)?\bimport\b[ \t\f]*(\((?:[^)#]|#[^\n]*)*\)|[^\n;#]*)")
_COMMENT, _NAME = re.compile(r"#[^\n]*"), re.compile(r"[\w.]+")


@cache
def _spec(module: str) -> ModuleSpec | None:
    """Where a module is, without importing what it lies in if that has a file of its own."""
    home = module.rpartition(".")[0]
    above = _spec(home) if home else None
    if home and (above is None or above.submodule_search_locations is None):
        return None
    try:
        if above is not None and above.origin is not None:
            return PathFinder.find_spec(module, above.submodule_search_locations)
    except KeyError:  # a folder without __init__.py asks for the module above it
        pass
    try:
        return find_spec(module)
    except Exception:  # what it lies in is imported on the way, and may fail in any way
        return None
