"""Statements compared with data: guards first, limits on the safe side, nothing at rounding."""

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import bounds
from bounds.declared import EXPERIMENTS, views
from simulators.runs.experiment import Observable, Run, observable, observables_of
from simulators.trajectory.newton import minimiser
from verify import checks
from verify.checks import Measurement
from verify.context import Context
from verify.coverage import coverage
from verify.drawable import BOUNDS
from verify.measurements import on_samples, run_comparisons, table
from verify.own.newton_change import by_rows
from verify.own.views.newton_changes import NewtonChanges
from verify.sglu.views.paths import PathDistances

LEMMA = bounds.get("sglu.lem3.5")
AT = {"eta": 0.5, "m": 0.2, "M": 1.0, "b": 2, "J": 3, "T": np.array([1, 2]), "j0": 2, "R": math.inf}
BOUND = LEMMA("printed", **AT)


class Toy(Run):
    """A run that measures what it is told to."""

    def __init__(self, values, hypotheses=None, constants=AT, **about):
        super().__init__(SimpleNamespace(algorithm="toy", settings={}))
        self.values, self.about, self.known = values, about, constants
        self.met = hypotheses or {}

    @property
    def constants(self):
        return self.known

    @property
    def hypotheses(self):
        return self.met

    @observable
    def far(self):
        """How far."""
        return Observable(self.values, **self.about)


def told(run, statement=LEMMA, scale=1.0, **how):
    (held,) = run_comparisons(
        Context(statement, scale=scale), Measurement("toy", "far", **how), run, "toy"
    )
    return held


def test_every_form_is_held_against_every_value():
    held = told(Toy(BOUND))
    assert [c.form for c in held.comparisons] == ["printed", "tight"]
    assert all(c.count == 2 and c.attainment == 1.0 for c in held.comparisons)
    assert held.word == "not refuted"
    assert told(Toy(BOUND * np.array([1.0, 1.01]))).word == "refuted: printed, tight"
    assert told(Toy(BOUND), scale=0.99).word == "refuted: printed, tight"
    assert told(Toy(BOUND * 1.01), forms=("tight",)).word == "refuted: tight"


def test_the_row_shows_the_value_that_comes_closest():
    row = told(Toy(BOUND * np.array([0.2, 0.9]))).document()
    assert row["measured"] == pytest.approx(0.9 * BOUND[1])
    assert (row["printed"], row["corrected"]) == (pytest.approx(BOUND[1]), None)
    assert row["attainment"] == pytest.approx(0.9)


def test_hypotheses_come_before_comparisons():
    held = told(Toy(BOUND, {"short steps": False}), where=("short steps",))
    assert not held.comparisons
    assert held.word == "the run does not have: short steps"
    held = told(Toy(BOUND, constants={**AT, "eta": 9.0}))
    assert not held.comparisons
    assert "eta m <= 1" in held.word
    held = told(Toy(BOUND, constants={k: v for k, v in AT.items() if k != "j0"}))
    assert held.word == "not known here: j0"


def test_symbols_take_other_names_and_numbers():
    known = {**{k: v for k, v in AT.items() if k not in ("M", "j0")}, "slope": 1.0}
    held = told(Toy(BOUND, constants=known), symbols={"M": "slope", "j0": 2})
    assert held.word == "not refuted"
    assert held.comparisons[0].attainment == 1.0


def test_what_belongs_to_a_value_comes_before_the_constants():
    held = told(Toy(BOUND, constants={**AT, "T": 7}, at={"T": np.array([1, 2])}))
    assert held.comparisons[0].attainment == 1.0


def test_nothing_counts_at_rounding():
    assert told(Toy(BOUND, rounding=10.0)).word == "at rounding"
    some = Toy(np.array([1e-3, 2 * BOUND[1]]), rounding=1e-2)
    held = told(some)
    assert held.word == "refuted: printed, tight"
    assert held.comparisons[0].count == 1
    assert held.comparisons[0].inputs["T"] == 2
    # A form below rounding is no excuse for what is far above it.
    assert told(Toy(BOUND, rounding=1e-2), scale=1e-9).word == "refuted: printed, tight"
    assert told(Toy(BOUND + 1e-3, rounding=2e-3)).word == "not refuted"


