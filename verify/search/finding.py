"""What a search found: a violation at round numbers, and on what basis it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bounds
from bounds import Statement
from bounds.balls import Undecided
from verify.evidence import Basis, Comparison, Relation
from verify.expectation import of_paper
from verify.search.certify import BallCertificate, left_expression, separate
from verify.search.slack import SlackTarget

INTERRUPTED = "interrupted"  # how the note begins of what Ctrl-C cut short


@dataclass(frozen=True)
class Finding:
    """The most extreme instance of one form under one interpretation.

    Attributes:
        kind: "counterexample", "inconsistent forms" (a form against one that is attained: evidence
            that the two cannot both be right), "extreme comparison" (the claim's own check, rerun),
            or "none" when nothing violates the form: then these are the numbers that came closest.
        inputs: round numbers where it is a violation.
        basis: "certified" by balls, "exact" in floating point, or "statistical" at `level`.
        slack: log(measured/bound), or as `slack.slack` says.
        certificate: the balls of a certified finding.
        note: why a violation is not certified.
        script: the name of a program, where the claim's check has one.
    """

    claim: str
    interpretation: str
    form: str
    kind: str
    relation: Relation
    inputs: Mapping[str, Any]
    measured: float
    bound: float
    slack: float
    basis: Basis
    evaluations: int
    level: float | None = None
    expected: str | None = None
    certificate: BallCertificate | None = None
    note: str = ""
    script: str | None = None

    @property
    def violation(self) -> bool:
        return self.kind != "none"

    @property
    def interrupted(self) -> bool:
        """Whether the search ended by Ctrl-C, with the most extreme instance until then."""
        return self.note.startswith(INTERRUPTED)

    @property
    def surprising(self) -> bool:
        """Whether it violates a form that is expected to hold."""
        return self.violation and self.expected in ("holds", "not refuted", "consistent")

    @property
    def replay(self) -> str:
        """The command that evaluates the form at these inputs."""
        arguments = " ".join(f"'{k}={_text(v)}'" for k, v in self.inputs.items())
        if self.kind == "extreme comparison":
            return f"forgetproof replay {self.claim}"
        chosen = f"--interpretation {self.interpretation} --form {self.form} --at"
        return f"forgetproof search {self.claim} {chosen} {arguments}"

    def to_evidence(self) -> Comparison:
        """The finding as a comparison, which verdicts are derived from."""
        return Comparison(
            interpretation=self.interpretation,
            form=self.form,
            instance=f"search: {self.kind}",
            inputs=self.inputs,
            measured=self.measured,
            bound=self.bound,
            relation=self.relation,
            basis=self.basis,
            level=self.level,
            script=self.script,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        proof = self.certificate
        return {
            "claim": self.claim,
            "interpretation": self.interpretation,
            "form": self.form,
            "kind": self.kind,
            "violation": self.violation,
            "expected": self.expected,
            "surprising": self.surprising,
            "relation": self.relation,
            "inputs": dict(self.inputs),
            "measured": self.measured,
            "bound": self.bound,
            "slack": self.slack,
            "basis": self.basis,
            "level": self.level,
            "evaluations": self.evaluations,
            "note": self.note,
            "replay": self.replay,
            "certificate": proof and {"left": proof.left, "right": proof.right, "bits": proof.bits},
        }


def certified(
    target: SlackTarget, point: Mapping[str, Any], scale: float = 1.0
) -> tuple[BallCertificate | None, str]:
    """A certificate of the violation at this point, or the reason why there is none."""
    lhs = left_expression(target, point)
    rhs = target.claim[target.form].expr
    if lhs is None or rhs is None:
        return None, "the left side has no closed form" if rhs else "the form has no expression"
    try:
        return separate(lhs, rhs, point, target.relation, scale=scale), ""
    except Undecided as problem:
        return None, str(problem)
    except ModuleNotFoundError as missing:
        if missing.name != "flint":
            raise
        return None, "python-flint is missing: pip install 'forgetproof[certify]'"


def expected_word(claim: Statement, interpretation: str, form: str) -> str | None:
    """The expected verdict of a form under an interpretation, if one is on file."""
    return of_paper(bounds.paper(claim.paper)).get(claim.id, {}).get(f"{interpretation}.{form}")


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_text(v)}" for k, v in value.items()) + "}"
    # `:g` where it is the same float: short, and read back exactly.
    return (
        f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else repr(value)
    )
