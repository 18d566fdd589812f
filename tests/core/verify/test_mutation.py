"""Edits of source texts, and a run that tells those that checks notice from those they do not."""

import ast
import json
from pathlib import Path

import pytest

from forgetproof.cli import run
from verify.mutation import run as mutation
from verify.mutation.curve import first_departure
from verify.mutation.operators import KINDS, mutated, sites
from verify.mutation.trace import place, users

SOURCE = '''
def value(a, b, x):
    """Not 1, but 2."""
    if not a > 0:
        raise ValueError(f"a must be > {0}")
    real("a", a, low=3)
    if not b > 0:
        worst = min(b)
        raise ValueError(f"b must be > 0, got {worst - 1}")
    return max(a**b - 2 * x[0], f(x[1:], b)) if a < b else -a


class Setting:
    def __post_init__(self):
        late = self.a > self.b - 1
        if late:
            raise ValueError("late")


def same(n):
    return settings(n, n)


def _(sp, a):
    return a + 1
'''


def test_every_kind_of_edit_is_found_and_nothing_that_does_not_compute():
    found = sites(SOURCE)
    assert {s.kind for s in found} == set(KINDS)
    assert all(s.function == "value" for s in found)
    edits = {(s.before, s.after) for s in found}
    assert edits == {
        ("max(a ** b - 2 * x[0], f(x[1:], b))", "min(a ** b - 2 * x[0], f(x[1:], b))"),
        ("a ** b - 2 * x[0]", "a ** b + 2 * x[0]"),
        ("a ** b - 2 * x[0]", "2 * x[0] - a ** b"),
        ("a ** b", "a ** (b + 1)"),
        ("a ** b", "b ** a"),
        ("2 * x[0]", "2 / x[0]"),
        ("2", "3"),
        ("x[0]", "x[-1]"),
        ("f(x[1:], b)", "f(b, x[1:])"),
        ("x[1:]", "x[2:]"),
        ("a < b", "a >= b"),
        ("-a", "a"),
    }


def test_a_sign_that_cannot_matter_is_not_turned():
    found = sites("def f(a, b):\n    return abs(a - b) + norm(a - b, -a) ** (a - b) * (-b) ** 2")
    turned = [(s.before, s.after) for s in found if s.kind in ("sign", "order")]
    assert turned.count(("a - b", "b - a")) == 1  # of three: the exponent's
    assert ("-b", "b") not in turned


def test_what_only_gives_a_shape_and_what_has_no_order_is_left_alone():
    found = sites("def f(a, b):\n    return 0 * (a - b) * b + ones_like(a * b) + g(a, a)")
    assert {s.before for s in found if s.kind in ("order", "operator", "constant")} == {
        "0",
        "0 * (a - b) * b + ones_like(a * b)",
        "0 * (a - b) * b + ones_like(a * b) + g(a, a)",
    }


def test_an_edited_text_differs_in_that_place_only():
    base = ast.unparse(ast.parse(SOURCE))
    texts = {mutated(SOURCE, site) for site in sites(SOURCE)}
    assert len(texts) == len(sites(SOURCE))
    for text in texts:
        changed = [
            (a, b) for a, b in zip(base.splitlines(), text.splitlines(), strict=True) if a != b
        ]
        assert len(changed) == 1


def test_a_site_of_another_text_is_refused():
    (first, *_) = sites(SOURCE)
    with pytest.raises(ValueError, match="site must stand in the source"):
        mutated("def value(): return 1", first)


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


def test_the_shipped_curve_is_what_its_rules_ask_for():
    """Else every edit of an accountant would pass for noticed."""
    assert first_departure() is None


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


@pytest.mark.parametrize("option", ["--sensitivity", "--scale=2", "--profile=full"])
def test_options_that_mutants_do_not_use_are_refused(capsys, tmp_path, option):
    assert run(["verify", "--mutants", "--paper", "nope", option, "--out", str(tmp_path)]) == 2
    name = option.partition("=")[0]
    assert capsys.readouterr().err == (
        f"forgetproof: mutants must be run without {name}, which they do not use\n"
    )


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
