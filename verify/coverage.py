"""How many statements meet data: counts by paper of what runs on data at hand could be held to."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bounds import Statement
from verify import checks
from verify.companions import FAR, closeness, companion, is_far
from verify.context import Context
from verify.drawable import BOUNDS, drawable
from verify.measurements import on_samples
from verify.search.targets import expected_to_hold


@dataclass
class Count:
    """Of one paper: ids of its bounds, and of statements of any kind by what data say of them."""

    bounds: list[str] = field(default_factory=list)
    ours: list[str] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    bounds_met: list[str] = field(default_factory=list)
    refuted: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    exact_only: dict[str, str] = field(default_factory=dict)
    far: list[str] = field(default_factory=list)
    companions: list[str] = field(default_factory=list)
    plotted: list[str] = field(default_factory=list)
    by_run: list[str] = field(default_factory=list)
    by_law: list[str] = field(default_factory=list)
    by_rows: list[str] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        """Bounds that meet no data and do not say why."""
        return [id for id in self.bounds if id not in {*self.bounds_met, *self.exact_only}]

    def document(self) -> dict[str, int]:
        """How many."""
        return {name: len(ids) for name, ids in vars(self).items()}


def coverage(statements: Iterable[Statement], seed: int = 0) -> dict[str, Count]:
    """Counts by paper, from runs on data at hand.

    Bounds, and those of them that are ours beside the paper; statements whose check measures runs;
    those that a run can be held to, and the bounds among them; those of which a run refutes a
    printed form; those that the property tests hold, at inputs that are drawn or against runs;
    bounds that no run on data can have, and why; bounds of which no run shows a tenth, and those of
    them of which a constructed instance does; the bounds that `forgetproof plot` draws. Statements
    that data meet, each by the strongest way: what an algorithm's run did, an exact law whose
    kernels come of rows, arithmetic on rows or a schedule.
    """
    counts: dict[str, Count] = {}
    for statement in statements:
        count = counts.setdefault(statement.paper, Count())
        is_bound = statement.kind in BOUNDS
        # A list times a truth value: the id where it holds, nothing where it does not.
        count.bounds += [statement.id] * is_bound
        count.ours += [statement.id] * (is_bound and statement.origin == "ours")
        count.plotted += [statement.id] * (is_bound and drawable(statement))
        outcomes = list(on_samples(Context(statement, seed=seed)))
        count.measured += [statement.id] * bool(outcomes)
        wrong = {c.form for h in outcomes for c in h.comparisons if c.violated}
        satisfied = any(h.comparisons for h in outcomes)
        count.drawn += [statement.id] * bool(satisfied or _drawn(statement))
        if is_bound and (why := checks.check(statement).exact_only):
            count.exact_only[statement.id] = why
        if satisfied:
            count.met.append(statement.id)
            bases = {h.basis for h in outcomes if h.comparisons}
            ways = count.by_rows if bases == {"rows"} else count.by_law
            (ways if bases <= {"law", "rows"} else count.by_run).append(statement.id)
            count.bounds_met += [statement.id] * is_bound
            # Far only if every run that says something stays far.
            if is_bound and all(is_far(h) for h in outcomes if h.comparisons):
                count.far.append(statement.id)
                count.companions += [statement.id] * _has_companion(statement)
            count.refuted += [statement.id] * ("printed" in wrong)
    return counts


def _has_companion(statement: Statement) -> bool:
    beside = companion(statement, statement.interpretations[0].name)
    return beside is not None and closeness(beside) >= FAR


def _drawn(statement: Statement) -> bool:
    """Whether inputs are drawn at which an exact side is compared with a form."""
    return checks.check(statement).exact_side is not None and bool(expected_to_hold(statement))