def test_a_run_may_know_the_value_of_a_form_itself():
    half = {"printed": "own", "tight": lambda at: at["own"] / 2}
    run = Toy(1.0, at={"own": 1.5})
    held = told(run, sides=half)
    assert held.word == "refuted: tight"
    assert held.document()["printed"] == 1.5
    assert told(run, sides=half, scale=0.5).word == "refuted: printed, tight"
    assert told(run, sides={"printed": "other"}).word == "not known here: other"
    assert told(run, sides={"printed": 0.5, "tight": 2.0}).word == "refuted: printed"


def test_data_come_first_in_the_evidence():
    from verify.confirmation import evidence_of

    marks = [getattr(e, "on_data", False) for e in evidence_of(LEMMA, Context(LEMMA))]
    assert marks[0]
    assert not marks[-1]
    assert marks == sorted(marks, reverse=True)


def test_only_runs_that_were_selected_are_drawn_again(monkeypatch):
    """Of the samples of an experiment, and without the constructed instances beside them."""
    from verify import confirmation, measurements

    names, drawn = list(measurements.EXPERIMENTS.get("online").samples)[:2], []

    def sample(experiment, name, seed, device):
        drawn.append((name, seed))

    def run_comparisons(ctx, seen, run, name):
        comparison = ctx.compare(
            "literal", "corrected", 1.0, {}, f"{name}: a mean", bound=0.5, basis="statistical"
        )
        found = (comparison,) if name == names[1] else ()
        yield measurements.RunComparisons(ctx.claim, "literal", seen.observable, comparisons=found)

    def check(ctx):
        drawn.append(("constructed", ctx.seed))
        return iter(())

    check.measurements = (Measurement("online", "plain_regret"),)
    check.extremes = ()
    monkeypatch.setattr(measurements, "sample", sample)
    monkeypatch.setattr(measurements, "run_comparisons", run_comparisons)
    monkeypatch.setattr(checks, "check", lambda claim: check)
    claim = bounds.get("olu.eq2")
    (kept,) = confirmation.confirmed(claim, Context(claim))
    seed = confirmation.again(0)
    assert kept.violated
    assert kept.on_data
    assert [name for name, at in drawn if at == seed] == [names[1]]
    assert ("constructed", 0) in drawn


@pytest.mark.parametrize(
    "id",
    [
        "hf.eq41",
        "hf.lema5",
        "hf.thmc3",
        "hf.eq48",
        "mini.eq5",
        "mini.eq6",
        "safe.thm1",
        "guo.delta",
        "olu.alg1",
        "olu.eq26",
        "olu.eq42",
        "olu.eq47.norm",
        "olu.eq53",
        "olu.thm6.unlearn",
    ],
)
def test_printed_forms_that_rows_refute(id):
    """No corrected or tight form is passed by the same rows."""
    statement = bounds.get(id)
    found = [c for h in on_samples(Context(statement)) for c in h.comparisons]
    assert any(c.violated for c in found if c.form == "printed")
    assert not any(c.violated for c in found if c.form in ("corrected", "tight"))


@pytest.mark.parametrize("id", ["olu.eq12", "olu.eq26", "olu.g1", "olu.lema"])
def test_rows_attain_the_best_form(id):
    best = [h.comparisons[-1] for h in on_samples(Context(bounds.get(id))) if h.comparisons]
    assert max(c.attainment for c in best) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("above", "word"), [(6.0, "not refuted"), (7.0, "refuted: printed, tight")]
)
def test_a_mean_counts_by_its_confidence_limit(above, word):
    """One comparison may spend 1e-10: 6.36 standard errors."""
    run = Toy(BOUND + above * 0.1, basis="mean", error=0.1)
    assert told(run).word == word
    assert told(run).comparisons[0].basis == "statistical"


