"""Claims by the names that people use, and what is stored of them: no check is run."""

import json
import re
import sys
from collections import defaultdict

import pytest

import bounds
from forgetproof.cli import run
from verify import programs
from verify.expectation import load
from verify.interpretations import headline
from verify.stored import stored

NAMED = {
    "olu Theorem 2": "olu.thm2",
    "olu thm2": "olu.thm2",
    "OLU THM 2": "olu.thm2",
    "2505.08557 Theorem 2": "olu.thm2",
    "arXiv:2505.08557v1 Theorem 2": "olu.thm2",
    "arXiv:2505.08557 thm 2 (unlearning)": "olu.thm2.unlearn",
    "Online Learning and Unlearning Theorem 2": "olu.thm2",
    "olu thm2.unlearn": "olu.thm2.unlearn",
    "olu (17)": "olu.eq17",
    "Theorem 3.2": "sglu.thm3.2",
    "sglu lem 3.4": "sglu.lem3.4",
}


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """No line on standard error says what takes long, however slow the machine is."""
    monkeypatch.setattr("forgetproof.progress.PATIENCE", 1e6)


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("text", NAMED, ids=lambda text: text.replace(" ", "-"))
def test_a_claim_has_the_names_that_people_use(text):
    assert bounds.claim(text).id == NAMED[text]


@pytest.mark.parametrize("key", [paper.key for paper in bounds.papers()])
def test_every_label_that_is_listed_leads_to_its_claim(key):
    paper = bounds.paper(key)
    for statement in bounds.statements(key):
        assert bounds.claim(statement.label, key) is statement
        assert bounds.claim(f"{key} {statement.label}") is statement
        assert bounds.claim(f"{paper.arxiv or key} {statement.label.lower()}") is statement
        # The end of an id after its paper.
        assert bounds.claim(f"{key} {statement.id.removeprefix(f'{key}.')}") is statement


def test_several_claims_of_one_name_are_listed():
    with pytest.raises(ValueError, match=r"^id must name one claim, got 'Theorem 2', which may be"):
        bounds.claim("Theorem 2")
    with pytest.raises(ValueError, match=r"olu\.thm6\.unlearn .* olu\.thm6\.regret"):
        bounds.claim("Theorem 6", "olu")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("olu Theorm 2", "olu.thm2 (Theorem 2)"),
        ("oul Theorem 2", "olu.thm2 (Theorem 2)"),
        ("olu.thn2", "olu.thm2"),
        ("sglu lema 3.4", "sglu.lem3.4"),
        ("sglu.thm32", "sglu.thm3.2"),
    ],
    ids=["label", "paper", "id", "lemma", "dot"],
)
def test_a_mistyped_name_is_answered_with_what_it_may_mean(text, near):
    with pytest.raises(ValueError, match="did you mean") as refusal:
        bounds.claim(text)
    assert f"did you mean {near}" in str(refusal.value)


@pytest.mark.parametrize("text", ["", " ", "!", "x" * 10_000, None, 3, ["olu"], "olu", "zz\ud800"])
@pytest.mark.parametrize("of", [None, "olu"])
def test_what_names_nothing_is_refused_in_a_line(text, of):
    with pytest.raises(ValueError, match=r"^id must name") as refusal:
        bounds.claim(text, of)
    assert len(str(refusal.value)) < 700


