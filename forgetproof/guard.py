"""Notices when another `accounting`, `bounds`, `simulators` or `verify` hides ours.

The four names are generic: a folder or file of the same name that comes earlier on `sys.path`
would be imported in place of the package installed beside `forgetproof`.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("accounting", "bounds", "simulators", "verify")
HOME = Path(__file__).resolve().parent.parent
OURS = {name: str(HOME / name / "__init__.py") for name in PACKAGES}


def shadowed() -> str | None:
    """One line that says which path hides which package, or None where all is well."""
    for name, ours in OURS.items():
        loaded = sys.modules.get(name)
        origin = getattr(loaded, "__file__", None) if loaded else None
        if origin is None:
            spec = find_spec(name)
            origin = spec.origin if spec else None
        if origin != ours and (origin is None or str(Path(origin).resolve()) != ours):
            location = origin or "no package at all"
            return (
                f"{location} shadows the package {name} of forgetproof, which lies in {HOME / name}"
            )
    return None


def insist_on_ours() -> None:
    """Puts forgetproof's own folder first on `sys.path` when something in front hides it.

    Raises:
        ImportError: a foreign package of one of the four names is already imported.
    """
    if shadowed() is None:
        return
    sys.path.insert(0, str(HOME))
    if message := shadowed():
        raise ImportError(message)
