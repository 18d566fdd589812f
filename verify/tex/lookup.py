"""What a name is worth at a point: running letters, definitions, arguments, then notation."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

import mpmath as mp

from verify.tex.names import Arguments, Definition, Meanings, parsed
from verify.tex.normalise import tokens
from verify.tex.numeric import exact, root
from verify.tex.tree import Tree, Unread, key, keys

RUNNING = re.compile(r"(?:[a-z]|\\tau)(?:_[a-z])?(?:,.*)?")
"""Indices that a scalar argument may carry: it is the argument of the step spoken of."""

LONGEST = 5_000
ALL = None
"""In place of a running letter: all that there are, by name; and the value of one that is none."""
Letter = str | None
CONSTANTS = {"e": mp.e, r"\pi": mp.pi}


class Lookup:
    """Values of names at one point; what has a value is for `Evaluation` to add.

    Args:
        inputs: the arguments at that point.
        arguments: how they are written.
        meanings: of the form, then of its paper; the arguments stand between the two.
        hidden: the argument that is the constant of O(), if there is one.
        most: how many nodes may be evaluated.
    """

    def __init__(
        self,
        inputs: Mapping[str, Any],
        arguments: Arguments,
        meanings: tuple[Meanings, Meanings],
        hidden: str = "",
        most: int = 1_000_000,
    ) -> None:
        self.raw = inputs
        self.inputs = {name: exact(value) for name, value in inputs.items()}
        self.arguments = arguments
        self.own, self.common = meanings
        self.hidden = hidden
        self.loose = False
        self.scope: dict[str, Any] = {}
        self.known: dict[Any, Any] = {}
        self.numbers: dict[str, Any] = {}
        self.defined: dict[Any, dict[tuple[Letter, ...], dict[Any, Any]]] = {}
        self.reads: set[Letter] = set()
        self.busy: set[Any] = set()
        self.steps = 0
        self.most = most
        self.callables = frozenset(self.own.callables() | self.common.callables())

    # -- scopes --------------------------------------------------------------------------------

    @contextmanager
    def at(self, values: Mapping[str, Any], *, alone: bool = False) -> Iterator[None]:
        """Inside, these running letters have these values (and no others any, if `alone`)."""
        before, reads = self.scope, self.reads
        self.scope, self.reads = dict(values) if alone else {**before, **values}, set()
        try:
            yield
        finally:
            if not alone:
                reads |= self.reads - values.keys()
            self.scope, self.reads = before, reads

    def runs(self, letter: str) -> bool:
        """Whether it is a running letter here. Every look at the scope is noted."""
        self.reads.add(letter)
        return letter in self.scope

    def _seen(self, letters: Iterable[Letter]) -> tuple[Any, ...]:
        """What they are in this scope."""
        return tuple(frozenset(self.scope) if x is ALL else self.scope.get(x, ALL) for x in letters)

    def plain(self, name: str, definition: Definition) -> Any:
        """The value of a definition, found once for all scopes that agree where it looked."""
        value_table = self.defined.setdefault((name, id(definition)), {})
        for letters, values in value_table.items():
            if (scope_key := self._seen(letters)) in values:
                self.reads.update(letters)
                return values[scope_key]
        before, self.reads = self.reads, set()
        what = (name, id(definition), *sorted(self.scope.items()))
        try:
            value = self.once(what, partial(self.of, definition, name))
            letters = tuple(sorted(self.reads, key=str))
            value_table.setdefault(letters, {})[self._seen(letters)] = value
        finally:
            self.reads |= before
        return value

    def once(self, what: Any, of: Callable[[], Any]) -> Any:
        """The value of a thing, found once; Unread where it is defined by itself."""
        if what not in self.known:
            if what in self.busy:
                raise Unread(f"{what[0]} defines itself")
            self.busy.add(what)
            try:
                self.known[what] = of()
            finally:
                self.busy.discard(what)
        return self.known[what]

    @property
    def length(self) -> int:
        """How many entries the shortest list has; 0 without lists."""
        return min((len(v) for v in self.inputs.values() if isinstance(v, list | dict)), default=0)

    def first(self, letter: str) -> int:
        return self.own.first.get(letter, self.common.first.get(letter, 1))

    # -- names ---------------------------------------------------------------------------------

    def name(self, tree: Tree) -> Any:
        whole = key(tree)
        if self.runs(whole):
            return self.scope[whole]
        if whole in self.numbers:
            return self.numbers[whole]
        value = self.tried(tree, partial(self._defined, self.own, tree))
        if value is None and (number := self._number(whole)) is not None:
            self.numbers[whole] = number  # in every scope, for the formula says nothing of it
            return number
        if value is None or isinstance(value, Unread):
            argument = self._argument(tree)
            value = value if argument is None else argument
        if isinstance(value, Unread):
            raise value
        if value is None and whole not in CONSTANTS:
            value = self._solved(self.own, whole)
        if value is None:
            value = self._defined(self.common, tree)
        if value is None and whole in CONSTANTS:
            value = +CONSTANTS[whole]
        if value is None:
            raise Unread(f"{whole} has no meaning")
        return value

    def _defined(self, meanings: Meanings, tree: Tree) -> Any:
        _, token, below, above = tree
        whole = key(tree)
        by_index = meanings.sequences.get((token, "_", above), []) if below else []
        by_mark = meanings.sequences.get((token, "^", below), []) if above[:1] == "(" else []
        plain = meanings.plain.get(whole, [])
        unread = None
        if meanings is self.common:  # x_{k+1} = ... tells what is behind a list's end
            by_index = [sequence for sequence in by_index if not sequence.ahead]
        for sequence in by_index if not plain or self.runs(below) else ():
            try:
                return self._member(tree, sequence, self.text(below), marked=False)
            except Unread as error:
                unread = error
        for sequence in by_mark:
            try:
                return self._member(tree, sequence, self.text(above[1:-1]), marked=True)
            except Unread as error:
                unread = error
        for definition in plain:
            try:
                return self.plain(whole, definition)
            except Unread as error:
                unread = error
        if unread is not None:
            raise unread
        return None

    def _member(self, tree: Tree, sequence: Definition, index: Any, *, marked: bool) -> Any:
        """The member of a sequence.

        Before its first stands what is defined there, or nothing: x_0, or Z^{(0)} = 0.
        """
        _, token, below, above = tree
        first = 0 if marked or not sequence.ahead else self.first(sequence.takes[0])
        recursive = self.once(
            ("recursive", token, id(sequence)),
            lambda: any(k.startswith((f"{token}_", f"{token}^")) for k in keys(sequence.body)),
        )
        if recursive and index < first + 1:
            start = ("name", token, "0", above)
            if not marked and key(start) in self.arguments.scalars:
                return self.given(self.arguments.scalars[key(start)])
            has_start = not marked and key(start) in {*self.own.plain, *self.common.plain}
            return self.name(start) if has_start else mp.mpf(0)
        for earlier in range(first + 1, int(index)) if recursive and index < LONGEST else ():
            self._at_index(token, below if marked else above, sequence, mp.mpf(earlier))
        return self._at_index(token, below if marked else above, sequence, index)

    def _at_index(self, token: str, mark: str, sequence: Definition, index: Any) -> Any:
        def value() -> Any:
            with self.at({sequence.takes[0]: index - sequence.ahead}, alone=True):
                return self.of(sequence, token)

        return self.once((token, mark, index), value)

    def of(self, definition: Definition, name: str) -> Any:
        """The value of a definition's body, its power taken off; of an equation, its solution."""
        if definition.equals is not None:
            return self.solution(name, definition.body, definition.equals)
        value = self.value(definition.body)
        return value if definition.power == 1 else value ** (1 / mp.mpf(definition.power))

    def solution(self, name: str, left: Tree, right: Tree) -> Any:
        def gap(x: Any) -> Any:
            with self.at({name: x}):
                return self.value(left) - self.value(right)

        return root(gap)

    def _solved(self, meanings: Meanings, name: str) -> Any:
        for lhs, rhs in meanings.equations:
            if name in keys((lhs, rhs)):
                return self.once((name, "solved"), partial(self.solution, name, lhs, rhs))
        return None

    def _number(self, whole: str) -> Any:
        """The argument that is written so, if it is a number."""
        for name in (self.arguments.scalars.get(whole), whole, whole.lstrip("\\")):
            if name in self.inputs and not isinstance(self.inputs[name], list | dict):
                return self.inputs[name]
        return None

    def _argument(self, tree: Tree) -> Any:
        _, token, below, above = tree
        whole = key(tree)
        if (number := self._number(whole)) is not None:
            return number
        for name, letter in self.arguments.lists.values():
            positions = self.inputs.get(name)
            if isinstance(positions, dict) and token == letter and below:
                return mp.mpf(sorted(positions)[int(self.text(below))])
        if (token, above) in self.arguments.lists and below:
            name, letter = self.arguments.lists[token, above]
            if name in self.inputs:
                return self.entry(name, letter, tree)
        bare = self.arguments.scalars.get(token + (f"^{above}" if above else ""))
        if bare in self.inputs and RUNNING.fullmatch(below):
            return self.inputs[bare]
        return None

    def entry(self, name: str, letter: str, tree: Tree) -> Any:
        """An entry of a list; before and behind it, what the notation says of x_0 or x_{k+1}."""
        values = self.inputs[name]
        if tree[2] == letter and letter not in self.known_letters():
            return mp.matrix(values)
        index = self.text(tree[2])
        if isinstance(values, dict) and self.runs(tree[2]) and tree[2] != letter:
            return values[sorted(values)[int(index)]]
        if isinstance(values, dict):
            return values.get(int(index)) or no(f"nothing is at position {index}")
        place = int(index) - self.first(letter)
        if 0 <= place < len(values):
            return values[place]
        for meanings in (self.own, self.common):
            start = self.arguments.scalars.get(f"{tree[1]}_0")
            if place == -1 and start in self.inputs:
                return self.inputs[start]
            if place == -1:
                beyond = meanings.plain.get(f"{tree[1]}_0", [])
            else:
                beyond = meanings.sequences.get((tree[1], "_", tree[3]), [])
            if beyond and place in (-1, len(values)):
                return self.value(beyond[0].body)
        raise Unread(f"{key(tree)} lies outside its list")

    def known_letters(self) -> set[str]:
        """Letters with a value here; a list with another for its index is meant as a column."""
        self.reads.add(ALL)
        return {*self.scope, *self.own.plain, *self.arguments.scalars}

    def given(self, name: str, kind: type = object) -> Any:
        """An argument of the form."""
        value = self.inputs.get(name)
        return value if isinstance(value, kind) and value is not None else no(f"no {name} is given")

    def tried(self, tree: Tree, of: Callable[[], Any] | None = None) -> Any:
        """The value of a tree, or why it has none."""
        try:
            return of() if of else self.value(tree)
        except Unread as error:
            return error

    def text(self, tex: str) -> Any:
        """The value of TeX: an index, or a condition's side."""
        return self.value(parsed(tuple(tokens(tex)), self.callables))

    def value(self, tree: Tree) -> Any:
        raise NotImplementedError


def no(reason: str) -> NoReturn:
    raise Unread(reason)
