"""Statements compared with data: what a run of an experiment measured, beside every form.

A check says which observable of which experiment the left side of its statement is (`Measurement`).
One run serves all statements; it also knows the constants that belong to it. Nothing is compared
where a hypothesis of the interpretation, or one that the check names, is not met by the run, and
nothing at rounding. The engine runs small experiments on data at hand; `forgetproof simulate
--check` does the same with a user's own run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

import bounds
from bounds import Interpretation, Statement
from bounds.declared import EXPERIMENTS, views
from bounds.library import blame
from simulators.runs.experiment import NotMeasured
from verify import checks
from verify.checks import Measurement
from verify.context import LEVEL, Context
from verify.evidence import Basis, Comparison, Relation

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment, Observable, Run

_BASES: dict[str, Basis] = {"mean": "statistical", "lower limit": "statistical"}
TOLERANCE = 1e-9


@dataclass(frozen=True)
class RunComparisons:
    """One interpretation of a statement against what a run measured.

    comparisons: one for each form.  why: where nothing could be compared, the reason.
    basis: of the observable.
    values: every form where the last of them comes closest, or fails most.
    """

    statement: Statement
    interpretation: str
    observable: str
    comparisons: tuple[Comparison, ...] = ()
    why: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    basis: str = "path"

    @property
    def word(self) -> str:
        """What the data say: "refuted" with the forms, "not refuted", or why nothing is said."""
        if self.why:
            return self.why
        wrong = [c.form for c in self.comparisons if c.violated]
        return f"refuted: {', '.join(wrong)}" if wrong else "not refuted"

    def document(self) -> dict[str, Any]:
        """The row of a table."""
        names = ("printed", "corrected", "tight")
        worst = self.comparisons[-1] if self.comparisons else None
        return {
            "claim": self.statement.id,
            "interpretation": self.interpretation,
            "observable": self.observable,
            "measured": self.values.get("measured"),
            **{name: self.values.get(name) for name in names},
            "attainment": None if worst is None or worst.tells_less else worst.attainment,
            "word": self.word,
        }


def run_comparisons(
    ctx: Context, measurement: Measurement, run: Run, name: str, forgiving: bool = False
) -> Iterator[RunComparisons]:
    """Every interpretation that the measurement is about, compared with the run; name: of the run.

    forgiving: what cannot be computed of this run is the word of its rows, and no error.
    """
    interpretations = [
        r for r in ctx.claim.interpretations if r.name in (measurement.interpretations or (r.name,))
    ]
    try:
        _add_views(measurement, ctx.claim, run)
        missing = [word for word in measurement.where if not run.hypotheses[word]]
        # Names of hypotheses are the run's own; a missing one is an error of the check.
        if missing:
            raise NotMeasured(f"the run does not have: {', '.join(missing)}")
        observable = run[measurement.observable]
        inputs = _inputs(ctx.claim, measurement, run, observable)
    except (ValueError, ArithmeticError) as why:
        # NotMeasured is an answer, other errors are faults, unless every claim is tried on one run.
        if not (forgiving or isinstance(why, NotMeasured)):
            raise
        for interpretation in interpretations:
            yield RunComparisons(
                ctx.claim, interpretation.name, measurement.observable, why=str(why)
            )
        return
    measure = run.measure(measurement.observable)
    words = (getdoc(measure) or measurement.observable).splitlines()[0]
    for interpretation in interpretations:
        yield _run_comparisons(
            ctx, measurement, interpretation, observable, run, inputs, f"{name}: {words}"
        )


def _add_views(measurement: Measurement, claim: Statement, run: Run) -> None:
    """Lets the run measure what the claim's paper adds to such runs."""
    for kind in views(measurement.experiment, claim.paper):
        run.view(kind)


def _inputs(
    claim: Statement, measurement: Measurement, run: Run, observable: Observable
) -> dict[str, Any]:
    """The values of the statement's symbols, as far as the run knows them."""
    constants = {**run.constants, **observable.at}
    names = {s: measurement.symbols.get(s, s) for s in claim.symbols}
    values = {
        s: constants.get(name) if isinstance(name, str) else name for s, name in names.items()
    }
    return {symbol: value for symbol, value in values.items() if value is not None}


def _side(given: Any, known: Mapping[str, Any]) -> Any:
    """The value of a form that the run itself knows."""
    if isinstance(given, str):
        return known[given]
    return given(known) if callable(given) else given


