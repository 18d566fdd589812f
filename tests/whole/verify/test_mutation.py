"""Deliberate errors in the papers' formulas and in the simulators, and what notices them."""

import json
from pathlib import Path

import pytest

from forgetproof.cli import run
from verify.mutation import run as mutation
from verify.mutation.operators import sites
from verify.mutation.trace import place, users


@pytest.fixture(scope="module")
def found():
    """The formulas of one paper alone."""
    used = users(["mini.eq7", "mini.eq8"])
    return {key: ids for key, ids in used.items() if key[0].startswith("bounds/mini/")}


def test_the_plan_is_reproducible_and_names_the_checks_that_run_each_edit(found):
    plan = mutation.plan("mini", found, 12)
    assert plan == mutation.plan("mini", found, 12)
    assert len({(m.file, m.site) for m in plan}) == 12
    for m in plan:
        assert set(m.claims) <= {"mini.eq7", "mini.eq8"}
        assert m.claims
        assert m.file not in mutation.PLUMBING


def test_edits_are_noticed_or_listed_and_a_second_run_keeps_them(found, monkeypatch, tmp_path):
    monkeypatch.setattr(mutation, "users", lambda ids, note: found)
    plan = mutation.plan("mini", found, 3)
    monkeypatch.setattr(
        mutation, "EQUIVALENT", {plan[0].file: {plan[0].site.name: "for this test"}}
    )
    first = mutation.run(["mini"], count=3, out=tmp_path, jobs=2)
    assert [m.outcome for m in first] == ["equivalent", "killed", "killed"]
    assert mutation.share(first) == (2, 2)
    file = tmp_path / "mutants.jsonl"
    file.write_text(file.read_text("utf-8")[:-40])  # as a kill would leave it
    tried = []
    monkeypatch.setattr(mutation, "trial", lambda m, old=mutation.trial: tried.append(m) or old(m))
    second = mutation.run(["mini"], count=3, out=tmp_path, resume=True)
    assert len(tried) == 1
    assert [(m.outcome, m.by) for m in second] == [(m.outcome, m.by) for m in first]


def test_an_edit_that_changes_nothing_survives(found):
    (mutant,) = mutation.plan("mini", found, 1)
    # An edit of a function that the checks never run.
    path = "bounds/hf/drift.py"
    other = sites(place(path).read_text("utf-8"))[0]
    assert mutation.trial(mutation.replace(mutant, file=path, site=other)).outcome == "survived"


def test_equivalent_edits_still_stand_in_the_source_and_have_reasons():
    listed = json.loads((Path(mutation.__file__).parent / "equivalent.json").read_text("utf-8"))
    for file, reasons in listed.items():
        found = sites(place(file).read_text("utf-8"))
        known = {s.name for s in found} | {f"{s.function}: *" for s in found}
        assert set(reasons) <= known, file
        assert all(len(reason) > 10 for reason in reasons.values())


def test_simulators_are_edited_as_well_and_a_seed_draws_others():
    run_by = users(["mini.alg3", "mini.eq9"])
    plan = mutation.plan("mini", run_by, 10)
    assert [m.part for m in plan] == ["mini"] * 10 + ["simulators"] * 5
    other = mutation.plan("mini", run_by, 10, seed=1)
    assert {(m.file, m.site) for m in plan} != {(m.file, m.site) for m in other}


def test_the_simulators_have_a_share_of_their_own(capsys, monkeypatch, found, tmp_path):
    (own, *_) = mutation.plan("mini", found, 1)
    killed = mutation.replace(own, outcome="killed", by="mini.eq9")
    missed = mutation.replace(own, file="simulators/engine/plan.py", outcome="survived")
    asked = {}
    monkeypatch.setattr(
        mutation, "run", lambda papers, **options: asked.update(options) or [killed, missed]
    )
    line = ["verify", "--mutants", "--paper", "mini", "--seed", "7", "--out", str(tmp_path)]
    assert run(line) == 1
    assert asked["seed"] == 7
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "mini: 1 of 1 edits noticed (100.0%), 0 equivalent left out",
        "simulators: 0 of 1 edits noticed (0.0%), 0 equivalent left out",
    ]
