"""Where the formula of each claim lives: an index from ids to modules, imported on demand."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from accounting import validation
from bounds.formula import Formula

PAPERS = ("sglu", "olu", "hf", "mini", "guo", "safe")


@cache
def _index() -> dict[str, str]:
    """Map from id to "module:attribute", collected from each paper's `FORMULAS` table."""
    table: dict[str, str] = {}
    for paper in PAPERS:
        table.update(import_module(f"bounds.{paper}").FORMULAS)
    return table


def ids(paper: str | None = None) -> tuple[str, ...]:
    """Ids of all formulas (of one paper), in the order of the papers."""
    if paper is not None:
        validation.choice("paper", paper, PAPERS)
    return tuple(id for id in _index() if paper is None or id.split(".")[0] == paper)


def get(id: str) -> Formula:
    """The formula with this id; ids are case-insensitive. Raises ValueError if there is none."""
    key = str(id).lower()
    if key not in _index():
        raise ValueError(f"id must name a formula (see `forgetproof claims`), got {id!r}")
    module, attribute = _index()[key].split(":")
    formula = getattr(import_module(module), attribute)
    assert isinstance(formula, Formula)
    return formula


def module_of(id: str) -> str | None:
    """Name of the module that holds the claim's formula; None if it has none."""
    if not isinstance(id, str):
        raise ValueError(f"id must be a word, got {id!r}")
    entry = _index().get(str(id).lower())
    return entry.split(":")[0] if entry else None
