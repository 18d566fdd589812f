"""The empirical curve of a claim: runs of the experiment that its check measures, beside its forms.

A run that gives many values is drawn over one of their symbols; else the run is repeated over one
of its settings. Every run is repeated with other seeds, and the band holds the mean.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import t as student

import bounds
import verify.plots.axis_labels as axis_labels
import verify.plots.lines as lines
from bounds import Statement
from verify import checks
from verify.checks import Measurement
from verify.context import Context
from verify.evidence import Relation
from verify.measurements import experiments, run_comparisons, series
from verify.plots.evidence import UNMEASURED
from verify.plots.facts import finished
from verify.plots.picture import EXPERIMENT, Curve, Picture, far
from verify.plots.verdict import Told

if TYPE_CHECKING:
    from simulators.runs.experiment import Experiment, Run

REPEATS = 5  # runs at each point
LEVEL = 0.95  # of the band
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)  # on the setting that is swept
SWEPT = (
    "unlearn_epochs",
    "epochs",
    "learn_epochs",
    "deletions",
    "sigma",
    "epsilon",
    "regularisation",
)
MOST = 40  # points at which the exact instance is asked
EXACT = "exact instance"
Pooled = dict[str, dict[float, list[float]]]


@dataclass(frozen=True)
class Measuring:
    """The experiment, the settings of its runs, and what of them is the claim's left side.

    first: the run of these settings as they are.
    """

    claim: Statement
    measurement: Measurement
    kind: type[Experiment]
    settings: Mapping[str, Any]
    interpretation: str
    first: Run

    def run(self, **changes: Any) -> Any:
        return self.kind(**{**self.settings, **changes}).run()

    def held(self, run: Any) -> Mapping[str, float]:
        """Measured and forms where the run comes closest to the interpretation's forms."""
        comparisons = run_comparisons(Context(self.claim), self.measurement, run, "")
        closest = next(
            (
                h.values
                for h in comparisons
                if h.interpretation == self.interpretation and h.comparisons
            ),
            None,
        )
        if closest is not None:
            return closest
        try:  # nothing above rounding, or a limit that says nothing: the numbers themselves
            observable, _, forms = series(self.claim, self.measurement, run)
            return {k: float(v) for k, v in {**forms, "measured": observable.values}.items()}
        except (ValueError, TypeError):
            return {}


def picture(
    claim: Statement,
    settings: Mapping[str, Any],
    told: Told,
    *,
    experiment: str | None = None,
    over: str | None = None,
    points: Sequence[float] | None = None,
    repeats: int = REPEATS,
) -> Picture:
    """The forms at the symbols of runs, and the mean of what the runs measured, with its band.

    Args:
        claim: a claim whose check measures an experiment.
        settings: fields of the experiment; the others are those of its own small run on data.
        told: the verdict.
        experiment: its name, where the check measures several.
        over: a symbol that varies within a run, or a field of the experiment.
        points: values of the field.
        repeats: runs at each point, with seeds of their own.

    Raises:
        ValueError: no such experiment, a setting that it refuses, or runs that say nothing.
    """
    if repeats < 2:
        raise ValueError(f"repeats must be >= 2, got {repeats}")
    setup = _measuring(claim, settings, told, experiment)
    within = _within(setup, over)
    if within is not None:
        pooled = _pool_values(setup, within, repeats)
        label = axis_labels.of_symbol(claim, within)
    else:
        name = within = _field(setup, over)
        label = axis_labels.of_setting(name)
        pooled = _pool_runs(setup, name, _points(setup, name, points), repeats)
    return _picture(setup, told, pooled, within, label, repeats)


