"""Proofs in Coq, the second checker: all lines are exported, and Coq refuses what is changed."""

import re
from functools import cache

import pytest

import bounds
from bounds import proof_files
from bounds.kernel import theorems
from tools.coq import compiling
from tools.coq.__main__ import chosen, main
from tools.coq.export import exported
from tools.coq.prelude import declared, prelude, proofs_of_theorems
from tools.coq.words import coq_name

needs_coq = pytest.mark.skipif(not compiling.installed(), reason="coqc is not installed")
SMALL = ("safe.eq20", "olu.eq11", "olu.eq49")
TRUSTED = """
coupled dp_weaker gaussian_renyi meet mironov nonexpansive shift start winf_least winf_triangle
"""
# What is changed in which file: a pattern that stands there, and what it becomes.
FALSE = {
    "goal": ("olu_eq49_printed", r"<= (.*)\.\nProof using", r"<= (\1) / 2.\nProof using"),
    "multiplier": ("olu_eq49_printed", r" = (.+)\) by \(identity", r" = 2 * (\1)) by (identity"),
    "theorem": ("Prelude", r"Rmin a b\) <= a", "Rmin a b) <= (a - 1)"),
}


@cache
def coq_files():
    return {proof: exported(proof.text) for proof in chosen(())}


def labels(text):
    """Labels of the lines of a proof, with those inside of inductions."""
    for line in text.splitlines():
        line = line.strip().removeprefix("base: ").removeprefix("step: ")
        match = re.match(r"(?:given )?(\w+): .*", line)
        if match:
            yield match[1]


def test_all_proofs_are_exported():
    assert len(coq_files()) == sum(len(proof_files.of_paper(p)) for p in bounds.papers())
    names = [file.name for file in coq_files().values()]
    assert len(set(names)) == len(names) >= 80


def test_each_line_of_a_proof_is_in_coq_under_its_label():
    for proof, file in coq_files().items():
        stated = re.findall(r"^(?:Lemma|Hypothesis|\{? ?assert) \(?([\w']+) :", file.text, re.M)
        missing = {coq_name(label) for label in labels(proof.text)} - set(stated)
        assert not missing, proof.path
        assert f"Theorem {file.name} : " in file.text
        lines = [line for line in proof.text.splitlines() if re.match(r"\s*(\w+:|hence) ", line)]
        assert file.lines == len(lines)


def test_a_named_theorem_is_proved_in_coq_or_an_axiom():
    text = prelude()
    taken = {name for name in theorems() if f"by_{name}" in declared(text)}
    assert taken == set(TRUSTED.split())
    assert theorems().keys() - taken == proofs_of_theorems().keys()
    # In the words of the kernel's file: what the axiom says is made from what the theorem says.
    assert "Axiom by_meet : forall (X : law) (Y : law) (v : R), link X Y 0 v -> gdp X Y v." in text


def test_without_coq_the_command_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(compiling, "installed", lambda: False)
    assert main(["safe.eq20"]) == 2
    assert capsys.readouterr().err.splitlines() == [compiling.MISSING]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--jobs", "0"], "--jobs must be >= 1"),
        (["olu.nothing"], "olu.nothing"),
        (["hf.thm4.3"], "hf.thm4.3 has no proof"),
    ],
    ids=["jobs", "id", "without"],
)
def test_what_cannot_be_asked_is_exit_code_2(words, reason, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert reason in capsys.readouterr().err


@needs_coq
def test_coq_accepts_proofs_and_refuses_what_is_changed_in_them(tmp_path, capsys):
    assert main([*SMALL, "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert "3 proofs, 10 lines" in capsys.readouterr().out
    accepted = [word for word, change in FALSE.items() if not _refused(tmp_path, *change)]
    assert accepted == []


def _refused(folder, name, pattern, changed):
    """Whether Coq refuses the file with the change."""
    text = (folder / f"{name}.v").read_text("utf-8")
    # The last place: the first identities are of lines in which both sides are 0.
    last = list(re.finditer(pattern, text))[-1]
    other = text[: last.start()] + last.expand(changed) + text[last.end() :]
    (folder / "Changed.v").write_text(other, "utf-8")
    result, said = compiling.run(folder, "Changed")
    assert bool(result.failure) == ("Error" in said)
    return bool(result.failure)


@needs_coq
def test_a_theorem_that_rests_on_more_than_the_kernel_says_is_a_failure(tmp_path):
    proof = next(p for p in coq_files() if p.id == "olu.eq11")
    file = coq_files()[proof]._replace(theorems=())
    results = list(compiling.compiled([file], tmp_path, 1))
    assert [result.failure for result in results] == ["", "rests on by_nonexpansive"]
