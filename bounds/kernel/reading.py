"""A proof as text, line by line; named theorems and settings as text.

theorem ID FORM [in INTERPRETATION, ..]     what is proved: a form of a statement
for NAMES: SORT; ..                         for all of these
setting NAME(arguments)                     hypotheses under one name (`settings.txt`)
given LABEL: CLAIM                          a hypothesis
define f(.., 0) = A, f(.., m+1) = B         a function by recursion; facts f_0, f_1
show CLAIM                                  the goal
LABEL: CLAIM by RULE                        a fact (`bounds.kernel.rules`)
hence by RULE                               the goal
binds TERM = form                           for whoever binds the goal to the form
-- anything                                 a remark
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bounds.kernel.algebra import ProofRejected
from bounds.kernel.chance import RANDOM, has_all_moments, names_in
from bounds.kernel.rules import Rules, Theorem
from bounds.kernel.scope import BUILT_IN, Fact, Scope
from bounds.kernel.syntax import called, expression, parts, quantified

_HERE = Path(__file__).parent
_HEADER = re.compile(r"theorem ([\w.]+) (\w+)(?: in (.*))?")
_NAME = re.compile(r"(\w+)\((.*?)\): (.*)")
_BLOCK = re.compile(r"\s+(?:base|step):")
_WHOLE = re.compile(r"[A-Za-z_]\w*|\d+")


@dataclass(frozen=True)
class Proved:
    """A proof that was checked.

    Attributes:
        id, form, interpretations: what it is of; no interpretation: of every one that judges it.
        theorems, settings: names of those that it uses.
        givens: its hypotheses as they are written, without those of settings.
        hypotheses: labels of all of them in the scope, those of settings as well.
        goal: what it shows.
        definitions: the functions that it defines by recursion, each with facts f_0 and f_1.
        binds: the line that says which term is the form; empty without one.
        scope: its names and facts, for who binds the goal.
    """

    id: str
    form: str
    interpretations: tuple[str, ...]
    theorems: tuple[str, ...]
    settings: tuple[str, ...]
    givens: tuple[str, ...]
    hypotheses: tuple[str, ...]
    goal: str
    definitions: tuple[str, ...]
    binds: str
    scope: Scope


def check(text: str) -> Proved:
    """The proof, if every line follows. Raises ProofRejected, with the line, if one does not."""
    return ProofReader(text).proved()


@cache
def theorems() -> Mapping[str, Theorem]:
    """The named theorems by name."""
    entries = {}
    for line in _entries("theorems.txt", "theorem "):
        statement, _, source = line.partition("  # ")
        match = _NAME.fullmatch(statement.strip())
        if match is None:
            raise ProofRejected(f"cannot read {line!r}")
        premises, _, conclusion = match[3].rpartition("|-")
        parameters = []
        for group in parts(match[2], ";"):
            names, _, sort = group.rpartition(" ")
            parameters += [(name.strip(), sort) for name in names.split(",")]
        stated = [quantified(premise) for premise in parts(premises, ";")]
        entries[match[1]] = Theorem(
            match[1],
            tuple(parameters),
            tuple(premise.claim for premise in stated if not premise.parameters),
            expression(conclusion),
            source.strip(),
            tuple(premise for premise in stated if premise.parameters),
        )
    return entries


class Setting(NamedTuple):
    """Hypotheses under one name, each as `label: claim`, and when something fulfils them."""

    parameters: tuple[str, ...]
    hypotheses: tuple[str, ...]
    conditions: tuple[str, ...]


@cache
def settings() -> Mapping[str, Setting]:
    """The settings by name."""
    entries = {}
    for line in _entries("settings.txt", "setting "):
        match = _NAME.fullmatch(line.partition("  # ")[0].strip())
        if match is None:
            raise ProofRejected(f"cannot read {line!r}")
        hypotheses, _, conditions = match[3].partition(" where ")
        entries[match[1]] = Setting(
            tuple(parts(match[2], ",")),
            tuple(parts(hypotheses, " & ")),
            tuple(parts(conditions, " & ")),
        )
    return entries


def _entries(file: str, word: str) -> list[str]:
    lines = (_HERE / file).read_text("utf-8").splitlines()
    return [line.removeprefix(word) for line in lines if line.startswith(word)]


class ProofReader:
    """The lines of one proof, in order, by these rules."""

    def __init__(self, text: str, rules: Rules | None = None) -> None:
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        self.lines = [line for line in lines if not line.lstrip().startswith("--")]
        self.scope = Scope(BUILT_IN)
        self.rules = rules or Rules(theorems())
        self.header: re.Match[str] | None = None
        self.goal = self.binds = ""
        self.settings: list[str] = []
        self.conditions: list[str] = []
        self.givens: list[str] = []
        self.hypotheses: list[str] = []
        self.definitions: list[str] = []
        self.goal_shown = False

    def proved(self) -> Proved:
        """Reads all lines."""
        place = 0
        while place < len(self.lines):
            line, block = self.lines[place].strip(), []
            place += 1
            while place < len(self.lines) and _BLOCK.match(self.lines[place]):
                block.append(self.lines[place].strip())
                place += 1
            try:
                self._line(line, block)
            except (ProofRejected, RecursionError) as error:
                reason = str(error) or "too deep"
                raise ProofRejected(f"{line[:80]}: {reason}") from error
        if self.header is None or not self.goal_shown:
            raise ProofRejected("a proof names its theorem, and shows its goal")
        return Proved(
            self.header[1],
            self.header[2],
            tuple(parts(self.header[3] or "", ",")),
            tuple(sorted(self.rules.names_used)),
            tuple(self.settings),
            tuple(self.givens),
            tuple(self.hypotheses),
            self.goal,
            tuple(self.definitions),
            self.binds,
            self.scope,
        )

    def _line(self, line: str, block: list[str]) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "theorem" if self.header is None:
                self.header = _HEADER.fullmatch(line)
            case "for" if not self.goal:
                self._declare(rest)
            case "setting" if not self.goal:
                self._setting(rest)
            case "given" if not self.goal:
                self.givens.append(rest)
                self._given(rest)
            case "define" if not self.goal:
                self._define(rest)
            case "show" if not self.goal:
                # The line of the goal is the whole goal: its rule stands after `hence`.
                quantified(rest)
                self._refuse_unfulfilled()
                self.goal = rest
            case "binds" if not self.binds:
                self.binds = rest
            case "hence" if rest.startswith("by ") and self.goal and not self.goal_shown:
                self.rules.shown(self.scope, f"{self.goal} {rest}", block)
                self.goal_shown = True
            case _ if word.endswith(":") and self.goal and not self.goal_shown:
                self.scope.add(word[:-1], self.rules.shown(self.scope, rest, block))
            case _:
                raise ProofRejected("no line of a proof at this place")

    def _declare(self, text: str) -> None:
        for group in text.split(";"):
            names, _, sort = group.rpartition(":")
            for name in names.removeprefix("for ").split(","):
                self.scope.declare(name.strip(), sort.strip())

    def _setting(self, text: str) -> None:
        name, _, rest = text.partition("(")
        if name not in settings():
            raise ProofRejected(f"a setting is one of {', '.join(settings())}")
        setting = settings()[name]
        arguments = parts(rest.removesuffix(")"), ",")
        if len(arguments) != len(setting.parameters):
            raise ProofRejected(f"{name} takes {', '.join(setting.parameters)}")
        # An argument that is no name stands in brackets; it may speak of the setting's own t.
        bracketed = [a if _WHOLE.fullmatch(a) else f"({a})" for a in arguments]
        values = dict(zip(setting.parameters, bracketed, strict=True))

        def of_arguments(claim: str) -> str:
            return _WHOLE.sub(lambda m: values.get(m[0], m[0]), claim)

        for hypothesis in setting.hypotheses:
            label, _, claim = hypothesis.partition(":")
            self._given(f"{label}:{of_arguments(claim)}")
        self.settings.append(name)
        self.conditions += map(of_arguments, setting.conditions)

    def _refuse_unfulfilled(self) -> None:
        """Raises ProofRejected where nothing fulfils a setting, as far as the hypotheses say."""
        for condition in self.conditions:
            parameters, _, claim = quantified(condition)
            inner = self.scope.inner()
            for name, sort in parameters:
                inner.declare(name, sort)
            if not inner.known(inner.claim(claim)):
                raise ProofRejected(f"a setting asks for {condition}")

    def _given(self, text: str) -> None:
        label, colon, claim = text.partition(":")
        if not colon:
            raise ProofRejected("a hypothesis has a label")
        parameters, guards, node = quantified(claim)
        inner = self.scope.inner()
        for name, sort in parameters:
            inner.declare(name, sort)
        self.scope.add(label.strip(), Fact(parameters, guards, node, dict(self.scope.names)))
        self.hypotheses.append(label.strip())

    def _define(self, text: str) -> None:
        """A recursion in the last argument; it exists and is unique, so it assumes nothing."""
        match [expression(part) for part in parts(text, ",")]:
            case [
                ast.Compare(left=ast.Call() as zero, ops=[ast.Eq()], comparators=[first]),
                ast.Compare(left=ast.Call() as after, ops=[ast.Eq()], comparators=[second]),
            ]:
                pass
            case _:
                raise ProofRejected("a definition is f(.., 0) = .., f(.., m+1) = ..")
        name, zero_nodes = called(zero)
        m, others = _places(called(after), name, zero_nodes)
        if any(called(node)[0] == name for node in ast.walk(first) if isinstance(node, ast.expr)):
            raise ProofRejected(f"{name} at 0 must not be defined by {name}")
        calls = [n for n in ast.walk(second) if isinstance(n, ast.Call) and called(n)[0] == name]
        if any(ast.unparse(node.args[-1]) != m for node in calls):
            raise ProofRejected(f"{name} at {m} + 1 is defined by {name} at {m} alone")
        for parameter in (*others, m):
            if parameter in self.scope.names:
                raise ProofRejected(f"{parameter} is declared already")
        sorts = ", ".join(["nat"] * (len(others) + 1))
        self.scope.declare(name, f"{sorts} -> {self._sort(name, (first, second))}")
        self.definitions.append(name)
        of_others = tuple((each, "nat") for each in others)
        zero_claim = ast.Compare(zero, [ast.Eq()], [first])
        next_claim = ast.Compare(after, [ast.Eq()], [second])
        names = dict(self.scope.names)
        self.scope.add(f"{name}_0", Fact(of_others, (), zero_claim, names))
        self.scope.add(f"{name}_1", Fact((*of_others, (m, "nat")), (), next_claim, names))

    def _sort(self, name: str, values: tuple[ast.expr, ast.expr]) -> str:
        """What a function is that is defined by these: a random variable if they name one."""
        declared = self.scope.names.items()
        of_chance = frozenset(each for each, entry in declared if _varies(entry))
        if not any(names_in(value) & of_chance for value in values):
            return "real"
        if not all(has_all_moments(value, of_chance | {name}) for value in values):
            raise ProofRejected(f"the moments of {name} are not seen to be finite")
        return "random"


def _varies(entry: object) -> bool:
    """Whether what is declared so depends on chance."""
    return isinstance(entry, str) and entry.rpartition(">")[2].strip() in RANDOM


def _places(
    after: tuple[str, list[ast.expr]], name: str, zero: list[ast.expr]
) -> tuple[str, list[str]]:
    """The names of the last argument and of the others, in f(.., m + 1)."""
    other_name, nodes = after
    names = [ast.unparse(node) for node in nodes[:-1]]
    last = ast.unparse(nodes[-1]) if nodes else ""
    m = last.removesuffix(" + 1")
    same = other_name == name and [ast.unparse(node) for node in zero[:-1]] == names
    plain = all(each.isidentifier() for each in (*names, m)) and len({*names, m}) == len(nodes)
    if not same or not plain or last == m or not zero or ast.unparse(zero[-1]) != "0":
        raise ProofRejected("a definition is f(.., 0) = .., f(.., m+1) = ..")
    return m, names
