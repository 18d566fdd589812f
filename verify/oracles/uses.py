"""Which source a module of a check or a statement imports, at any depth and wherever in it."""

import ast
from functools import cache
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
    found: dict[str, Path] = {}
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            path, imported = _imports(name)
            if path is not None:
                found[name] = path
            waiting.extend(imported)
    return found


@cache
def simulated(module: str) -> frozenset[str]:
    """The modules of `simulators` among them."""
    return frozenset(name for name in uses(module) if name.startswith("simulators."))


@cache
def _imports(module: str) -> tuple[Path | None, tuple[str, ...]]:
    """The file of a module, and the modules of these packages that its text imports."""
    try:
        spec = find_spec(module)
    except Exception:  # what it lies in is imported on the way, and may fail in any way
        return None, ()
    if spec is None or not spec.has_location or spec.origin is None:
        return None, ()
    path = Path(spec.origin)
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError):  # no source, or none that can be imported
        return path, ()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), spec.parent or "")
            names += [home, *(f"{home}.{alias.name}" for alias in node.names)]
    return path, tuple(n for n in dict.fromkeys(names) if n.split(".")[0] in _followed())
