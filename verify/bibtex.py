"""Entries of BibTeX: how a text stands in one, and how it is laid out."""

from __future__ import annotations

from collections.abc import Mapping

AUTHORS = "The forgetproof authors"
_SPECIAL = str.maketrans({c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


def escaped(text: str) -> str:
    """The text as LaTeX and BibTeX print it; accented letters stay, which both read today."""
    return text.translate(_SPECIAL).replace("~", r"\textasciitilde{}").replace("^", r"\^{}")


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """An entry with these fields, a line each; those without a value are left out."""
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
