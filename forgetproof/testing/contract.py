"""What every statement of a paper has to satisfy, ours and a third party's, as a class of tests.

    from forgetproof.testing.contract import Contract

    class TestPaper(Contract):
        paper = "d2d"

in a test module gives four tests for every statement of that paper: that it is well formed, with
certificates that their checker takes; that its check, its expected verdicts and its programs fit
it; that no form computes something else than its TeX, as far as that can be read; and that its
check, run as `verify` runs it, reaches the expected verdicts.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, get_args

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    import pytest

    from bounds import Hypothesis, Interpretation, Statement
    from verify.checks import Check, Instances

VARIABLE = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


class Contract:
    """To be inherited by a class of tests; `paper` is a key, or None for all papers."""

    paper: str | None = None

    @inside_ours
    def pytest_generate_tests(self, metafunc: Any) -> None:
        import bounds

        if "statement" in metafunc.fixturenames:
            # Parametrized when tests are collected: the papers are imported no earlier.
            statements = bounds.statements(self.paper)
            metafunc.parametrize("statement", statements, ids=[s.id for s in statements])

    @inside_ours
    def test_statement_is_well_formed(self, statement: Statement) -> None:
        assert list(faults(statement)) == []

    @inside_ours
    def test_check_fits_the_statement(self, statement: Statement) -> None:
        assert list(faults_of_check(statement)) == []

    @inside_ours
    def test_tex_says_what_is_computed(
        self, statement: Statement, pytestconfig: pytest.Config
    ) -> None:
        from verify.tex.listed import faults
        from verify.tex.points import ALL, FIVE

        full = pytestconfig.option.forgetproof_profile == "full"
        assert list(faults(statement, ALL if full else FIVE)) == []

    @inside_ours
    def test_check_reaches_the_expected_verdicts(
        self, statement: Statement, pytestconfig: pytest.Config
    ) -> None:
        assert list(faults_of_verdicts(statement, pytestconfig.option.forgetproof_profile)) == []

    @inside_ours
    def test_all_that_the_paper_announces_can_be_loaded(self) -> None:
        import bounds

        assert set(bounds.ids(self.paper)) == {s.id for s in bounds.statements(self.paper)}
        for owner in bounds.papers() if self.paper is None else [bounds.paper(self.paper)]:
            for name in owner.showcases:
                from verify.showcases import showcase

                assert showcase(f"{owner.key}.{name}") is not None


def faults(statement: Statement) -> Iterator[str]:
    """What is wrong with a statement by itself, each in a line."""
    import bounds
    from bounds.statements import Kind
    from bounds.units import listed

    if statement.kind not in get_args(Kind):
        yield f"kind {statement.kind!r} is none of {', '.join(get_args(Kind))}"
    if not (statement.label and statement.words):
        yield "label and words must be given"
    for alias in statement.aliases:
        if bounds.get(alias).id != statement.id:
            yield f"alias {alias} names {bounds.get(alias).id}"
    yield from _unknown_symbols(statement, "requires", statement.requires)
    for interpretation in statement.interpretations:
        yield from _faults_of_interpretation(statement, interpretation)
    yield from _faults_of_certificates(statement)
    judged = all(interpretation.forms for interpretation in statement.interpretations)
    if statement.plot is not None and statement.forms and judged:
        yield from _faults_of_plot(statement)
    yield from listed.faults(statement, bounds.paper(statement.paper))
    if statement.growth or statement.kind == "asymptotic":
        from bounds.algebra import stated

        yield from stated.faults(statement)


def _faults_of_certificates(statement: Statement) -> Iterator[str]:
    from bounds.certificates import rows

    for row in rows(statement.paper):
        if row.claim != statement.id or row.open:
            continue
        from bounds.algebra.certificates import Rejected, check

        try:
            check(row, statement)
        except Rejected as error:
            yield f"the certificate of {' '.join(row.pair[1:])} is rejected: {error}"


def _faults_of_interpretation(
    statement: Statement, interpretation: Interpretation
) -> Iterator[str]:
    import bounds
    from bounds.interpretations import Relation, Stance

    home = bounds.paper(statement.paper).module(statement.id)
    judged = set(interpretation.forms)
    if not judged:
        yield f"interpretation {interpretation.name} judges no form"
    if statement.forms and (absent := judged - statement.forms.keys()):
        yield f"interpretation {interpretation.name} judges {_list(absent)}, which is no form"
    if odd := set(interpretation.relations.values()) - set(get_args(Relation)):
        yield f"interpretation {interpretation.name} has the relation {_list(odd)}"
    if interpretation.stance not in get_args(Stance):
        yield f"interpretation {interpretation.name} has the stance {interpretation.stance!r}"
    if idle := (interpretation.proofs.keys() | interpretation.edits.keys()) - judged:
        yield (
            f"interpretation {interpretation.name} proves or edits {_list(idle)}, which it "
            "does not judge"
        )
    yield from _unknown_symbols(
        statement, f"interpretation {interpretation.name}", interpretation.where
    )
    for form in interpretation.forms:
        proof = interpretation.proof(form)
        if proof is not None and proof.file and not proof.text(home):
            yield (
                f"interpretation {interpretation.name} names a proof {proof.file}, which is "
                "not there or empty"
            )


def _faults_of_plot(statement: Statement) -> Iterator[str]:
    from verify.plots.curves import formulas

    try:
        curves = formulas(statement)
    except ValueError as error:
        yield f"the plot cannot be evaluated: {error}"
    else:
        if not any(curve.x for curve in curves):
            yield "the plot has no point at which a form is finite"


def faults_of_check(statement: Statement) -> Iterator[str]:
    """What does not fit between a statement, its check, its expected verdicts and its programs."""
    from verify import checks, programs

    check = checks.check(statement)
    names = {r.name for r in statement.interpretations}
    judged = {form for r in statement.interpretations for form in r.forms}
    parameters = inspect.signature(check.exact_side).parameters if check.exact_side else {}
    # A hypothesis of a limit may also speak of what only the exact side takes.
    argument_names = statement.symbols.keys() | parameters
    for name, limit in check.limits.items():
        if name not in names:
            yield f"a limit is of {name}, which is no interpretation"
        if others := set(limit.others) - judged:
            yield f"the limit of {name} is about {_list(others)}, which no interpretation judges"
        for hypothesis in limit.where:
            if odd := _named(hypothesis) - argument_names:
                yield f"the limit of {name} speaks of {_list(odd)}"
    for instances in check.at:
        yield from _faults_of_instances(statement, check, instances)
    if check.pictures:
        try:
            pictures = resolve_name(check.pictures)
        except (AttributeError, ValueError):
            pictures = None
        if not callable(pictures):
            yield f"pictures must be module:function, got {check.pictures}"
    verdicts = {f"{r.name}.{form}" for r in statement.interpretations for form in r.forms}
    expected = _expected().get(statement.id, {}).keys()
    # Both ways: a verdict that is expected and not judged is as wrong as one not expected.
    if expected != verdicts:
        yield f"expected verdicts differ from what is judged in {_list(expected ^ verdicts)}"
    scripts = {instances.script for instances in check.at if instances.script}
    for script in sorted(scripts | _scripts(Path(checks.module(statement).__file__ or ""))):
        if not (programs.folder(statement) / f"{script}.py").is_file():
            yield f"there is no program {script}"


def faults_of_verdicts(
    statement: Statement, profile: Literal["quick", "full"] = "quick"
) -> Iterator[str]:
    """What the check of a statement finds that is not expected, each in a line.

    The quick profile tries a check's own instances and the few that it draws: seconds at most.
    """
    from verify.expectation import surprises
    from verify.runner import Settings, fresh_outcome
    from verify.words import given, judged

    outcome = fresh_outcome(statement, Settings(profile))
    if outcome.error:
        yield f"the check broke: {outcome.error.strip().splitlines()[-1]}"
        return
    verdicts_by_key = {v.key: v for v in outcome.verdicts}
    for odd in surprises([outcome], {statement.id: _expected().get(statement.id, {})}):
        verdict = verdicts_by_key.get(odd.key)
        worst = verdict.worst if verdict else None
        why = f"{worst.instance}, {judged(worst)} at {given(worst.inputs)}" if worst else ""
        reason = why or (verdict.reason if verdict else "no interpretation judges it")
        yield f"{odd.key}: expected {odd.expected}, found {odd.found}: {reason}"


@cache
def _expected() -> dict[str, dict[str, str]]:
    """The expected verdicts of all papers, read once for all statements."""
    from verify.expectation import load

    return load()


def _faults_of_instances(statement: Statement, check: Check, instances: Instances) -> Iterator[str]:
    from bounds.interpretations import Relation

    parameters = inspect.signature(check.exact_side).parameters.values() if check.exact_side else ()
    # What the exact side must be given by every case of the instances.
    needed = {p.name for p in parameters if p.default is p.empty and p.kind not in VARIABLE}
    judged = {form for r in statement.interpretations for form in r.forms}
    if odd := set(instances.interpretations) - {r.name for r in statement.interpretations}:
        yield f"{instances.words}: {_list(odd)} is no interpretation"
    if not isinstance(instances.forms, tuple):
        yield f"{instances.words}: forms must be names in a tuple, got {instances.forms!r}"
        return
    if odd := set(instances.forms) - judged:
        yield f"{instances.words}: {_list(odd)} is judged by no interpretation"
    # Claims of a module may share a table of relations: those of other forms are passed over.
    if odd := set(instances.relations.values()) - set(get_args(Relation)):
        yield f"{instances.words}: {_list(odd)} is no relation"
    for row in instances.cases:
        if missing := needed - row.keys():
            yield f"{instances.words}: {_list(missing)} is missing in {dict(row)}"


def _unknown_symbols(
    statement: Statement, owner: str, hypotheses: tuple[Hypothesis, ...]
) -> Iterator[str]:
    if not statement.symbols:  # what has no form may speak of inputs of its check
        return
    for hypothesis in hypotheses:
        if odd := _named(hypothesis) - statement.symbols.keys():
            yield f"{owner}: {hypothesis.text} speaks of {_list(odd)}, which is no symbol"


def _named(hypothesis: Hypothesis) -> set[str]:
    sources = (n for of in hypothesis.sets.values() for n in inspect.signature(of).parameters)
    return {*hypothesis.names, *hypothesis.sets, *sources}


def _scripts(file: Path) -> set[str]:
    """Strings that a module hands on as the name of a program."""
    calls = (k for k in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(k, ast.keyword))
    values = (k.value for k in calls if k.arg == "script")
    # Names that are computed are not seen; the cases of instances have those.
    return {v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)}


def _list(names: Any) -> str:
    return ", ".join(sorted(map(str, names)))
