"""From evidence to verdicts, by fixed rules that never look at what was expected."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bounds import Interpretation, Proof, Statement, certificates
from verify.edits import fault
from verify.evidence import Comparison, Declaration, Evidence, Reproduction
from verify.proofs import argues

WORDS = (
    "holds",
    "not refuted",
    "false",
    "vacuous",
    "typo",
    "mixed",
    "unspecified",
    "not checkable",
    "consistent",
    "reproduced",
    "not run",
)


@dataclass(frozen=True)
class Verdict:
    """What the evidence says of one form under one interpretation.

    `slack` is the range of form/tight over the instances, `attainment` the largest measured/tight,
    `worst` the comparison that decides (the largest violation, on data where data contradict the
    form exactly, or the closest approach), `proof` what the word "holds" rests on.
    """

    interpretation: str
    form: str
    word: str
    basis: str
    reason: str
    slack: tuple[float, float] | None = None
    attainment: float | None = None
    instances: int = 0
    worst: Comparison | None = None
    proof: Proof | None = None

    @property
    def key(self) -> str:
        return f"{self.interpretation}.{self.form}"


def verdicts(claim: Statement, evidence: Iterable[Evidence]) -> list[Verdict]:
    """One verdict for every (interpretation, form) of the claim, in the claim's order."""
    items = list(evidence)
    valid_keys = {(r.name, f) for r in claim.interpretations for f in r.forms}
    # Evidence that names no known form would be dropped without a word.
    if stray := {(e.interpretation, e.form) for e in items} - valid_keys:
        raise ValueError(f"{claim.id}: evidence for unknown interpretations {sorted(stray)}")
    return [_verdict(claim, r, form, items) for r in claim.interpretations for form in r.forms]


def _verdict(
    claim: Statement, interpretation: Interpretation, form: str, items: list[Evidence]
) -> Verdict:
    mine = [e for e in items if e.interpretation == interpretation.name and e.form == form]
    comparisons = [e for e in mine if isinstance(e, Comparison)]
    declarations = [e for e in mine if isinstance(e, Declaration)]
    tables = [e for e in mine if isinstance(e, Reproduction)]
    bounds = [c for c in comparisons if c.role == "bound"]
    # Of the bounds alone: controls and class comparisons say nothing of the form's tightness.
    numbers = _numbers(bounds)

    def verdict(word: str, basis: str, reason: str, worst: Comparison | None = None) -> Verdict:
        return Verdict(interpretation.name, form, word, basis, reason, *numbers, worst=worst)

    # The order decides: what makes the rest void comes first (unfit code, a dumb control, an empty
    # class), then violations, then declarations, tables, and what survived.
    if unfit := [d for d in declarations if d.word == "not run"]:
        return verdict("not run", "declared", unfit[0].reason)
    # A control that is not violated shows that the experiment could not have noticed anything.
    if dumb := [c for c in comparisons if c.role == "control" and not c.violated]:
        return verdict("not run", "exact", f"negative control passed: {dumb[0].instance}", dumb[0])
    if empty := [c for c in comparisons if c.role == "class" and c.violated]:
        return verdict("vacuous", empty[0].basis, empty[0].instance, empty[0])
    if violations := [c for c in bounds if c.violated]:
        worst = max(violations, key=partial(_weight, claim))
        if edit := _one_edit(claim, interpretation, form, items):
            return verdict("typo", worst.basis, f"{edit}; {worst.instance}", worst)
        return verdict("false", worst.basis, worst.instance, worst)
    if declarations:
        first = declarations[0]
        if first.word == "ill-typed":
            edit = _one_edit(claim, interpretation, form, items)
            return verdict("typo" if edit else "unspecified", "declared", first.reason)
        return verdict(first.word, "declared", first.reason)
    if any(t.rows for t in tables):
        matches, total = sum(t.matched for t in tables), sum(len(t.rows) for t in tables)
        if not matches:
            return verdict("false", "exact", f"none of {total}: {tables[0].rule}")
        return verdict(f"reproduced {matches}/{total}", "exact", tables[0].rule)
    if not bounds:
        return verdict("not run", "declared", "no evidence")
    closest = max(bounds, key=_excess)
    basis = closest.basis
    if claim.kind == "definition":
        return verdict("consistent", basis, closest.instance, closest)
    proof = interpretation.proof(form)
    if not proof:
        return verdict("not refuted", basis, closest.instance, closest)
    if not argues(proof, claim, interpretation):
        return verdict("not refuted", basis, f"only a phrase for a proof: {proof.words}", closest)
    # A bound compared with nothing but zeros was not tried.
    if not any(_reached(c) for c in bounds):
        return verdict(
            "not refuted", basis, f"nothing above 0 was measured: {proof.words}", closest
        )
    certificate = certificates.proof(claim, interpretation.name, form)
    return replace(verdict("holds", basis, proof.words, closest), proof=certificate)


def _reached(c: Comparison) -> bool:
    """Whether this comparison could have said something: an equality, or a measured value above 0.

    An upper bound that is only ever compared with 0, or a lower bound that is 0, is not tested.
    """
    return c.relation == "==" or (c.measured if c.relation == "<=" else c.bound) > 0


def _one_edit(
    claim: Statement, interpretation: Interpretation, form: str, items: list[Evidence]
) -> str | None:
    """The edit that repairs this form: carried out, it gives the corrected form, which survived."""
    edit = interpretation.edits.get(form)
    repaired = [
        e
        for e in items
        if isinstance(e, Comparison)
        and e.role == "bound"
        and (e.interpretation, e.form) == (interpretation.name, "corrected")
    ]
    # The corrected form must itself have been tried, and survive.
    survived = bool(repaired) and not any(c.violated for c in repaired)
    suffices = edit is not None and survived and fault(claim, interpretation, form) is None
    return edit.words if edit is not None and suffices else None


def _numbers(
    bounds: Sequence[Comparison],
) -> tuple[tuple[float, float] | None, float | None, int]:
    slacks = [c.slack for c in bounds if c.slack is not None]
    attainments = [c.attainment for c in bounds if c.attainment is not None]
    span = (min(slacks), max(slacks)) if slacks else None
    return span, max(attainments) if attainments else None, sum(c.count for c in bounds)


def _weight(claim: Statement, c: Comparison) -> tuple[float, bool, float]:
    """What decides among violations: the largest constant, data, the size.

    An O() is refuted by no single value of the constant that it hides: the larger the constant that
    does not help, the more is said. Next comes what data contradict exactly, then the larger one.
    """
    hidden = [float(c.inputs.get(s.name, 1)) for s in claim.symbols.values() if s.hidden]
    return max(hidden, default=1.0), c.on_data and c.basis != "statistical", _excess(c)


def _excess(c: Comparison) -> float:
    """How far measured goes against the relation, as a ratio; larger is worse."""
    if c.relation == "==":
        scale = max(abs(c.measured), abs(c.bound))
        if c.measured == c.bound:
            return 0.0
        return abs(c.measured - c.bound) / scale if scale < float("inf") else scale
    low, high = (c.bound, c.measured) if c.relation == "<=" else (c.measured, c.bound)
    if low == high:
        return 1.0
    return high / low if low > 0 else float("inf")