def test_a_lower_limit_refutes_and_shows_no_reach():
    run = Toy(BOUND[1] * 0.5, basis="lower limit", level=1e-10, constants={**AT, "T": 2})
    assert told(run).document()["attainment"] is None
    assert (
        told(Toy(2 * BOUND[1], basis="lower limit", constants={**AT, "T": 2})).word != "not refuted"
    )
    assert "says nothing of >=" in told(run, relation=">=").word


def test_what_one_form_refuses_leaves_what_the_others_said(monkeypatch):
    """The second of two forms has no value here: the first stands, refuted or not."""
    whole = type(LEMMA).__call__

    def refusing(self, form, **inputs):
        if form == "tight":
            raise ValueError("T must be 1, got 2")
        return whole(self, form, **inputs)

    monkeypatch.setattr(type(LEMMA), "__call__", refusing)
    held = told(Toy(1.01 * BOUND))
    assert held.word == "refuted: printed"
    assert told(Toy(BOUND), forms=("tight",)).word == "T must be 1, got 2"


def test_a_number_of_a_law_is_equal_or_not():
    run = Toy(BOUND, basis="law")
    assert told(run, relation="==").word == "not refuted"
    assert told(Toy(BOUND * 0.999, basis="law"), relation="==").word == "refuted: printed, tight"


MEASURED = [s.id for s in bounds.statements() if checks.check(s).measurements]


def test_every_measured_statement_names_what_there_is():
    assert len(MEASURED) > 30
    for id in MEASURED:
        statement = bounds.get(id)
        for measurement in checks.check(statement).measurements:
            kind = EXPERIMENTS.get(measurement.experiment)
            assert kind.samples, id
            paper = bounds.paper(statement.paper)
            assert kind.algorithm in {*paper.experiments, *paper.views}, id
            added = views(measurement.experiment, statement.paper)
            names = {name for each in (kind.measures, *added) for name in observables_of(each)}
            assert measurement.observable in names, id
            assert set(measurement.interpretations) <= {
                r.name for r in statement.interpretations
            }, id
            assert set(measurement.symbols) <= set(statement.symbols), id


def test_a_check_names_the_experiments_that_it_measures_in_its_own_text():
    """By this a run finds the checks about it, and imports no other."""
    for claim in bounds.statements():
        text = Path(checks.module(claim).__file__).read_text("utf-8")
        assert all(f'"{m.experiment}"' in text for m in checks.check(claim).measurements), claim.id


def test_coverage_counts_by_paper():
    few = [bounds.get(id) for id in ("sglu.lem3.5", "sglu.eq18_20", "sglu.claim20x", "own.x")]
    found = {paper: count.document() for paper, count in coverage(few).items()}
    assert found["sglu"] == {
        "bounds": 3,
        "ours": 0,
        "measured": 2,
        "met": 2,
        "bounds_met": 2,
        "refuted": 1,
        "drawn": 3,
        "exact_only": 1,
        "far": 0,
        "companions": 0,
        "plotted": 3,
        "by_run": 1,
        "by_law": 1,
        "by_rows": 0,
    }
    assert found["own"]["met"] == found["own"]["ours"] == 1


def test_coverage_tells_runs_laws_and_arithmetic_apart():
    few = [bounds.get(id) for id in ("sglu.lem3.5", "olu.eq34", "olu.eq21")]
    found = coverage(few)
    assert found["olu"].by_rows == ["olu.eq34"]
    assert found["olu"].by_run == ["olu.eq21"]
    assert all(len(c.met) == len(c.by_run + c.by_law + c.by_rows) for c in found.values())


def test_a_bound_that_neither_meets_data_nor_says_why_is_missing(monkeypatch):
    claim = bounds.get("sglu.claim20x")
    check = checks.check(claim)
    assert not coverage([claim])["sglu"].missing
    monkeypatch.setattr(checks, "check", lambda _: replace(check, exact_only=""))
    assert coverage([claim])["sglu"].missing == [claim.id]