def _measuring(
    claim: Statement, settings: Mapping[str, Any], told: Told, experiment: str | None
) -> Measuring:
    """The first run on data that the claim's interpretation can be held to."""
    kinds = experiments(claim)
    if not kinds:
        have = ", ".join(c.id for c in bounds.statements() if _has_measurements(c))
        raise ValueError(f"data needs a claim that an experiment measures ({have}), got {claim.id}")
    if experiment is not None and experiment not in kinds:
        raise ValueError(f"experiment must be one of {', '.join(kinds)}, got {experiment!r}")
    whys: list[str] = []
    best: Measuring | None = None
    for measurement in checks.check(claim).measurements:
        if experiment not in (None, measurement.experiment):
            continue
        kind = kinds[measurement.experiment]
        for start in _starts(kind, settings):
            try:
                run = kind(**start).run()
                comparisons = list(run_comparisons(Context(claim), measurement, run, ""))
            except ValueError as error:
                whys.append(str(error))
                continue
            for case in comparisons:
                if not case.comparisons:
                    whys.append(case.why)
                    continue
                here = Measuring(claim, measurement, kind, start, case.interpretation, run)
                if case.interpretation == told.interpretation:
                    return here
                best = best or here
    if best is None:
        first, *more = dict.fromkeys(why.rpartition(") has no value: ")[2] for why in whys)
        also = f" (and {len(more)} other reasons)" if more else ""
        raise ValueError(
            f"data must be such that the run says something of {claim.id}: {first}{also}"
        )
    return best


def _has_measurements(claim: Statement) -> bool:
    try:
        return bool(checks.check(claim).measurements)
    except Exception:  # a third-party check may fail in any way, or be none
        return False


