"""Searches from scratch: known false forms are found, true ones survive, and results repeat."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

import bounds
from forgetproof.cli import run
from verify.evidence import Comparison
from verify.search.finding import Finding
from verify.search.limit import Late
from verify.search.minimise import digits
from verify.search.optimise import SlackObjective, maximise
from verify.search.run import Budget, at, search, search_target
from verify.search.slack import slack
from verify.search.targets import targets

# Evaluations end these searches: a busy machine has fewer of them in a second.
SMALL = Budget(evaluations=300, seconds=600.0)
FALSE = [
    ("olu.eq17", "literal", "printed"),
    ("olu.eq17.sum", "literal", "printed"),
    ("olu.eq33", "literal", "printed"),
    ("olu.eq45", "literal", "printed"),
    ("olu.fig1", "literal", "printed"),
    ("hf.eq48", "literal", "printed"),
    ("hf.eq53", "literal", "printed"),
    ("sglu.eq18_20", "literal", "printed"),
    ("guo.delta", "literal", "printed"),
]
TRUE = [
    ("sglu.eq14_17", "literal", "tight"),
    ("olu.lema", "literal", "tight"),
    ("olu.eq17", "literal", "corrected"),
    ("olu.lemd.2", "literal", "printed"),
    ("hf.eq53", "literal", "tight"),
    ("mini.eig", "small", "printed"),
]


def one(id, interpretation, form, budget=SMALL):
    found = [
        f
        for f in search(id, interpretation=interpretation, form=form, budget=budget)
        if f.interpretation == interpretation
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(("id", "interpretation", "form"), FALSE)
def test_known_false_forms_are_found_and_rounded(id, interpretation, form):
    found = one(id, interpretation, form)
    assert found.kind == "counterexample"
    assert found.slack > 1e-6
    assert not found.surprising
    assert all(digits(v) <= 2 for v in found.inputs.values())
    target = next(
        t for t in targets(bounds.get(id)) if (t.interpretation, t.form) == (interpretation, form)
    )
    assert target.domain.admits(found.inputs)
    assert target.sides(found.inputs) == (found.measured, found.bound)


@pytest.mark.parametrize(("id", "interpretation", "form"), TRUE)
def test_true_forms_survive_and_scaled_ones_do_not(id, interpretation, form, full):
    few = replace(SMALL, evaluations=200 if full else 100)
    found = one(id, interpretation, form, few)
    assert found.kind == "none", found
    assert abs(found.slack) < 1e-6  # all of them are attained
    scaled = one(id, interpretation, form, replace(few, scale=0.98))
    assert scaled.kind == "counterexample"
    assert scaled.surprising
    assert -np.log(0.98) * 0.999 < scaled.slack


def test_the_same_seed_gives_the_same_finding():
    first, second = (one("olu.eq45", "literal", "printed") for _ in range(2))
    assert first == second


def test_certified_where_both_sides_are_closed_forms():
    pytest.importorskip("flint")
    found = one("olu.eq17", "literal", "printed")
    assert found.basis == "certified"
    assert found.certificate is not None
    assert one("olu.fig1", "literal", "printed").basis in ("exact", "certified")


def test_forms_stand_in_for_a_missing_exact_side():
    assert one("olu.eq26", "literal", "corrected").kind == "none"
    below = one("olu.eq26", "literal", "corrected", replace(SMALL, scale=0.5))
    assert below.kind == "inconsistent forms"


def test_experiments_are_the_fallback():
    found = one("olu.eq17", "root3", "printed")
    assert found.kind == "extreme comparison"
    assert found.measured > found.bound
    assert found.basis == "exact"


def test_findings_are_evidence_and_json():
    found = one("olu.eq17.sum", "literal", "printed")
    evidence = found.to_evidence()
    assert isinstance(evidence, Comparison)
    assert evidence.violated
    assert json.loads(json.dumps(found.to_dict()))["violation"] is True
    quiet = Finding(
        "a.b", "literal", "tight", "none", "<=", {"x": 0.5, "u": [1, 2]}, 1.0, 1.0, 0.0, "exact", 3
    )
    assert quiet.replay.endswith("--at 'x=0.5' 'u=[1, 2]'")


@pytest.mark.parametrize(
    ("measured", "bound", "relation", "wanted"),
    [
        (2.0, 1.0, "<=", np.log(2)),
        (2.0, 1.0, ">=", -np.log(2)),
        (1.0, 2.0, "==", np.log(2)),
        (1.0, 0.0, "<=", 1.0),
        (-1.0, 1.0, "<=", -2.0),
        (np.inf, 1.0, "<=", 700.0),
        (np.inf, np.inf, "==", 0.0),
        (1.0, np.inf, "<=", -700.0),
        (1e-310, 0.0, "<=", 0.0),
        (1e-300, 0.0, "<=", 1.0),
    ],
)
def test_slack(measured, bound, relation, wanted):
    assert slack(measured, bound, relation) == pytest.approx(wanted)


class Counting:
    """A smooth peak inside the domain of sglu.lem3.4; counts its calls."""

    def __init__(self, stop=None):
        self.calls, self.stop = 0, stop

    def __call__(self, point):
        self.calls += 1
        if self.stop and self.calls > self.stop:
            raise KeyboardInterrupt
        return -((np.log(point["Z"]) - 1.3) ** 2) - (np.log(point["s2"]) + 2) ** 2


@pytest.mark.parametrize("method", ["evolution", "annealing", "shgo"])
def test_optimisers_find_a_peak_within_the_budget(method):
    where = targets(bounds.get("sglu.lem3.4"))[0].domain
    peak = Counting()
    objective = SlackObjective(where, peak, 900, 600.0)
    assert maximise(objective, seed=1, methods=(method,))
    assert peak.calls == objective.used <= 900
    assert objective.best > -1e-2


def test_an_interrupt_keeps_what_was_found():
    where = targets(bounds.get("sglu.lem3.4"))[0].domain
    objective = SlackObjective(where, Counting(stop=150), 900, 600.0)
    assert not maximise(objective, seed=1)
    assert objective.point is not None


def test_an_empty_domain_has_no_finding():
    target = targets(bounds.get("olu.eq33"))[0]
    thin = replace(target, domain=replace(target.domain, also=(lambda p: False,)))
    assert search_target(thin, SMALL) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["olu.eq17", "--interpretation", "shiny"],
            "interpretation must be one of literal, root3, got 'shiny'",
        ),
        (["olu.eq17", "--form", "shiny"], "form must be one of corrected, printed, tight"),
        (["no.such"], "id must name a claim"),
        (["olu.eq17", "--seconds", "0"], "seconds must be in (0, 1000000]"),
        (["olu.eq17", "--evaluations", "0"], "evaluations must be an integer in [1, "),
        (["olu.eq17", "--at"], "inputs must be given with --at"),
        (["olu.eq17", "--at", "k=1"], "omega is missing"),
        (["olu.eq17", "--at", "k=1", "omega=0.2"], "outside the hypotheses"),
        ([], "id must name a claim"),
    ],
)
def test_bad_input_is_one_line(arguments, message, capsys):
    assert run(["search", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_command_finds_and_its_replay_line_works(capsys):
    asked = ["olu.eq17", "--form", "printed", "--interpretation", "literal", "--seconds", "600"]
    assert run(["search", *asked]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if "replay" in x)
    import shlex

    assert run(shlex.split(line.split("forgetproof ")[1])) == 0
    assert "counterexample" in capsys.readouterr().out
    assert run(["search", *asked[:1], "--form", "tight", "--scale", "0.9", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["findings"][0]["surprising"] is True


def test_an_extreme_of_a_sample_is_no_violation_without_a_fresh_one():
    """The sample that selected it exceeds the form by chance; the fresh one is out of time."""
    target = next(t for t in targets(bounds.get("olu.lemd.2")) if t.form == "printed")
    point = target.starts[0]
    sampled = replace(target, seed=0, basis="statistical")
    selected = (2.0, 1.0)

    class Slow(type(target)):
        def sides(self, point, scale=1.0):
            if self.seed == 0:
                return selected
            raise Late("out of time")

    slow = Slow(**{f.name: getattr(sampled, f.name) for f in fields(sampled)})
    finding = at(slow, point, SMALL)
    assert (finding.kind, finding.note) == ("none", "no time for a fresh sample")
    assert (finding.measured, finding.bound) == selected
