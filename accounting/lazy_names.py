"""Public names of a package that are imported when they are first asked for (PEP 562).

Whoever imports one module of a package runs its `__init__`, and with it all that the public names
come from. Where that is much, the `__init__` imports them for type checkers alone and calls this:

    if TYPE_CHECKING:
        from accounting.curves import delta_gdp

    __all__ = ["delta_gdp"]

    __getattr__, __dir__ = lazy_names(__name__, {"accounting.curves": "delta_gdp"})
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    package: its name. homes: a module -> the names that the package takes from it, with blanks
    between them. None of them may be that of a submodule as well, which takes its place when it is
    imported.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def attribute(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        # Kept among the package's globals, so that it is looked up here only once.
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of})

    return attribute, names
