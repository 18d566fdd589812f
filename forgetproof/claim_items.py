"""Claims as pytest items: `forgetproof::sglu.thm3.2` runs the check of that claim."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from forgetproof.listing import expected, origins
from forgetproof.ours import ours

if TYPE_CHECKING:
    from verify.expectation import Surprise
    from verify.outcome import Outcome
    from verify.runner import Settings


class NotChecked(Exception):
    """The claim's experiment needs a package that is missing; the message says which, and how."""


class ClaimFailed(Exception):
    """The claim's verdicts are not the expected ones; the message is the report."""


class Claims(pytest.Collector):
    """All claims that the options choose, in the order of the papers."""

    # The node id without a path: it is the prefix that the command line takes.
    @classmethod
    def from_parent(cls, parent: Any, **options: Any) -> Claims:
        collector: Claims = super().from_parent(
            parent, name="forgetproof", nodeid="forgetproof", **options
        )
        return collector

    def collect(self) -> Iterable[pytest.Item]:
        option = self.config.option
        chosen = option.forgetproof_ids or [
            id
            for id in expected()
            if not option.forgetproof_paper or id.split(".")[0] in option.forgetproof_paper
        ]
        return [ClaimItem.from_parent(self, name=id) for id in dict.fromkeys(chosen)]


class ClaimItem(pytest.Item):
    """One claim: passes where every verdict is the expected one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.paper = self.name.split(".")[0]
        self.expected = expected()[self.name]
        words = ", ".join(f"{key} {word}" for key, word in self.expected.items())
        # A claim whose module does not import has no origin: its item fails and says why.
        self.origin = origins().get(self.name, "unknown")
        self.user_properties += [
            ("claim", self.name),
            ("paper", self.paper),
            ("origin", self.origin),
            ("expected", words),
        ]
        self.add_marker("forgetproof")
        self.add_marker(self.paper)
        self.add_marker(pytest.mark.claim(self.name))

    def __repr__(self) -> str:
        words = ", ".join(dict.fromkeys(self.expected.values()))
        ours = ", ours" if self.origin == "ours" else ""
        return f"<Claim {self.name}{ours}, expected: {words}>"

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.config.rootpath / "forgetproof", None, f"claim {self.name}"

    def runtest(self) -> None:
        """Runs the check under python's own warning filters, whatever those of the suite are."""
        with ours(), warnings.catch_warnings():
            # A suite's `-W error` would turn an exact side's warning into a failed claim.
            warnings.resetwarnings()
            self._run()

    def _run(self) -> None:
        import bounds
        from verify.expectation import surprises
        from verify.runner import fresh_outcome

        settings = _settings(self.config)
        try:
            outcome = fresh_outcome(bounds.get(self.name), settings)
        except ModuleNotFoundError as absent:
            why = _missing(absent)
            self.user_properties.append(("missing", why))
            if self.config.option.forgetproof_skip_missing:
                pytest.skip(why)
            raise NotChecked(f"{self.name} was not checked: {why}") from absent
        words = ", ".join(f"{v.key} {v.word}" for v in outcome.verdicts)
        self.user_properties += [("headline", outcome.headline), ("verdicts", words)]
        if odd := surprises([outcome], {self.name: self.expected}):
            raise ClaimFailed("\n".join(_report(outcome, odd, settings)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        if isinstance(excinfo.value, ClaimFailed | NotChecked):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


def _settings(config: pytest.Config) -> Settings:
    """The options; the processes of pytest-xdist share the memory."""
    from verify.runner import Settings

    option = config.option
    # Set by pytest-xdist in each of its processes; 1 without it.
    sharing = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return Settings(
        option.forgetproof_profile,
        option.forgetproof_seed,
        option.forgetproof_scale,
        Settings().memory // sharing,
    )


def _missing(absent: ModuleNotFoundError) -> str:
    from forgetproof.cli import EXTRAS, install

    extra = EXTRAS.get((absent.name or "").split(".")[0], "all")
    return f"{absent.name} is missing: {install(extra)}"


def _report(outcome: Outcome, odd: list[Surprise], settings: Settings) -> Iterator[str]:
    """The claim, and for every surprise the formula, the instance, and the two numbers."""
    claim = outcome.claim
    first, *more = (f"{s.key} expected {s.expected}, found {s.found}" for s in odd)
    yield f"{claim.id}: {first}"
    yield from more
    yield f"claim     {claim.label}: {claim.words}"
    suffix = f" ({outcome.disagreement})" if outcome.disagreement else ""
    yield f"headline  {outcome.headline}{suffix}"
    yield f"origin    {outcome.claim.origin}"
    if outcome.error:
        yield outcome.error.rstrip()
    else:
        for surprise in odd:
            yield from _evidence(outcome, surprise)
    yield f"replay    {_replay(claim.id, settings)}"


def _evidence(outcome: Outcome, surprise: Surprise) -> Iterator[str]:
    import bounds
    from verify.words import given, judged

    verdict = next((v for v in outcome.verdicts if v.key == surprise.key), None)
    if verdict is None:
        return
    yield f"--- {surprise.key}: {surprise.found}, {verdict.basis}"
    form = bounds.get(outcome.claim.id).forms.get(verdict.form) if outcome.claim.forms else None
    if form is not None:
        yield f"formula   {form.tex}"
    if verdict.worst is None:
        yield f"reason    {verdict.reason}"
        return
    yield f"instance  {verdict.worst.instance}"
    yield f"inputs    {given(verdict.worst.inputs)}"
    yield f"found     {judged(verdict.worst)}"


def _replay(id: str, settings: Settings) -> str:
    """A command that shows the same numbers again."""
    from verify.runner import Settings
    from verify.words import replay_command

    # By default settings a replay runs the same check; of others a run must be stored first.
    if (settings.profile, settings.seed, settings.scale) == (
        Settings().profile,
        Settings().seed,
        Settings().scale,
    ):
        return replay_command(id)
    run = (
        f"forgetproof verify {id} --profile {settings.profile} --seed {settings.seed} "
        f"--scale {settings.scale:g}"
    )
    return f"{run}; {replay_command(id)}"
