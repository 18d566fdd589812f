"""All claims of all papers, by id and by alias, and the modules that check them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from verify.claim import Claim
from verify.evidence import Evidence

PAPERS = ("sglu", "olu", "hf", "mini", "guo", "safe")


@cache
def _modules() -> dict[str, ModuleType]:
    """Claim id -> module with `CLAIM`, `check` and, where there is a plot, `measure`."""
    table = {}
    for paper in PAPERS:
        for name in import_module(f"verify.{paper}").CHECKS:
            module = import_module(f"verify.{paper}.{name}")
            for claim in getattr(module, "CLAIMS", None) or (module.CLAIM,):
                if claim.id in table:
                    raise ValueError(f"two claims are called {claim.id}")
                table[claim.id] = module
    return table


@cache
def _claims() -> dict[str, Claim]:
    found = {}
    for id, module in _modules().items():
        claims = getattr(module, "CLAIMS", None) or (module.CLAIM,)
        found[id] = next(c for c in claims if c.id == id)
    return found


@cache
def aliases() -> dict[str, str]:
    """Every spelling, in lower case, that names a claim -> its id."""
    table = {id: id for id in _claims()}
    for claim in _claims().values():
        for alias in claim.aliases:
            if table.setdefault(alias.lower(), claim.id) != claim.id:
                raise ValueError(f"{alias} names both {table[alias.lower()]} and {claim.id}")
    return table


def claims(paper: str | None = None) -> list[Claim]:
    """All claims (of one paper), in the order of the paper. Raises ValueError if unknown."""
    if paper is not None and not (isinstance(paper, str) and paper in PAPERS):
        raise ValueError(f"paper must be one of {', '.join(PAPERS)}, got {paper!r}")
    return [c for c in _claims().values() if paper in (None, c.paper)]


def claim(id: str) -> Claim:
    """The claim with this id or alias, in any case. Raises ValueError if there is none."""
    key = aliases().get(str(id).lower())
    if key is None:
        raise ValueError(f"id must name a claim (see `forgetproof claims`), got {id!r}")
    return _claims()[key]


def module(claim: Claim) -> ModuleType:
    """The module that holds the claim and its check."""
    return _modules()[claim.id]


def check(claim: Claim) -> Callable[..., Iterator[Evidence]]:
    """The claim's check: a generator of evidence, given a `Context`."""
    owner = module(claim)
    several = getattr(owner, "CHECKERS", None)
    found: Callable[..., Iterator[Evidence]] = several[claim.id] if several else owner.check
    return found