def _run_comparisons(
    ctx: Context,
    measurement: Measurement,
    interpretation: Interpretation,
    observable: Observable,
    run: Run,
    inputs: Mapping[str, Any],
    instance: str,
) -> RunComparisons:
    claim, name = ctx.claim, measurement.observable
    forms = [f for f in interpretation.forms if f in (measurement.forms or interpretation.forms)]
    constants = {**run.constants, **observable.at}
    # Sides are computed only where the run knows all that they name.
    misses = {x for x in measurement.sides.values() if isinstance(x, str)} - constants.keys()
    sides = {f: _side(x, constants) for f, x in measurement.sides.items()} if not misses else {}
    lacking = {n for h in interpretation.where for n in h.names} - inputs.keys()
    lacking |= misses
    for form in set(forms) - measurement.sides.keys():
        lacking |= set(claim[form].arguments) - claim[form].optional - inputs.keys()
    if lacking:
        return RunComparisons(
            claim, interpretation.name, name, why=f"not known here: {', '.join(sorted(lacking))}"
        )
    comparisons: list[Comparison] = []
    values: Mapping[str, float] = {}
    refusals: list[str] = []
    for form in forms:
        relation = measurement.relation or interpretation.relations[form]
        try:
            side = sides.get(form)
            bound = np.asarray(claim(form, **inputs) if side is None else side, dtype=float)
            # `apart` has the shape of the values: only these entries count.
            safe, apart = _safe_side(observable, bound, relation)
            if not apart.any():
                continue
            comparisons.append(
                ctx.compare(
                    interpretation.name,
                    form,
                    safe[apart],
                    {k: _part(v, apart) for k, v in inputs.items()},
                    instance,
                    bound=None if side is None else _part(bound, apart),
                    tight=None if side is None else math.nan,
                    relation=relation,
                    basis=_BASES.get(observable.basis, "exact"),
                    tolerance=TOLERANCE,
                )
            )
        except ValueError as error:
            # Of one form; what the others said stays.
            refusals.append(str(error))
            continue
        closest = np.where(apart, _closeness(safe, bound, relation), -np.inf)
        values = _values(ctx, observable, inputs, sides, int(np.argmax(closest)), safe.shape)
    # Without a refusal every form is at rounding: neither refuted nor supported.
    why = "" if comparisons else next(iter(refusals), "at rounding")
    return RunComparisons(
        claim, interpretation.name, name, tuple(comparisons), why, values, observable.basis
    )


def _values(
    ctx: Context,
    observable: Observable,
    inputs: Mapping[str, Any],
    sides: Mapping[str, Any],
    at: int,
    shape: tuple[int, ...],
) -> dict[str, float]:
    """What was measured, and every form that the run knows the symbols of, at one of the values."""
    forms = _everywhere(ctx.claim, inputs, sides)
    values = {name: ctx.scale * _element(x, at, shape) for name, x in forms.items()}
    return {"measured": _element(observable.values, at, shape), **values}


def _everywhere(
    claim: Statement, inputs: Mapping[str, Any], sides: Mapping[str, Any]
) -> dict[str, Any]:
    """Every form that the run knows the symbols of, at all values."""
    values = {**sides}
    # With sides of its own the run gives what is shown: the forms may be of another shape.
    for name, form in claim.forms.items() if not sides else ():
        if set(form.arguments) - form.optional <= inputs.keys():
            try:
                values[name] = form(**_known(form, inputs))
            except ValueError:  # a form of another interpretation, with hypotheses of its own
                continue
    return values


def series(
    claim: Statement, measurement: Measurement, run: Run
) -> tuple[Observable, dict[str, Any], dict[str, Any]]:
    """What the run measured, the values of the statement's symbols, and every form at them.

    Raises NotMeasured where the run cannot show it.
    """
    _add_views(measurement, claim, run)
    observable = run[measurement.observable]
    constants = {**run.constants, **observable.at}
    lacking = {x for x in measurement.sides.values() if isinstance(x, str)} - constants.keys()
    sides = {f: _side(x, constants) for f, x in measurement.sides.items()} if not lacking else {}
    inputs = _inputs(claim, measurement, run, observable)
    return observable, inputs, _everywhere(claim, inputs, sides)


def _element(values: Any, at: int, shape: tuple[int, ...]) -> float:
    return float(np.broadcast_to(values, shape).flat[at])


def _known(form: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: inputs[name] for name in form.arguments if name in inputs}


def _safe_side(
    observable: Observable, bound: np.ndarray, relation: Relation
) -> tuple[np.ndarray, np.ndarray]:
    """What may count against a form, and which of it is above rounding.

    Raises ValueError where the basis cannot speak of the relation.
    """
    if relation != "<=" and observable.basis == "lower limit":
        raise ValueError(f"a lower limit says nothing of {relation}")
    if relation == "==" and observable.basis == "mean":
        raise ValueError("a mean is never equal")
    values, limit = np.broadcast_arrays(np.asarray(observable.values, dtype=float), bound)
    # What is to be large must be: the measured side of an upper bound, the form of a lower one.
    large = {"<=": np.abs(values), ">=": np.abs(limit)}
    apart = np.atleast_1d(large.get(relation, np.maximum(*large.values())) > observable.rounding)
    if relation == "==":
        return np.atleast_1d(values), apart
    # -ndtri(LEVEL) standard errors: the normal limit at the level of one sampled comparison.
    room = -ndtri(LEVEL) * np.broadcast_to(observable.error, values.shape)
    slack = room + observable.rounding * (observable.basis not in ("law", "rows"))
    # To the safe side: lower for an upper bound, higher for a lower one.
    return np.atleast_1d(values - slack if relation == "<=" else values + slack), apart


