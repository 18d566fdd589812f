"""What the names of a formula mean: arguments, definitions, and notation, each read from TeX."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from bounds import Symbol
from verify.tex.cursor import Tokens
from verify.tex.normalise import normalise, plain_groups, tokens
from verify.tex.reader import Reader
from verify.tex.split import chain, levels
from verify.tex.tree import Tree, Unread, key

INDEX = re.compile(r"([a-z]|\\tau)(\+1)?")
MARK = re.compile(r"\(([a-z])(\+1)?\)")
RANGE = re.compile(r"(\d),(\d,)*\\l?dots")


@dataclass(frozen=True)
class Definition:
    """What a name stands for.

    Attributes:
        body: the tree of its value.
        takes: its parameters: of a function, or the index of a sequence.
        ahead: 1 where a sequence is defined by its next member, x_{t+1} = ...
        power: of the name that the body is: 2 for x^2 = ..., 1/2 for sqrt(x) = ...
        equals: where it is the solution of an equation, the other side of that.
    """

    body: Tree
    takes: tuple[str, ...] = ()
    ahead: int = 0
    power: float = 1.0
    equals: Tree | None = None


@dataclass
class Meanings:
    """Definitions by name: plain ones, sequences by index or mark, functions; and equations.

    Of several definitions of a name the first that can be evaluated counts.
    """

    plain: dict[str, list[Definition]] = field(default_factory=dict)
    sequences: dict[tuple[str, str, str], list[Definition]] = field(default_factory=dict)
    functions: dict[tuple[str, int], Definition] = field(default_factory=dict)
    equations: list[tuple[Tree, Tree]] = field(default_factory=list)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, pairs: Iterable[tuple[Tokens, Tokens]], known: Iterable[str] = ()) -> None:
        """Takes in definitions; one that cannot be read is passed over, and its name unknown."""
        pairs = list(pairs)
        # Names of functions are needed to read the very bodies that define others: collected first.
        heads = {part for head in map(_function, pairs) if head for part in (head, _stem(head))}
        callables = frozenset({*known, *self.callables(), *heads})
        for lhs, rhs in pairs:
            try:
                self._define(lhs, rhs, callables)
            except Unread:
                continue

    def callables(self) -> frozenset[str]:
        """Names of functions; of one with an index, h_n(x), the name without it too."""
        return frozenset(part for name, _ in self.functions for part in (name, _stem(name)))

    def _define(self, left: Tokens, right: Tokens, callables: frozenset[str]) -> None:
        # `i = 1, 2, ...` (or from 0) says where the index i begins.
        if RANGE.match("".join(right)):
            self.first["".join(left)] = int(right[0])
            return
        # A chain `a = b = c` on the right: of two sides the name is solved for.
        sides = [Reader(side, callables).whole() for side in chain(right)[0]]
        equals = sides[1] if len(sides) > 1 else None
        head, power = Reader(left, callables).whole(), 1.0
        if head[0] == "pow" and head[2] == ("num", "2"):
            head, power = head[1], 2.0
        if head[0] == "call" and head[1] == "sqrt":
            head, power = head[2][0], 0.5
        if head[0] == "apply" and all(a[0] == "name" for a in head[2]):
            takes = tuple(key(a) for a in head[2])
            definition = Definition(sides[0], takes, 0, power, equals)
            self.functions.setdefault((key(head[1]), len(takes)), definition)
        elif head[0] != "name":
            self.equations.append((head, sides[0]))
        else:
            _, token, below, above = head
            index = INDEX.fullmatch(below)
            mark = MARK.fullmatch(above)
            if index:
                definition = Definition(sides[0], (index[1],), bool(index[2]), power, equals)
                self.sequences.setdefault((token, "_", above), []).append(definition)
            elif mark:
                definition = Definition(sides[0], (mark[1],), bool(mark[2]), power, equals)
                self.sequences.setdefault((token, "^", below), []).append(definition)
            # x_{t+1} defines the members only; x_t defines the plain name as well.
            if not (index and index[2]) and not (mark and mark[2]):
                definition = Definition(sides[0], (), 0, power, equals)
                self.plain.setdefault(key(head), []).append(definition)


def _stem(name: str) -> str:
    """The name of a function without its index."""
    return name.split("_")[0]


def _function(pair: tuple[Tokens, Tokens]) -> str:
    """The name of a function that a definition's left side applies to names; "" if it does not."""
    lhs = pair[0]
    # The last bracket at depth 0 holds the parameters: f(x)(y) applies f(x) to y.
    outer = [i for i, (token, depth) in enumerate(levels(lhs)) if token == "(" and depth == 0]
    if lhs[-1:] != [")"] or not outer or not lhs[: outer[-1]]:
        return ""
    try:
        head = Reader(lhs[: outer[-1]]).whole()
        inner = [Reader(part).whole() for part in _parts(lhs[outer[-1] + 1 : -1])]
    except Unread:
        return ""
    plain = all(t[0] == "name" and t[2] == t[3] == "" for t in inner)
    simple = head[0] == "name" and re.fullmatch(r"\\?[A-Za-z]*|\d", head[2])
    return key(head) if plain and simple else ""


