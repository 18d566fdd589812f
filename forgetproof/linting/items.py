"""Claims of mechanism documents as pytest items: `pytest --forgetproof-lint PATH`.

A claim that holds passes; a conditional one passes and prints its conditions (`-rP` shows them); an
open one is an expected failure, or fails with `--forgetproof-lint-strict`; a false one fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from forgetproof.linting.checking import lint_source
from forgetproof.linting.findings import LintReport
from forgetproof.linting.targets import LintTarget, sources
from forgetproof.linting.text import lines
from forgetproof.ours import ours


class ClaimRefuted(Exception):
    """A claim is false, or open where that is not allowed; the message is the report."""


class Mechanisms(pytest.Collector):
    """All mechanisms that --forgetproof-lint names, in the order of their files."""

    @classmethod
    def from_parent(cls, parent: Any, **options: Any) -> Mechanisms:
        collector: Mechanisms = super().from_parent(
            parent, name="forgetproof-lint", nodeid="forgetproof-lint", **options
        )
        return collector

    def collect(self) -> Iterable[pytest.Collector]:
        try:
            with ours():
                mechanisms = [s for t in self.config.option.forgetproof_lint for s in sources(t)]
        except (ValueError, OSError) as error:
            raise self.CollectError(f"--forgetproof-lint {error}") from error
        names: dict[str, int] = {}
        for source in mechanisms:
            names[source.file] = names.get(source.file, -1) + 1
            count = names[source.file]
            name = f"{source.file}#{count}" if count else source.file
            yield OneMechanism.from_parent(self, name=name, source=source)


class OneMechanism(pytest.Collector):
    """The claims of one mechanism, whose report is computed when the first of them runs."""

    def __init__(self, source: LintTarget, **options: Any) -> None:
        super().__init__(**options)
        self.source = source

    @cached_property
    def report(self) -> LintReport:
        """Verdicts and findings."""
        return lint_source(self.source)

    def collect(self) -> Iterable[pytest.Item]:
        claims = self.source.mechanism.claims
        for place in range(len(claims)):
            yield MechanismClaim.from_parent(self, name=f"claims[{place}]", place=place)
        if not claims:
            yield MechanismClaim.from_parent(self, name="mechanism", place=None)


class MechanismClaim(pytest.Item):
    """One claim of a mechanism, or the mechanism itself where it claims nothing."""

    def __init__(self, place: int | None, **options: Any) -> None:
        super().__init__(**options)
        self.place = place

    @property
    def report(self) -> LintReport:
        """That of the mechanism."""
        assert isinstance(self.parent, OneMechanism)
        return self.parent.report

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.config.rootpath / "forgetproof-lint", None, self.nodeid

    def runtest(self) -> None:
        """Fails as the module says."""
        with ours():
            self._run()

    def _run(self) -> None:
        report = self.report
        text = "\n".join(lines(report))
        own = [finding for finding in report.findings if finding.claim in (None, self.place)]
        if any(finding.level == "error" for finding in own):
            raise ClaimRefuted(text)
        word = "holds" if self.place is None else report.verdicts[self.place].word
        if word == "open" and self.config.option.forgetproof_lint_strict:
            raise ClaimRefuted(text)
        if word == "open":
            pytest.xfail(f"open: {'; '.join(str(finding) for finding in own)}")
        if word == "conditional":
            print(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        if isinstance(excinfo.value, ClaimRefuted):
            return str(excinfo.value)
        return super().repr_failure(excinfo)