def test_a_label_is_taken_of_the_paper_that_is_given_alone():
    assert bounds.claim("Theorem 2", "olu").id == "olu.thm2"
    with pytest.raises(ValueError, match="must name a claim of sglu"):
        bounds.claim("olu.thm2", "sglu")
    with pytest.raises(ValueError, match="paper must be one of"):
        bounds.claim("olu.thm2", "nobody")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bound", "sglu", "lemma", "3.4", "alpha=3", "Z=1", "s2=1", "c=.9", "K=2"),
        ("bound", "Lemma 3.4", "--paper", "sglu", "alpha=3", "Z=1", "s2=1", "c=.9", "K=2"),
        ("search", "olu", "(17)", "--at", "--form", "printed", "k=4", "omega=1.5"),
        ("replay", "olu", "eq17"),
        ("plot", "sglu lem3.4", "--out", "x.svg"),
        ("verify", "olu", "(17)", "--out", "run", "--plots", "none"),
        ("verify", "(17)", "olu.eq17", "--paper", "olu", "--out", "run", "--plots", "none"),
    ],
    ids=["bound", "bound-of-a-paper", "search", "replay", "plot", "verify", "verify-of-a-paper"],
)
def test_every_command_takes_them(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *arguments)
    assert (code, err) == (0, ""), err
    assert out


def test_what_is_stored_is_what_is_expected(full):
    expected, programs_of = load(), defaultdict(set)
    keys = [paper.key for paper in bounds.papers()] if full else ["sglu", "mini", "guo"]
    for statement in (each for key in keys for each in bounds.statements(key)):
        found = stored(statement)
        assert (found.id, found.label) == (statement.id, statement.label)
        assert found.headline == headline(statement, expected[statement.id])
        words = {f"{i.name}.{v.form}": v.word for i in found.interpretations for v in i.verdicts}
        assert words == expected[statement.id]
        programs_of[statement.paper] |= {program.name for program in found.programs}
    # No program is without a claim.
    for key, names in programs_of.items():
        folder = programs.folder(bounds.statements(key)[0])
        assert names == {file.stem for file in folder.glob("*.py")}


def test_an_explanation_is_a_document(capsys):
    code, out, _ = call(capsys, "explain", "olu Theorem 2", "--json")
    found = json.loads(out)
    assert (code, found["id"], found["headline"]) == (0, "olu.thm2", "mixed")
    assert [part["id"] for part in found["parts"]] == ["olu.thm2.unlearn", "olu.thm2.proof"]
    (program,) = found["parts"][0]["programs"]
    assert program["name"] == "thm2_unlearn_guarantee"


def test_an_explanation_imports_no_check(capsys):
    modules = {bounds.paper(s.paper).check(s.id) for s in bounds.statements("guo")}
    for name in modules:
        sys.modules.pop(name, None)
    assert call(capsys, "explain", "guo.residual")[0] == 0
    assert not modules & sys.modules.keys()


def test_a_claim_has_the_programs_of_its_own_check():
    def names(id):
        return [file.stem for file in programs.named(bounds.get(id))]

    # Four checks of one module, two of them with a program each.
    assert names("hf.eq35") == ["eq35_from_one"]
    assert names("hf.eq38") == ["eq38_last"]
    assert names("olu.thm2") == ["thm2_equality", "thm2_valid", "thm2_useful"]
    assert names("safe.eq23.ml") == []


def test_what_cannot_be_read_of_a_check_has_no_program(tmp_path, monkeypatch):
    broken = tmp_path / "broken.py"
    broken.write_text("def (")
    assert programs.docstring(broken) == ""
    monkeypatch.setattr(programs, "_source", lambda claim: broken)
    assert programs.named(bounds.get("olu.thm2")) == []


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["clams"], "claims"),
        (["explian", "olu.thm2"], "explain"),
        (["noise", "langvin"], "langevin"),
        (["simulate", "onlin"], "online"),
        (["certificate", "shwo"], "show"),
        (["explain", "olu.thm2", "--laetx"], "--latex"),
        (["noise", "langevin", "--epsilom", "1"], "--epsilon"),
    ],
    ids=["claims", "explain", "noise", "simulate", "show", "option", "epsilon"],
)
def test_mistyped_commands_and_options_have_suggestions(capsys, words, near):
    code, out, err = call(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(rf"(did you mean|possible options).*{near}", err, re.IGNORECASE)


def test_a_word_like_no_command_is_told_where_they_are_listed(capsys):
    assert "forgetproof --help lists them" in call(capsys, "zzz")[2]
    assert "must be one of langevin, " in call(capsys, "noise", "zzz")[2]
