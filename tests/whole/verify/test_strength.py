"""How small an error of a bound runs would notice; what they stay far from says why."""

from dataclasses import replace

import pytest

import bounds
from forgetproof.cli import run as command
from simulators.runs.data import AT_HAND
from verify import checks, record, strength
from verify.context import Context
from verify.drawable import BOUNDS
from verify.evidence import Comparison
from verify.extremes import extreme_outcomes, on_extremes
from verify.measurements import EXPERIMENTS
from verify.strength import TEN, TWO, Strength, counts, strengths

BY_KIND = [s for s in bounds.statements() if s.kind in BOUNDS]
LEARNED = "logistic loss of both labels, one step"
# Bound, and the least strength of runs, on made rows and on rows at hand.
FLOORS = [
    ("hf.lem4.1", 0.99, 0.0),
    ("mini.thm1", 0.99, 0.0),
    ("olu.lem3", 0.99, 0.0),
    ("olu.eq42", 0.76, 0.76),
    ("sglu.eq7_13", 0.99, 0.15),
    ("safe.vt.sum", 0.45, 0.07),
]


def of(id):
    (found,) = strengths([bounds.get(id)])
    return found


@pytest.mark.parametrize(("id", "least", "at_hand"), FLOORS, ids=[f[0] for f in FLOORS])
def test_an_error_of_a_bound_shows_in_runs(id, least, at_hand):
    found = of(id)
    assert least <= found.runs <= 1
    assert at_hand <= found.real <= found.runs
    assert found.runs == max(found.forms.values()) == found.forms[found.key]


def test_without_the_extreme_runs_rows_at_hand_show_less(monkeypatch):
    whole = of("hf.lem4.1")
    check = checks.check(bounds.get("hf.lem4.1"))
    monkeypatch.setattr(checks, "check", lambda _: replace(check, extremes=()))
    bare = of("hf.lem4.1")
    assert bare.runs == bare.real == whole.real < TEN


def test_made_rows_are_no_rows_at_hand():
    found = list(on_extremes(Context(bounds.get("hf.lem4.1"))))
    assert found
    assert all(c.made_rows and not c.on_data for c in found)
    assert {c.instance.split(":")[0] for c in found} == {LEARNED}
    real = list(on_extremes(Context(bounds.get("olu.eq42"))))
    assert all(c.on_data and not c.made_rows for c in real)


def test_instances_choose_the_extreme_runs():
    context = Context(bounds.get("olu.prop1"))
    (item,) = {c.instance for c in on_extremes(context)}
    assert list(on_extremes(context, [item]))
    assert not list(on_extremes(context, ["another: run"]))
    assert all(name in item for name, _ in extreme_outcomes(context))


def test_every_extreme_run_serves_a_check_and_every_name_is_one():
    used = set()
    for statement in bounds.statements():
        check = checks.check(statement)
        kinds = {m.experiment: EXPERIMENTS.get(m.experiment) for m in check.measurements}
        for name in check.extremes:
            (experiment,) = [e for e, kind in kinds.items() if name in kind.extremes]
            used.add((experiment, name))
    names = ("online", "recollection", "mini", "newton-removal", "langevin", "safe")
    there = {(n, name) for n in names for name in EXPERIMENTS.get(n).extremes}
    assert used == there


@pytest.mark.parametrize("name", ["online", "recollection", "mini", "newton-removal", "langevin"])
def test_no_extreme_run_has_the_name_of_one_on_data(name):
    kind = EXPERIMENTS.get(name)
    assert not set(kind.samples) & set(kind.extremes)
    for settings in kind.extremes.values():
        data = settings.get("data", kind.data)
        # Rows at hand by their name; made ones in memory, or a stream by its name.
        assert not isinstance(data, str) or data in AT_HAND or name == "online"


def test_what_runs_stay_far_from_says_why(full):
    """Of every bound; by default of those that say so, which would else be nearer than they say."""
    chosen = BY_KIND if full else [s for s in BY_KIND if checks.check(s).far][::6]
    for found in strengths(chosen):
        if found.runs is None:
            assert found.why or not record_says_green(found.claim), found
        elif found.runs < TWO:
            assert found.why, found
        else:
            assert not checks.check(bounds.get(found.claim)).far, found


def record_says_green(id):
    stored = record.of_claim(bounds.get(id))
    return any(v.word in ("holds", "not refuted") for v in stored.verdicts)


def test_counts_by_hand():
    made = [
        Strength("a.b", "literal.printed", real, runs, {}, "")
        for real, runs in ((0.9, 0.9), (None, 0.5), (0.05, 0.2), (0.02, 0.02), (None, None))
    ]
    found = counts(made)
    assert (found.bounds, found.ten_real, found.two_real) == (4, 1, 1)
    assert (found.ten, found.two) == (3, 2)
    assert found.middle == pytest.approx(0.35)
    with pytest.raises(ValueError, match="items must have a bound that meets runs, got none"):
        counts(made[-1:])


def test_forms_that_should_not_hold_have_no_strength(monkeypatch):
    claim = bounds.get("hf.lem4.1")
    item = Comparison("literal", "printed", "rows", {}, 0.9, 1.0, on_data=True)
    other = Comparison("literal", "tight", "rows", {}, 0.3, 1.0, on_data=True)
    monkeypatch.setattr(strength, "on_data", lambda ctx: [item, other])
    monkeypatch.setattr(strength, "on_extremes", lambda ctx: [])
    words = {"literal.printed": "false", "literal.tight": "holds"}
    monkeypatch.setattr(strength, "load", lambda: {claim.id: words})
    (found,) = strengths([claim])
    assert found.key == "literal.tight"
    assert found.real == pytest.approx(0.3)


def test_the_command_prints_bounds_and_counts(capsys):
    assert command(["verify", "guo.shift", "guo.residual", "--strength"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("guo.residual")
    assert "curvature" in lines[1]
    assert [line.split()[:2] for line in lines if line.startswith("all")] == [["all", "2"]]
    assert command(["verify", "guo.residual", "--strength", "--scale", "2"]) == 2
    assert "scale must not be given with --strength" in capsys.readouterr().err
    assert command(["verify", "sglu.def2.1", "--strength"]) == 2
    assert "id must name a bound" in capsys.readouterr().err