def test_every_bound_meets_data_or_says_why_not():
    of_kind = [s for s in bounds.statements() if s.kind in BOUNDS]
    assert not [s.id for s in of_kind if not checks.check(s).exact_only and s.id not in MEASURED]
    with pytest.raises(ValueError, match="exact_only must be empty"):
        replace(checks.check(LEMMA), exact_only="no run has it")


@pytest.mark.parametrize("fault", [ValueError, ZeroDivisionError])
def test_what_one_observable_cannot_compute_is_a_row_and_not_the_end(fault, monkeypatch):
    kind = EXPERIMENTS.get("langevin")
    run = kind(sigma=0.01, data="wine", trials=4, learn_epochs=2, regularisation=0.1).run()

    @observable
    def broken(self):
        raise fault("there are two of them")

    monkeypatch.setattr(PathDistances, "learned_distance", broken)
    held = {(h.statement.id, h.observable): h for h in table(run)}
    assert held["sglu.lem3.5", "learned_distance"].word == "there are two of them"
    assert any(h.comparisons for h in held.values())
    with pytest.raises(fault):  # on data at hand it is an error
        list(run_comparisons(Context(LEMMA), checks.check(LEMMA).measurements[0], run, "wine"))


def test_the_table_in_the_docs_is_of_what_is_measured():
    """Every measured statement meets data: see test_properties."""
    text = (Path(__file__).resolve().parents[3] / "docs" / "experiments.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    told = {row[0]: [int(row[k]) for k in (1, 2, 3, 5)] for row in rows if row[1].isdecimal()}
    seen = [bounds.get(id) for id in MEASURED]
    for paper in {s.paper for s in bounds.statements()}:
        mine = [s for s in bounds.statements() if s.paper == paper]
        met = [s for s in seen if s.paper == paper]
        whole, among = (sum(s.kind in BOUNDS for s in part) for part in (mine, met))
        without = sum(bool(checks.check(s).exact_only) for s in mine)
        assert told[paper] == [whole, len(met), among, without], paper


def test_a_users_run_is_held_to_the_same_statements():
    kind = EXPERIMENTS.get("langevin")
    run = kind(sigma=0.01, data="wine", trials=4, learn_epochs=2, regularisation=0.1).run()
    held = {h.statement.id: h for h in table(run) if h.comparisons}
    assert held["sglu.lem3.5"].word == "not refuted"
    wrong = {h.statement.id: h.word for h in table(run, scale=0.5) if h.comparisons}
    assert wrong["sglu.lem3.5"] == "refuted: printed, tight"


def test_the_change_of_variables_of_a_run_is_that_of_its_rows():
    """In closed form, and by complex steps of Newton's step; far too small a bound is noticed."""
    kind = EXPERIMENTS.get("newton-removal")
    run = kind(data="wine", rows=60, ratio=0.1, regularisation=0.5, noise=0.5).run()
    view = run.view(NewtonChanges)
    forget = run.task.forget
    rows = run.model.rows.cpu().numpy()[[*forget, *run.task.remaining]]
    draws = zip(run.objective_noise, view.lengths, view.derivatives, strict=False)
    for b, length, derivative in draws:
        w = minimiser(run.model, linear=b, start=run.minimum)
        by_steps, expected = by_rows(rows, len(forget), 0.5, w)
        assert length == pytest.approx(by_steps, rel=1e-6)
        assert derivative == pytest.approx(expected, rel=1e-6, abs=1e-10)
    for id in ("own.newton.change", "own.newton.volume"):
        claim = bounds.get(id)
        (seen,) = checks.check(claim).measurements
        for scale, word in ((1.0, "not refuted"), (1e-9, "refuted: tight")):
            (held,) = run_comparisons(Context(claim, scale=scale), seen, run, "wine")
            assert held.word == word