def _starts(kind: type[Experiment], settings: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The settings of the experiment's small runs, with the changes made; those that it takes."""
    # Samples of the same data keep all their settings; of others, those that fit any data.
    own = [s for s in kind.samples.values() if s.get("data", "digits") == settings.get("data")]
    of_data = {"data", "data_folder", "classes", "rows", "rounds"}
    others = [{k: v for k, v in s.items() if k not in of_data} for s in kind.samples.values()]
    # Deletions that are scheduled for the sample's rounds may come after the last of these.
    unscheduled = [{k: v for k, v in s.items() if k != "schedule"} for s in others]
    # At last the experiment's own defaults.
    for sample in (*own, *(() if own else (*others, *unscheduled)), {}):
        yield {**sample, **settings}


def _within(found: Measuring, over: str | None) -> str | None:
    """A symbol that varies within a run: the asked one, or the first."""
    observable, inputs, _ = series(found.claim, found.measurement, found.first)
    shape = np.shape(observable.values)
    varying = [
        name
        for name, value in inputs.items()
        if shape and np.shape(value) == shape and np.unique(value).size > 1
    ]
    if over is None:
        return next(iter(varying), None)
    return over if over in varying else None


def _field(found: Measuring, over: str | None) -> str:
    """The field of the experiment that is swept."""
    numbers = {k: v for k, v in _values(found).items() if _is_number(v) and k != "seed"}
    if over is None:
        over = next((name for name in SWEPT if name in numbers), None)
    if over is None or over not in numbers:
        raise ValueError(
            f"over must vary within a run of {found.kind.algorithm}, or be one of its numbers "
            f"({', '.join(numbers)}), got {over!r}"
        )
    return over


def _values(found: Measuring) -> dict[str, Any]:
    instance = found.kind(**found.settings)
    return {each.name: getattr(instance, each.name) for each in fields(instance)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _points(found: Measuring, name: str, points: Sequence[float] | None) -> list[float]:
    if points is not None:
        return list(lines.chosen(name, list(points)))
    start = _values(found)[name]
    candidates = [start * factor for factor in FACTORS]
    return sorted(
        {max(1.0, float(round(x))) for x in candidates} if isinstance(start, int) else candidates
    )


def _seeds(found: Measuring, repeats: int) -> range:
    first = int(found.settings.get("seed", 0))
    return range(first, first + repeats)


def _pool_values(found: Measuring, symbol: str, repeats: int) -> Pooled:
    """Name -> value of the symbol -> what it was in every run."""
    pooled: Pooled = {}
    for seed in _seeds(found, repeats):
        observable, inputs, forms = series(found.claim, found.measurement, found.run(seed=seed))
        shape = np.shape(observable.values)
        xs = np.broadcast_to(inputs[symbol], shape).ravel().tolist()
        exact = _exact(found.claim, inputs, shape)
        for name, values in {**forms, EXACT: exact, EXPERIMENT: observable.values}.items():
            if values is None:
                continue
            for x, y in zip(xs, np.broadcast_to(values, shape).ravel().tolist(), strict=True):
                pooled.setdefault(name, {}).setdefault(x, []).append(y)
    return pooled


def _pool_runs(found: Measuring, name: str, points: Sequence[float], repeats: int) -> Pooled:
    pooled: Pooled = {}
    whole = isinstance(_values(found)[name], int)
    refusal: ValueError | None = None
    for x in points:
        for seed in _seeds(found, repeats):
            try:
                values = found.held(found.run(seed=seed, **{name: int(x) if whole else x}))
            except ValueError as error:
                refusal = refusal or error
                continue
            for key, y in values.items():
                curve_name = EXPERIMENT if key == "measured" else key
                pooled.setdefault(curve_name, {}).setdefault(x, []).append(y)
    if not pooled:
        raise refusal or ValueError(f"over must leave something measured, got {name!r}")
    return pooled


def _exact(claim: Statement, inputs: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    """The exact side at the symbols of a run, where it takes no more than those."""
    exact_side = checks.check(claim).exact_side
    if exact_side is None:
        # Left out where it needs what the run does not know.
        return None
    parameters = inspect.signature(exact_side).parameters.values()
    if any(p.name not in inputs for p in parameters if p.default is p.empty):
        return None
    size = math.prod(shape)
    if size > MOST:
        return None
    values = np.full(shape, math.nan)
    for place in np.ndindex(shape):
        at = {k: _element(v, place, shape) for k, v in inputs.items()}
        arguments = {p.name: at[p.name] for p in parameters if p.name in at}
        with suppress(ValueError, *UNMEASURED), np.errstate(all="ignore"):
            values[place] = float(exact_side(**arguments))
    return values


def _element(value: Any, place: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    return value[place].item() if shape and np.shape(value) == shape else value


def _picture(
    found: Measuring, told: Told, pooled: Pooled, over: str, label: str, repeats: int
) -> Picture:
    claim = found.claim
    order = [n for n in (*claim.forms, EXACT, EXPERIMENT) if n in pooled]
    # The experiment last: it is drawn on top.
    order = [*order[:-1], *(n for n in pooled if n not in order), order[-1]]
    curves = tuple(c for c in (_mean(n, pooled[n], n == EXPERIMENT) for n in order) if c.x)
    xs = sorted({x for c in curves for x in c.x})
    interpretation = claim.interpretation(found.interpretation)
    form = told.form if told.form in interpretation.relations else interpretation.forms[0]
    relation: Relation = found.measurement.relation or interpretation.relations[form]
    data = f"{found.kind.algorithm} on {found.settings.get('data', 'digits')}"
    setting_texts = [f"{k} = {v}" for k, v in found.settings.items() if k not in ("data", over)]
    picture = Picture(
        claim.id,
        claim.label,
        label,
        axis_labels.of_measured(claim),
        f"{', '.join([data, *setting_texts])}; mean of {repeats} runs with its {LEVEL:.0%} band",
        len(xs) > 1 and xs[0] > 0 and xs[-1] > lines.LOGARITHMIC * xs[0],
        far(curves),
        curves,
        bounds.paper(claim.paper).cited,
        judged=form,
        relation=relation,
        basis=f"mean of {repeats} runs with its {LEVEL:.0%} band (Student's t)",
        variable=label.partition(" [")[0],
    )
    # A mean contradicts the form only with all of its band.
    marks = tuple(sorted((x, y) for _, x, y in picture.violations()))
    marked = finished(replace(picture, marks=marks), claim, told)
    return replace(marked, reading=interpretation.text, seed=min(_seeds(found, repeats)))


def _mean(name: str, pooled: Mapping[float, Sequence[float]], band: bool) -> Curve:
    """Means at each point, in order, with the ends of their band."""
    rows = []
    for x, values in sorted(pooled.items()):
        finite_values = np.array([v for v in values if math.isfinite(v)])
        if not (math.isfinite(x) and finite_values.size):
            continue
        room = 0.0
        if finite_values.size > 1:
            spread = finite_values.std(ddof=1) / math.sqrt(finite_values.size)
            # Student's t for the mean of few runs.
            room = float(student.ppf((1 + LEVEL) / 2, finite_values.size - 1) * spread)
        rows.append(
            (
                x,
                float(finite_values.mean()),
                float(finite_values.mean() - room),
                float(finite_values.mean() + room),
            )
        )
    columns = [tuple(column) for column in zip(*rows, strict=True)] or [(), (), (), ()]
    return Curve(name, *columns) if band else Curve(name, *columns[:2])
