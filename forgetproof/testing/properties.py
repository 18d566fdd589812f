"""What every statement has to survive at inputs and on data that are drawn, as a class of tests.

    from forgetproof.testing.properties import Properties

    class TestPaper(Properties):
        paper = "d2d"

in a test module gives a test for every statement of that paper whose check has an exact side: at
the inputs of its check and plot, at corners of its domain, and at inputs that hypothesis draws
within the interpretation's hypotheses, no form fails that is expected to hold; equalities are met;
and where the check found a form attained, the form times .98 fails. The constant of an O() is what
the check says it is, for all other inputs. Another test holds every statement that is measured by
an experiment against
its runs: no form that should hold is contradicted at the level of one comparison (1e-10), and one
times 1e-9 would be. A third holds the forms to what `trends.json` and `growth=` say of them: they
rise and fall as claimed, and go where they should as an argument grows without end.

By default all is small: most inputs are the same in every run, and a few are drawn by chance, so
that many runs see what one does not. `--forgetproof-draws SEED` draws those of another run again;
the summary names the seed, and a test that fails prints the command that repeats it.
`pytest --forgetproof-profile full` draws hundreds of inputs, so many for every statement that no
clock ends it, keeps what failed in `.hypothesis`, and runs the samples of each experiment again, at
seeds and noises that `--forgetproof-seed` draws, once for all statements. `-rP` shows how many were
drawn, and at how many of them a form was compared.
`--forgetproof-scale 0.98` multiplies every bound: what then stays green could not tell.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from itertools import groupby
from shlex import quote
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import pytest

from forgetproof.ours import inside_ours, ours
from forgetproof.pytest_plugin import DRAWS

if TYPE_CHECKING:
    from bounds import Statement
    from verify.search.slack import SlackTarget

CORNERS, TRIES = 2, 20
EXAMPLES = {"quick": 2, "full": 200}
CHANCE = 2  # inputs that the run's own seed draws, at least; else a quarter of the examples
SHRUNK = 0.98
ATTAINED = 1e-6
LATEST = 8  # inputs at which a left side is remembered for the other forms
SECONDS = 30.0  # for certifying a violation


class Properties:
    """To be inherited by a class of tests; `paper` is a key, or None for all papers."""

    paper: str | None = None
    dear: frozenset[str] = frozenset()
    """Ids whose exact sides take seconds: in the full profile only."""
    few: Mapping[str, int] = {}
    """Ids whose inputs take long -> how many the full profile draws."""

    @inside_ours
    def pytest_generate_tests(self, metafunc: Any) -> None:
        import bounds
        from bounds import trends
        from verify import checks

        of: dict[str, Callable[[Statement], Any]] = {
            "with_exact_side": lambda s: s.forms and checks.check(s).exact_side,
            "with_measurements": lambda s: checks.check(s).measurements,
            "trending": lambda s: trends.trends(s) or isinstance(s.growth, dict),
        }
        for name in of.keys() & set(metafunc.fixturenames):
            statements = [s for s in bounds.statements(self.paper) if of[name](s)]
            if name == "with_exact_side" and metafunc.config.option.forgetproof_profile != "full":
                statements = [s for s in statements if s.id not in self.dear]
            metafunc.parametrize(name, statements, ids=[s.id for s in statements])

    @inside_ours
    def test_forms_survive_inputs_that_are_drawn(
        self, with_exact_side: Statement, request: pytest.FixtureRequest
    ) -> None:
        from verify.search.targets import COMPARISONS, expected_to_hold

        option = request.config.option
        full = option.forgetproof_profile == "full"
        targets = expected_to_hold(with_exact_side, most=None if full else COMPARISONS)
        if not targets:
            pytest.skip("the exact side is the left side of no form that is expected to hold")
        for target in targets:
            _attained(target)
        count = self.few.get(with_exact_side.id, EXAMPLES["full"]) if full else EXAMPLES["quick"]
        with repeatable(request) as seed:
            # Forms of one interpretation and domain share the inputs, and their left side.
            for _, group in groupby(targets, key=lambda t: (t.interpretation, t.domain.names)):
                _drawn(list(group), count, full, option.forgetproof_scale, seed)

    @inside_ours
    def test_forms_survive_runs_on_data(
        self, with_measurements: Statement, pytestconfig: pytest.Config
    ) -> None:
        from forgetproof.testing.runs import run_again, survive, told_apart
        from verify.context import Context
        from verify.measurements import on_samples

        option = pytestconfig.option
        comparisons = list(on_samples(Context(with_measurements, scale=option.forgetproof_scale)))
        survive(comparisons)
        told_apart(comparisons)
        if option.forgetproof_profile == "full":
            run_again(with_measurements, option.forgetproof_scale, option.forgetproof_seed)

    @inside_ours
    def test_forms_go_the_way_that_is_claimed(
        self, trending: Statement, request: pytest.FixtureRequest
    ) -> None:
        from bounds.trends import trends
        from forgetproof.testing.trends import CHANCE, PAIRS, agree, arrives, goes, grows

        profile = request.config.option.forgetproof_profile
        with repeatable(request) as seed:
            for trend in trends(trending):
                arrives(trend)
                goes(trend, PAIRS[profile])
                goes(trend, CHANCE[profile], seed)
        grows(trending)
        if profile == "full":
            agree(trending)


@contextmanager
def repeatable(request: pytest.FixtureRequest) -> Iterator[int]:
    """The seed of what is drawn by chance inside; a failure says how the same is drawn again."""
    __tracebackhide__ = True
    option = request.config.option
    request.node.user_properties.append((DRAWS, option.forgetproof_draws))
    try:
        yield option.forgetproof_draws
    except Exception as failure:
        profile = " --forgetproof-profile full" * (option.forgetproof_profile == "full")
        failure.add_note(
            f"the same is drawn again by\n"
            f"pytest{profile} --{DRAWS} {option.forgetproof_draws} {quote(request.node.nodeid)}"
        )
        raise


def corners(target: SlackTarget) -> Iterator[dict[str, Any]]:
    """Inputs of the check, the closest first, then ends and middles of all ranges."""
    yield from target.closest
    yield from target.starts[: CORNERS - len(target.closest)]
    where = target.domain
    # Units of 0, 1/2, 1: lower ends, middles and upper ends of the ranges.
    units = np.random.default_rng(0).integers(0, 3, (TRIES, where.size)) / 2
    points = (where.decode(unit) for unit in units)
    admitted = (point for point in points if where.admits(point))
    yield from (point for point, _ in zip(admitted, range(CORNERS), strict=False))


def hold(target: SlackTarget, point: dict[str, Any], scale: float = 1.0) -> bool:
    """Raise AssertionError with the command that replays it where the form fails at these inputs.

    Returns whether both sides have a value there.
    """
    __tracebackhide__ = True
    from verify.search.run import Budget, at

    try:
        with warnings.catch_warnings():
            # What an exact side warns of is no number, or is compared.
            warnings.simplefilter("ignore")
            comparison = at(target, point, Budget(seconds=SECONDS, scale=scale))
    # An exact side without a value at these inputs shows nothing.
    except ValueError:
        return False
    if comparison.violation:
        raise AssertionError(
            f"{comparison.claim} {comparison.interpretation}.{comparison.form} "
            f"(expected: {comparison.expected}): "
            f"{comparison.measured!r} {comparison.relation} {comparison.bound!r} fails\n"
            f"{comparison.replay}"
        )
    return True


def equal(target: SlackTarget) -> Iterator[dict[str, Any]]:
    """Inputs of the check and the plot at which both sides are the same number, not 0."""
    for point in target.starts:
        try:
            value, bound = target.sides(point)
        except ValueError:
            continue
        apart = 0.5 * (1 - SHRUNK) * abs(bound)
        # Where noise or tolerance swallow the 2 per cent, a smaller form need not fail.
        noticeable = max(target.noise(point), target.tolerance * abs(bound)) < apart < math.inf
        if noticeable and math.isclose(value, bound, rel_tol=ATTAINED):
            yield point


def _attained(target: SlackTarget) -> None:
    """Where inputs attain a form, a smaller one fails there."""
    __tracebackhide__ = True
    if target.attained != target.form:
        return
    point = next(equal(target), None)
    name = f"{target.claim.id} {target.interpretation}.{target.form}"
    if point is None:
        return
    lower = target.sides(point)[1] > 0  # what times .98 is lower
    # An upper bound must fail lower, a lower one higher; times .98 a negative one is higher.
    scale = SHRUNK if lower == (target.relation != ">=") else 1 / SHRUNK
    sides = target.sides(point, scale)
    assert target.fails(sides, ATTAINED), f"{name} times {scale:.2f} does not fail at {point}"


def _drawn(targets: list[SlackTarget], count: int, full: bool, scale: float, seed: int = 0) -> None:
    """Forms of one domain held at corners, at inputs that hypothesis draws and shrinks, and others.

    Hypothesis draws the same in every run, but for the full profile, where it has the seed; the
    others, a quarter as many, always have it. Prints how many inputs were drawn, and at how many
    of them a form was compared.
    """
    __tracebackhide__ = True
    import hypothesis
    from hypothesis import HealthCheck, given, settings
    from hypothesis.database import DirectoryBasedExampleDatabase

    from verify.search.strategies import points, sampled

    targets = _measuring_once(targets)
    for target in targets:
        for point in corners(target):
            hold(target, point, scale)
    first = targets[0]
    database_path = f".hypothesis/forgetproof/{first.claim.id}/{first.interpretation}.{first.form}"

    @settings(
        max_examples=count,
        derandomize=not full,
        database=DirectoryBasedExampleDatabase(database_path) if full else None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(points(first.domain))
    def test(point: dict[str, Any]) -> None:
        with ours():
            outcomes = [hold(target, point, scale) for target in targets]
            compared.append(any(outcomes))

    compared: list[bool] = []
    # Each claim draws inputs of its own: crc32, unlike hash, is the same in every process.
    mixed = crc32(f"{seed} {first.claim.id} {first.interpretation} {first.form}".encode())
    (hypothesis.seed(mixed)(test) if full else test)()
    rng = np.random.default_rng(mixed)
    for _ in range(max(CHANCE, count // 4)):
        point = sampled(first.domain, rng)
        outcomes = [hold(target, point, scale) for target in targets]
        compared.append(any(outcomes))
    forms = ", ".join(target.form for target in targets)
    print(
        f"{first.claim.id} {first.interpretation} ({forms}): {len(compared)} inputs drawn, "
        f"compared at {sum(compared)}"
    )


def _measuring_once(targets: list[SlackTarget]) -> list[SlackTarget]:
    """The same forms, whose common left side is evaluated once at each of the latest inputs."""
    # By identity: forms of one check have the same function as left side.
    lefts = {id(target.left): _remembered(target.left) for target in targets}
    return [replace(target, left=lefts[id(target.left)]) for target in targets]


def _remembered(left: Callable[..., Any]) -> Callable[..., Any]:
    """The left side, which knows what it was at the latest inputs, and what it raised there."""
    cache: dict[str, tuple[Any, Exception | None]] = {}

    @wraps(left)
    def remembered(**inputs: Any) -> Any:
        # Sorted: the same inputs may come in another order.
        key = repr(sorted(inputs.items()))
        if key not in cache:
            if len(cache) > LATEST:
                cache.clear()
            try:
                cache[key] = left(**inputs), None
            # What was refused once is refused again without a second attempt.
            except Exception as why:
                cache[key] = None, why
        value, refusal = cache[key]
        if refusal is not None:
            raise refusal
        return value

    return remembered
