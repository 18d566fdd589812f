"""Which source a module of `verify` imports, at any depth and wherever in it."""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_PACKAGES = ("verify", "simulators")


def uses(module: str) -> dict[str, Path]:
    """Modules of `verify` and of `simulators` that it imports, itself among them, with files."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported = _imports(name)
            waiting.extend(imported)
    return found


@cache
def simulated(module: str) -> frozenset[str]:
    """The modules of `simulators` among them."""
    return frozenset(name for name in uses(module) if name.startswith("simulators."))


@cache
def _imports(module: str) -> tuple[Path, tuple[str, ...]]:
    """The file of a module, and the modules of ours that its text imports."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            names += [node.module, *(n for n in inner if _is_module(n))]
    return path, tuple(n for n in dict.fromkeys(names) if n.split(".")[0] in _PACKAGES)


@cache
def _is_module(name: str) -> bool:
    if name.split(".")[0] not in _PACKAGES:
        return False
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module, not a package
        return False
