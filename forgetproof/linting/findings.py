"""What `forgetproof lint` says of a mechanism: verdicts of its claims, findings with a place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from forgetproof.linting.codes import CODES, Level

if TYPE_CHECKING:
    from accounting.mechanism import ClaimVerdict, Mechanism


@dataclass(frozen=True)
class Position:
    """Where a finding points: a file, a line of it from 1, and a key in the mechanism document."""

    file: str
    line: int = 1
    key: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class LintFinding:
    """A difference between what runs and what is claimed, or what keeps a claim from being settled.

    Attributes:
        code: of `forgetproof.linting.codes`.
        level: error, warning or note.
        message: one sentence, without code and place.
        place: where to look.
        claim: its place in the document's claims; None for the mechanism as a whole.
        claimed, lower, upper: on the claim's own scale, where numbers were compared.
        route: the accountants that gave lower and upper.
    """

    code: str
    level: Level
    message: str
    place: Position
    claim: int | None = None
    claimed: float | None = None
    lower: float | None = None
    upper: float | None = None
    route: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.code} {CODES[self.code].name}: {self.message}"

    def document(self) -> dict[str, Any]:
        """The finding as data."""
        return {
            "code": self.code,
            "name": CODES[self.code].name,
            "level": self.level,
            "message": self.message,
            "file": self.place.file,
            "line": self.place.line,
            "key": self.place.key,
            "claim": self.claim,
            "claimed": self.claimed,
            "lower": self.lower,
            "upper": self.upper,
            "route": self.route,
        }


@dataclass(frozen=True)
class LintReport:
    """The verdicts of a mechanism's claims, and all findings on it.

    Attributes:
        mechanism: what was read.
        file: where it was read.
        verdicts: one for every claim, in their order.
        findings: by place in the mechanism, errors of a claim before what explains them.
    """

    mechanism: Mechanism
    file: str
    verdicts: tuple[ClaimVerdict, ...]
    findings: tuple[LintFinding, ...]

    def of(self, ids: Iterable[str]) -> LintReport:
        """The report with the findings of these codes; its verdicts stay."""
        codes = frozenset(ids)
        findings = tuple(finding for finding in self.findings if finding.code in codes)
        return replace(self, findings=findings)

    def failed(self, strict: bool = False) -> bool:
        """Whether a finding is an error; strict: or a warning."""
        levels = ("error", "warning") if strict else ("error",)
        return any(finding.level in levels for finding in self.findings)

    def document(self) -> dict[str, Any]:
        """The report as data: infinities are those of floats."""
        return {
            "file": self.file,
            "name": self.mechanism.name,
            "claims": [
                {
                    "claim": verdict.claim,
                    "verdict": verdict.word,
                    "scale": verdict.comparison.scale,
                    "claimed": verdict.comparison.claimed,
                    "lower": verdict.comparison.lower,
                    "upper": verdict.comparison.upper,
                    "delta": verdict.comparison.delta,
                    "route": verdict.comparison.route,
                    "conditions": list(verdict.conditions),
                }
                for verdict in self.verdicts
            ],
            "findings": [finding.document() for finding in self.findings],
        }


def shown_down(value: float, digits: int = 4) -> str:
    """A number as it is displayed where less is the safe side: a claim, or what is needed."""
    return _shown(value, digits, math.floor)


def shown_up(value: float, digits: int = 4) -> str:
    """A number as it is displayed where more is the safe side: what is certified."""
    return _shown(value, digits, math.ceil)


def _shown(value: float, digits: int, rounded: Any) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    exponent = math.floor(math.log10(abs(value)))
    if abs(exponent) > 250:
        return f"{value:.{digits - 1}e}"
    scale = 10.0 ** (exponent - digits + 1)
    scaled = value / scale
    # A number that has this many digits keeps them: the quotient may be a rounding away.
    exact = abs(scaled - round(scaled)) < 1e-9 * abs(scaled)
    return f"{(round(scaled) if exact else rounded(scaled)) * scale:.{digits}g}"
