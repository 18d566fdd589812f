"""`assert_mechanism`: what is claimed of a mechanism is true of what it executes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from forgetproof.linting import LintReport


@inside_ours
def assert_mechanism(target: Any, *, strict: bool = False) -> LintReport:
    """Return the report of `forgetproof lint` on a mechanism whose claims are all true.

    Args:
        target: as `forgetproof.lint` takes it, or the path of a mechanism document.
        strict: whether an open or conditional claim, or a warning, fails too.

    Raises AssertionError with the report where a claim is false or a finding is an error;
    ValueError for what is no mechanism.
    """
    from accounting.mechanism import Mechanism
    from forgetproof.linting.checking import lint
    from forgetproof.linting.text import lines

    if not isinstance(strict, bool):
        raise ValueError(f"strict must be True or False, got {strict!r}")
    if isinstance(target, str | os.PathLike):
        target = Mechanism.read(target)
    report = lint(target)
    accepted = {"holds"} if strict else {"holds", "conditional", "open"}
    words = {verdict.word for verdict in report.verdicts}
    if report.failed(strict) or not words <= accepted:
        raise AssertionError("\n".join(lines(report)))
    return report
