"""Notices when another `accounting`, `bounds`, `simulators` or `verify` hides ours.

The four names are generic: a folder or file of the same name that comes earlier on `sys.path`
would be imported in place of the package installed beside `forgetproof`.
"""

import os
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("accounting", "bounds", "simulators", "verify")
HOME = Path(__file__).resolve().parent.parent
OURS = {name: str(HOME / name / "__init__.py") for name in PACKAGES}


def shadowed() -> str | None:
    """One line that says which paths hide which packages, or None where all is well."""
    lines = []
    for name, ours in OURS.items():
        # What is imported decides; else what would be.
        loaded = sys.modules.get(name)
        origin = getattr(loaded, "__file__", None) if loaded else None
        if origin is None:
            spec = find_spec(name)
            origin = spec.origin if spec else None
        # Resolved only where the plain paths differ: a link may lead to ours.
        if origin != ours and (origin is None or str(Path(origin).resolve()) != ours):
            location = origin or "no package at all"
            lines.append(
                f"{location} shadows the package {name} of forgetproof, which lies in {HOME / name}"
            )
    return "; ".join(lines) or None


def insist_on_ours() -> str | None:
    """Puts forgetproof's own folder first on `sys.path` when something in front hides it.

    Returns the line that says what was in front, or None where nothing was.

    Raises:
        ImportError: a foreign package of one of the four names is already imported.
    """
    in_front = shadowed()
    if in_front is None:
        return None
    # In front, which helps where nothing of these names is imported yet.
    sys.path.insert(0, str(HOME))
    if message := shadowed():
        raise ImportError(message)
    return in_front


def hiding() -> Iterator[tuple[str, Path]]:
    """The packages of ours that Python would not import in this folder, each with the file that it
    would import: `forgetproof` itself and the four, from here and from PYTHONPATH.

    Nothing is imported.
    """
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = [Path.cwd(), *(Path(folder).absolute() for folder in named if folder)]
    for name in ("forgetproof", *PACKAGES):
        for folder in folders:
            spec = PathFinder.find_spec(name, [str(folder)])
            # A folder without `__init__.py` has no origin, and a package further on is preferred.
            if spec is not None and spec.origin is not None:
                # The first one is what Python imports: it is ours, or it hides ours.
                if Path(spec.origin).resolve().parent.parent != HOME:
                    yield name, Path(spec.origin)
                break
