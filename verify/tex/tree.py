"""Trees of read TeX: tuples that begin with their kind; `evaluate` says what each is worth."""

import re
from functools import lru_cache
from typing import Any

Tree = tuple[Any, ...]


class Unread(ValueError):
    """The TeX holds something that is no arithmetic, or a name without a meaning."""


@lru_cache(maxsize=65536)
def key(name: Tree) -> str:
    """A name as one text, with its index and its mark."""
    token, below, above = map(str, name[1:])
    return token + (f"_{below}" if below else "") + (f"^{above}" if above else "")


def keys(tree: Any) -> set[str]:
    """All names in a tree, each with its index and its mark."""
    if not isinstance(tree, tuple):
        return set()
    if tree and tree[0] == "name":
        return {key(tree)}
    return set().union(*(keys(part) for part in tree))


def names(tree: Any) -> set[str]:
    """Tokens of all names, and of their indices, in a tree."""
    if not isinstance(tree, tuple):
        return set()
    if tree and tree[0] == "name":
        return {tree[1], *re.findall(r"\\?[A-Za-z]+", tree[2])}
    return set().union(*(names(part) for part in tree))
