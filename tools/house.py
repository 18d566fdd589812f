"""How a reader finds the way: circles of imports, chains of classes, names of classes and values.

    python -m tools.house           # a table; exit code 1 where a goal is missed
    python -m tools.house --list    # and the places behind each number

Read from the text of the five packages, where nothing is imported or run. An import counts wherever
it stands, inside a function and for types alike: a reader follows it too.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")
# A name should say what a value is. These say what was done to it, or stand for it by a metaphor.
WORDS = """
allowed asked counted done drawn dropped found given gone held kept known learned left made
measured meant met missed moved named observed owed paired put reached read said seen served shown
spent taken told tried wanted written
loose places reach
"""
PARTICIPLES = frozenset(WORDS.split())
# Metaphors that had a meaning here and nowhere else. docs/glossary.md has the field's words.
PRIVATE = """
coin coins exhibit exhibits hostile kick kicks ladder observe observed oracle oracles partner
partners pretended rung rungs stranger strangers twin twins world worlds
"""
METAPHORS = frozenset(PRIVATE.split())
BLOCKS = ast.Module | ast.stmt | ast.ExceptHandler | ast.match_case
GOALS = {"circles": 0, "chain": 3, "class names": 0, "participles": 1.0, "metaphors": 0}
"""Circles of imports; the longest chain of our own classes; class names that more than one class
has; the share, in per cent, of assigned names that are bare participles; names of functions,
classes, arguments and values with a metaphor in them."""


def sources() -> dict[str, Path]:
    """The name of every module -> its file. Counterexample programs run alone and are left out."""
    files = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    modules = (path for path in files if "counterexamples" not in path.parts)
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules
    }


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement, at any depth.  Expressions hold none, and are nearly all of a text."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, BLOCKS):
            waiting.extend(ast.iter_child_nodes(node))


def imports(tree: ast.AST, modules: Collection[str]) -> Iterator[str]:
    """The modules of ours that a text imports, and the packages that it takes them from."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from (name for name in full if name in modules)


def circles(trees: Mapping[str, ast.AST]) -> list[str]:
    """Sets of modules that import each other, each as one line.

    trees: name of a module -> its text, parsed.
    """
    names = sorted(trees)
    place = {name: i for i, name in enumerate(names)}
    arrows = [
        (place[name], place[other])
        for name, tree in trees.items()
        for other in set(imports(tree, trees.keys())) - {name}
    ]
    start, end = np.array(arrows).T
    graph = csr_array((np.ones(len(arrows)), (start, end)), shape=(len(names), len(names)))
    _, component = connected_components(graph, connection="strong")
    members = defaultdict(list)
    for name, number in zip(names, component, strict=True):
        members[number].append(name)
    return [", ".join(circle) for circle in members.values() if len(circle) > 1]


def classes(trees: dict[str, ast.AST]) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Name of a class -> the modules that define one, and the names of their bases."""
    homes: dict[str, list[str]] = defaultdict(list)
    bases: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
                bases[node.name] |= {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return homes, bases


def chain(name: str, bases: dict[str, set[str]], below: frozenset[str] = frozenset()) -> int:
    """How many classes of ours stand one on another, this one included."""
    if name not in bases or name in below:
        return 0
    return 1 + max((chain(base, bases, below | {name}) for base in bases[name]), default=0)


def assigned(trees: dict[str, ast.AST]) -> Counter[str]:
    """Every name that is assigned, with how often."""
    nodes = (node for tree in trees.values() for node in ast.walk(tree))
    return Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def defined(tree: ast.AST) -> Iterator[str]:
    """Names that a text gives to functions, classes, arguments and values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def words_of(name: str) -> set[str]:
    """The words of a name, however they are joined: run_worlds, LineWorlds, _OBSERVED."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def metaphors(trees: dict[str, ast.AST]) -> list[str]:
    """Names with a metaphor in them, each with its module."""
    return [
        f"{module}: {name}"
        for module, tree in trees.items()
        for name in sorted(set(defined(tree)))
        if words_of(name) & METAPHORS
    ]


def table() -> dict[str, tuple[float, list[str]]]:
    """What is counted -> the number, and the places behind it."""
    modules = sources()
    trees: dict[str, ast.AST] = {n: ast.parse(p.read_text("utf-8")) for n, p in modules.items()}
    homes, bases = classes(trees)
    depth = {name: chain(name, bases) for name in homes}
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    names = assigned(trees)
    bare = {name: count for name, count in names.items() if name in PARTICIPLES}
    private = metaphors(trees)
    loops = circles(trees)
    return {
        "circles": (len(loops), loops),
        "chain": (max(depth.values()), [f"{n} {name}" for name, n in depth.items() if n > 3]),
        "class names": (len(twice), [f"{name}: {', '.join(at)}" for name, at in twice.items()]),
        "participles": (
            100 * sum(bare.values()) / names.total(),
            [f"{count} {name}" for name, count in Counter(bare).most_common()],
        ),
        "metaphors": (len(private), private),
    }


def main() -> int:
    """Prints the table; 1 where a number is above its goal."""
    rows = table()
    print(f"{'':12} {'today':>7} {'goal':>6}")
    for name, (value, places) in rows.items():
        print(f"{name:12} {value:>7.3g} {GOALS[name]:>6g}")
        if "--list" in sys.argv[1:]:
            print("".join(f"    {place}\n" for place in places), end="")
    return int(any(value > GOALS[name] for name, (value, _) in rows.items()))


if __name__ == "__main__":
    sys.exit(main())
