"""Public callables with a valid call each, and what becomes of it with one invalid argument."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from tests.core.invalid_input.contract import limited, violation
from tests.core.invalid_input.values import POSSIBLE, invalid_for


@dataclass(frozen=True)
class Made:
    """A sample that is made anew for every call."""

    make: Callable[[], Any]


@dataclass(frozen=True)
class Table:
    """Valid calls of a package.

    samples: a value for a parameter of this name, wherever a function needs it.
    calls: what single callables need beside or instead of it, by their names; optional parameters
    that belong to a valid call stand here too.
    instances: objects whose methods are called where the class has no valid call here.
    passed: "function.argument" of what is only handed to functions of the caller's.
    taken: by "argument" or "function.argument", the words of invalid values that are good there.
    """

    samples: Mapping[str, Any]
    calls: Mapping[str, Mapping[str, Any]]
    instances: Mapping[str, Any] = field(default_factory=dict)
    taken: Mapping[str, Collection[str]] = field(default_factory=dict)
    passed: Collection[str] = ()

    def valid(self, entry: Entry, but: Collection[str] = ()) -> dict[str, Any]:
        """Values for every parameter that a valid call needs; the test fails without one.

        but: what is given otherwise, and so not made.
        """
        given = self.calls.get(entry.name, {})
        values = {}
        for name, parameter in entry.parameters().items():
            if name in given:
                values[name] = given[name]
            elif parameter.default is inspect.Parameter.empty and parameter.kind not in VARIADIC:
                if name not in self.samples:
                    pytest.fail(
                        f"{entry.name} has no valid call here: a sample of {name} is missing"
                    )
                values[name] = self.samples[name]
        for name in given.keys() - values.keys():  # of **settings
            values[name] = given[name]
        return {name: fresh(value) for name, value in values.items() if name not in but}


signature = cache(inspect.signature)
SEVERAL = re.compile(r"Array|ndarray|Iterable|Sequence|tuple|list")
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def fresh(value: Any) -> Any:
    return value.make() if isinstance(value, Made) else copy.deepcopy(value)


@dataclass(frozen=True)
class Entry:
    """One public callable: a function, a class, or a method of one (`owner` is then the class)."""

    name: str
    function: Callable[..., Any]
    owner: Entry | None = None

    def parameters(self) -> dict[str, inspect.Parameter]:
        found = dict(signature(self.function).parameters)
        if self.owner is not None:
            del found[next(iter(found))]
        return found

    def bound(self, table: Table) -> Callable[..., Any]:
        """What is called: methods are of a new instance each time."""
        if self.owner is None:
            return self.function
        if self.owner.name in table.instances:
            instance = fresh(table.instances[self.owner.name])
        else:
            instance = self.owner.function(**table.valid(self.owner))
        return getattr(instance, self.name.rsplit(".", 1)[1])

    def call(self, table: Table, **changed: Any) -> Any:
        values = table.valid(self, changed) | changed
        positional = []
        for name, parameter in self.parameters().items():
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                positional.append(values.pop(name))
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL and name in values:
                value = values.pop(name)
                positional += [value] if name in changed else value
        return self.bound(table)(*positional, **values)

    def arguments(self, table: Table) -> list[str]:
        """Every parameter that can be given by name, and what a valid call adds to `**settings`."""
        named = [n for n, p in self.parameters().items() if p.kind != VARIADIC[1]]
        return list(dict.fromkeys([*named, *table.valid(self)]))

    def violations(self, table: Table, full: bool) -> list[str]:
        """All invalid calls that break the contract, in words.

        In short every other one of the values that may be possible, which are the dear ones: two
        arguments in a row have all.
        """
        found = []
        with limited():
            if wrong := violation(lambda: self.call(table)):
                return [f"{self.name}: the valid call {wrong}"]
            valid, parameters = table.valid(self), self.parameters()
            for place, argument in enumerate(self.arguments(table), len(self.name)):
                left_out = set() if full else set(sorted(POSSIBLE)[place % 2 :: 2])
                if f"{self.name}.{argument}" in table.passed:
                    continue
                sample = valid.get(argument, fresh(table.samples.get(argument)))
                parameter = parameters.get(argument)
                many = parameter is not None and parameter.kind is VARIADIC[0]
                names = (argument, argument.removesuffix("s")) if many else (argument,)
                good = {
                    *table.taken.get(argument, ()),
                    *table.taken.get(f"{self.name}.{argument}", ()),
                }
                note = str(parameter.annotation) if parameter else "None"
                if (
                    "None" in note
                    or "Optional" in note
                    or (parameter and parameter.default is None)
                ):
                    good.add("none")
                if "bool" in note or isinstance(sample, bool):
                    good.add("true")
                if many or isinstance(sample, (list, tuple, set)) or SEVERAL.search(note):
                    good.add("empty")
                for word, value in invalid_for(sample).items():
                    if word in left_out:
                        continue
                    wrong = violation(
                        lambda a=argument, v=value: self.call(table, **{a: copy.copy(v)}),
                        names,
                        refused=word not in (good | POSSIBLE),
                    )
                    if wrong:
                        found.append(f"{self.name}({argument}={word}) {' '.join(wrong.split())}")
        return found


def methods(entry: Entry) -> Iterator[Entry]:
    """The public methods that a class defines itself; class methods stand for themselves."""
    for name, member in vars(entry.function).items():
        if name.startswith("_"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            yield Entry(f"{entry.name}.{name}", getattr(entry.function, name))
        elif inspect.isfunction(member):
            yield Entry(f"{entry.name}.{name}", member, entry)


def exported(names: Collection[str], home: object, records: Collection[str] = ()) -> list[Entry]:
    """Public by `__all__`: functions and classes, and the public methods of the classes.

    records: classes that are answers, which no caller makes; their methods are public.
    """
    found = []
    for name in names:
        value = getattr(home, name)
        entry = Entry(name, value)
        if inspect.isclass(value):
            made = not inspect.isabstract(value) and name not in records
            found += [entry, *methods(entry)] if made else methods(entry)
        elif callable(value):
            found.append(entry)
    return found