def _part(value: Any, apart: np.ndarray) -> Any:
    if isinstance(value, np.ndarray) and value.shape == apart.shape:
        return value[apart]
    return value


def _closeness(measured: np.ndarray, bound: np.ndarray, relation: Relation) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        # A ratio of 0/0 says nothing and comes last.
        ratio = measured / bound if relation != ">=" else bound / measured
    return np.where(np.isnan(ratio), -np.inf, ratio)


def table(run: Run, scale: float = 1.0) -> Iterator[RunComparisons]:
    """Every statement whose check measures such runs, against this one.

    scale: a factor on every form, for those who want to see what is noticed.
    """
    algorithm = run.experiment.algorithm
    for statement, check in _checks_about(algorithm):
        for entry in check.measurements:
            if entry.experiment == algorithm:
                ctx = Context(statement, scale=scale)
                data = run.experiment.settings.get("data", "")
                yield from run_comparisons(ctx, entry, run, data, forgiving=True)


def _checks_about(algorithm: str) -> Iterator[tuple[Statement, checks.Check]]:
    """Statements that may be measured by such runs, with their checks, in the order of the papers.

    The others have nothing to say of such runs, and stay unloaded: papers that do not name the
    algorithm, and checks of ours without its name in their text.
    """
    for owner in bounds.papers():
        if not owner.checks or algorithm not in {*owner.experiments, *owner.views}:
            continue
        for id in owner.statements:
            # A check from outside may have the name from another module.
            named = owner.foreign or f'"{algorithm}"' in _text(owner.check(id))
            if not named or bounds.lost(id):
                continue
            statement = bounds.get(id)
            try:
                check = checks.check(statement)
            except Exception as error:  # a third-party check may fail in any way
                if not owner.foreign:
                    raise
                blame(f"the check of {id} of {owner.distribution}", error)
            else:
                yield statement, check


@cache
def _text(module: str) -> str:
    """The text of a module, which is not imported."""
    spec = find_spec(module)
    return Path(spec.origin).read_text("utf-8") if spec and spec.origin else ""


@cache
def sample(experiment: str, name: str, seed: int, device: str = "cpu") -> Run:
    """The run of this name, on data at hand or an extreme one; one serves every statement."""
    kind = EXPERIMENTS.get(experiment)
    settings = kind.samples[name] if name in kind.samples else kind.extremes[name]
    run: Run = kind(**{"seed": seed % 2**31, "device": device, **settings}).run()
    return run


def experiments(claim: Statement) -> dict[str, type[Experiment]]:
    """The experiments whose runs the statement's check measures. ValueError for an unknown one."""
    kinds = {o.experiment: EXPERIMENTS.get(o.experiment) for o in checks.check(claim).measurements}
    if lacking := [name for name, kind in kinds.items() if kind is None]:
        raise ValueError(f"{claim.id}: there is no experiment {lacking[0]!r}")
    return kinds


def measured_in(claim: Statement) -> tuple[str, ...]:
    """The modules of those experiments, and of the views that its paper adds to their runs."""
    kinds = {name: kind.__module__ for name, kind in experiments(claim).items()}
    added = (view.__module__ for name in kinds for view in views(name, claim.paper))
    return tuple(dict.fromkeys((*kinds.values(), *added)))


def on_data(ctx: Context, instances: Iterable[str] | None = None) -> Iterator[Comparison]:
    """The statement against every run on data at hand that can say something of it.

    instances: only against those that these are of.
    """
    for outcome in on_samples(ctx, instances):
        yield from (replace(comparison, on_data=True) for comparison in outcome.comparisons)


def on_samples(ctx: Context, instances: Iterable[str] | None = None) -> Iterator[RunComparisons]:
    """What every run on data at hand, or every one that has such instances, says of it."""
    kinds = experiments(ctx.claim)
    for entry in checks.check(ctx.claim).measurements:
        for name in kinds[entry.experiment].samples:
            if of_run(name, instances):
                run = sample(entry.experiment, name, ctx.seed, ctx.device)
                yield from run_comparisons(ctx, entry, run, name)


def of_run(name: str, instances: Iterable[str] | None) -> bool:
    """Whether one of the instances is of the run of this name; None: any run will do."""
    # Instances of runs begin with the name of the run, as `run_comparisons` words them.
    return instances is None or any(each.startswith(f"{name}: ") for each in instances)