def _parts(arguments: Tokens) -> list[Tokens]:
    parts: list[Tokens] = [[]]
    for token, depth in levels(arguments):
        if depth == 0 and token in (",", ";", r"\mid"):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


@dataclass(frozen=True)
class Arguments:
    """How the arguments of a form are written.

    Attributes:
        scalars: key of a name -> argument; `squares`: the same of names whose square is one.
        lists: token and mark of a name with an index -> argument, and the letter of that index.
        composite: normalised TeX of several names -> argument, longest first.
    """

    scalars: Mapping[str, str]
    squares: Mapping[str, str]
    lists: Mapping[tuple[str, str], tuple[str, str]]
    composite: tuple[tuple[str, str], ...]


def written(symbols: Iterable[Symbol]) -> Arguments:
    """How these symbols are written, from their TeX."""
    scalars: dict[str, str] = {}
    squares: dict[str, str] = {}
    lists: dict[tuple[str, str], tuple[str, str]] = {}
    composite = []
    for symbol in symbols:
        text = normalise(symbol.tex)
        if symbol.kind == "list":  # x_1, ..., x_T is written as x_i is
            text = re.sub(r"_1,\\l?dots,.*", "_i", text)
        try:
            tree = Reader(tokens(text)).whole()
        except Unread:
            tree = ("nothing",)
        listed = symbol.kind in ("list", "hits")
        if tree[0] == "name" and listed and re.fullmatch("[a-z]?", tree[2]):
            lists[tree[1], tree[3]] = symbol.name, tree[2]
        elif tree[0] == "name" and not listed:
            scalars[key(tree)] = symbol.name
        elif tree[0] == "pow" and tree[1][0] == "name" and tree[2] == ("num", "2"):
            squares[key(tree[1])] = symbol.name
        else:
            composite.append((text, symbol.name))
    composite.sort(key=lambda pair: -len(pair[0]))
    return Arguments(scalars, squares, lists, tuple(composite))


def replaced(text: str, fragments: Iterable[tuple[str, str]]) -> str:
    """Normalised TeX with fragments replaced; arguments put in before are left alone."""
    for fragment, tex in fragments:
        # Every other part of the split is an argument put in before: those stay.
        parts = re.split(r"(\\argument\{[^{}]*\})", text)
        parts[::2] = [part.replace(fragment, tex) for part in parts[::2]]
        text = plain_groups("".join(parts))
    return text


def with_arguments(text: str, arguments: Arguments, symbols: Mapping[str, Symbol]) -> str:
    """Composite symbols become `\\argument{name}`; those of lists keep the index they run over."""
    for fragment, name in arguments.composite:
        marked = rf"\argument{{{name}}}"
        # The index of a list's TeX, by a letter that is not the start of a longer name.
        index = re.search(r"_\{?([a-z])(?![a-z(])", fragment)
        if symbols[name].kind != "list" or index is None:
            text = replaced(text, [(fragment, marked)])
            continue
        letter = index[1]
        # The letter at every script of the fragment becomes one group, which must be the same
        # throughout.
        pattern = re.sub(rf"(?<=[_{{]){letter}(?![a-z])", r"(?P=x)", re.escape(fragment))
        pattern = pattern.replace("(?P=x)", "(?P<x>[a-z])", 1)
        text = re.sub(pattern, marked.replace("\\", r"\\") + r"_\g<x>", text)
    return text


@cache
def is_name(tex: str) -> bool:
    """Whether TeX is a name that can be defined: x, x_i, x^*, f(x, y)."""
    text = tokens(normalise(tex))
    try:
        # The candidate's own head counts as a function: f(x, y) is a name, not f times (x, y).
        tree = Reader(text, frozenset({_function((text, []))} - {""})).whole()
    except Unread:
        return False
    return tree[0] in ("name", "apply")


@cache
def parsed(text: tuple[str, ...], callables: frozenset[str]) -> Tree:
    """The tree of an expression that is read again and again."""
    return Reader(list(text), callables).whole()
