"""`claims` and `bound`: lists, values, formulas, and one-line errors."""

import json
from collections import Counter

import pytest

from forgetproof.cli import run


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_claims_lists_every_claim_once(capsys):
    import bounds

    code, out, _ = call(capsys, "claims", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "forgetproof/2"
    assert [c["id"] for c in found["claims"]] == [c.id for c in bounds.statements()]


def test_claims_filters_by_paper_and_verdict(capsys):
    code, out, _ = call(capsys, "claims", "--paper", "sglu", "--verdict", "false", "--json")
    ids = {c["id"] for c in json.loads(out)["claims"]}
    assert code == 0
    assert {"sglu.eq18_20", "sglu.alg6"} & ids == {"sglu.alg6"}
    assert "sglu.lem3.4" not in ids
    code, out, err = call(capsys, "claims", "--paper", "nobody")
    assert (code, out) == (2, "")
    assert "paper must be one of sglu" in err


def test_a_mixed_claim_is_listed_as_such_with_its_interpretations_named(capsys):
    code, out, _ = call(capsys, "claims", "--verdict", "mixed", "--json", "--out", "no-such-run")
    found = {c["id"]: c for c in json.loads(out)["claims"]}
    assert code == 0
    assert found["sglu.cor3.10"]["verdict"] == "mixed"
    assert found["sglu.cor3.10"]["disagreement"] == "false: literal; holds: infinite"
    _, out, _ = call(capsys, "claims", "--verdict", "mixed", "--out", "no-such-run")
    assert "    false: literal; holds: infinite\n" in out
    _, out, _ = call(capsys, "claims", "--verdict", "holds", "--json", "--out", "no-such-run")
    green = {c["id"] for c in json.loads(out)["claims"]}
    assert "sglu.cor3.8" in green
    assert not green & found.keys()


def test_bound_evaluates_all_forms_or_one(capsys):
    inputs = ["alpha=3", "Z=1", "s2=1", "c=.6", "K=3"]
    _, out, _ = call(capsys, "bound", "sglu.lem3.4", *inputs, "--json")
    found = json.loads(out)
    assert found["values"]["printed"] == pytest.approx(0.069984, rel=1e-12)
    assert found["values"]["tight"] == pytest.approx(0.0469817400644, rel=1e-10)
    _, out, _ = call(capsys, "bound", "SGLU.LEM3.4", *inputs, "--form", "tight", "--json")
    one = json.loads(out)
    assert one["form"] == "tight"
    assert one["value"] == found["values"]["tight"]
    assert one["inputs"]["c"] == 0.6


def test_bound_takes_lists_expressions_and_infinity(capsys):
    _, out, _ = call(
        capsys,
        "bound",
        "sglu.lem3.6",
        "c=1-1/10",
        "T=[1,2]",
        "J=2",
        "W0=1",
        "--form",
        "printed",
        "--json",
    )
    assert json.loads(out)["value"] == pytest.approx([0.81, 0.6561], rel=1e-12)
    _, out, _ = call(
        capsys,
        "bound",
        "sglu.def2.1",
        "m0=0",
        "v0=4",
        "m1=0",
        "v1=1",
        "a=2",
        "--form",
        "printed",
        "--json",
    )
    assert json.loads(out)["value"] == "inf"


def test_bound_evaluates_the_forms_it_can_and_names_what_others_need(capsys):
    inputs = ["epsilon=1", "delta=1e-5", "eta=.8", "m=.5", "M=1", "b=2", "J=3", "K=1"]
    code, out, _ = call(capsys, "bound", "sglu.alg4", *inputs, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["values"]["tight"] == pytest.approx(0.520043939725, rel=1e-11)
    assert found["missing"] == {"printed": ["T", "R", "sigma_high"]}


def test_claims_are_named_by_label_as_well(capsys):
    def named(*words):
        code, out, err = call(capsys, "claims", *words, "--json")
        assert code == 0, err
        return [claim["id"] for claim in json.loads(out)["claims"]]

    assert named("olu.thm2") == ["olu.thm2"]
    assert named("Theorem", "3.2") == named("sglu", "thm", "3.2") == ["sglu.thm3.2"]
    assert named("2505.08557 theorem 2") == ["olu.thm2", "olu.thm2.unlearn", "olu.thm2.proof"]
    assert set(named("Theorem 2")) > set(named("--paper", "olu", "Theorem 2"))
    code, _, err = call(capsys, "claims", "olu.thm22")
    assert (code, "did you mean olu.thm2 (Theorem 2) or" in err) == (2, True)


def test_bound_prints_the_formula(capsys):
    code, out, _ = call(capsys, "bound", "sglu.lem3.4", "--latex", "--form", "printed")
    assert code == 0
    assert r"\begin{cases}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sglu.nothing"], "id must name a claim"),
        (["sglu.thm32"], "did you mean sglu.thm3.2"),
        (["sglu.lem3.4", "alpha=3"], "is missing"),
        (["sglu.lem3.4", "alpha=1", "Z=1", "s2=1", "c=.5", "K=1"], "alpha must be > 1"),
        (["sglu.lem3.4", "alpha=3", "Z=1", "s2=1", "c=.5", "K=1.5"], "K must be a whole number"),
        (["sglu.lem3.4", "alpha=3", "Z=1", "s2=1", "c=.5", "K=1", "x=1"], "x is not an argument"),
        (["sglu.lem3.4", "alpha"], "arguments are written NAME=VALUE"),
        (["sglu.lem3.4", "alpha=os"], "alpha: not a number or expression"),
        (["sglu.lem3.4", "--form", "shiny", "alpha=3"], "form must be one of"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = call(capsys, "bound", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_unknown_commands_and_options_are_exit_code_2(capsys):
    assert call(capsys, "forget")[0] == 2
    assert call(capsys, "claims", "--colour")[0] == 2
    assert call(capsys, "--version")[0] == 0
    assert call(capsys, "--help")[0] == 0


def test_claims_shows_the_last_run_where_there_is_one(capsys, tmp_path):
    assert run(["verify", "sglu.lem3.4", "--out", str(tmp_path), "--scale", "0.5"]) == 1
    capsys.readouterr()
    _, out, _ = call(capsys, "claims", "--out", str(tmp_path), "--json")
    found = {c["id"]: c for c in json.loads(out)["claims"]}
    assert (found["sglu.lem3.4"]["verdict"], found["sglu.lem3.4"]["source"]) == (
        "false",
        "last run",
    )
    assert (found["sglu.lem3.6"]["verdict"], found["sglu.lem3.6"]["source"]) == (
        "holds",
        "expected",
    )
    (tmp_path / "results.json").write_text("{")
    code, _, err = call(capsys, "claims", "--out", str(tmp_path))
    assert code == 2
    assert "out must be the folder of a run" in err


def test_claims_are_listed_and_counted_by_origin(capsys):
    asked = ("claims", "--paper", "safe", "--out", "no-such-run")
    _, out, _ = call(capsys, *asked, "--origin", "ours")
    assert out.rstrip().splitlines()[-1].endswith("ours, beside the papers: 28 holds")
    (line,) = (line for line in out.splitlines() if line.startswith("safe.lem1.d "))
    assert ", ours" in line
    _, out, _ = call(capsys, *asked, "--json")
    found = json.loads(out)
    by_origin = Counter(c["origin"] for c in found["claims"])
    assert {o: sum(kinds.values()) for o, kinds in found["headlines"].items()} == by_origin
    assert by_origin["ours"] == 28


def test_an_explanation_says_whose_the_claim_is(capsys):
    _, out, _ = call(capsys, "explain", "safe.vt.log", "--where-lost", "--json")
    assert json.loads(out)["origin"] == "ours"
    _, out, _ = call(capsys, "explain", "safe.vt.log", "--where-lost")
    assert out.splitlines()[0].startswith(
        "safe.vt.log (Path length by the first and the last size, ours)"
    )
