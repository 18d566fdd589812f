"""Every formula of every paper, in the forms the paper prints, corrected, and tight.

`bounds.get("sglu.lem3.4")` returns a `Formula`; calling one of its forms evaluates it on numbers
or arrays, after every argument and every hypothesis has been checked.
"""

from bounds.catalog import get, ids, module_of
from bounds.formula import Form, Formula
from bounds.symbols import Symbol

__all__ = ["Form", "Formula", "Symbol", "get", "ids", "module_of"]
