"""What is said of an exception that the code of a paper raised: file, line, function, arguments."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import CodeType
from typing import Any

import numpy as np

from bounds.forms import Form
from bounds.hypotheses import plain

LONGEST = 80  # characters of one argument
HANDED_ON = ("self", "xp", "ctx")  # arguments of a function that the author does not choose


@dataclass(frozen=True)
class Place:
    """Where the code of a paper raised: a file below its package's folder, a line, and a call."""

    file: str
    line: int
    call: str = ""

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}" + (f", {self.call}" if self.call else "")


def told(error: BaseException, packages: Collection[str], otherwise: str = "") -> str:
    """The exception in one line, after the place in these packages where it arose.

    "toy_paper/example.py, line 42, printed(m = 0.1, T = 5): NameError: name 'n' is not defined"

    otherwise: what stands in front where it arose elsewhere.
    """
    # str() of a SyntaxError names the file and line once more.
    words = error.msg if isinstance(error, SyntaxError) else error
    message = " ".join(f"{type(error).__name__}: {words}".split()).removesuffix(":")
    location = str(place(error, packages) or otherwise)
    return f"{location}: {message}" if location else message


def place(error: BaseException, packages: Collection[str]) -> Place | None:
    """The innermost line of these packages that the exception passed through, if any.

    What a form refuses is said of the form's own line, wherever it was called.
    """
    location = None
    for each in _causes(error):
        # The root of the causes comes last, and its place is the one that stays.
        location = _unparsed(each, packages) or _innermost(each, packages) or location
    return location


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception, and what it was raised from, at any depth."""
    while error is not None:
        yield error
        error = error.__cause__


def _unparsed(error: BaseException, packages: Collection[str]) -> Place | None:
    """Where a file of these packages is no Python."""
    if not isinstance(error, SyntaxError) or error.filename is None or error.lineno is None:
        return None
    parts = PurePath(error.filename).parts
    # A file that does not parse has no frame: its place follows from its path alone.
    outer = {package.split(".")[0] for package in packages}
    starts = [place for place, part in enumerate(parts) if part in outer]
    return Place("/".join(parts[starts[-1] :]), error.lineno) if starts else None


def _innermost(error: BaseException, packages: Collection[str]) -> Place | None:
    location = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        module, code, names = str(frame.f_globals.get("__name__")), frame.f_code, frame.f_locals
        if _inside(module, packages):
            location = Place(_file(code, module), line, _call(code, names))
            continue
        # A form refuses in code of ours: the line of its author's function is told instead.
        form = names.get("self")
        if isinstance(form, Form):
            arguments = names.get("arguments", names.get("inputs", {}))
            location = _of_form(form, arguments, packages) or location
    return location


def _of_form(form: Form, given: Mapping[str, Any], packages: Collection[str]) -> Place | None:
    """The first line of the function that its author wrote."""
    formula = inspect.unwrap(form.formula or form.value)
    if not (inspect.isfunction(formula) and _inside(formula.__module__, packages)):
        return None
    call = f"{formula.__name__}({_given(given)})"
    return Place(_file(formula.__code__, formula.__module__), formula.__code__.co_firstlineno, call)


def _inside(module: str, packages: Collection[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _file(code: CodeType, module: str) -> str:
    """As it is called from the folder in which the outermost package lies."""
    parts = PurePath(code.co_filename).parts
    # A package's own file lies one folder deeper than its name says.
    depth = len(module.split(".")) + (parts[-1] == "__init__.py")
    return "/".join(parts[-depth:])


def _call(code: CodeType, names: Mapping[str, Any]) -> str:
    if code.co_name == "<module>":
        return ""
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    arguments = {
        name: names[name] for name in parameters if name in names and name not in HANDED_ON
    }
    return f"{code.co_name}({_given(arguments)})"


def _given(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_shown(value)}" for name, value in arguments.items())


def _shown(value: Any) -> str:
    """A number with all its digits, a list or a word up to a length, of anything else its type."""
    if isinstance(value, np.ndarray | np.generic) and np.ndim(value) == 0:
        value = value.item()
    if isinstance(value, float | int):
        return repr(value)
    if not isinstance(value, list | tuple | str | np.ndarray):
        return f"<{type(value).__name__}>"
    text = " ".join(plain(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
