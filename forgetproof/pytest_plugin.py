"""The pytest plugin: `pytest --forgetproof` checks every claim, one test item each.

Nothing of forgetproof is imported before an option, a marker, or a fixture asks for it: a suite
that only has forgetproof installed collects not one item more, and may have a `verify.py`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from forgetproof.testing.claims import PaperClaim

PREFIX = "forgetproof::"
POWER = "forgetproof"  # of a test's properties, as in JUnit's XML
SHOWN = 20  # different lines of a run
DRAWS = "forgetproof-draws"  # the option, and the property of a report that names its seed


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("forgetproof", "claims of machine-unlearning papers")
    group.addoption(
        "--forgetproof",
        action="store_true",
        help="Check every claim too; forgetproof::ID in place of a path checks one.",
    )
    group.addoption(
        "--forgetproof-paper",
        action="append",
        default=[],
        metavar="PAPER",
        help="Check only this paper's claims, by key, title or arXiv number (may be repeated; "
        "implies --forgetproof).",
    )
    group.addoption(
        "--forgetproof-profile",
        choices=("quick", "full"),
        default="quick",
        help="How many instances a check takes (default: quick).",
    )
    group.addoption(
        "--forgetproof-seed",
        type=int,
        default=0,
        metavar="SEED",
        help="Seed of the checks (default: 0).",
    )
    group.addoption(
        "--forgetproof-skip-missing",
        action="store_true",
        help="Skip claims whose experiment needs an extra that is missing; else they fail.",
    )
    group.addoption(
        f"--{DRAWS}",
        type=int,
        metavar="SEED",
        help="Seed of what tests of properties draw by chance (default: another in every run, "
        "which its summary names).",
    )
    group.addoption(
        "--forgetproof-scale",
        type=float,
        default=1.0,
        metavar="FACTOR",
        help="Multiply every bound: away from 1 the checks have to fail (default: 1).",
    )
    group.addoption(
        "--forgetproof-lint",
        action="append",
        default=[],
        metavar="PATH",
        help="Check the claims of this mechanism document, of all in this folder, or of "
        "MODULE:OBJECT (may be repeated).",
    )
    group.addoption(
        "--forgetproof-lint-strict",
        action="store_true",
        help="A claim that is open fails; else it is an expected failure.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "claim(id): the test is about this claim of a paper, by its id."
    )
    option = config.option
    if option.forgetproof_draws is None:  # before processes begin: one seed for all of them
        # From the system, not from `random`, whose seed a suite may set.
        option.forgetproof_draws = random.SystemRandom().randrange(10**6)
    if not option.forgetproof_draws >= 0:
        raise pytest.UsageError(f"--{DRAWS} must be >= 0, got {option.forgetproof_draws}")
    # Below the root, pytest writes ids with the way up in front.
    claim_args = [a for a in config.args if a.lstrip("./").startswith(PREFIX)]
    option.forgetproof_ids = [a.partition("::")[2] for a in claim_args]
    # Taken out: pytest would look for a file of this name.
    config.args = [a for a in config.args if a not in claim_args]
    if not (option.forgetproof or option.forgetproof_paper or option.forgetproof_ids):
        return
    from forgetproof.listing import expected, how_to_install, paper, papers

    if not papers():
        raise pytest.UsageError(f"a paper must be installed, one at least{how_to_install()}")
    config.addinivalue_line("markers", "forgetproof: a claim checked by --forgetproof.")
    for key in papers():
        config.addinivalue_line("markers", f"{key}: a claim of this paper.")
    try:
        option.forgetproof_paper = [paper(name) for name in option.forgetproof_paper]
    except ValueError as error:
        raise pytest.UsageError(f"--forgetproof-paper {error}") from error
    for id in option.forgetproof_ids:
        if id not in expected():
            raise pytest.UsageError(
                f"{PREFIX}ID must name a claim (see `forgetproof claims`), got {id!r}"
            )
    if not option.forgetproof_seed >= 0:
        raise pytest.UsageError(f"--forgetproof-seed must be >= 0, got {option.forgetproof_seed}")
    if not 0 < option.forgetproof_scale < float("inf"):
        raise pytest.UsageError(
            f"--forgetproof-scale must be > 0 and finite, got {option.forgetproof_scale}"
        )
    option.forgetproof = True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Adds the claims, so that -k, -m and the like choose among them as among all other items."""
    if session.config.option.forgetproof:
        from forgetproof.claim_items import Claims

        items.extend(session.genitems(Claims.from_parent(session)))
    if session.config.option.forgetproof_lint:
        from forgetproof.ours import ours

        with ours():
            from forgetproof.linting.items import Mechanisms
        items.extend(session.genitems(Mechanisms.from_parent(session)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """What the assertions of a test could have noticed goes with its report, whatever it says."""
    # Emptied before: what a fixture stated is not this test's.
    _power_lines()
    try:
        yield
    finally:
        item.user_properties.extend((POWER, line) for line in _power_lines())


def _power_lines() -> list[str]:
    """Taken from the assertions, if a test has imported them: nothing is imported for them."""
    module = sys.modules.get("forgetproof.testing.power")
    return [] if module is None else list(module.taken())


def _write_power(terminalreporter: pytest.TerminalReporter) -> None:
    """The power of every test that states one, once: a green one has seen nothing below it."""
    tests: dict[str, list[str]] = {}
    for word in ("passed", "failed"):
        for report in terminalreporter.stats.get(word, ()):
            if getattr(report, "when", None) == "call":
                for line in dict.fromkeys(_stated(report)):
                    tests.setdefault(line, []).append(report.nodeid)
    if not tests:
        return
    terminalreporter.write_sep("-", "forgetproof: what would have been noticed")
    for line, names in list(tests.items())[:SHOWN]:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        terminalreporter.write_line(f"{names[0]}{more}: {line}")
    if len(tests) > SHOWN:
        rest = len({name for names in list(tests.values())[SHOWN:] for name in names})
        terminalreporter.write_line(f"and {len(tests) - SHOWN} lines more, of {rest} tests")
    terminalreporter.write_line("detects= makes a test fail that could not notice what it has to")


def _stated(report: Any) -> list[str]:
    """What the assertions of a test have stated of their power."""
    return [line for name, line in report.user_properties if name == POWER]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Seed of draws, power, headlines by origin, what was left out, and what not checked."""
    _write_power(terminalreporter)
    reports = (r for group in terminalreporter.stats.values() for r in group)
    seeds = {seed for r in reports for seed in _seeds(r)}
    if seeds:
        terminalreporter.write_line(f"forgetproof: --{DRAWS} {min(seeds)} draws the same inputs")
    if terminalreporter.config.option.forgetproof:
        from forgetproof.listing import broken

        for line in _by_origin(terminalreporter):
            terminalreporter.write_line(f"forgetproof: {line}")
        for name, why in broken().items():
            terminalreporter.write_line(f"forgetproof: {name} is left out: {why}")
        every = [r for reports in terminalreporter.stats.values() for r in reports]
        calls = [r for r in every if getattr(r, "when", "") == "call"]
        reasons = [dict(r.user_properties).get("missing") for r in calls]
        for why in dict.fromkeys(reason for reason in reasons if reason):
            terminalreporter.write_line(
                f"forgetproof: claims not checked: {reasons.count(why)}; {why}"
            )


def _by_origin(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """How many claims that ran have which headline, the papers' apart from ours."""
    ran = [r for word in ("passed", "failed") for r in terminalreporter.stats.get(word, ())]
    properties = [dict(r.user_properties) for r in ran if getattr(r, "when", "") == "call"]
    words = {t["claim"]: t["headline"] for t in properties if "headline" in t}
    if not words:
        return []
    from forgetproof.ours import ours

    with ours():
        import bounds
        from verify.origin import summary

        return summary((bounds.get(str(id)), str(word)) for id, word in words.items())


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A marker that names no claim is an error of collection."""
    report = yield
    marked = (n for n in report.result or () if isinstance(n, pytest.Item))
    wrong = [text for node in marked if (text := _wrong_marker(node))]
    if wrong:
        # With the items taken away, the error is all that is left of the module.
        report.outcome, report.result = "failed", []
        report.longrepr = "\n".join(wrong)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a marked test that fails ends with the claim."""
    report = yield
    # Items of ours have the marker too, and reports of their own.
    marker = None if item.get_closest_marker("forgetproof") else item.get_closest_marker("claim")
    if marker is not None and report.failed:
        from forgetproof.testing import claims

        claim = claims.get(marker.args[0])
        text = f"{claim.label}: {claim.words}\n{claim.replay}"
        failure: Any = report.longrepr
        # A failure may be a mere string, without sections.
        if hasattr(failure, "addsection"):
            failure.addsection(f"claim {claim.id}", text)
        else:
            report.sections.append((f"claim {claim.id}", text))
    return report


@pytest.fixture
def claim(request: pytest.FixtureRequest) -> PaperClaim:
    """The claim that the test's marker names: its formula, forms, and strategy of inputs."""
    from forgetproof.testing import claims

    marker = request.node.get_closest_marker("claim")
    if marker is None:
        pytest.fail("fixture claim needs a marker: @pytest.mark.claim('ID')", pytrace=False)
    return claims.get(marker.args[0])


@pytest.fixture(scope="session")
def forgetproof_claims() -> Any:
    """The module `forgetproof.testing.claims`: get, ids, strategy."""
    from forgetproof.testing import claims

    return claims


def _wrong_marker(item: pytest.Item) -> str | None:
    """What is wrong with the test's marker `claim`, in one line."""
    for marker in item.iter_markers("claim"):
        from forgetproof.listing import expected

        if len(marker.args) != 1 or marker.kwargs:
            return f'{item.nodeid}: the marker is claim("ID"), got {len(marker.args)} ids'
        if str(marker.args[0]) not in expected():
            return (
                f"{item.nodeid}: the marker must name a claim (see `forgetproof claims`), "
                f"got {marker.args[0]!r}"
            )
    return None


def _seeds(report: object) -> list[int]:
    """The seed of what the report's test drew by chance, if it did."""
    return [seed for name, seed in getattr(report, "user_properties", ()) if name == DRAWS]
