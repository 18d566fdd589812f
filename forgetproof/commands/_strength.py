"""`forgetproof verify --strength`: how small an error of each bound runs would notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forgetproof.commands._coverage import counted
from forgetproof.commands._verdicts import print_table
from forgetproof.options import emit_json
from forgetproof.progress import progress

if TYPE_CHECKING:
    from bounds import Statement
    from verify.strength import Strength


def show_strength(chosen: list[Statement], seed: int, as_json: bool) -> int:
    """Prints the strength of the runs about each bound, the weakest first, and counts by paper."""
    from verify.strength import strengths

    with progress(len(chosen), what="strength") as move:
        items = list(strengths(counted(chosen, move), seed))
    if as_json:
        emit_json({"strength": [each.to_dict() for each in items]})
        return 0
    if not items:
        raise ValueError("id must name a bound, which alone has a strength, got none")
    print_table([_HEADS, *map(_row, sorted(items, key=_order))])
    papers = {"all": items}
    for each in items:
        papers.setdefault(each.claim.split(".")[0], []).append(each)
    rows = [_summary(paper, of_paper) for paper, of_paper in papers.items()]
    print_table([_COUNTED, *(row for row in rows if row)])
    return 0


_HEADS = ("bound", "interpretation.form", "rows at hand", "with made rows", "why not nearer")
_COUNTED = ("paper", "bounds", "10 at hand", "2 at hand", "10", "2", "median")


def _order(item: Strength) -> tuple[float, str]:
    return (-1.0 if item.runs is None else item.runs, item.claim)


def _row(item: Strength) -> tuple[str, ...]:
    return (item.claim, item.key, _shown(item.real), _shown(item.runs), item.why)


def _shown(strength: float | None) -> str:
    return "" if strength is None else f"{strength:.3g}"


def _summary(paper: str, items: list[Strength]) -> tuple[str, ...]:
    """A row of counts and shares; empty where no bound of the paper meets a run."""
    from verify.strength import counts

    if all(each.runs is None for each in items):
        return ()
    found = counts(items)
    numbers = (found.ten_real, found.two_real, found.ten, found.two)
    shares = (f"{number} ({number / found.bounds:.0%})" for number in numbers)
    return (paper, str(found.bounds), *shares, f"{found.middle:.3g}")
