"""`assert_mechanism`: what is claimed of a mechanism is true of what it executes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from forgetproof.linting import Report


@inside_ours
def assert_mechanism(target: Any, *, strict: bool = False) -> Report:
    """Return the report of `forgetproof lint` on a mechanism whose claims are all true.

    Args:
        target: a Mechanism, a mechanism document as a mapping, the path of one, or an object with
            a method `mechanism`, such as an engine.
        strict: whether an open or conditional claim, or a warning, fails too.

    Raises AssertionError with the report where a claim is false or a finding is an error;
    ValueError for what is no mechanism.
    """
    from forgetproof.linting.checking import lint
    from forgetproof.linting.text import lines

    report = lint(_mechanism(target))
    wanted = {"holds"} if strict else {"holds", "conditional", "open"}
    words = {verdict.word for verdict in report.verdicts}
    if report.failed(strict) or not words <= wanted:
        raise AssertionError("\n".join(lines(report)))
    return report


def _mechanism(target: Any) -> Any:
    from accounting.mechanism import Mechanism

    if isinstance(target, Mapping):
        return Mechanism.of_document(target)
    if isinstance(target, str | os.PathLike):
        return Mechanism.read(target)
    if not isinstance(target, Mechanism) and callable(getattr(target, "mechanism", None)):
        target = target.mechanism()
    if not isinstance(target, Mechanism):
        raise ValueError(f"target must be a mechanism, got {type(target).__name__}")
    return target
